"""The seed's advice to the letter: ADVICE-2 and ADVICE-3, then ADVICE-1."""

import numpy as np

from agents.burako.discard.base import DiscardStrategy
from agents.burako.discard.isolated import companions
from agents.burako.discard.measures import by_type
from agents.burako.discard.sentences import obedience
from agents.burako.facts import Facts, Floats
from burako_env.chance.rng import U64


class SeedDiscard(DiscardStrategy):
    """Throws what ADVICE-2 and ADVICE-3 say for the next player's cards; elsewhere, and of equals, ADVICE-1.

    The advice leaves most choices open. Of what it calls equal goes the card with the fewest companions in the hand, as
    nobody would break a pair for no reason, then the one with the most points.
    """

    def scores(self, facts: Facts, keys: U64) -> Floats:
        score = facts.lookups.value[:52].reshape(4, 13) / np.float32(1024) - companions(facts)
        return by_type(score + obedience(facts, (1, 2, 3)))
