"""Positions into states and back: plain lists on one side, zones and group states on the other."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Literal

import numpy as np
import numpy.typing as npt

from burako_env.batch import REASONS
from burako_env.burako.lookups import Lookups, lookups_for
from burako_env.burako.melds.accept import refresh_all
from burako_env.burako.melds.closing import CLEAN_ACES, CLEAN_RUN, CLEAN_SET, WILD_BAZA
from burako_env.burako.melds.groups import (
    ACE_HIGH,
    FOREIGN_RANK,
    MAX_CARDS,
    MIN_CARDS,
    MIN_NATURALS,
    OWN_TWO,
    SET_COUNT,
    SET_WILD,
    add_to_run,
)
from burako_env.burako.position import Cards, Phase, Position, PositionError
from burako_env.burako.rules import Rules
from burako_env.burako.sanctions import position_codec as sanctions
from burako_env.burako.state import BITS_PER_DECK, State, Words, reserve_rows
from burako_env.burako.turn.actions import FIRST_RUN, NONE, WILD_GROUP
from burako_env.burako.view.layout import ANSWERS, PHASES
from burako_env.cards import (
    ACE,
    JOKER,
    RANK_COUNT,
    SUIT_COUNT,
    TWO,
    TYPE_COUNT,
    WILD_CODE,
    WILD_TYPES,
    card_name,
    is_wild,
)

_PHASES: tuple[Phase, ...] = ("draw", "look", "lay", "answer", "burako", "over")
_REASONS: tuple[Literal["out", "exhausted", "truncated"] | None, ...] = (None, "out", "exhausted", "truncated")
assert _PHASES[: len(PHASES)] == PHASES
assert REASONS[1 : len(_REASONS)] == _REASONS[1:]


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
        self.rules = position.rules
        self.lookups: Lookups = lookups_for(position.rules)
        per_deck = self.rules.jokers_per_deck
        self.free = {
            card: [BITS_PER_DECK * deck + card for deck in range(self.rules.decks)][::-1] for card in range(52)
        }
        self.free[JOKER] = [
            BITS_PER_DECK * deck + JOKER + index for deck in range(self.rules.decks) for index in range(per_deck)
        ][::-1]

    def physical(self, cards: Cards) -> list[int]:
        """Physical cards of these types, not used before."""
        for card in cards:
            if not self.free[card]:
                raise PositionError(f"{card_name(card)} is there more often than the decks hold")
        taken = []
        for card in cards:
            if not self.free[card]:
                raise PositionError(f"{card_name(card)} is there more often than the decks hold")
            taken.append(self.free[card].pop())
        return taken

    def zone(self, physical: list[int]) -> Words:
        """One word a deck."""
        words = [0] * self.rules.decks
        for card in physical:
            words[card // BITS_PER_DECK] |= 1 << card % BITS_PER_DECK
        return np.array(words, dtype=np.uint64)

    def fill(self) -> None:
        """Write everything."""
        position, state, game = self.position, self.state, self.game
        decks = self.rules.decks
        for seat, cards in enumerate(position.hands):
            physical = self.physical(cards)
            rows = slice(seat * decks, (seat + 1) * decks)
            state.hands[rows, game] = self.zone(physical)
            public: Cards = []
            for lists in (position.known, position.shown):
                public += lists[seat] if lists else []
            state.known[rows, game] = self.zone(self._among(physical, public, seat))
        for team in range(self.rules.teams):
            self._table(team)
            for cards in position.closed[team]:
                self._baza(team, cards)
        state.pile[:, game] = self.zone(self.physical(position.pile))
        state.pile_size[game] = len(position.pile)
        state.pile_order[: len(position.pile), game] = position.pile
        self._reserves()
        self._numbers()
        sanctions.fill(state, game, position, lambda cards: self.zone(self.physical(cards)))

    def _among(self, physical: list[int], public: Cards, seat: int) -> list[int]:
        """The physical cards of a hand that are the publicly known ones."""
        rest, found = list(physical), []
        for card in public:
            match = next((one for one in rest if min(one % BITS_PER_DECK, JOKER) == card), None)
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
                kind, group_state, code = opening[0], len(cards), 0
            else:
                kind, group_state, code = classify(self.rules, cards, half_open=half)
            group = kind
            if kind >= FIRST_RUN:
                suit = kind - FIRST_RUN
                if runs_open[suit] == self.rules.run_slots:
                    raise PositionError(f"more open runs of a suit than the bound {self.rules.run_slots} (GROUP-8)")
                group = lookups.actions.run_group(suit, runs_open[suit])
                runs_open[suit] += 1
            row = team * lookups.groups + group
            if state.groups[row, game]:
                raise PositionError("two open sets of a rank, or two wild groups, of one team (GROUP-7, GROUP-9)")
            state.groups[row, game] = group_state
            state.group_wild[row, game] = code
            physical = self.physical(cards)
            in_sets = [card for card in physical if kind < FIRST_RUN and (kind == WILD_GROUP or not self._wild(card))]
            rows = slice(team * self.rules.decks, (team + 1) * self.rules.decks)
            state.sets[rows, game] |= self.zone(in_sets)
            state.runs[rows, game] |= self.zone([card for card in physical if card not in in_sets])
            if half:
                state.opening[game] = len(cards)
                state.open_group[game] = group

    @staticmethod
    def _wild(physical: int) -> bool:
        return is_wild(min(physical % BITS_PER_DECK, JOKER))

    def _baza(self, team: int, cards: Cards) -> None:
        state, game = self.state, self.game
        if len(cards) != MAX_CARDS:
            raise PositionError(f"a closed baza has 7 cards, not {len(cards)}")
        kind, group_state, _ = classify(self.rules, cards)
        if kind == WILD_GROUP:
            index = WILD_BAZA
        elif kind >= FIRST_RUN:
            index = CLEAN_RUN + (not self.lookups.run.clean[group_state])
        else:
            index = (CLEAN_ACES if kind == ACE else CLEAN_SET) + (group_state & SET_WILD > 0)
        state.closed_kinds[team * 7 + index, game] += 1
        if kind < FIRST_RUN:
            state.closed_sets[team * RANK_COUNT + kind, game] += 1
        zone = self.zone(self.physical(cards))
        rows = slice(team * self.rules.decks, (team + 1) * self.rules.decks)
        state.closed[rows, game] |= zone
        first = int(state.baza_count[game]) * self.rules.decks
        state.bazas[first : first + self.rules.decks, game] = zone
        state.baza_count[game] += 1

    def _reserves(self) -> None:
        """Burakos left, those taken, and the stock."""
        state, game, rules, position = self.state, self.game, self.rules, self.position
        reserve = reserve_rows(rules)
        for team in range(rules.teams):
            left, takers = position.burakos[team], position.taken_by[team]
            if len(left) + len(takers) != rules.burakos_per_team:
                raise PositionError(
                    f"team {team} has {len(left)} burakos left and {len(takers)} taken, "
                    f"{rules.burakos_per_team} in all expected"
                )
            state.burakos_left[team, game] = len(left)
            for nth, seat in enumerate(takers):
                if seat % rules.teams != team:
                    raise PositionError(f"seat {seat} cannot take a burako of team {team} (BURAKO-4)")
                state.taken_by[team * rules.burakos_per_team + nth, game] = seat
            for nth, cards in enumerate(left, start=len(takers)):
                if len(cards) != rules.burako_size:
                    raise PositionError(f"a burako has {rules.burako_size} cards, not {len(cards)}")
                start = (team * rules.burakos_per_team + nth) * rules.burako_size
                state.deck[start : start + rules.burako_size, game] = self.physical(cards)
        stock = self.physical(position.stock)
        state.deck[reserve : reserve + len(stock), game] = stock
        state.stock_next[game] = reserve
        state.stock_end[game] = reserve + len(stock)

    def _numbers(self) -> None:
        state, game, position = self.state, self.game, self.position
        state.actor[game] = position.turn
        state.turn[game] = position.turn if position.asker is None else position.asker
        state.phase[game] = _PHASES.index(position.phase)
        state.answer[game] = ANSWERS.index(position.answer)
        state.single[game] = NONE if position.single is None else position.single
        state.single_laid[game] = position.single_laid
        state.drawn[game] = NONE if position.drawn is None else position.drawn
        state.first_draw[game] = position.first_draw
        state.cutter[game] = position.cutter
        state.bottom[game] = NONE if position.bottom is None else position.bottom
        state.reason[game] = _REASONS.index(position.reason)
        state.out_seat[game] = NONE if position.out_seat is None else position.out_seat
        state.turns[game] = position.turns
        state.final_turns[game] = -1 if position.final_turns is None else position.final_turns


def position_of(state: State, game: int) -> Position:
    """One game of a state as plain data."""
    rules = state.rules
    decks = rules.decks
    phase = _PHASES[int(state.phase[game])]

    def zone(field: Words, owner: int = 0) -> Cards:
        return zone_cards(field[owner * decks : (owner + 1) * decks, game])

    known = [zone(state.known, seat) for seat in range(rules.players)]
    takers = state.taken_by.reshape(-1, state.size)[:, game]
    burakos: list[list[Cards]] = [[], []]
    taken_by: list[list[int]] = [[], []]
    for team in range(rules.teams):
        count = rules.burakos_per_team - int(state.burakos_left[team, game])
        first = team * rules.burakos_per_team
        taken_by[team] = [int(seat) for seat in takers[first : first + count]]
        for nth in range(count, rules.burakos_per_team):
            start = (first + nth) * rules.burako_size
            burakos[team].append(_types(state.deck[start : start + rules.burako_size, game]))
    bazas = state.bazas[: int(state.baza_count[game]) * decks, game].reshape(-1, decks)
    closed = state.closed[:, game].reshape(rules.teams, 1, decks)
    turn, actor = int(state.turn[game]), int(state.actor[game])
    tables = [open_groups(state, team, game) for team in range(rules.teams)]
    opening = None
    if state.opening[game]:
        group = int(state.open_group[game])
        opening = (group, next(cards for number, cards in tables[turn % rules.teams] if number == group))
    reason = _REASONS[int(state.reason[game])]
    return Position(
        rules=rules,
        turn=actor,
        phase=phase,
        hands=[zone(state.hands, seat) for seat in range(rules.players)],
        tables=[[cards for _, cards in groups] for groups in tables],
        closed=[[zone_cards(baza) for baza in bazas if np.any(baza & team)] for team in closed],
        pile=[int(card) for card in state.pile_order[: int(state.pile_size[game]), game]],
        stock=_types(state.deck[int(state.stock_next[game]) : int(state.stock_end[game]), game]),
        burakos=burakos,
        taken_by=taken_by,
        first_draw=bool(state.first_draw[game]),
        drawn=_optional(state.drawn[game]),
        asker=turn if phase == "answer" else None,
        answer=ANSWERS[int(state.answer[game])],
        single=_optional(state.single[game]),
        single_laid=bool(state.single_laid[game]),
        shown=[[card for card in cards if is_wild(card)] for cards in known],
        known=[[card for card in cards if not is_wild(card)] for cards in known],
        turns=int(state.turns[game]),
        final_turns=None if state.final_turns[game] < 0 else int(state.final_turns[game]),
        opening=opening,
        cutter=int(state.cutter[game]),
        bottom=_optional(state.bottom[game]),
        reason=reason,
        out_seat=_optional(state.out_seat[game]),
        **sanctions.found(state, game, zone_cards),
    )


def open_groups(state: State, team: int, game: int) -> list[tuple[int, Cards]]:
    """Open groups of a team, as (group number, card types): naturals upwards, a second own two, the wild."""
    lookups = lookups_for(state.rules)
    groups = []
    sets = zone_cards(state.sets[team * lookups.decks : (team + 1) * lookups.decks, game])
    for group in range(lookups.groups):
        row = team * lookups.groups + group
        number = int(state.groups[row, game])
        if not number:
            continue
        if group == WILD_GROUP:
            cards = [card for card in sets if is_wild(card)]
        elif group < FIRST_RUN:
            cards = [card for card in sets if not is_wild(card) and card % RANK_COUNT == group]
            assert len(cards) == number & SET_COUNT
        else:
            first = (group - FIRST_RUN) // lookups.slots * RANK_COUNT
            ranks = int(lookups.run.types[number])
            cards = [first + rank for rank in range(RANK_COUNT) if ranks >> rank & 1]
            if number & ACE_HIGH:
                cards = cards[1:] + cards[:1]
            cards += [first + TWO] * ((number // OWN_TWO & 3) - (ranks >> TWO & 1))
        code = int(state.group_wild[row, game])
        groups.append((group, cards + ([WILD_TYPES[code - 1]] if code else [])))
    return groups


def zone_cards(words: npt.NDArray[np.uint64]) -> Cards:
    """Card types of a zone `[decks]`, sorted."""
    cards = [min(bit, JOKER) for word in words.tolist() for bit in range(BITS_PER_DECK) if word >> bit & 1]
    return sorted(cards)


def _types(physical: npt.NDArray[np.uint8]) -> Cards:
    return [min(int(card) % BITS_PER_DECK, JOKER) for card in physical]


def _optional(value: np.uint8) -> int | None:
    return None if int(value) == NONE else int(value)


assert TYPE_COUNT == JOKER + 1
