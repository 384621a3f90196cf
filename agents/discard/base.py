"""What a discard strategy is: a preference among card types, nothing else, so that strategies compare with all else equal."""

from __future__ import annotations

from abc import ABC, abstractmethod

import numpy as np
import numpy.typing as npt

from agents.facts import Facts
from burako_env.rng import U64

Floats = npt.NDArray[np.float32]


class DiscardStrategy(ABC):
    """Rates every card type as a discard; the agent throws the best one it may."""

    @abstractmethod
    def scores(self, facts: Facts, keys: U64) -> Floats:
        """Preference for each card type, float32 `[n, 53]`; only legal cards of the hand are looked at."""
