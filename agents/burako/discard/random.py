"""Any card of the hand, each type with the same probability."""

from __future__ import annotations

import numpy as np

from agents.burako.discard.base import DiscardStrategy
from agents.burako.facts import Facts, Floats
from burako_env.cards import TYPE_COUNT
from burako_env.kit.rng import U64, counter_words


class RandomDiscard(DiscardStrategy):
    """Throws a random card."""

    def scores(self, facts: Facts, keys: U64) -> Floats:
        return (counter_words(keys, TYPE_COUNT) >> np.uint64(40)).astype(np.float32)
