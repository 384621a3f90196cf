"""What is worth laying now, and in which order.

Each legal lay gets a score in points; the best lay is made if its score is above 0, else the turn goes on to the
discard. So the signs are the policy: naturals are laid at once, wilds only where the position asks for them.
"""

from typing import Final

import numpy as np

from agents.burako.frozen.heuristic_v0.facts import Facts, Floats
from burako_env.batch import Bools, Ints
from burako_env.burako.melds.groups import FOREIGN_RANK, MAX_CARDS, MIN_CARDS, UPPER
from burako_env.cards import ACE, JOKER, RANK_COUNT, TWO

# A lay that closes a baza, and the one that justifies.
_CLOSES: Final = 200.0
_JUSTIFIES: Final = 150.0
# A wild that dirties a group of 3, 4, 5 or 6 cards (then closed), by stage of the hand (`Facts.stage`).
_WILD_ON: Final = np.array([(-60, -50, -40, 10), (-40, -30, -5, 60), (40, 45, 50, 100)], dtype=np.float32)
# The same for a team without a baza, added.
_WILD_JUSTIFIES: Final = np.array([(0, 0, 20, 60), (0, 10, 50, 150), (0, 20, 60, 300)])
# An own two that leaves its run clean, by stage.
_OWN_TWO: Final = np.array([-10.0, 10.0, 45.0])
_WILD_GROUP_FROM: Final = 4


class Lays:
    """What each move does to its group, all `[m]`; only the entries of lays mean anything.

    size: cards in the group before. dirty_before, dirty_after: no reading without a wild. chain: cards of the hand from
    this one upwards in its suit. rank_count: cards of its rank in the hand. needs_wild: an opening that takes a wild.
    """

    def __init__(self, facts: Facts, row: Ints, action: Ints) -> None:
        known, self.facts, self.row = facts.lookups, facts, row
        self.card, self.group = known.card.take(action), known.group.take(action)
        self.wild, self.is_run = known.wild.take(action), known.is_run.take(action)
        runs = (facts.rows, known.groups - RANK_COUNT)
        own_sets, own_runs = facts.set_size[:, 0], facts.run_size[:, 0].reshape(runs)
        flat = row * known.groups + self.group
        self.size = np.concatenate([own_sets, own_runs], axis=1).ravel().take(flat).astype(np.int64)
        states = facts.run_state[:, 0].reshape(runs)
        state = np.concatenate([np.zeros_like(own_sets, dtype=np.uint16), states], axis=1).ravel().take(flat)
        dirty_runs = (states > 0) & ~known.runs.clean.take(states)
        self.dirty_before = np.concatenate([facts.view.set_wild[:, 0] > 0, dirty_runs], axis=1).ravel().take(flat)
        after = state + known.add.ravel().take(((state & UPPER) > 0) * (FOREIGN_RANK + 1) + known.add_rank.take(action))
        self.dirty_after: Bools = np.where(self.is_run, ~known.runs.clean.take(after), self.dirty_before | self.wild)
        suit, rank = np.minimum(self.card // RANK_COUNT, 3), self.card % RANK_COUNT
        self.rank_count = facts.rank_count[row, rank].astype(np.int64)
        upward = facts.places(facts.hand)[row, suit] >> rank
        # The lowest place that is not filled ends the chain.
        self.chain = np.bitwise_count(upward & ~(upward + 1)).astype(np.int64)
        few = np.where(self.is_run, self.chain, self.rank_count) < MIN_CARDS
        self.needs_wild = (self.size == 0) & ~self.wild & few
        self.stage = facts.stage.take(row)
        self.closes = self.size == MAX_CARDS - 1
        self.unjustified = ~facts.justified[row, 0]

    def scores(self) -> Floats:
        """Points of every move that is a lay, float32 `[m]`, above 0 to make it."""
        return self._hand_rules(np.where(self.wild, self._wild(), self._natural())).astype(np.float32)

    def _natural(self) -> Floats:
        """Naturals: close, then runs, then sets; a group is opened with the longest part of the hand."""
        value = np.where(self.is_run, 60.0, 40.0) + 4.0 * self.size
        value += self.closes * (_CLOSES + _JUSTIFIES * self.unjustified)
        value += (self.dirty_before & ~self.dirty_after) * 40.0
        opens = np.where(self.is_run, 25.0 + 4.0 * (self.chain - MIN_CARDS), 35.0 + 4.0 * (self.rank_count - MIN_CARDS))
        return np.where(self.size == 0, np.where(self.needs_wild, 40.0, opens), value)

    def _wild(self) -> Floats:
        """Wilds: by size of the group, stage and need of a baza; a natural own two only where it stays natural."""
        step = np.clip(self.size - MIN_CARDS, 0, 3)
        value = _WILD_ON[self.stage, step]
        value += self.unjustified * _WILD_JUSTIFIES[self.stage, step]
        # The joker first: a two may still become natural in a run of its suit.
        value += self.card == JOKER
        value -= (~self.is_run & (self.group == ACE)) * (self.stage < 2) * 100.0
        natural = self.is_run & ~self.dirty_after & (self.size >= MIN_CARDS)
        value = np.where(natural, _OWN_TWO.take(self.stage) + self.closes * _CLOSES, value)
        # The third card of an opening was decided with the first: any wild then, but naturals come before it.
        value = np.where(self.size < MIN_CARDS, 1.0 + (self.card == JOKER), value)
        opens = np.where(self.facts.wilds[self.row] >= _WILD_GROUP_FROM, 30.0, -30.0)
        return np.where(self.group == TWO, np.where(self.size > 0, 80.0 + self.closes * _CLOSES, opens), value)

    def _hand_rules(self, score: Floats) -> Floats:
        """BURAKO-1, BURAKO-2 and OUT: empty the hand where that brings a burako or ends the hand well, else keep two
        cards.
        """
        facts, row, opens = self.facts, self.row, self.size == 0
        naturals, wilds = facts.naturals[row], facts.wilds[row]
        wilds_used = np.where(self.wild, np.where(opens, MIN_CARDS, 1), self.needs_wild)
        wilds_left = wilds - wilds_used
        naturals_left = naturals - (np.where(opens, MIN_CARDS, 1) - wilds_used)
        burako = facts.burakos_left[row] > 0
        # One natural may go as the discard, two wilds may be kept.
        near = (naturals_left <= 1) & ~((naturals <= 1) & (wilds <= 2))
        score = score + (burako & near & (wilds_used > 0)) * 150.0
        goes_out = ~self.unjustified | self.closes
        score = score + (~burako & goes_out & (naturals_left <= 1) & (wilds_used > 0)) * 150.0
        strands = ~burako & ~goes_out & (naturals_left + wilds_left < 2) & (facts.view.opening[row] == 0)
        return np.where(strands, np.float32(-1000), score)
