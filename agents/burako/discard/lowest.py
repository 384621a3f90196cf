"""The card with the fewest points: the dear ones are kept for the table."""

from __future__ import annotations

import numpy as np

from agents.burako.discard.base import DiscardStrategy
from agents.burako.facts import Facts, Floats
from burako_env.cards import TYPE_COUNT
from burako_env.kit.rng import U64


class LowestDiscard(DiscardStrategy):
    """Throws the card worth least, the lowest type among equals."""

    def scores(self, facts: Facts, keys: U64) -> Floats:
        return np.broadcast_to(-facts.lookups.value, (facts.rows, TYPE_COUNT))
