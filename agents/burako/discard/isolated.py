"""The card with the least connections in the own hand, whatever the others could do with it."""

import numpy as np

from agents.burako.discard.base import DiscardStrategy
from agents.burako.discard.measures import beside, by_type
from agents.burako.facts import Facts, Floats
from burako_env.cards import TYPE_COUNT
from burako_env.chance.rng import U64

# Small enough never to outweigh a companion.
_POINTS = np.float32(1 / 1024)


def companions(facts: Facts) -> Floats:
    """Cards of the own hand that could share a group with each card: its rank, its suit up to two places away.

    float32 `[n, 4, 13]`; the card itself is not counted.
    """
    return (facts.rank_count - 1)[:, None, :] + beside(facts.suited, 1.0, 1.0)


class IsolatedDiscard(DiscardStrategy):
    """Throws the card with the fewest companions in the hand, of equals the one with the most points."""

    def scores(self, facts: Facts, keys: U64) -> Floats:
        points = np.broadcast_to(facts.lookups.value * _POINTS, (facts.rows, TYPE_COUNT))
        return points - by_type(companions(facts))
