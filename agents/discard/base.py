"""What a discard strategy is: a preference among card types and nothing else, so that strategies compare."""

from __future__ import annotations

from abc import ABC, abstractmethod

from agents.facts import Facts, Floats
from burako_env.rng import U64


class DiscardStrategy(ABC):
    """Rates every card type as a discard; the agent throws the best one it may."""

    @abstractmethod
    def scores(self, facts: Facts, keys: U64) -> Floats:
        """Preference for each card type, float32 `[n, 53]`; only legal cards of the hand are looked at."""
