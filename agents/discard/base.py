"""What a discard strategy is: a preference among card types and nothing else, so that strategies compare."""

from __future__ import annotations

from abc import ABC, abstractmethod

import numpy as np

from agents.discard.measures import by_type
from agents.facts import Facts, Floats
from burako_env.batch import Bools, Ints
from burako_env.rng import U64, mix


class DiscardStrategy(ABC):
    """Rates every card type as a discard; the agent throws the best one it may.

    A rating depends on nothing but the row's View and, for strategies with chance, on its key: the same card is thrown
    whatever else is in the batch.
    """

    @abstractmethod
    def scores(self, facts: Facts, keys: U64) -> Floats:
        """Preference for each card type, float32 `[n, 53]`; only legal cards of the hand are looked at."""

    def choose(self, facts: Facts, legal: Bools, keys: U64, wish: Floats | None = None) -> Ints:
        """The card type to discard, int64 `[n]`: of those legal (bool `[n, 53]`) the best, the lowest of equals.

        `keys` are those of the decisions; the strategy gets a hash of them, so that it shares no chance with others.
        `wish` float32 `[n, 4, 13]` is added to the ratings of naturals.
        """
        scores = self.scores(facts, mix(keys))
        if wish is not None:
            scores = scores + by_type(wish)
        best: Ints = np.where(legal, scores, -np.inf).argmax(axis=1)
        return best
