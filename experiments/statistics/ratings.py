"""Ratings of several teams from their pairs: points by least squares, Elo by Bradley-Terry.

Both intervals come from a cluster bootstrap: boards are drawn again, and a board brings the results of every pair that
played it, because they shared its cards. Both ratings are relative to an anchor, so that they compare from one
tournament to the next. Teams that no chain of pairs connects with the anchor get none (NaN).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Final

import numpy as np
import numpy.typing as npt

from agents.spec import members
from experiments.statistics.intervals import NOTHING, Estimate, Floats, percentile_interval

REPLICATES: Final = 1000
ELO_PER_LOGIT: Final = 400 / np.log(10)
ANCHOR_ELO: Final = 1000.0
# Half a win for each side of a pair that met: keeps the rating of an agent that always won finite (Jeffreys' prior).
PRIOR_WINS: Final = 0.5
# Boards of common variance that each pair's own is averaged with.
PRIOR_BOARDS: Final = 2
# Replicates drawn at once, a divisor of all: the memory that the bootstrap takes does not depend on their number.
_BLOCK: Final = 50


@dataclass(frozen=True)
class Meetings:
    """Results of P pairs of K teams on n boards.

    agents: K names. pairs: the two teams of each pair, int `[P, 2]`. points, wins: by board, `[P, n]` (`board_points`,
    `board_wins` of the first team), NaN where a pair did not play the board. Every pair has played one at least.
    """

    agents: tuple[str, ...]
    pairs: npt.NDArray[np.int64]
    points: Floats
    wins: Floats

    @cached_property
    def played(self) -> npt.NDArray[np.bool_]:
        """Whether a pair played a board, `[P, n]`."""
        return ~np.isnan(self.points)

    @cached_property
    def boards(self) -> npt.NDArray[np.int64]:
        """Boards of each pair, `[P]`."""
        return np.asarray(self.played.sum(axis=1))

    @cached_property
    def means(self) -> Floats:
        """Mean points of each pair, `[P]`."""
        return np.asarray(np.nanmean(self.points, axis=1))

    @cached_property
    def centred(self) -> Floats:
        """Points less their pair's mean, `[P, n]`; 0 where a pair did not play."""
        return np.asarray(np.where(self.played, self.points - self.means[:, None], 0.0))

    def only(self, pairs: npt.NDArray[np.intp]) -> Meetings:
        """Some of the pairs."""
        return replace(self, pairs=self.pairs[pairs], points=self.points[pairs], wins=self.wins[pairs])


@dataclass(frozen=True)
class Ratings:
    """Points and Elo of each team, in the order of `Meetings.agents`; `ranks` `[K, K]`: how likely team i is k-th."""

    points: list[Estimate]
    elo: list[Estimate]
    ranks: Floats


def rate(meetings: Meetings, anchor: str, seed: int) -> Ratings:
    """Both ratings with intervals; `anchor` has Elo 1000 and 0 points."""
    reference = meetings.agents.index(anchor)
    reached = connected(meetings, reference)
    inside = meetings.only(np.flatnonzero(reached[meetings.pairs].all(axis=1)))
    if not len(inside.pairs):
        # Not even the anchor has shown anything.
        nobody = [NOTHING] * len(meetings.agents)
        return Ratings(nobody, nobody, np.zeros((len(nobody), len(nobody))))
    rng = np.random.default_rng(seed)
    point_means, win_means = bootstrap_means(inside, rng)
    solver = points_solver(inside)
    solver -= solver[[reference]]
    point_replicates = point_means @ solver.T
    elo, elo_replicates = _elo_ratings(inside, win_means, reference, rng)
    ratings = Ratings(
        _estimates(solver @ inside.means, point_replicates),
        _estimates(elo, elo_replicates),
        rank_shares(point_replicates, reached),
    )
    for agent in np.flatnonzero(~reached):
        ratings.points[agent] = ratings.elo[agent] = NOTHING
    boards = np.abs(incidence(inside)).T @ inside.boards
    for agent in np.flatnonzero((boards == 1) & (np.arange(len(boards)) != reference)):
        # Drawing the one board again and again shows no spread.
        for own in (ratings.points, ratings.elo):
            own[agent] = Estimate(own[agent].value, np.nan, np.nan)
    return ratings


