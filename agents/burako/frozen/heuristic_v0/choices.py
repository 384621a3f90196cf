"""Choices without a card: the second look, a burako with wilds in the hand, asking and answering, ending the hand."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from agents.burako.facts import Facts, Floats
from agents.burako.heuristic.moves import Moves
from burako_env.batch import Bools
from burako_env.burako.turn.actions import Kind
from burako_env.cards import RANK_COUNT


@dataclass(frozen=True)
class Choices:
    """Scores of the special actions, `[m]`, comparable with each other and with lays."""

    def scores(self, facts: Facts, moves: Moves, pile: Floats) -> Floats:
        """Points of every move that is neither lay nor discard."""
        kind, row = moves.kind, moves.row
        score = np.zeros(len(kind), dtype=np.float32)
        score[kind == Kind.DRAW_PILE] = 0.0
        is_pile = kind == Kind.DRAW_PILE
        score[is_pile] = pile.take(row[is_pile])
        score[kind == Kind.END_HAND] = 0.0
        score[kind == Kind.TAKE_BURAKO] = 1000.0
        score[kind == Kind.KEEP_HAND] = -2000.0
        score[kind == Kind.ASK] = -3000.0
        score[kind == Kind.YES] = 1.0
        reject = kind == Kind.REJECT
        if reject.any():
            score[reject] = np.where(self._useful_draw(facts)[row[reject]], -1.0, 1.0)
        return score

    def _useful_draw(self, facts: Facts) -> np.ndarray:
        """The card just drawn has a companion in the hand: its rank, or its suit at most two places away; `[n]`."""
        drawn = np.maximum(facts.view.drawn.astype(np.int64) - 1, 0)
        rank, suit = drawn % RANK_COUNT, np.minimum(drawn // RANK_COUNT, 3)
        rows = np.arange(facts.rows)
        pair = facts.rank_count[rows, rank] >= 2
        words = facts.hand_places[rows, suit]
        bit = np.int64(1) << rank
        near = (words & (bit << 1 | bit << 2 | bit >> 1 | bit >> 2)) != 0
        useful: Bools = pair | near
        return useful
