"""Level 1: points at the right place, which everybody can see; who is fastest is chance."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from burako_env.batch import Bools
from burako_env.layout import View
from burako_env.ruibal.level1 import PLACES


def scores(view: View, legal: Bools) -> npt.NDArray[np.float32]:
    """What each action is worth, float32 `[n, A]`."""
    worth = np.zeros(legal.shape, dtype=np.float32)
    worth[:, :PLACES] = view.match
    return worth