def connected(meetings: Meetings, reference: int) -> npt.NDArray[np.bool_]:
    """Teams that a chain of pairs connects with one team, `[K]`."""
    reached = np.zeros(len(meetings.agents), dtype=np.bool_)
    reached[reference] = True
    for _ in meetings.agents:
        touching = reached[meetings.pairs].any(axis=1)
        reached[meetings.pairs[touching]] = True
    return reached


def bootstrap_means(meetings: Meetings, rng: np.random.Generator) -> tuple[Floats, Floats]:
    """Mean points and mean wins of each pair in each replicate, `[R, P]` each.

    A board is drawn with all its pairs, as often in the one as in the other.
    """
    boards = meetings.points.shape[1]
    played = meetings.played.T.astype(np.float64)
    found = []
    tables = [
        (np.where(meetings.played, table, 0.0).T, np.nanmean(table, axis=1))
        for table in (meetings.points, meetings.wins)
    ]
    for _ in range(0, REPLICATES, _BLOCK):
        drawn = rng.multinomial(boards, np.full(boards, 1 / boards), size=_BLOCK).astype(np.float64)
        count = drawn @ played
        # A replicate may miss every board of a pair that stopped early.
        found.append([np.where(count > 0, drawn @ table / np.maximum(count, 1), mean) for table, mean in tables])
    points, wins = map(np.concatenate, zip(*found))
    return points, wins


def incidence(meetings: Meetings) -> Floats:
    """+1 for the first and -1 for the second team of each pair, `[P, K]`."""
    every = np.eye(len(meetings.agents))
    return every[meetings.pairs[:, 0]] - every[meetings.pairs[:, 1]]


def points_solver(meetings: Meetings, design: Floats | None = None) -> Floats:
    """The matrix `[K, P]` that turns the pairs' mean points into ratings of sum 0.

    Ratings r minimise the sum over pairs of w (mean - (r_i - r_j))^2, where 1 / w = s^2 / n + tau^2: what the boards
    leave open, and how far pairs are from any ranking (random effects). Without the second part the pairs with the
    weakest agent, which loses to everybody alike and with little variance, would outweigh all others.
    """
    design = incidence(meetings) if design is None else design
    squares = (meetings.centred**2).sum(axis=1)
    boards = meetings.boards
    # What few boards say of a pair's variance is drawn towards that of all pairs: a pair of one board has none of its
    # own, and must not outweigh the others for it. Nor may pairs without any (two copies of one agent).
    common = squares.sum() / max(int((boards - 1).sum()), 1)
    variance = np.maximum((squares + PRIOR_BOARDS * common) / (boards - 1 + PRIOR_BOARDS), 1.0) / boards
    return _least_squares(design, 1 / (variance + _misfit(design, 1 / variance, meetings.means)))


def _misfit(design: Floats, weights: Floats, means: Floats) -> float:
    """tau^2 by the method of moments (DerSimonian, Laird 1986, for a regression); 0 where every mean can be met."""
    solver = _least_squares(design, weights)
    hat = design @ solver
    freedom = len(means) - int(np.linalg.matrix_rank(design))
    if freedom == 0:
        return 0.0
    excess = float((weights * (means - hat @ means) ** 2).sum()) - freedom
    # What the sum of squares grows by with tau^2: the trace of W (1 - H).
    slope = float((weights * (1 - hat.diagonal())).sum())
    return max(0.0, excess / slope)


def _least_squares(design: Floats, weights: Floats) -> Floats:
    """The matrix `[K, P]` of weighted least squares.

    Of all solutions the one of smallest norm has sum 0, since adding a constant to every rating changes no difference.
    """
    root = np.sqrt(weights)
    return np.asarray(np.linalg.pinv(design * root[:, None]) * root, dtype=np.float64)


def mean_covariance(meetings: Meetings) -> Floats:
    """Covariance of the pairs' mean points, `[P, P]`: pairs share boards, and with them the cards."""
    played = meetings.played.astype(np.float64)
    centred = meetings.centred
    common = played @ played.T
    sample = centred @ centred.T / np.maximum(common - 1, 1)
    return np.asarray(sample * common / np.outer(meetings.boards, meetings.boards))


