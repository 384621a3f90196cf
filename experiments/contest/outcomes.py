"""What became of the hands of a job: results, errors, and what each team did.

Where matches are played, a row is a match, and what is counted is the sum over its hands.
"""

from collections.abc import Iterable
from typing import Final

import numpy as np
import numpy.typing as npt

from burako_env.batch import Bools

# In games with more than two sides: the column of all that are neither a nor b.
OTHERS: Final = 2

# What the rows say of each team where the game counts it; the other games have nulls there.
COUNTS: Final[dict[str, str]] = {
    "out": "hands in which it went out",
    "clean": "clean bazas closed",
    "dirty": "dirty bazas closed",
    "wild": "bazas of wilds closed",
    "burakos": "burakos taken",
    "piles": "times it took the pile",
    "held": "points in its hands at the end",
    "unjustified": "hands that ended while it had no baza",
}
# Luck of the draw, by where the wilds came from; see `burako/luck.py`.
LUCK: Final = ("stock", "burako")


class Outcomes:
    """What became of each hand; arrays `[n]` or, by team, `[n, 2]`.

    With more than two sides decisions, asked and seconds are `[n, 3]`, all other sides in the last column.

    forfeit: points by which a failing agent loses each hand of the board. scores: of a failed hand those at the moment
    of the error. hands: 1, or those of a match. decisions: by team; asked: those with a choice, put to the agent;
    seconds: spent by it on these. best: share of the table's best score (`win_shares`). tied: a match without a winner.
    error_side: team whose agent failed, -1 if none did; `errors` has the reason by hand. counts: int32 `[n, 2,
    COUNTS]`. luck: float64 `[n, 2, LUCK]`. counted: whether counts and luck are of this game.
    """

    def __init__(self, hands: int, forfeit: int, sides: int = 2) -> None:
        columns = min(sides, OTHERS + 1)
        self.forfeit, self.sides = forfeit, sides
        self.scores = np.zeros((hands, 2), dtype=np.int32)
        self.hands = np.zeros(hands, dtype=np.int32)
        self.decisions = np.zeros((hands, columns), dtype=np.int32)
        self.asked = np.zeros((hands, columns), dtype=np.int32)
        self.seconds = np.zeros((hands, columns))
        self.turns = np.zeros(hands, dtype=np.int32)
        self.best = np.zeros((hands, 2))
        self.truncated = np.zeros(hands, dtype=np.bool_)
        self.tied = np.zeros(hands, dtype=np.bool_)
        self.error_side = np.full(hands, -1, dtype=np.int8)
        self.reasons = [""] * hands
        self.errors: dict[int, str] = {}
        self.counts = np.zeros((hands, 2, len(COUNTS)), dtype=np.int32)
        self.luck = np.zeros((hands, 2, len(LUCK)))
        self.counted = False

    @property
    def forfeits(self) -> Bools:
        """Whose agent failed in one of the hands of the board, bool `[n, 2]` (or `[n, 3]`)."""
        columns = self.decisions.shape[1]
        failed = self.error_side[:, None] == np.arange(columns)
        boards = failed.reshape(-1, self.sides, columns).any(axis=1)
        return np.repeat(boards, self.sides, axis=0)

    @property
    def points(self) -> npt.NDArray[np.int32]:
        """What counts, team 0 minus team 1, int32 `[n]`: the difference of the scores.

        An error forfeits all hands of the board. If both teams had one, or one of the others, neither gains.
        """
        plain = self.scores[:, 0] - self.scores[:, 1]
        forfeits = self.forfeits
        lost = forfeits[:, 1].astype(np.int32) - forfeits[:, 0]
        return np.where(forfeits.any(axis=1), lost * self.forfeit, plain).astype(np.int32)

    @property
    def wins(self) -> npt.NDArray[np.int8]:
        """1 where team 0 won, -1 where team 1 did, 0 for a draw and for a match without a winner, int8 `[n]`."""
        drawn = self.tied & ~self.forfeits.any(axis=1)
        return np.where(drawn, 0, np.sign(self.points)).astype(np.int8)

    @property
    def win_shares(self) -> npt.NDArray[np.float64]:
        """Each team's share of the win at its table (TILE-3: all with the best score share it), float64 `[n, 2]`.

        On a forfeited board the team that failed has none and the other the whole; where neither gains each has half.
        """
        lost = self.forfeits.astype(np.float64)
        instead = (1 + lost[:, [1, 0]] - lost[:, :OTHERS]) / 2
        return np.where(lost.any(axis=1, keepdims=True), instead, self.best)

    def count(self, name: str) -> npt.NDArray[np.int32]:
        """A count by team, a view `[n, 2]`."""
        return self.counts[:, :, tuple(COUNTS).index(name)]


def shares_of_best(scores: npt.NDArray[np.integer]) -> npt.NDArray[np.float64]:
    """Shares of the win, 1 divided among all with the best score; scores and shares `[n, sides]`."""
    best = scores == scores.max(axis=1, keepdims=True)
    return np.asarray(best / best.sum(axis=1, keepdims=True))


def names_by_side(names: Iterable[str]) -> list[str]:
    """`out` as the columns `out_a`, `out_b`, and so on."""
    return [f"{name}_{side}" for name in names for side in "ab"]
