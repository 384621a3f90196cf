"""The seed's advice to the letter: ADVICE-2 and ADVICE-3, then ADVICE-1."""

from __future__ import annotations

from typing import Final

import numpy as np

from agents.discard.base import DiscardStrategy
from agents.discard.isolated import companions
from agents.discard.measures import by_type
from agents.discard.sentences import SENTENCES
from agents.facts import Facts, Floats
from burako_env.rng import U64

# What the advice puts first counts more than all that it puts after it; "rather" are its second wishes.
_FIRST: Final = np.float32(512)
_RATHER: Final = np.float32(128)
_CLOSED: Final = np.float32(64)
_SECOND_WISHES: Final = ("ADVICE-2 one card, blocked", "ADVICE-2 one card, partner")


class SeedDiscard(DiscardStrategy):
    """Throws what ADVICE-2 and ADVICE-3 say for the next player's cards; elsewhere, and of equals, ADVICE-1.

    The advice leaves most choices open. Of what it calls equal goes the card with the fewest companions in the hand, as
    nobody would break a pair for no reason, then the one with the most points.
    """

    def scores(self, facts: Facts, keys: U64) -> Floats:
        score = facts.tables.value[:52].reshape(4, 13) / np.float32(1024) - companions(facts)
        for sentence in SENTENCES:
            if not sentence.letter:
                continue
            weight = _FIRST
            if sentence.name == "ADVICE-1":
                weight = _CLOSED
            elif sentence.name in _SECOND_WISHES:
                weight = _RATHER
            applies = sentence.applies(facts)
            if applies.any():
                score = score + weight * (applies[:, None, None] & sentence.follows(facts))
        return by_type(score)
