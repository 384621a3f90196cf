"""Strategies that look at the card alone: any one, the dearest, the cheapest."""

import numpy as np

from agents.burako.discard.base import DiscardStrategy
from agents.burako.facts import Facts, Floats
from burako_env.cards import TYPE_COUNT
from burako_env.chance.rng import U64, counter_words


class RandomDiscard(DiscardStrategy):
    """Throws a random card: each type of the hand with the same probability."""

    def scores(self, facts: Facts, keys: U64) -> Floats:
        return (counter_words(keys, TYPE_COUNT) >> np.uint64(40)).astype(np.float32)


class HighestDiscard(DiscardStrategy):
    """Throws the card worth most, which would cost most at the end; the lowest type among equals."""

    def scores(self, facts: Facts, keys: U64) -> Floats:
        return np.broadcast_to(facts.lookups.value, (facts.rows, TYPE_COUNT))


class LowestDiscard(DiscardStrategy):
    """Throws the card worth least and keeps the dear ones for the table; the lowest type among equals."""

    def scores(self, facts: Facts, keys: U64) -> Floats:
        return np.broadcast_to(-facts.lookups.value, (facts.rows, TYPE_COUNT))