def _elo_ratings(
    meetings: Meetings, win_means: Floats, reference: int, rng: np.random.Generator
) -> tuple[Floats, Floats]:
    """Elo `[K]`, and in each replicate `[R, K]`; `win_means` `[R, P]`."""
    hands = 2.0 * meetings.boards
    elo = elo_of(meetings, hands * np.nanmean(meetings.wins, axis=1), PRIOR_WINS, reference)
    # The prior's half wins vary too, as Gamma(1/2): without losses to draw again, a replicate is then a draw from the
    # Beta posterior, and an agent that won every hand does not get an interval of no width.
    priors = rng.gamma(PRIOR_WINS, size=(REPLICATES, len(meetings.pairs), 2))
    won = hands * win_means
    replicates = np.stack([elo_of(meetings, won[r], priors[r], reference, elo) for r in range(REPLICATES)])
    return elo, replicates


def elo_of(
    meetings: Meetings, won: Floats, prior: Floats | float, reference: int, start: Floats | None = None
) -> Floats:
    """Elo `[K]` from the wins of the first team of each pair, `[P]`, out of two hands per board.

    `prior` is the wins added to both sides, `[P, 2]` or one number; `start` an Elo nearby, to begin from.
    """
    import choix  # late, as it loads SciPy

    hands = 2.0 * meetings.boards
    first, second = meetings.pairs.T
    prior = np.broadcast_to(prior, (len(meetings.pairs), 2))
    table = np.zeros((len(meetings.agents),) * 2)
    np.add.at(table, (first, second), won + prior[:, 0])
    np.add.at(table, (second, first), hands - won + prior[:, 1])
    met = np.unique([reference, *meetings.pairs.ravel()])
    elo = np.full(len(meetings.agents), ANCHOR_ELO)
    if len(met) > 1:
        begin = None if start is None else (start[met] - ANCHOR_ELO) / ELO_PER_LOGIT
        strength = choix.ilsr_pairwise_dense(table[np.ix_(met, met)], initial_params=begin, max_iter=10_000, tol=1e-6)
        elo[met] = ELO_PER_LOGIT * (strength - strength[met.tolist().index(reference)]) + ANCHOR_ELO
    return elo


def rank_shares(replicates: Floats, reached: npt.NDArray[np.bool_]) -> Floats:
    """In which share of the replicates `[R, K]` each team is first, second, ... of those reached, `[K, K]`."""
    ordered = np.where(reached, -replicates, np.inf).argsort(axis=1, kind="stable")
    places = ordered.argsort(axis=1, kind="stable")
    shares = (places[:, :, None] == np.arange(len(reached))).mean(axis=0)
    return np.asarray(shares * reached[:, None])


def player_points(meetings: Meetings, anchor: str, seed: int) -> dict[str, Estimate]:
    """Points of each agent where mixed teams played: a team is worth the mean of its members; `anchor` has 0."""
    players = list(dict.fromkeys(player for team in meetings.agents for player in members(team)))
    share = np.zeros((len(meetings.agents), len(players)))
    for row, team in enumerate(meetings.agents):
        for player in members(team):
            share[row, players.index(player)] += 1 / len(members(team))
    if not len(meetings.pairs):
        return dict.fromkeys(players, NOTHING)
    design = incidence(meetings) @ share
    reference = players.index(members(anchor)[0])
    solver = points_solver(meetings, design)
    solver -= solver[[reference]]
    point_means, _ = bootstrap_means(meetings, np.random.default_rng(seed))
    found = _estimates(solver @ meetings.means, point_means @ solver.T)
    # Of those that no boards compare with the anchor, the difference is not one of the differences that were played.
    apart = np.eye(len(players)) - np.eye(len(players))[reference]
    open_part = np.abs(apart - apart @ np.linalg.pinv(design) @ design).max(axis=1)
    return {name: NOTHING if gap > 1e-9 else own for name, own, gap in zip(players, found, open_part)}


def _estimates(values: Floats, replicates: Floats) -> list[Estimate]:
    low, high = percentile_interval(replicates)
    return [Estimate(*map(float, row)) for row in zip(values, low, high)]


def pair_indices(agents: Sequence[str], pairs: Sequence[tuple[str, str]]) -> npt.NDArray[np.int64]:
    """Names to indices, `[P, 2]`."""
    return np.array([[agents.index(a), agents.index(b)] for a, b in pairs], dtype=np.int64).reshape(-1, 2)
