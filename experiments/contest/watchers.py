"""What a watcher of the play is told, and the one that counts what each team did in a hand."""

from __future__ import annotations

from typing import Any, Final, Protocol

import numpy as np
import numpy.typing as npt

from burako_env.batch import BatchGame, Ints
from burako_env.burako.game import BurakoGame
from burako_env.burako.melds.bazas import BAZA_KINDS
from burako_env.burako.turn.actions import Kind
from burako_env.cards import TWO, type_values
from burako_env.layout import View
from burako_env.match import MatchGame
from experiments.contest.outcomes import Outcomes

Index = npt.NDArray[np.intp]

_CLEAN: Final = [place for place, kind in enumerate(BAZA_KINDS[:6]) if kind.startswith("clean")]
_DIRTY: Final = [place for place, kind in enumerate(BAZA_KINDS[:6]) if kind.startswith("dirty")]


class Watcher(Protocol):
    """Sees every hand that is played. Slots are games of the batch, rows hands of the job."""

    def dealt(self, game: BatchGame, slots: Index, rows: Index) -> None:
        """New hands lie in these slots: of these rows, or the next of their matches."""

    def seen(self, slots: Index, rows: Index, seats: Index, view: View) -> None:
        """These seats are about to decide, and see this."""

    def acted(self, slots: Index, rows: Index, seats: Index, actions: Ints) -> None:
        """They chose these actions, which are about to be played. Whose agent failed is left out."""

    def stepped(self, game: BatchGame) -> None:
        """All actions of this moment have been played."""

    def ended(self, hands: BatchGame, rows: Index) -> None:
        """These hands are over; game i of `hands` is of row `rows[i]`."""

    def broken(self, game: BatchGame, slots: Index, rows: Index) -> None:
        """These hands are given up, as an agent failed."""


class Idle:
    """A watcher that does nothing, to build others on."""

    def dealt(self, game: BatchGame, slots: Index, rows: Index) -> None:
        return None

    def seen(self, slots: Index, rows: Index, seats: Index, view: View) -> None:
        return None

    def acted(self, slots: Index, rows: Index, seats: Index, actions: Ints) -> None:
        return None

    def stepped(self, game: BatchGame) -> None:
        return None

    def ended(self, hands: BatchGame, rows: Index) -> None:
        return None

    def broken(self, game: BatchGame, slots: Index, rows: Index) -> None:
        return None


def card_game(game: BatchGame) -> BurakoGame | None:
    """The card game under a batch of hands or matches; None for another game."""
    hand = game.hand if isinstance(game, MatchGame) else game
    return hand if isinstance(hand, BurakoGame) else None


def every_view(game: BatchGame, slots: npt.ArrayLike) -> View:
    """What each seat sees in some games, game-major: row `i * seats + s`."""
    games = np.asarray(slots)
    copies = game.select(np.repeat(games, game.seats))
    return copies.view(seats=np.tile(np.arange(game.seats), len(games)))


class Counter(Idle):
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
        self._add("clean", rows, bazas[:, :, _CLEAN].sum(axis=2))
        self._add("dirty", rows, bazas[:, :, _DIRTY].sum(axis=2))
        self._add("wild", rows, wild)
        self._add("unjustified", rows, bazas.sum(axis=2) + wild == 0)
        self._add("burakos", rows, self._by_team(first.burakos_taken))
        self._add("out", rows, self._by_team(first.hand_sizes == 0))
        points = views.hand.astype(np.int32) @ self.values
        self._add("held", rows, self._by_team(points.reshape(-1, seats)))

    def _add(self, name: str, rows: Index, numbers: npt.NDArray[Any]) -> None:
        """Add numbers `[n, 2]` to a count."""
        self.outcomes.count(name)[rows] += numbers.astype(np.int32)

    def _by_team(self, by_seat: npt.NDArray[Any]) -> npt.NDArray[np.int32]:
        """`[n, seats]` to `[n, 2]`."""
        return np.stack([by_seat[:, self.side_of == side].sum(axis=1, dtype=np.int32) for side in (0, 1)], axis=1)
