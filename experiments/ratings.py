"""Ratings of several agents from their pairs: points by least squares, Elo by Bradley-Terry.

Both intervals come from a cluster bootstrap: boards are drawn again, and a board brings the results of every pair that
played it, because they shared its cards.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
import numpy.typing as npt

from experiments.stats import Estimate, Floats, percentile_interval

REPLICATES: Final = 1000
ELO_PER_LOGIT: Final = 400 / np.log(10)
ANCHOR_ELO: Final = 1000.0
# Half a win for each side of a pair that met: keeps the rating of an agent that always won finite (Jeffreys' prior).
PRIOR_WINS: Final = 0.5


@dataclass(frozen=True)
class Meetings:
    """Results of P pairs of K agents on the same n boards.

    agents: K names. pairs: the two agents of each pair, int `[P, 2]`. points, wins: by board, `[P, n]` (`board_points`,
    `board_wins` of the first agent).
    """

    agents: tuple[str, ...]
    pairs: npt.NDArray[np.int64]
    points: Floats
    wins: Floats


@dataclass(frozen=True)
class Ratings:
    """Points and Elo of each agent, in the order of `Meetings.agents`."""

    points: list[Estimate]
    elo: list[Estimate]


def rate(meetings: Meetings, anchor: str, seed: int) -> Ratings:
    """Both ratings with intervals; `anchor` has Elo 1000, points add up to 0."""
    boards = meetings.points.shape[1]
    rng = np.random.default_rng(seed)
    solver = points_solver(meetings)
    reference = meetings.agents.index(anchor)
    # How often each board is drawn in each replicate, as weights that add up to 1: [R, n].
    weights = rng.multinomial(boards, np.full(boards, 1 / boards), size=REPLICATES) / boards
    points = meetings.points.mean(axis=1) @ solver.T
    point_replicates = (weights @ meetings.points.T) @ solver.T
    games = 2.0 * boards
    elo = elo_of(meetings, games * meetings.wins.mean(axis=1), PRIOR_WINS, reference)
    # The prior's half wins vary too, as Gamma(1/2): without losses to draw again, a replicate is then a draw from the
    # Beta posterior, and an agent that won every hand does not get an interval of no width.
    priors = rng.gamma(PRIOR_WINS, size=(REPLICATES, len(meetings.pairs), 2))
    won = games * (weights @ meetings.wins.T)
    elo_replicates = np.stack([elo_of(meetings, won[r], priors[r], reference) for r in range(REPLICATES)])
    return Ratings(_estimates(points, point_replicates), _estimates(elo, elo_replicates))


def points_solver(meetings: Meetings) -> Floats:
    """The matrix `[K, P]` that turns the pairs' mean points into ratings.

    Ratings r minimise the sum over pairs of n / s^2 (mean - (r_i - r_j))^2 with sum 0. A pair without variance (two
    copies of one agent) counts as if it had a variance of one point.
    """
    pairs, boards = meetings.points.shape
    design = np.zeros((pairs, len(meetings.agents)))
    design[np.arange(pairs), meetings.pairs[:, 0]] = 1
    design[np.arange(pairs), meetings.pairs[:, 1]] = -1
    variance = meetings.points.var(axis=1, ddof=1) if boards > 1 else np.ones(pairs)
    root = np.sqrt(boards / np.maximum(variance, 1.0))
    # The least-squares solution of smallest norm has sum 0, since adding a constant to every rating changes no
    # difference.
    solution: Floats = np.linalg.pinv(design * root[:, None]) * root
    return solution


def elo_of(meetings: Meetings, won: Floats, prior: Floats | float, reference: int) -> Floats:
    """Elo `[K]` from the wins of the first agent of each pair, `[P]`, out of two hands a board.

    `prior` is the wins added to both sides, `[P, 2]` or one number.
    """
    import choix  # late, as it loads SciPy

    count = len(meetings.agents)
    hands = 2.0 * meetings.wins.shape[1]
    first, second = meetings.pairs.T
    prior = np.broadcast_to(prior, (len(meetings.pairs), 2))
    table = np.zeros((count, count))
    np.add.at(table, (first, second), won + prior[:, 0])
    np.add.at(table, (second, first), hands - won + prior[:, 1])
    strength = choix.ilsr_pairwise_dense(table, max_iter=10_000)
    elo: Floats = ELO_PER_LOGIT * (strength - strength[reference]) + ANCHOR_ELO
    return elo


def _estimates(values: Floats, replicates: Floats) -> list[Estimate]:
    low, high = percentile_interval(replicates)
    return [Estimate(*map(float, row)) for row in zip(values, low, high)]


def pair_indices(agents: Sequence[str], pairs: Sequence[tuple[str, str]]) -> npt.NDArray[np.int64]:
    """Names to indices, `[P, 2]`."""
    return np.array([[agents.index(a), agents.index(b)] for a, b in pairs], dtype=np.int64)
