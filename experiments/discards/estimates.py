"""Means over positions, each counted as often as its situation happens in play, with 95% intervals."""

from __future__ import annotations

from typing import Final

import numpy as np
import numpy.typing as npt

from experiments.statistics.intervals import Estimate

Floats = npt.NDArray[np.float64]

# Two-sided 95% of the normal distribution: positions come from different hands and there are hundreds of them.
_Z: Final = 1.959964


def weighted_mean(values: npt.ArrayLike, weights: npt.ArrayLike) -> Estimate:
    """Weighted mean of independent values `[n]`; the variance is that of a ratio estimator.

    That positions were drawn by situation would make it smaller; this is left out, so the interval is rather too wide.
    """
    sample, counts = np.asarray(values, dtype=np.float64), np.asarray(weights, dtype=np.float64)
    if not len(sample):
        return Estimate(np.nan, np.nan, np.nan)
    share = counts / counts.sum()
    mean = float(share @ sample)
    if len(sample) < 2:
        return Estimate(mean, np.nan, np.nan)
    correction = len(sample) / (len(sample) - 1)
    margin = _Z * float(np.sqrt(correction * (share**2 @ (sample - mean) ** 2)))
    return Estimate(mean, mean - margin, mean + margin)
