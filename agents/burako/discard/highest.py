"""The card with the most points: what stays in the hand at the end costs least."""

from __future__ import annotations

import numpy as np

from agents.burako.discard.base import DiscardStrategy
from agents.burako.facts import Facts, Floats
from burako_env.cards import TYPE_COUNT
from burako_env.kit.rng import U64


class HighestDiscard(DiscardStrategy):
    """Throws the card worth most, the lowest type among equals."""

    def scores(self, facts: Facts, keys: U64) -> Floats:
        return np.broadcast_to(facts.lookups.value, (facts.rows, TYPE_COUNT))
