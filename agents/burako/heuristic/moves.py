"""Legal actions of a batch as one ragged list, and what each lay among them does to its group.

Scoring costs as much as there are moves, not as there are action ids.
"""

import numpy as np

from agents.burako.facts import Facts, Floats
from agents.burako.lookup import Lookups
from burako_env.batch import Bools, Ints
from burako_env.burako.melds.groups import FOREIGN_RANK, MIN_CARDS, UPPER
from burako_env.cards import RANK_COUNT


class Moves:
    """The m legal moves of n decisions, in the order of rows and, within a row, of action ids.

    Attributes:
        row, action, kind, card, group: int64 `[m]`; card and group are 0 where the action has none.
    """

    def __init__(self, legal: Bools, lookups: Lookups) -> None:
        self.rows, width = legal.shape
        index = np.flatnonzero(legal)
        self.row = index // width
        self.action = index - self.row * width
        self.kind = lookups.kind.take(self.action)
        self.card = lookups.card.take(self.action)
        self.group = lookups.group.take(self.action)

    def best(self, scores: Floats) -> Ints:
        """Action with the highest score of each row, the lowest id among equals, 0 in a row without; int64 `[n]`."""
        choice = np.zeros(self.rows, dtype=np.int64)
        if not len(self.row):
            return choice
        first = np.ones(len(self.row), dtype=np.bool_)
        np.not_equal(self.row[1:], self.row[:-1], out=first[1:])
        top = np.maximum.reduceat(scores, np.flatnonzero(first))
        winners = np.flatnonzero(scores == top.take(np.cumsum(first) - 1))[::-1]
        # Written backwards: of equal scores the first move of a row is written last.
        choice[self.row.take(winners)] = self.action.take(winners)
        return choice


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
