"""How large a difference is, how many boards it takes to see it, and which of several differences are real."""

import math
from collections.abc import Sequence
from typing import Final, NamedTuple

import numpy as np
import numpy.typing as npt

from experiments.statistics.intervals import LEVEL

POWER: Final = 0.8
# Beyond this many boards an effect counts as none.
MOST_BOARDS: Final = 10_000_000


class Effect(NamedTuple):
    """Mean over standard deviation of a board, and the boards required to detect it with 80% power (None: never)."""

    t: float
    boards: int | None


def effect(points: npt.ArrayLike) -> Effect:
    """Effect size of points by board, `[n]`; NaN for fewer than two boards."""
    sample = np.asarray(points, dtype=np.float64)
    if len(sample) < 2:
        return Effect(math.nan, None)
    spread = float(sample.std(ddof=1))
    if spread == 0:
        return Effect(math.copysign(math.inf, sample.mean()) if sample.any() else 0.0, 2 if sample.any() else None)
    t = float(sample.mean()) / spread
    return Effect(t, boards_needed(t))


def boards_needed(t: float) -> int | None:
    """Boards required to detect the effect t with 80% power at the two-sided 5% level."""
    from scipy.stats import norm
    from statsmodels.stats.power import TTestPower

    # The normal formula settles whether there is anything to look for; the t distribution matters for few boards.
    needed = ((norm.ppf((1 + LEVEL) / 2) + norm.ppf(POWER)) / abs(t)) ** 2 if t else math.inf
    if needed > MOST_BOARDS:
        return None
    if needed > 1000:
        return math.ceil(needed)
    if needed < 2:
        return 3
    return math.ceil(float(TTestPower().solve_power(effect_size=abs(t), alpha=1 - LEVEL, power=POWER)))


def p_value(points: npt.ArrayLike) -> float:
    """Two-sided p-value of the t-test that the mean over boards is 0, points `[n]`; NaN for fewer than two boards."""
    sample = np.asarray(points, dtype=np.float64)
    if len(sample) < 2:
        return math.nan
    if np.ptp(sample) == 0:
        return 0.0 if sample.any() else 1.0
    from scipy.stats import ttest_1samp

    return float(ttest_1samp(sample, 0.0).pvalue)


def holm(p_values: Sequence[float]) -> list[float]:
    """p-values adjusted for their number by Holm's method: below 5% all at once, at most 5% of the time by chance."""
    known = [value for value in p_values if not math.isnan(value)]
    if not known:
        return list(p_values)
    from statsmodels.stats.multitest import multipletests

    adjusted = iter(multipletests(known, alpha=1 - LEVEL, method="holm")[1].tolist())
    return [math.nan if math.isnan(value) else float(next(adjusted)) for value in p_values]
