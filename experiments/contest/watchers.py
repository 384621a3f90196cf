"""What a watcher of the play is told, and which watchers count for the rows what a game has to count."""

from pkgutil import resolve_name
from typing import Final

import numpy as np
import numpy.typing as npt

from burako_env.batch import BatchGame, Ints
from burako_env.layout import View
from experiments.contest.outcomes import Outcomes

Index = npt.NDArray[np.intp]

# By family: the function that gives watchers for a game and the outcomes that they fill. Others count nothing.
_COUNTING: Final = {"burako": "experiments.contest.burako.counts:watchers"}


class Watcher:
    """Sees every hand that is played. Slots are games of the batch, rows hands of the job. This one does nothing."""

    def dealt(self, game: BatchGame, slots: Index, rows: Index) -> None:
        """New hands lie in these slots: of these rows, or the next of their matches."""

    def seen(self, slots: Index, rows: Index, seats: Index, view: View) -> None:
        """These seats are about to decide, and see this."""

    def acted(self, slots: Index, rows: Index, seats: Index, actions: Ints) -> None:
        """They chose these actions, which are about to be played. Seats whose agent failed are left out."""

    def stepped(self, game: BatchGame) -> None:
        """All actions of this moment have been played."""

    def ended(self, hands: BatchGame, rows: Index) -> None:
        """These hands are over; game i of `hands` is of row `rows[i]`."""

    def broken(self, game: BatchGame, slots: Index, rows: Index) -> None:
        """These hands are given up, as an agent failed."""


def watchers(game: BatchGame, outcomes: Outcomes) -> list[Watcher]:
    """The watchers that count what the rows tell in addition to the result, if the game has any."""
    if game.family not in _COUNTING:
        return []
    outcomes.counted = True
    found: list[Watcher] = resolve_name(_COUNTING[game.family])(game, outcomes)
    return found


def every_view(game: BatchGame, slots: npt.ArrayLike) -> View:
    """What each seat sees in some games, game-major: row `i * seats + s`."""
    games = np.asarray(slots)
    copies = game.select(np.repeat(games, game.seats))
    return copies.view(seats=np.tile(np.arange(game.seats), len(games)))
