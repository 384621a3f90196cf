"""The card that helps the others least and is missed least: dead cards first, pairs and neighbours kept."""

from dataclasses import dataclass

import numpy as np

from agents.burako.discard.base import DiscardStrategy
from agents.burako.discard.measures import NEXT, beside, by_type, known_to
from agents.burako.facts import Facts, Floats, add_up
from burako_env.burako.melds.groups import MAX_CARDS
from burako_env.chance.rng import U64


@dataclass(frozen=True)
class SafeDiscard(DiscardStrategy):
    """Throws the card with the least use for oneself plus use for the opponents.

    Use for oneself: cards of its rank and neighbours of its suit in the hand. Use for the opponents: it fits one of
    their groups (worse if it closes it), the next player is known to hold its companions, or many of its rank are still
    about (ADVICE-1). Of equals goes the one with the most points, which weigh more near the end.
    """

    pair: float = 20.0
    neighbour: float = 10.0
    second: float = 6.0
    fits_own: float = 20.0
    fits_others: float = 15.0
    closes_others: float = 40.0
    known: float = 6.0
    unseen: float = 1.0
    points: float = 0.3
    late_points: float = 1.5

    def scores(self, facts: Facts, keys: U64) -> Floats:
        held = facts.suited
        own = self.pair * np.minimum(facts.rank_count - 1, 2)[:, None, :]
        own = own + beside(held, self.neighbour, self.second)
        own = own + self.fits_own * facts.fit[:, 0]
        others = self.fits_others * facts.fit[:, 1]
        others = others + self.closes_others * facts.fits(sizes_from=MAX_CARDS - 1)[:, 1]
        of_rank = add_up(facts.alive - held, 1).astype(np.float32)[:, None, :]
        others = others + self.unseen * of_rank / facts.lookups.rules.decks
        next_known = known_to(facts, NEXT)
        others = others + self.known * np.minimum(add_up(next_known, 1), 2)[:, None, :]
        others = others + beside(next_known, self.known, self.known)
        weight = np.where(facts.stage > 0, self.late_points, self.points)[:, None, None]
        return by_type(weight * facts.lookups.value[:52].reshape(4, 13) - (own + others))
