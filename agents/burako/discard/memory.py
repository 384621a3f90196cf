"""Counts what is gone and what the next player may hold, and denies them what they could lay."""

from dataclasses import dataclass

import numpy as np

from agents.burako.discard.base import DiscardStrategy
from agents.burako.discard.measures import (
    NEXT,
    beside,
    by_type,
    chance_of_run,
    chance_of_set,
    dead,
    expected_in_hand,
    suited,
)
from agents.burako.facts import Facts, Floats
from burako_env.burako.melds.groups import MAX_CARDS
from burako_env.chance.rng import U64


@dataclass(frozen=True)
class MemoryDiscard(DiscardStrategy):
    """Throws the card that the next player can least likely lay, by all that has been seen, and that is missed least.

    They can lay it on their team's table, or open with it: the chance of that is counted from what they are known to
    hold (INFO-3) and their share of the cards nobody has seen; cards of the pile they would take along. Companions in
    the own hand count only while the card can still be laid.
    """

    pair: float = 20.0
    near: float = 10.0
    second: float = 6.0
    fits_own: float = 20.0
    fits_others: float = 15.0
    closes_others: float = 40.0
    opens: float = 40.0
    points: float = 0.5

    def scores(self, facts: Facts, keys: U64) -> Floats:
        own = self.pair * np.minimum(facts.rank_count - 1, 2)[:, None, :] + beside(facts.suited, self.near, self.second)
        own = np.where(dead(facts, 0), np.float32(0), own + self.fits_own * facts.fit[:, 0])
        his = expected_in_hand(facts, NEXT) + suited(facts.view.pile)
        opening = np.maximum(chance_of_set(his, 2)[:, None, :], chance_of_run(his))
        danger = self.opens * opening + self.fits_others * facts.fit[:, 1]
        danger = danger + self.closes_others * facts.fits(sizes_from=MAX_CARDS - 1)[:, 1]
        return by_type(self.points * facts.lookups.value[:52].reshape(4, 13) - own - danger)
