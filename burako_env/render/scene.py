"""A scene: a position of the card game as plain data, which every picture of it (text, page, image) is drawn from.

`view_scene` holds what one seat may know, `game_scene` the same with every hand open. Cards are names (`9S`, `JK`),
seats and teams are absolute numbers, a group has the name that actions give it (`set 8`, `run S1`, `wild`). A scene is
JSON as it stands.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final, TypedDict

import numpy as np

from burako_env.batch import BatchGame
from burako_env.burako.groups import MIN_CARDS
from burako_env.burako.view_layout import ANSWERS, KINDS, OVER, PHASES
from burako_env.cards import (
    JOKER,
    RANK_COUNT,
    RANK_NAMES,
    SUIT_COUNT,
    SUITS,
    TWO,
    TYPE_COUNT,
    WILD_TYPES,
    card_name,
    is_wild,
)
from burako_env.layout import I8, View
from burako_env.match import MatchGame

_ACE_LOW: Final = 1
_PLACE_TWO: Final = 2
OVER_PHASE: Final = "over"


class Group(TypedDict):
    """An open group. `half`: it has too few cards yet and must go on."""

    name: str
    cards: list[str]
    half: bool


class Team(TypedDict):
    """A team's table. `kinds`: how many closed bazas of each kind; `closed_ranks`: of the sets among them; `closed`:
    their cards. `points`: of this hand if it ended now, None if that would tell of hidden cards. `total`: before it.
    """

    groups: list[Group]
    kinds: dict[str, int]
    closed_ranks: list[str]
    closed: list[str]
    burakos: int
    points: int | None
    total: int


class Seat(TypedDict):
    """A player. `hand`: suit by suit, the wilds last; None where it is hidden. `known`: what everybody knows of it.
    `drawn`: the card just drawn, `bottom`: that seen at the stock's bottom, None where hidden or none.
    """

    size: int
    hand: list[list[str]] | None
    known: list[str]
    drawn: str | None
    bottom: str | None
    burakos: int
    cut: bool


class Scene(TypedDict):
    """A position. `observer`: whose View it is, None with every hand open. `match`: hand number and most hands, None
    outside a match. `turn`: number of the turn. `actor`: who is to act, None once the hand is over; `turn_of`: whose
    turn it is. `below`, `top`: the pile's cards, the last of `top` uppermost, those of `below` sorted. `target`: 0
    outside a match. `final_turns`: still to come after this one, None before the stock ran out.
    """

    observer: int | None
    match: tuple[int, int] | None
    turn: int
    phase: str
    actor: int | None
    turn_of: int
    answer: str
    final_turns: int | None
    stock: int
    below: list[str]
    top: list[str]
    single: str | None
    single_laid: bool
    target: int
    teams: list[Team]
    seats: list[Seat]


def view_scene(view: View, row: int = 0, *, seat: int = 0) -> Scene:
    """What the observer of `view[row]` knows; `seat` is his absolute seat."""
    reader = _Reader(view, row, seat)
    hands: list[View | None] = [None] * reader.players
    hands[seat] = view.take([row])
    return reader.scene(hands, points=None)


def game_scene(game: BatchGame, index: int = 0) -> Scene:
    """One game with every hand open, and the points both teams would get now."""
    seats = np.arange(game.seats)
    views = game.select(np.full(game.seats, index)).view(seats=seats)
    hand = game.hand if isinstance(game, MatchGame) else game
    scene = _Reader(views, 0, 0).scene([views.take([seat]) for seat in seats], points=hand.scores[index].tolist())
    scene["observer"] = None
    if isinstance(game, MatchGame):
        scene["match"] = (int(game.hands_played[index]) + (not game.done[index]), game.max_hands)
    return scene


def seat_scene(game: BatchGame, seat: int, index: int = 0) -> Scene:
    """One game as a seat sees it."""
    scene = view_scene(game.view([index], seats=seat), seat=seat)
    if isinstance(game, MatchGame):
        scene["match"] = (int(game.hands_played[index]) + (not game.done[index]), game.max_hands)
    return scene


class _Reader:
    """The fields of one View, in absolute seats and teams."""

    def __init__(self, view: View, row: int, observer: int) -> None:
        one = view.take([row])
        self.field = {field.name: one.field(field.name)[0].astype(int) for field in view.layout}
        self.players = len(self.field["hand_sizes"])
        self.observer = observer

    def scene(self, hands: list[View | None], points: list[int] | None) -> Scene:
        field = self.field
        phases = np.flatnonzero(field["phase"])
        phase = int(phases[0]) if len(phases) else OVER
        over = phase == OVER
        top = [int(code) - 1 for code in field["pile_top"] if code][::-1]
        below = field["pile"].copy()
        np.subtract.at(below, top, 1)
        return {
            "observer": self.observer,
            "match": None,
            "turn": _number(field["turns"]) + (not over),
            "phase": OVER_PHASE if over else PHASES[phase],
            "actor": None if over else self._absolute(field["actor"]),
            "turn_of": self._absolute(field["turn"]),
            "answer": ANSWERS[field["answer"]],
            "final_turns": int(field["final_turns"]) if field["final_turns"] >= 0 else None,
            "stock": int(field["stock_size"]),
            "below": card_names(counted(below)),
            "top": card_names(top),
            "single": _coded(field["single"]),
            "single_laid": bool(field["single_laid"]),
            "target": _number(field["target"]),
            "teams": [self._team(team, None if points is None else points[team]) for team in range(2)],
            "seats": [self._seat(seat, hands[seat]) for seat in range(self.players)],
        }

    def _absolute(self, relative: int) -> int:
        return int(relative + self.observer) % self.players

    def _team(self, team: int, points: int | None) -> Team:
        field, relative = self.field, (team - self.observer) % 2
        closed_sets = field["closed_sets"][relative]
        kinds = [*field["closed_kinds"][relative].tolist(), int(closed_sets[TWO])]
        return {
            "groups": [*self._sets(relative), *self._runs(relative)],
            "kinds": {kind: count for kind, count in zip(KINDS, kinds, strict=True) if count},
            "closed_ranks": [
                RANK_NAMES[rank] for rank in range(RANK_COUNT) for _ in range(closed_sets[rank]) if rank != TWO
            ],
            "closed": card_names(counted(field["closed"][relative])),
            "burakos": int(field["burakos_left"][relative]),
            "points": points,
            "total": _number(field["totals"][relative]),
        }

    def _sets(self, team: int) -> list[Group]:
        """Open sets by rank, aces first, the wild group last."""
        counts, groups = self.field["sets"][team], []
        for rank in [rank for rank in range(RANK_COUNT) if rank != TWO]:
            cards = [card for card in range(rank, JOKER, RANK_COUNT) for _ in range(counts[card])]
            code = int(self.field["set_wild"][team][rank])
            groups.append((f"set {RANK_NAMES[rank]}", cards + ([WILD_TYPES[code - 1]] if code else [])))
        groups.append(("wild", [card for card in WILD_TYPES for _ in range(counts[card])]))
        return [_group(name, cards) for name, cards in groups if cards]

    def _runs(self, team: int) -> list[Group]:
        """Open runs; a wild in the gap it fills, else at the end."""
        return [
            _group(f"run {SUITS[suit]}{number}", run_cards(suit, *slot.tolist()))
            for suit, slots in enumerate(self.field["runs"][team])
            for number, slot in enumerate(slots, start=1)
            if slot.any()
        ]

    def _seat(self, seat: int, own: View | None) -> Seat:
        """A player; `own` is his View, None where his hand is hidden."""
        relative = (seat - self.observer) % self.players
        return {
            "size": int(self.field["hand_sizes"][relative]),
            "hand": None if own is None else [card_names(part) for part in hand_order(own.hand[0])],
            "known": card_names(counted(self.field["known"][relative])),
            "drawn": None if own is None else _coded(own.drawn[0]),
            "bottom": None if own is None else _coded(own.bottom[0]),
            "burakos": int(self.field["burakos_taken"][relative]),
            "cut": bool(relative == self.field["cutter"]),
        }


def run_cards(suit: int, low: int, high: int, hole: int, twos: int, wild: int) -> list[int]:
    """Cards of an open run in reading order, from the five numbers of the View's `runs`."""
    first = RANK_COUNT * suit
    placed = {
        place: first + (place - 1) % RANK_COUNT
        for place in range(low, high + 1)
        if place and place != hole and not (place == _PLACE_TWO and twos)
    }
    spare = [first + TWO] * twos
    if twos and (low == _ACE_LOW or low == _PLACE_TWO + 1) and (wild or twos > 1 or not hole):
        placed[_PLACE_TWO] = spare.pop()
    if wild:
        spare.append(WILD_TYPES[wild - 1])
    if hole and spare:
        placed[hole] = spare.pop()
    return [placed[place] for place in sorted(placed)] + spare


