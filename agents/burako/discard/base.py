"""What a discard strategy is: a preference among card types and nothing else, so that strategies compare."""

from abc import ABC, abstractmethod

import numpy as np

from agents.burako.discard.measures import by_type
from agents.burako.facts import Facts, Floats
from burako_env.batch import Bools, Ints
from burako_env.chance.rng import U64, mix


class DiscardStrategy(ABC):
    """Rates every card type as a discard; the agent throws the best one it may.

    A rating depends on nothing but the row's View and, for strategies with chance, on its key: the same card is thrown
    whatever else is in the batch.
    """

    @abstractmethod
    def scores(self, facts: Facts, keys: U64) -> Floats:
        """Preference for each card type, float32 `[n, 53]`; only legal cards of the hand are looked at."""

    def choose(self, facts: Facts, legal: Bools, keys: U64, wish: Floats | None = None) -> Ints:
        """The card type to discard, int64 `[n]`: of those legal (bool `[n, 53]`) the best, the lowest of equals."""
        best: Ints = np.where(legal, self.rate(facts, keys, wish), -np.inf).argmax(axis=1)
        return best

    def rate(self, facts: Facts, keys: U64, wish: Floats | None = None) -> Floats:
        """The ratings for decisions with these keys, float32 `[n, 53]`; `wish` `[n, 4, 13]` is added to naturals'.

        The strategy gets a hash of the keys, so that it shares no chance with others.
        """
        scores = self.scores(facts, mix(keys))
        return scores if wish is None else scores + by_type(wish)
