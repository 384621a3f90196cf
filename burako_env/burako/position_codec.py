"""Positions into states and back: plain lists on one side, zones and group states on the other."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

import numpy as np

from burako_env.burako.lookups import lookups_for
from burako_env.burako.melds.accept import refresh_all
from burako_env.burako.melds.bazas import BAZA_KINDS
from burako_env.burako.melds.closing import baza_kinds
from burako_env.burako.melds.groups import (
    ACE_HIGH,
    FOREIGN_RANK,
    MAX_CARDS,
    MIN_CARDS,
    MIN_NATURALS,
    OWN_TWO,
    SET_WILD,
    add_to_run,
)
from burako_env.burako.position import Cards, Position, PositionError, numbers
from burako_env.burako.rules import Rules
from burako_env.burako.sanctions import position_codec as sanctions
from burako_env.burako.state import State, reserve_rows
from burako_env.burako.turn.actions import FIRST_RUN, WILD_GROUP
from burako_env.burako.zones import BITS_PER_DECK, Words
from burako_env.cards import ACE, JOKER, RANK_COUNT, SUIT_COUNT, TWO, WILD_CODE, WILD_TYPES, card_name, is_wild


def state_of(given: Sequence[Position]) -> State:
    """A state with one game a position. Raises `PositionError` for one that no game can be in."""
    rules = given[0].rules
    state = State(rules, len(given))
    for game, position in enumerate(given):
        if position.rules != rules:
            raise PositionError("positions of one batch must share their rules")
        _Filler(state, game, position).fill()
    refresh_all(state, lookups_for(rules))
    return state


def classify(rules: Rules, cards: Cards, *, half_open: bool = False) -> tuple[int, int, int]:
    """Kind of a group, its state and the code of its foreign wild.

    Kind: the rank of a set, `WILD_GROUP`, or `FIRST_RUN + suit` of a run. Raises `PositionError` for cards that form
    none.
    """
    naturals = [card for card in cards if not is_wild(card)]
    wilds = [card for card in cards if is_wild(card)]
    ranks = {card % RANK_COUNT for card in naturals}
    text = " ".join(card_name(card) for card in cards)
    if not naturals and not (half_open and len(cards) == 1):
        return WILD_GROUP, len(wilds), 0
    if len(ranks) == 1 and len(naturals) >= MIN_NATURALS:
        if len(wilds) > 1:
            raise PositionError(f"'{text}' has more than one wild (GROUP-4)")
        return ranks.pop(), len(naturals) + SET_WILD * len(wilds), WILD_CODE[wilds[0]] if wilds else 0
    suits = {card // RANK_COUNT for card in naturals or cards}
    if len(suits) != 1 or len(set(naturals)) != len(naturals):
        raise PositionError(f"'{text}' is neither a set nor a run (GROUP-2, GROUP-3)")
    suit = suits.pop()
    run = 0
    for card in sorted(naturals, key=lambda card: card % RANK_COUNT == ACE):
        run = add_to_run(run, card % RANK_COUNT)
    foreign = [card for card in wilds if card != suit * RANK_COUNT + TWO]
    twos = len(wilds) - len(foreign)
    if len(foreign) > 1 or twos > 2:
        raise PositionError(f"'{text}' has more than one wild (GROUP-4)")
    run += twos * OWN_TWO
    code = WILD_CODE[foreign[0]] if foreign else 0
    if foreign:
        run = add_to_run(run, FOREIGN_RANK)
    lookups = lookups_for(rules).run
    fits = lookups.accepts[run] > 0 or len(cards) == 1 if half_open else lookups.legal[run]
    if not fits:
        raise PositionError(f"'{text}' is not a run (GROUP-3 to GROUP-6)")
    return FIRST_RUN + suit, run, code


class _Filler:
    """Writes one position into one column of a state."""

    def __init__(self, state: State, game: int, position: Position) -> None:
        self.state, self.game, self.position = state, game, position
        self.rules, self.lookups = position.rules, lookups_for(position.rules)
        self.free: dict[int, list[int]] = {}
        for deck in reversed(range(self.rules.decks)):
            for bit in reversed(range(JOKER + self.rules.jokers_per_deck)):
                self.free.setdefault(min(bit, JOKER), []).append(BITS_PER_DECK * deck + bit)

    def physical(self, cards: Cards) -> list[int]:
        """Physical cards of these types, not used before."""
        taken = []
        for card in cards:
            if not self.free.get(card):
                raise PositionError(f"{card_name(card)} is there more often than the decks hold")
            taken.append(self.free[card].pop())
        return taken

    def put(self, zones: Words, physical: list[int], owner: int = 0) -> None:
        """Add cards to the zone of an owner, which is one word a deck."""
        for card in physical:
            deck, bit = divmod(card, BITS_PER_DECK)
            zones[owner * self.rules.decks + deck, self.game] |= np.uint64(1 << bit)

    def fill(self) -> None:
        """Write everything."""
        position, state, game = self.position, self.state, self.game
        for seat, cards in enumerate(position.hands):
            physical = self.physical(cards)
            self.put(state.hands, physical, seat)
            public = [card for lists in (position.known, position.shown) if lists for card in lists[seat]]
            self.put(state.known, self._among(physical, public, seat), seat)
        for team in range(self.rules.teams):
            self._table(team)
            for cards in position.closed[team]:
                self._baza(team, cards)
        self.put(state.pile, self.physical(position.pile))
        state.pile_size[game] = len(position.pile)
        state.pile_order[: len(position.pile), game] = position.pile
        self._reserves()
        state.actor[game], state.turn[game] = position.turn, position.turn_seat
        for name, number in numbers(self.rules).items():
            getattr(state, name)[game] = number.stored(getattr(position, name))
        sanctions.check(position)
        if self.rules.sanctions:
            self.put(state.apart, self.physical(position.apart))
            state.must_pass[game] = sum(1 << seat for seat in position.must_pass)

    def _among(self, physical: list[int], public: Cards, seat: int) -> list[int]:
        """The physical cards of a hand that are the publicly known ones."""
        rest, found = list(physical), []
        for card in public:
            match = next((one for one in rest if _type(one) == card), None)
            if match is None:
                raise PositionError(f"seat {seat} is known to hold {card_name(card)}, which its hand does not")
            rest.remove(match)
            found.append(match)
        return found

    def _table(self, team: int) -> None:
        state, game, lookups = self.state, self.game, self.lookups
        runs_open = [0] * SUIT_COUNT
        opening = self.position.opening if self.position.turn % self.rules.teams == team else None
        for cards in self.position.tables[team]:
            half = opening is not None and len(cards) < MIN_CARDS and Counter(cards) == Counter(opening[1])
            # GROUP-1: the seventh card closes a group, unless that is left to the players.
            most = MAX_CARDS - (not self.rules.manual_close)
            if not half and not MIN_CARDS <= len(cards) <= most:
                raise PositionError(f"an open group has {MIN_CARDS} to {most} cards, not {len(cards)}")
            if half and opening is not None and opening[0] < FIRST_RUN:
                group, group_state, code = opening[0], len(cards), 0
            else:
                group, group_state, code = classify(self.rules, cards, half_open=half)
            is_set = group < FIRST_RUN
            if not is_set:
                suit = group - FIRST_RUN
                if runs_open[suit] == self.rules.run_slots:
                    raise PositionError(f"more open runs of a suit than the bound {self.rules.run_slots} (GROUP-8)")
                group = lookups.actions.run_group(suit, runs_open[suit])
                runs_open[suit] += 1
            row = team * lookups.groups + group
            if state.groups[row, game]:
                raise PositionError("two open sets of a rank, or two wild groups, of one team (GROUP-7, GROUP-9)")
            state.groups[row, game], state.group_wild[row, game] = group_state, code
            for card in self.physical(cards):
                in_sets = is_set and (group == WILD_GROUP or not is_wild(_type(card)))
                self.put(state.sets if in_sets else state.runs, [card], team)
            if half:
                state.opening[game], state.open_group[game] = len(cards), group

    def _baza(self, team: int, cards: Cards) -> None:
        state, game = self.state, self.game
        if len(cards) != MAX_CARDS:
            raise PositionError(f"a closed baza has {MAX_CARDS} cards, not {len(cards)}")
        group, group_state, _ = classify(self.rules, cards)
        kind = int(baza_kinds(self.lookups, np.array(group), np.array(group_state)))
        state.closed_kinds[team * len(BAZA_KINDS) + kind, game] += 1
        if group < FIRST_RUN:
            state.closed_sets[team * RANK_COUNT + group, game] += 1
        physical = self.physical(cards)
        self.put(state.closed, physical, team)
        self.put(state.bazas, physical, int(state.baza_count[game]))
        state.baza_count[game] += 1

    def _reserves(self) -> None:
        """Burakos left, those taken, and the stock."""
        state, game, rules, position = self.state, self.game, self.rules, self.position
        each, size, reserve = rules.burakos_per_team, rules.burako_size, reserve_rows(rules)
        for team in range(rules.teams):
            left, takers = position.burakos[team], position.taken_by[team]
            if len(left) + len(takers) != each:
                counts = f"{len(left)} burakos left and {len(takers)} taken"
                raise PositionError(f"team {team} has {counts}, {each} in all expected")
            state.burakos_left[team, game] = len(left)
            for nth, seat in enumerate(takers):
                if seat % rules.teams != team:
                    raise PositionError(f"seat {seat} cannot take a burako of team {team} (BURAKO-4)")
                state.taken_by[team * each + nth, game] = seat
            for nth, cards in enumerate(left, start=len(takers)):
                if len(cards) != size:
                    raise PositionError(f"a burako has {size} cards, not {len(cards)}")
                start = (team * each + nth) * size
                state.deck[start : start + size, game] = self.physical(cards)
        stock = self.physical(position.stock)
        state.deck[reserve : reserve + len(stock), game] = stock
        state.stock_next[game], state.stock_end[game] = reserve, reserve + len(stock)


def position_of(state: State, game: int) -> Position:
    """One game of a state as plain data."""
    rules = state.rules
    decks, each, size = rules.decks, rules.burakos_per_team, rules.burako_size
    teams, seats = range(rules.teams), range(rules.players)

    def zone(field: Words, owner: int = 0) -> Cards:
        return zone_cards(field[owner * decks : (owner + 1) * decks, game])

    def dealt(start: int, stop: int) -> Cards:
        return [_type(card) for card in state.deck[start:stop, game].tolist()]

    known = [zone(state.known, seat) for seat in seats]
    taken = [each - int(state.burakos_left[team, game]) for team in teams]
    bazas = state.bazas[: int(state.baza_count[game]) * decks, game].reshape(-1, decks)
    closed = state.closed[:, game].reshape(rules.teams, 1, decks)
    turn, actor = int(state.turn[game]), int(state.actor[game])
    tables = [open_groups(state, team, game) for team in teams]
    opening = None
    if state.opening[game]:
        group = int(state.open_group[game])
        opening = (group, next(cards for number, cards in tables[turn % rules.teams] if number == group))
    return Position(
        rules=rules,
        turn=actor,
        hands=[zone(state.hands, seat) for seat in seats],
        tables=[[cards for _, cards in groups] for groups in tables],
        closed=[[zone_cards(baza) for baza in bazas if np.any(baza & team)] for team in closed],
        pile=state.pile_order[: int(state.pile_size[game]), game].tolist(),
        stock=dealt(int(state.stock_next[game]), int(state.stock_end[game])),
        burakos=[
            [dealt(first * size, (first + 1) * size) for first in range(team * each + taken[team], (team + 1) * each)]
            for team in teams
        ],
        taken_by=[state.taken_by[team * each : team * each + taken[team], game].tolist() for team in teams],
        asker=turn if turn != actor else None,
        shown=[[card for card in cards if is_wild(card)] for cards in known],
        known=[[card for card in cards if not is_wild(card)] for cards in known],
        opening=opening,
        apart=zone(state.apart) if rules.sanctions else [],
        must_pass=[seat for seat in seats if int(state.must_pass[game]) >> seat & 1] if rules.sanctions else [],
        **{name: number.found(int(getattr(state, name)[game])) for name, number in numbers(rules).items()},
    )


def open_groups(state: State, team: int, game: int) -> list[tuple[int, Cards]]:
    """Open groups of a team, as (group number, card types): naturals upwards, a second own two, the wild."""
    lookups = lookups_for(state.rules)
    groups = []
    sets = zone_cards(state.sets[team * lookups.decks : (team + 1) * lookups.decks, game])
    rows = slice(team * lookups.groups, (team + 1) * lookups.groups)
    for group, number in enumerate(state.groups[rows, game].tolist()):
        if not number:
            continue
        if group == WILD_GROUP:
            cards = [card for card in sets if is_wild(card)]
        elif group < FIRST_RUN:
            cards = [card for card in sets if not is_wild(card) and card % RANK_COUNT == group]
        else:
            first = (group - FIRST_RUN) // lookups.slots * RANK_COUNT
            ranks = int(lookups.run.types[number])
            cards = [first + rank for rank in range(RANK_COUNT) if ranks >> rank & 1]
            if number & ACE_HIGH:
                cards = cards[1:] + cards[:1]
            cards += [first + TWO] * ((number // OWN_TWO & 3) - (ranks >> TWO & 1))
        code = int(state.group_wild[rows, game][group])
        groups.append((group, cards + ([WILD_TYPES[code - 1]] if code else [])))
    return groups


def zone_cards(words: Words) -> Cards:
    """Card types of a zone `[decks]`, sorted."""
    return sorted(min(bit, JOKER) for word in words.tolist() for bit in range(BITS_PER_DECK) if word >> bit & 1)


def _type(physical: int) -> int:
    return min(physical % BITS_PER_DECK, JOKER)
