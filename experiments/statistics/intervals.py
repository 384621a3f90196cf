"""Estimates with intervals from duplicate boards.

A board is one deal played twice with the teams exchanged. Its two hands share the cards and are not independent, so
every interval here is over boards, never over hands. All intervals cover 95%.

SciPy and statsmodels take seconds to load, so they are imported where they are used: after the play, and not at all for
a mistyped command.
"""

from typing import Final, NamedTuple

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float64]

LEVEL: Final = 0.95
RESAMPLES: Final = 9999
# Numbers drawn at once and in all: large samples are resampled less often, as their bounds wander less.
_AT_ONCE: Final = 1_000_000
_DRAWN: Final = 20_000_000
_LEAST_RESAMPLES: Final = 1999


class Estimate(NamedTuple):
    """A value with its interval; the bounds are NaN where there are too few boards for one, all where there is none."""

    value: float
    low: float
    high: float

    @property
    def bounds(self) -> list[float]:
        """Both bounds, as summaries hold them."""
        return [self.low, self.high]


NOTHING: Final = Estimate(np.nan, np.nan, np.nan)


def board_points(points: npt.ArrayLike, hands: npt.ArrayLike = 1) -> Floats:
    """Points per hand of each board, `[n, 2]` to `[n]`.

    `hands`: how many each half of the board had, `[n, 2]`: 1, or those of a match.
    """
    values = np.asarray(points, dtype=np.float64)
    # A board whose hands were all broken off has none.
    played = np.maximum(np.broadcast_to(np.asarray(hands), values.shape).sum(axis=1), 1)
    return np.asarray(values.sum(axis=1) / played)


def board_wins(wins: npt.ArrayLike) -> Floats:
    """Share of each board that the first agent won: wins `[n, 2]`, a draw being half a win, to `[n]`."""
    return np.asarray(np.asarray(wins, dtype=np.float64).mean(axis=1))


def board_results(wins: npt.ArrayLike) -> list[int]:
    """How many boards gave 0, 1/2, 1, 3/2 and 2 wins: the five results a board can have; wins `[n, 2]`.

    Boards of more hands, `[n, h]`, have 2 h + 1 results.
    """
    halves = (2 * np.asarray(wins, dtype=np.float64)).astype(np.int64)
    return [int(count) for count in np.bincount(halves.sum(axis=1), minlength=2 * halves.shape[1] + 1)]


def mean_interval(values: npt.ArrayLike, seed: int) -> Estimate:
    """Mean with the bias-corrected and accelerated bootstrap interval (Efron 1987), values `[n]`."""
    sample = np.asarray(values, dtype=np.float64)
    if not len(sample):
        return NOTHING
    mean = float(sample.mean())
    if len(sample) < 2:
        return Estimate(mean, np.nan, np.nan)
    if np.ptp(sample) == 0:
        # Two copies of one agent: every board is a draw, and resampling has nothing to say.
        return Estimate(mean, mean, mean)
    from scipy import stats

    found = stats.bootstrap(
        (sample,),
        np.mean,
        n_resamples=min(RESAMPLES, max(_LEAST_RESAMPLES, _DRAWN // len(sample))),
        batch=max(1, _AT_ONCE // len(sample)),
        confidence_level=LEVEL,
        method="BCa",
        rng=np.random.default_rng(seed),
    )
    return Estimate(mean, float(found.confidence_interval.low), float(found.confidence_interval.high))


def win_interval(wins: npt.ArrayLike) -> Estimate:
    """Win rate with a Wilson interval for boards, wins `[n]` in [0, 1].

    Wilson's formula takes independent wins and losses. The variance found between boards says how many of these the
    boards are worth: at least one each (whatever lies in [0, 1] varies no more than a coin does), at most the hands
    played. Unlike a bootstrap it stays honest near 0 and 1, where heuristics meet random play.
    """
    sample = np.asarray(wins, dtype=np.float64)
    count = len(sample)
    if not count:
        return NOTHING
    rate = float(sample.mean())
    if count < 2:
        return Estimate(rate, np.nan, np.nan)
    from statsmodels.stats.proportion import proportion_confint

    variance = float(sample.var(ddof=1)) / count
    most = 2.0 * count
    worth = most if variance == 0 else min(max(rate * (1 - rate) / variance, float(count)), most)
    low, high = proportion_confint(rate * worth, worth, alpha=1 - LEVEL, method="wilson")
    return Estimate(rate, float(low), float(high))


def percentile_interval(replicates: Floats) -> tuple[Floats, Floats]:
    """Bounds of the middle 95% of bootstrap replicates, `[R, k]` to two `[k]`."""
    low, high = np.quantile(replicates, [(1 - LEVEL) / 2, (1 + LEVEL) / 2], axis=0)
    return low, high
