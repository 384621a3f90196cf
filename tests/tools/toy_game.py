"""A card game in one file: what a new family needs, and nothing else of the project knows of it.

Duel: of twelve cards two players get four each. The leader plays a card, the other answers, the higher card takes both
and their ranks as points, and its player leads next. After four tricks the hand is over.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from burako_env.batch import Ints
from burako_env.chance.rng import STREAM_DEAL, U64, combine, mix, shuffled
from burako_env.errors import unknown
from burako_env.families import Family
from burako_env.kit.array_game import ArrayGame
from burako_env.kit.fields import FieldRows, FieldState, Index
from burako_env.layout import Field, View, ViewLayout

CARDS, HELD, NONE = 12, 4, 12
BITS = np.uint64(1) << np.arange(CARDS, dtype=np.uint64)


@dataclass(frozen=True)
class DuelRules:
    """There is nothing to choose."""

    players: int = 2

    def digest(self) -> str:
        """The name of these rules."""
        return "duel"


class DuelTable:
    """One action a card."""

    size = 64
    rows = np.zeros(64, dtype=[("kind", "u1")])


FIELDS = (
    *(FieldRows(name, "u1", None, (fresh,)) for name, fresh in [("actor", 0), ("phase", 1), ("reason", 0)]),
    FieldRows("swapped", "u1", None, (0,)),
    FieldRows("led", "u1", None, (NONE,)),  # the leader's card
    FieldRows("turns", "i2", None, (0,)),
    FieldRows("decisions", "i4", None, (0,)),
    FieldRows("deal_ids", "i8", None, (0,)),
    FieldRows("hands", "u8", 2, (0, 0)),  # a bit for each card
    FieldRows("seen", "u8", None, (0,)),  # cards that have been played
    FieldRows("points", "i4", 2, (0, 0)),
)
LAYOUT = ViewLayout(
    (
        Field("hand", (CARDS,), "cards of the seat"),
        Field("seen", (CARDS,), "cards that have been played"),
        Field("led", (CARDS,), "the leader's card"),
        Field("points", (2,), "points, own first"),
        Field("actor", (), "seat to act, counted from the seat that sees"),
        Field("phase", (1,), "1 in a live game"),
    )
)


def cards_of(words: U64) -> np.ndarray:
    """Bits as columns, `[n, CARDS]`."""
    return (words[:, None] & BITS) > 0


class DuelGame(ArrayGame[Any]):
    """B hands of Duel: A = 64, F = 40, scores are points of the two players."""

    family, private_fields, phases, over = "duel", ("hand",), ("play",), 1
    end_reasons = ("", "exhausted")
    table, layout = DuelTable(), LAYOUT
    seats = sides = turns_of_table = 2
    side_of = np.arange(2)

    def __init__(self, rules: DuelRules, size: int, root_seed: int = 0, name: str = "duel") -> None:
        self.rules, self.name = rules, name
        self._begin(size, root_seed)

    @property
    def swapped(self) -> Any:
        return self._state.swapped > 0

    @property
    def scores(self) -> Any:
        return self._state.points.T.copy()

    public_scores = scores

    def action_text(self, action: int, game: int = 0) -> str:
        return f"play {action}"

    def _fresh(self, size: int) -> Any:
        return FieldState(FIELDS, size)

    def _deal(self, games: Index, deal_ids: Ints, swapped: Ints) -> None:
        state = self._state
        state.clear(games)
        order = BITS[shuffled(combine(self.root_seed, STREAM_DEAL, deal_ids), CARDS)]
        hands = np.stack([order[:, :HELD].sum(axis=1), order[:, HELD : 2 * HELD].sum(axis=1)])
        state.hands[:, games] = np.where(swapped > 0, hands[::-1], hands)
        state.actor[games], state.phase[games] = swapped, 0
        state.swapped[games], state.deal_ids[games] = swapped, deal_ids

    def _words(self, games: Index | None) -> U64:
        at = self._all if games is None else games
        own = self._state.hands[self._state.actor[at], at]
        return np.where(self._state.phase[at] == self.over, np.uint64(0), own)[None]

    def _act(self, kind: int, games: Index, actions: Ints) -> None:
        state, seat = self._state, self._state.actor[games].astype(np.intp)
        state.hands[seat, games] ^= BITS[actions]
        state.seen[games] |= BITS[actions]
        first = state.led[games] == NONE
        state.led[games[first]], state.actor[games[first]] = actions[first], 1 - seat[first]
        at, answer, led = games[~first], actions[~first], state.led[games[~first]].astype(np.int64)
        winner = np.where(answer > led, seat[~first], 1 - seat[~first])
        state.points[winner, at] += answer + led
        state.actor[at], state.led[at] = winner, NONE
        state.turns[at] += 1
        ended = at[state.hands[:, at].sum(axis=0) == 0]
        state.phase[ended], state.reason[ended] = self.over, 1

    def _seen(self, games: Index | None, seats: Any) -> View:
        at, state = self._all if games is None else games, self._state
        seats = seats.astype(np.intp)
        view = View(np.zeros((len(at), LAYOUT.width), dtype=np.int8), LAYOUT)
        view.hand[:] = cards_of(state.hands[seats, at])
        view.seen[:] = cards_of(state.seen[at])
        view.led[:] = state.led[at][:, None] == np.arange(CARDS)
        view.points[:] = np.stack([state.points[seats, at], state.points[1 - seats, at]], axis=1)
        view.actor[:] = state.actor[at] != seats
        view.phase[:, 0] = state.phase[at] != self.over
        return view

    def _sampled(self, view: View, k: int, keys: U64) -> Any:
        state, rows = self._fresh(len(view) * k), np.repeat(np.arange(len(view)), k)
        state.seen[:] = (view.seen[rows] * BITS).sum(axis=1)
        state.hands[0] = (view.hand[rows] * BITS).sum(axis=1)
        state.led[:] = np.where(view.led[rows].any(axis=1), view.led[rows].argmax(axis=1), NONE)
        state.points[:] = view.points[rows].T
        state.phase[:] = 0
        every = mix(keys[rows] + np.tile(np.arange(k, dtype=np.uint64), len(view)))
        order = BITS[shuffled(every, CARDS)]
        unknown_cards = (order & (state.hands[0] | state.seen)[:, None]) == 0
        held = view.hand[rows].sum(axis=1) - view.led[rows].any(axis=1)
        state.hands[1] = np.where(unknown_cards & (unknown_cards.cumsum(axis=1) <= held[:, None]), order, 0).sum(axis=1)
        return state


def duel_rules(name: str, config: Mapping[str, Any] | None = None) -> DuelRules:
    """The rules, which have no keys."""
    for key in config or {}:
        raise unknown("rule key", key, ())
    return DuelRules()


DUEL = Family("duel", {"duel": DuelRules()}, duel_rules, DuelGame, unit="points", scale=10.0, forfeit=66)
