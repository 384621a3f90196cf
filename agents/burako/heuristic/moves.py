"""Legal actions of a batch as one ragged list: scoring costs as much as there are moves, not action ids."""

from __future__ import annotations

import numpy as np

from agents.burako.facts import Floats
from agents.burako.lookup import Lookups
from burako_env.batch import Bools, Ints


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
