"""Choices without a card: the second look, a burako with wilds in the hand, asking and answering, ending the hand."""

from dataclasses import dataclass

import numpy as np

from agents.burako.facts import Facts, Floats
from agents.burako.heuristic.advice import Advice
from agents.burako.heuristic.moves import Moves
from burako_env.batch import Bools
from burako_env.burako.turn.actions import Kind
from burako_env.cards import RANK_COUNT, SUIT_COUNT


@dataclass(frozen=True)
class Choices:
    """Scores of the special actions, on the scale of the planner: 0 is a discard, every useful lay is above.

    A burako is always taken. With `ask`, going out is asked for where it would catch the team-mates with full hands
    (without, it waits there); a partner answers NO while they can still lay cards. END_HAND and DRAW_STOCK are 0: the
    pile policy says what the pile is worth against them.
    """

    advice: Advice
    ask: bool = False
    refuses_from: int = 3

    def scores(self, facts: Facts, moves: Moves) -> Floats:
        """Points of every move that is neither lay nor discard nor a draw from the pile; float32 `[m]`."""
        by_kind = np.zeros(len(Kind), dtype=np.float32)
        by_kind[Kind.TAKE_BURAKO] = 1000.0
        # KEEP_HAND declines a burako or ends a turn in which nothing else is legal.
        by_kind[Kind.KEEP_HAND] = -2000.0
        by_kind[Kind.ASK] = -3000.0
        score: Floats = by_kind.take(moves.kind)
        for kind, decide in ((Kind.REJECT, self._rejects), (Kind.ASK, self._asks), (Kind.NO, self._refuses)):
            asked = np.flatnonzero(moves.kind == kind)
            if len(asked):
                score[asked] = np.where(decide(facts)[moves.row[asked]], 2000.0, -3000.0)
        return score

    def _rejects(self, facts: Facts) -> Bools:
        """TURN-2: the card drawn has no companion, of its rank or of its suit at most two places away; `[n]`."""
        drawn = np.maximum(facts.view.drawn.astype(np.int64) - 1, 0)
        suit, rank = np.divmod(np.minimum(drawn, SUIT_COUNT * RANK_COUNT - 1), RANK_COUNT)
        rows = np.arange(facts.rows)
        bit = np.int64(1) << rank
        near = bit << 1 | bit << 2 | bit >> 1 | bit >> 2
        alone: Bools = (facts.rank_count[rows, rank] < 2) & (facts.hand_places[rows, suit] & near == 0)
        return alone

    def _asks(self, facts: Facts) -> Bools:
        """OUT-3: the hand can be emptied this turn, but the team-mates hold many cards; `[n]`."""
        empty = (facts.wilds == 0) & (facts.deadwood(facts.hand) <= 1)
        asks: Bools = (facts.task == 2) & self.advice.waits(facts) & empty & self.ask
        return asks

    def _refuses(self, facts: Facts) -> Bools:
        """OUT-3: the answer is NO with that many cards to lay and no danger; `[n]`."""
        refuses: Bools = (facts.stage == 0) & (facts.naturals - facts.deadwood(facts.hand) >= self.refuses_from)
        return refuses
