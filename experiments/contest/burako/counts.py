"""Counts what each team did in a hand of the card game: bazas, burakos, piles, and what it was left with."""

from typing import Any, Final, cast

import numpy as np
import numpy.typing as npt

from burako_env.batch import BatchGame, Ints
from burako_env.burako.game import BurakoGame
from burako_env.burako.melds.bazas import BAZA_KINDS
from burako_env.burako.turn.actions import Kind
from burako_env.cards import TWO, type_values
from experiments.contest.burako.luck import LuckCounter
from experiments.contest.outcomes import Outcomes
from experiments.contest.watchers import Index, Watcher, every_view

_CLEAN: Final = [place for place, kind in enumerate(BAZA_KINDS[:6]) if kind.startswith("clean")]
_DIRTY: Final = [place for place, kind in enumerate(BAZA_KINDS[:6]) if kind.startswith("dirty")]


def watchers(game: BatchGame, outcomes: Outcomes) -> list[Watcher]:
    """Both counters, for a batch of hands or matches of the card game."""
    hand = cast(BurakoGame, game.hand)
    return [Counter(hand, outcomes), LuckCounter(hand, game.size, outcomes)]


class Counter(Watcher):
    """Counts `COUNTS` for both teams, from what the players see."""

    def __init__(self, game: BurakoGame, outcomes: Outcomes) -> None:
        self.outcomes = outcomes
        self.side_of = game.side_of
        self.draws_pile = game.table.rows["kind"] == Kind.DRAW_PILE
        self.values = type_values(game.rules.rank_values, game.rules.joker_value)

    def acted(self, slots: Index, rows: Index, seats: Index, actions: Ints) -> None:
        taking = np.flatnonzero(self.draws_pile[actions])
        self.outcomes.count("piles")[rows[taking], self.side_of[seats[taking]]] += 1

    def ended(self, hands: BatchGame, rows: Index) -> None:
        views = every_view(hands, np.arange(hands.size))
        seats = hands.seats
        # Seat 0 sees its own team as team 0 and the seats in their order.
        first = views.take(np.arange(0, len(views), seats))
        bazas = first.closed_kinds.astype(np.int32)
        wild = first.closed_sets[:, :, TWO].astype(np.int32)
        points = views.hand.astype(np.int32) @ self.values
        found = {
            "clean": bazas[:, :, _CLEAN].sum(axis=2),
            "dirty": bazas[:, :, _DIRTY].sum(axis=2),
            "wild": wild,
            "unjustified": bazas.sum(axis=2) + wild == 0,
            "burakos": self._by_team(first.burakos_taken),
            "out": self._by_team(first.hand_sizes == 0),
            "held": self._by_team(points.reshape(-1, seats)),
        }
        for name, numbers in found.items():
            self.outcomes.count(name)[rows] += numbers.astype(np.int32)

    def _by_team(self, by_seat: npt.NDArray[Any]) -> npt.NDArray[np.int32]:
        """`[n, seats]` to `[n, 2]`."""
        return np.stack([by_seat[:, self.side_of == side].sum(axis=1, dtype=np.int32) for side in (0, 1)], axis=1)
