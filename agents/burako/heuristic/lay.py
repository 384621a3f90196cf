"""What each legal lay does to its group: the numbers that the planner and the advice weigh."""

from __future__ import annotations

import numpy as np

from agents.burako.facts import Facts, Floats
from agents.burako.heuristic.moves import Moves
from burako_env.batch import Bools
from burako_env.burako.melds.groups import FOREIGN_RANK, MIN_CARDS, UPPER
from burako_env.cards import RANK_COUNT


class Lay:
    """What each move does to its group, all `[m]`; only the entries of lays mean anything.

    size: cards in the group before. dirty_before, dirty_after: no reading without a wild. chain: cards of the hand from
    this one upwards in its suit. rank_count: cards of its rank in the hand. needs_wild: an opening that takes a wild.
    """

    def __init__(self, facts: Facts, moves: Moves) -> None:
        lookups = facts.lookups
        self.facts, self.row, self.card, self.group = facts, moves.row, moves.card, moves.group
        self.wild = lookups.wild.take(moves.action)
        self.is_run = lookups.is_run.take(moves.action)
        flat = moves.row * lookups.actions.groups + moves.group
        self.size = facts.group_size.ravel().take(flat).astype(np.int64)
        self.task = facts.task.take(moves.row)
        self.dirty_before: Bools = facts.group_dirty.ravel().take(flat)
        state = facts.group_state.ravel().take(flat)
        rank = lookups.add_rank.take(moves.action)
        after = state + lookups.add.ravel().take(((state & UPPER) > 0) * (FOREIGN_RANK + 1) + rank)
        self.dirty_after: Bools = np.where(self.is_run, ~lookups.runs.clean.take(after), self.dirty_before | self.wild)
        card_rank = moves.card % RANK_COUNT
        natural_rank = facts.rank_count.ravel().take(moves.row * RANK_COUNT + card_rank)
        self.rank_count = natural_rank.astype(np.int64)
        suit = np.minimum(moves.card // RANK_COUNT, 3)
        words = facts.hand_places.ravel().take(moves.row * 4 + suit)
        self.chain = facts.upward(words, card_rank + 1).astype(np.int64)
        self.needs_wild = (
            (self.size == 0) & ~self.wild & (np.where(self.is_run, self.chain, self.rank_count) < MIN_CARDS)
        )

    def of_task(self, weights: tuple[float, float, float]) -> Floats:
        """The weight for each move's task, `[m]`."""
        taken: Floats = np.array(weights, dtype=np.float32).take(self.task)
        return taken
