"""Control variates: a second, narrower estimate, with the luck of the draw taken out.

Points that a board owes to luck c with expectation 0 can be taken off without moving the mean: D' = D - beta c. beta is
fitted by least squares on the other folds, so that it is independent of the boards it is applied to and the adjusted
mean has no bias (control variates as in CUPED: Deng et al. 2013). What c is, and why its expectation is 0, stands in
`luck.py`.
"""

from typing import Final

import numpy as np
import numpy.typing as npt

from experiments.statistics.intervals import Floats

FOLDS: Final = 5
# Too few boards for coefficients that help.
LEAST_BOARDS: Final = 40


def without_luck(points: npt.ArrayLike, luck: npt.ArrayLike) -> Floats | None:
    """Points by board with their luck taken out, `[n]`; None for too few boards.

    `luck` `[n, k]`: the first team's minus the second's, expectation 0.
    """
    values = np.asarray(points, dtype=np.float64)
    controls = np.asarray(luck, dtype=np.float64)
    if len(values) < LEAST_BOARDS:
        return None
    adjusted = np.empty_like(values)
    fold = np.arange(len(values)) % FOLDS
    for number in range(FOLDS):
        others = fold != number
        design = np.column_stack([np.ones(others.sum()), controls[others]])
        # Of least norm: a luck that never varies (a rule change can do that) gets the coefficient 0.
        coefficients = np.linalg.lstsq(design, values[others], rcond=None)[0]
        adjusted[~others] = values[~others] - controls[~others] @ coefficients[1:]
    return adjusted


def variance_ratio(points: npt.ArrayLike, adjusted: npt.ArrayLike) -> float:
    """Variance left, as a part of what it was; its inverse is how many boards one board is worth now."""
    before = float(np.asarray(points, dtype=np.float64).var())
    return float(np.asarray(adjusted, dtype=np.float64).var()) / before if before else 1.0
