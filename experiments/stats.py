"""Estimates with intervals from duplicate boards.

A board is one deal played twice with the teams exchanged. Its two hands share the cards and are not independent, so
every interval here is over boards, never over hands. All intervals cover 95%.

SciPy and statsmodels take seconds to load, so they are imported where they are used: after the play, and not at all for
a mistyped command.
"""

from __future__ import annotations

from typing import Final, NamedTuple

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float64]

LEVEL: Final = 0.95
RESAMPLES: Final = 9999


class Estimate(NamedTuple):
    """A value with its interval; the bounds are NaN where there are too few boards for one."""

    value: float
    low: float
    high: float


def board_points(points: npt.ArrayLike) -> Floats:
    """Points per hand of each board: the mean of its two hands. `[n, 2]` to `[n]`."""
    mean: Floats = np.asarray(points, dtype=np.float64).mean(axis=1)
    return mean


def board_wins(points: npt.ArrayLike) -> Floats:
    """Share of each board that the first agent won, a drawn hand being half a win. `[n, 2]` to `[n]`."""
    share: Floats = (np.sign(np.asarray(points, dtype=np.float64)).mean(axis=1) + 1) / 2
    return share


def mean_interval(values: npt.ArrayLike, seed: int) -> Estimate:
    """Mean with the bias-corrected and accelerated bootstrap interval (Efron 1987), values `[n]`."""
    sample = np.asarray(values, dtype=np.float64)
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
        n_resamples=RESAMPLES,
        batch=500,
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
