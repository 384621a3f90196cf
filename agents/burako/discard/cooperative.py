"""What the next opponent cannot use and the own team does not need."""

from dataclasses import dataclass

import numpy as np

from agents.burako.discard.base import DiscardStrategy
from agents.burako.discard.measures import NEXT, beside, by_type, known_to, suited
from agents.burako.facts import Facts, Floats, add_up
from burako_env.burako.melds.groups import MAX_CARDS
from burako_env.chance.rng import U64


@dataclass(frozen=True)
class CooperativeDiscard(DiscardStrategy):
    """Throws the card with the least use for the next opponent and the least need in the own team.

    The team needs a card that fits its table (worst if it would close a baza) or goes with cards that this hand or a
    partner's, as far as known (INFO-3), holds. The next opponent uses what fits their table or goes with what they are
    known to hold or would take from the pile.
    """

    pair: float = 20.0
    near: float = 10.0
    second: float = 6.0
    partner: float = 6.0
    fits: float = 20.0
    closes: float = 40.0
    opponent: float = 8.0
    points: float = 0.3

    def scores(self, facts: Facts, keys: U64) -> Floats:
        own = self.pair * np.minimum(facts.rank_count - 1, 2)[:, None, :] + beside(facts.suited, self.near, self.second)
        partners = known_to(facts, slice(2, None, 2))
        team = self.partner * (np.minimum(add_up(partners, 1), 2)[:, None, :] + beside(partners, 1.0, 0.5))
        his = known_to(facts, NEXT) + suited(facts.view.pile)
        use = self.opponent * (np.minimum(add_up(his, 1), 2)[:, None, :] + beside(his, 1.0, 0.5))
        closing = facts.fits(sizes_from=MAX_CARDS - 1)
        tables = self.fits * facts.fit + self.closes * closing
        total = own + team + use + tables[:, 0] + tables[:, 1]
        return by_type(self.points * facts.lookups.value[:52].reshape(4, 13) - total)
