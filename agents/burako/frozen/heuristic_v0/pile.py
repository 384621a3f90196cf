"""Pile policy: take the pile or draw from the stock."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from agents.burako.facts import Facts, Floats, add_up
from burako_env.batch import Bools, Ints
from burako_env.burako.melds.groups import MAX_CARDS
from burako_env.cards import RANK_COUNT, SUIT_COUNT


@dataclass(frozen=True)
class UsefulPile:
    """Takes a pile whose cards fit the own table or make groups with the hand.

    Cards that can be laid at once count for, cards that stay in the hand against; closing a baza counts extra, and
    so does a hand so small that it brings a burako. Against that stands the unknown card of the stock.
    """

    laid: float = 10.0
    fit: float = 10.0
    closes: float = 60.0
    first_baza: float = 60.0
    # What a card that stays in the hand is worth, by task (rows) and stage (`Facts`).
    idle: tuple[tuple[float, ...], ...] = ((0.0, -4.0, -10.0), (0.0, -4.0, -10.0), (-3.0, -8.0, -12.0))
    empties: float = 40.0
    denies: float = 0.0
    stock: tuple[float, ...] = (25.0, 25.0, 25.0)

    def scores(self, facts: Facts) -> Floats:
        pile = facts.view.pile
        held = pile[:, :52].reshape(-1, SUIT_COUNT, RANK_COUNT) > 0
        fits = self._count(held & facts.fit[:, 0])
        denied = self._count(held & facts.fit[:, 1])
        closing = np.minimum(self._count(held & facts.fits(sizes_from=MAX_CARDS - 1)[:, 0]), 3)
        before = facts.deadwood(facts.hand)
        after = facts.deadwood(facts.hand + pile)
        laid = facts.view.pile_size + before - after
        idle = np.array(self.idle)[facts.task, facts.stage]
        empties = (after <= 1) & (before > 0) & (facts.task != 1)
        value = laid * self.laid + fits * self.fit + closing * self.closes + (after - before) * idle
        value = value + (closing > 0) * ~facts.justified[:, 0] * self.first_baza + denied * self.denies
        value = value + empties * self.empties - np.array(self.stock).take(facts.task)
        worth: Floats = value.astype(np.float32)
        return worth

    def _count(self, cards: Bools) -> Ints:
        count: Ints = add_up(add_up(cards.view(np.int8), 2), 1).astype(np.int64)
        return count