def hand_order(counts: I8) -> list[list[int]]:
    """A hand, counts `[53]`, in parts: suit by suit, the wilds last; parts without cards left out."""
    kinds = np.array([SUIT_COUNT if is_wild(card) else card // RANK_COUNT for card in range(TYPE_COUNT)])
    parts = [counted(np.where(kinds == kind, counts, 0)) for kind in range(SUIT_COUNT + 1)]
    return [part for part in parts if part]


def counted(counts: I8) -> list[int]:
    """The cards of a count by type, `[53]`, by type."""
    return [card for card in range(TYPE_COUNT) for _ in range(int(counts[card]))]


def card_names(cards: Iterable[int]) -> list[str]:
    """The names of card types."""
    return [card_name(int(card)) for card in cards]


def _group(name: str, cards: list[int]) -> Group:
    return {"name": name, "cards": card_names(cards), "half": len(cards) < MIN_CARDS}


def _coded(code: int) -> str | None:
    """The card of a code: type + 1, 0 for none."""
    return card_name(int(code) - 1) if code else None


def _number(parts: I8) -> int:
    """A number kept as hundreds and the rest."""
    hundreds, rest = parts.tolist()
    return int(100 * hundreds + rest)


__all__ = [
    "Group",
    "Scene",
    "Seat",
    "Team",
    "counted",
    "game_scene",
    "hand_order",
    "run_cards",
    "seat_scene",
    "view_scene",
]
