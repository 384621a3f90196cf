"""Positions in the middle of a hand, made up from a seed by the recipes of `recipes.py`; any could come up in play."""

from __future__ import annotations

import random
from collections import Counter
from typing import Final

from burako_env.burako.position import Position
from burako_env.burako.rules import Rules
from burako_env.cards import JOKER, RANK_COUNT, SUIT_COUNT, TWO, WILD_TYPES, is_wild
from tests.fuzz.recipes import RECIPES, Recipe

Cards = list[int]
SETS, RUNS, WILDS = range(3)
_WILD_IN_GROUP: Final = 0.4
_FULL: Final = 7
_UNCLOSED: Final = 0.75
_TRIES: Final = 8
# No more groups are laid out when fewer cards a player would be left for the hands.
_CARDS_A_HAND: Final = 10


def made_up(rules: Rules, name: str, seed: int) -> Position:
    """The position that a recipe and a seed make; the same on every machine."""
    return _Maker(rules, RECIPES[name], random.Random(f"{name} {seed}")).position()


class _Maker:
    """Fills one position: groups first, then hands that suit them, then everything face down."""

    def __init__(self, rules: Rules, recipe: Recipe, rng: random.Random) -> None:
        self.rules, self.recipe, self.rng = rules, recipe, rng
        self.left = Counter(dict.fromkeys(range(JOKER), rules.decks))
        self.left[JOKER] = rules.decks * rules.jokers_per_deck
        self.suit = rng.randrange(SUIT_COUNT)
        self.turn = rng.randrange(rules.players)
        self.open: list[Counter[tuple[int, int]]] = [Counter(), Counter()]
        self.ever: list[Counter[tuple[int, int]]] = [Counter(), Counter()]
        self.reserve = 0

    def position(self) -> Position:
        """The position. What is drawn from the pack must be drawn in this order."""
        rules, recipe, rng = self.rules, self.recipe, self.rng
        taken_by = self._takers()
        self.reserve = rules.burako_size * sum(rules.burakos_per_team - len(takers) for takers in taken_by)
        closed = [self._groups(team, recipe.closed, _FULL) for team in range(2)]
        tables = [self._groups(team, recipe.groups, None) for team in range(2)]
        wanted = self._wanted(tables)
        hands = [self._hand(wanted, rules.players - seat) for seat in range(rules.players)]
        rest = sorted(self.left.elements())
        rng.shuffle(rest)
        burakos = [self._burakos(rest, len(takers)) for takers in taken_by]
        pile = [card for card in rest if not is_wild(card)][: rng.randint(*recipe.pile)]
        for card in pile:
            rest.remove(card)
        stock = rest[: rng.randint(*recipe.stock)]
        del rest[: len(stock)]
        position = Position(rules, self.turn, "draw", hands, tables, closed, pile, stock, burakos, taken_by)
        self._turn(position)
        self._public(position)
        if rules.sanctions:
            self._sanctions(position, rest)
        position.cutter = (self.turn - position.turns - 2) % rules.players
        return position

    def _groups(self, team: int, number: tuple[int, int], size: int | None) -> list[Cards]:
        """Some groups of a team: closed ones of seven cards, or open ones of a size of their own."""
        groups = []
        for _ in range(self.rng.randint(*number)):
            if self.left.total() - self.reserve < self.rules.players * _CARDS_A_HAND:
                break
            for _ in range(_TRIES):
                group = self._group(team, size or self._size(), size == _FULL)
                if group is not None:
                    groups.append(group)
                    break
        return groups

    def _size(self) -> int:
        """Cards of an open group; where closing is manual it may be full."""
        if self.rules.manual_close and self.rng.random() < _UNCLOSED:
            return _FULL
        return self.rng.randint(*self.recipe.sizes)

    def _group(self, team: int, size: int, full: bool) -> Cards | None:
        """A group of a random kind, None if the cards or the rules do not allow it; its cards leave the pack."""
        kind = self.rng.choices((SETS, RUNS, WILDS), self.recipe.kinds)[0]
        if kind == SETS:
            which = self.rng.choice([rank for rank in range(RANK_COUNT) if rank != TWO])
            cards = self._set_cards(which, size)
        elif kind == RUNS:
            which = self.suit if self.recipe.one_suit else self.rng.randrange(SUIT_COUNT)
            cards = self._run_cards(which, size)
        else:
            which = 0
            cards = self._some([card for card in WILD_TYPES for _ in range(self.left[card])], size)
        bound = self.rules.run_slots if kind == RUNS else 1
        counts = self.ever if self.rules.one_set_per_rank_ever and kind == SETS else self.open
        if cards is None or Counter(cards) - self.left or counts[team][kind, which] >= bound:
            return None
        self.ever[team][kind, which] += 1
        self.open[team][kind, which] += not full
        self.left -= Counter(cards)
        return cards

    def _set_cards(self, rank: int, size: int) -> Cards | None:
        wild = self.rng.random() < _WILD_IN_GROUP
        naturals = [card for card in range(rank, JOKER, RANK_COUNT) for _ in range(self.left[card])]
        cards = self._some(naturals, size - wild)
        return None if cards is None else cards + [self._wild()] * wild

    def _run_cards(self, suit: int, size: int) -> Cards:
        """Places in a row, one of them perhaps filled by a wild: inside a gap, at an end floating."""
        lowest = 2 if self.rules.ace == "high" else 1
        highest = 13 if self.rules.ace == "low" else 14
        start = lowest if self.recipe.low_runs else self.rng.randint(lowest, highest - size + 1)
        cards = [suit * RANK_COUNT + (place - 1) % RANK_COUNT for place in range(start, start + size)]
        if self.rng.random() < _WILD_IN_GROUP:
            cards[self.rng.randrange(size)] = self._wild()
        return cards

    def _wild(self) -> int:
        return self.rng.choice([card for card in WILD_TYPES for _ in range(self.left[card])] or [JOKER])

    def _some(self, cards: Cards, number: int) -> Cards | None:
        return self.rng.sample(cards, number) if len(cards) >= number else None

    def _wanted(self, tables: list[list[Cards]]) -> Cards:
        """Naturals that may suit the groups on the table: their ranks, or next to them in their suit."""
        near: set[int] = set()
        for cards in (cards for table in tables for cards in table):
            naturals = [card for card in cards if not is_wild(card)]
            for card in naturals:
                suit, rank = divmod(card, RANK_COUNT)
                if len({other % RANK_COUNT for other in naturals}) == 1:
                    near.update(range(rank, JOKER, RANK_COUNT))
                near.update(suit * RANK_COUNT + (rank + step) % RANK_COUNT for step in (-1, 1))
        if self.recipe.one_suit:
            near.update(range(self.suit * RANK_COUNT, (self.suit + 1) * RANK_COUNT))
        return sorted(card for card in near if not is_wild(card))

    def _hand(self, wanted: Cards, hands: int) -> Cards:
        """A hand, never empty: wilds, then naturals of which some suit the table or the hand; `hands` are to come."""
        rng, recipe = self.rng, self.recipe
        size = min(rng.randint(*recipe.hand), (self.left.total() - self.reserve) // hands)
        wilds = [card for card in WILD_TYPES for _ in range(self.left[card])]
        hand = rng.sample(wilds, min(size, len(wilds), rng.randint(*recipe.wilds)))
        self.left -= Counter(hand)
        wanted, naturals = list(wanted), [card for card in self.left.elements() if not is_wild(card)]
        while naturals and len(hand) < size:
            fits = wanted and rng.random() < recipe.fitting
            card = rng.choice(wanted if fits else naturals)
            if not self.left[card]:
                (wanted if fits else naturals).remove(card)
                continue
            self.left[card] -= 1
            hand.append(card)
            wanted += self._neighbours(card)
        return hand

    def _neighbours(self, card: int) -> Cards:
        """Naturals of the same rank, and one or two places away in the suit."""
        suit, rank = divmod(card, RANK_COUNT)
        same = [other for other in range(rank, JOKER, RANK_COUNT) if not is_wild(other)]
        steps = [suit * RANK_COUNT + (rank + step) % RANK_COUNT for step in (-2, -1, 1, 2)]
        return same + [other for other in steps if not is_wild(other)]

    def _takers(self) -> list[list[int]]:
        """Who took the burakos that are gone."""
        rng, recipe, players = self.rng, self.recipe, self.rules.players
        taken_by: list[list[int]] = [[], []]
        for team, takers in enumerate(taken_by):
            seats = list(range(team, players, 2))
            takers += [rng.choice(seats) for _ in range(self.rules.burakos_per_team) if rng.random() < recipe.taken]
            if takers and recipe.mate_took and team == self.turn % 2:
                takers[0] = rng.choice([seat for seat in seats if seat != self.turn])
        return taken_by

    def _burakos(self, rest: Cards, taken: int) -> list[Cards]:
        """The burakos that a team has left, off the end of the shuffled rest."""
        size = self.rules.burako_size
        burakos = []
        for _ in range(self.rules.burakos_per_team - taken):
            burakos.append(rest[-size:])
            del rest[-size:]
        return burakos

    def _turn(self, position: Position) -> None:
        """How far the hand and the turn are."""
        rules, recipe, rng = self.rules, self.recipe, self.rng
        most = rules.max_turns - 1
        position.turns = most - rng.randint(0, min(2, most)) if recipe.last_turns else rng.randint(0, min(most, 60))
        laying = rng.random() < recipe.laying
        if not position.stock:
            position.final_turns = rng.randint(0, rules.players - (not laying))
        if not laying:
            return
        position.phase = "lay"
        hand = position.hands[self.turn]
        naturals = [card for card in hand if not is_wild(card)]
        if recipe.single and naturals:
            position.single = rng.choice(naturals)
            position.single_laid = rng.random() < 0.2
            # The pile was taken whole.
            position.pile = []
        elif rng.random() < 0.7:
            position.drawn = rng.choice(hand)
        takers = position.taken_by[self.turn % 2]
        if takers and len(takers) == rules.burakos_per_team and takers[0] != self.turn and rules.consult:
            position.answer = rng.choice(recipe.answers)  # type: ignore[arg-type]

    def _public(self, position: Position) -> None:
        """INFO-1, INFO-3: what everyone knows of the hands."""
        public = [[card for card in hand if self.rng.random() < self.recipe.known] for hand in position.hands]
        position.shown = [[card for card in cards if is_wild(card)] for cards in public]
        position.known = [[card for card in cards if not is_wild(card)] for cards in public]

    def _sanctions(self, position: Position, rest: Cards) -> None:
        """SANCTION: annulled cards under the stock, wilds that lie apart, seats that pass."""
        rng = self.rng
        annulled = min(len(position.stock), rng.choice((0, 0, 1, 3, 7)))
        position.annulled = annulled
        apart = [card for card in rest if is_wild(card)][: rng.choice((0, 0, 0, 1, 2))]
        position.apart = sorted(apart)
        if apart and rng.random() < 0.5:
            position.offer = rng.choice(apart)
        if rng.random() < 0.3:
            others = [seat for seat in range(self.rules.players) if seat != self.turn]
            position.must_pass = sorted(rng.sample(others, rng.randint(1, len(others))))
        if position.final_turns is None and annulled == len(position.stock) and rng.random() < 0.7:
            # The stock ran out and was filled by an annulment.
            position.final_turns = rng.randint(0, self.rules.players - (position.phase == "draw"))
