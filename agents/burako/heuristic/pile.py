"""Pile policy: take the pile or draw from the stock."""

from abc import ABC, abstractmethod
from dataclasses import dataclass

import numpy as np

from agents.burako.facts import Facts, Floats, add_up
from burako_env.batch import Bools, Ints
from burako_env.burako.melds.groups import MAX_CARDS
from burako_env.cards import RANK_COUNT, SUIT_COUNT


class PilePolicy(ABC):
    """Decides the draw."""

    @abstractmethod
    def scores(self, facts: Facts) -> Floats:
        """How much better the pile is than a card from the stock, in points, `[n]`: taken if above 0."""


class AlwaysPile(PilePolicy):
    """Takes every pile."""

    def scores(self, facts: Facts) -> Floats:
        return np.ones(facts.rows, dtype=np.float32)


class NeverPile(PilePolicy):
    """Draws from the stock while there is one."""

    def scores(self, facts: Facts) -> Floats:
        return -np.ones(facts.rows, dtype=np.float32)


@dataclass(frozen=True)
class UsefulPile(PilePolicy):
    """Takes a pile by what its cards are worth to both teams, against the unknown card of the stock.

    Every field is points for the three tasks of a team (`Facts.task`): burakos to come, a first baza to close, going
    out. They are fitted: some 100,000 positions of self-play with 4 and 6 players were played to the end after either
    draw, and the difference of the results regressed on these numbers.
    """

    stock: tuple[float, ...] = (-140.0, -155.0, -140.0)
    # A card of the pile, and one that it lets the hand lay (from the pile or from the hand).
    card: tuple[float, ...] = (17.0, 29.0, 1.0)
    laid: tuple[float, ...] = (25.0, 0.0, 20.0)
    # A card that fits an own group; one that closes a baza; the baza that justifies.
    fits: tuple[float, ...] = (0.0, 46.0, 0.0)
    closes: tuple[float, ...] = (30.0, 60.0, 65.0)
    justifies: tuple[float, ...] = (60.0, 260.0, 0.0)
    # The same for the opponents, who may take the pile otherwise.
    denied: tuple[float, ...] = (20.0, 43.0, 7.0)
    denied_first: tuple[float, ...] = (130.0, 310.0, 150.0)
    # The hand would be empty after laying and discarding; it would be so anyhow.
    empties: tuple[float, ...] = (150.0, 0.0, 85.0)
    empty_anyhow: tuple[float, ...] = (-84.0, -30.0, -70.0)
    # A card of the hand that cannot be laid, a wild of the hand, a card of the next player.
    deadwood: tuple[float, ...] = (8.0, 0.0, 4.0)
    wild: tuple[float, ...] = (5.0, 39.0, 13.0)
    next_player: tuple[float, ...] = (7.0, 10.0, 0.0)
    others_justified: tuple[float, ...] = (-20.0, -35.0, 38.0)

    def scores(self, facts: Facts) -> Floats:
        view = facts.view
        held = view.pile[:, :52].reshape(-1, SUIT_COUNT, RANK_COUNT) > 0
        fits, denied = (self._count(held & facts.fit[:, team]) for team in range(2))
        six = facts.fits(sizes_from=MAX_CARDS - 1)
        closes, others_close = (np.minimum(self._count(held & six[:, team]), 3) for team in range(2))
        before = facts.deadwood(facts.hand)
        after = facts.deadwood(facts.hand + view.pile)
        few_wilds = facts.wilds <= facts.lookups.rules.burako_wilds_max
        numbers = (
            (self.stock, 1),
            (self.card, view.pile_size),
            (self.laid, view.pile_size + before - after),
            (self.fits, fits),
            (self.closes, closes),
            (self.justifies, (closes > 0) & ~facts.justified[:, 0]),
            (self.denied, denied),
            (self.denied_first, (others_close > 0) & ~facts.justified[:, 1]),
            (self.empties, (after <= 1) & few_wilds),
            (self.empty_anyhow, (before <= 1) & few_wilds),
            (self.deadwood, before),
            (self.wild, facts.wilds),
            (self.next_player, view.hand_sizes[:, 1]),
            (self.others_justified, facts.justified[:, 1]),
        )
        total = np.zeros(facts.rows, dtype=np.float32)
        for weights, number in numbers:
            total += np.array(weights, dtype=np.float32).take(facts.task) * number
        # TURN-5: a one-card pile cannot be discarded again; with wilds alone beside it the hand would have to be laid.
        trap = (facts.task == 1) & (facts.naturals == 0) & (view.pile_size == 1)
        return np.where(trap, np.float32(-1000), total)

    def _count(self, cards: Bools) -> Ints:
        """Cards marked in `[n, 4, 13]`, `[n]`."""
        return add_up(add_up(cards.view(np.int8), 2), 1).astype(np.int64)


PILE_POLICIES = {"useful": UsefulPile, "always": AlwaysPile, "never": NeverPile}
