"""Meld planner: what is worth laying now, and in which order.

Each legal lay gets a score in points; the best lay is made if its score is above 0, else the turn goes on to the
discard. So the signs are the policy: naturals are laid at once, wilds only where the position asks for them.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from agents.burako.facts import Facts
from agents.burako.heuristic.moves import Moves
from burako_env.batch import Bools
from burako_env.burako.melds.groups import FOREIGN_RANK, MAX_CARDS, MIN_CARDS, UPPER
from burako_env.cards import ACE, JOKER, RANK_COUNT, TWO

Floats = npt.NDArray[np.float32]
_STAGES = 3


@dataclass(frozen=True)
class PlannerWeights:
    """Points for what a lay does. Triples are by stage of the hand (`Facts.stage`: far, near, last)."""

    close: float = 200.0
    justify: float = 150.0
    on_run: float = 60.0
    on_set: float = 40.0
    open_run: float = 25.0
    open_set: float = 35.0
    per_card: float = 4.0
    makes_clean: float = 40.0
    trio: float = 0.0
    # A wild that dirties a group of 3, 4, 5 or 6 cards (then closed).
    wild_on: tuple[tuple[float, ...], ...] = ((-60, -50, -40, 10), (-40, -30, -5, 60), (40, 45, 50, 100))
    # The same for a team without a baza, added.
    wild_justifies: tuple[tuple[float, ...], ...] = ((0, 0, 20, 60), (0, 10, 50, 150), (0, 20, 60, 300))
    # Two naturals and a wild that open a group; more for a second wild in the hand, for a run, less for a big hand.
    wild_opens: tuple[float, ...] = (40, 40, 40)
    wild_opens_justifies: float = 0.0
    spare_wild: float = 0.0
    spare_natural: float = 0.0
    wild_run: float = 0.0
    own_two: tuple[float, ...] = (-10, 10, 45)
    wild_group_from: int = 4
    wild_group_opens: float = 30.0
    wild_group_adds: float = 80.0
    burako: float = 150.0
    out: float = 150.0
    out_partner: float = 0.0
    out_negative: float = 0.0
    out_stage: float = 0.0
    out_limit: float = 1000.0
    keep_wilds_for_aces: float = 100.0


class Planner:
    """Scores lays. `scores(facts, moves)` gives float32 `[m]`, meaningful where the move is a lay."""

    def __init__(self, weights: PlannerWeights | None = None) -> None:
        self.weights = weights or PlannerWeights()

    def scores(self, facts: Facts, moves: Moves) -> Floats:
        """Points of every move that is a lay, above 0 to make it."""
        lay = _Lay(facts, moves)
        score = np.where(lay.wild, self._wild(lay), self._natural(lay))
        return self._hand_rules(lay, score).astype(np.float32)

    def _natural(self, lay: _Lay) -> Floats:
        """Naturals: close, then runs, then sets; a group is opened with the longest part of the hand."""
        w, facts = self.weights, lay.facts
        closes = lay.size == MAX_CARDS - 1
        unjustified = ~facts.justified[lay.row, 0]
        value = np.where(lay.is_run, w.on_run, w.on_set) + w.per_card * lay.size
        value = value - w.trio * (lay.is_run & ~closes & (lay.rank_count == 3))
        value += closes * (w.close + w.justify * unjustified)
        value += (lay.dirty_before & ~lay.dirty_after) * w.makes_clean
        opens = np.where(
            lay.is_run,
            w.open_run + w.per_card * (lay.chain - MIN_CARDS),
            w.open_set + w.per_card * (lay.rank_count - MIN_CARDS),
        )
        with_wild = np.array(w.wild_opens).take(lay.stage) + w.spare_wild * (facts.wilds[lay.row] - 1)
        with_wild = with_wild + w.spare_natural * (facts.naturals[lay.row] - 5) + w.wild_run * lay.is_run
        with_wild = with_wild + unjustified * w.wild_opens_justifies
        opens = np.where(lay.needs_wild, with_wild, opens)
        return np.where(lay.size == 0, opens, value)

    def _wild(self, lay: _Lay) -> Floats:
        """Wilds: by size of the group, stage and need of a baza; a natural own two only where it stays natural."""
        w, facts = self.weights, lay.facts
        step = np.clip(lay.size - MIN_CARDS, 0, 3)
        unjustified = ~facts.justified[lay.row, 0]
        value = np.array(w.wild_on, dtype=np.float32)[lay.stage, step]
        value = value + w.spare_wild * (facts.wilds[lay.row] - 1) + w.spare_natural * (facts.naturals[lay.row] - 5)
        value += unjustified * np.array(w.wild_justifies)[lay.stage, step]
        # The joker first: a two may still become natural in a run of its suit.
        value += (lay.card == JOKER) * 1.0
        aces = ~lay.is_run & (lay.group == ACE)
        value -= aces * (lay.stage < 2) * w.keep_wilds_for_aces
        natural = lay.is_run & ~lay.dirty_after & (lay.size >= MIN_CARDS)
        value = np.where(natural, np.array(w.own_two).take(lay.stage) + (lay.size == MAX_CARDS - 1) * w.close, value)
        # The third card of an opening was decided with the first: any wild then, but naturals come before it.
        value = np.where(lay.size < MIN_CARDS, 1.0 + (lay.card == JOKER), value)
        group = np.where(
            lay.size > 0,
            w.wild_group_adds + (lay.size == MAX_CARDS - 1) * w.close,
            np.where(facts.wilds[lay.row] >= w.wild_group_from, w.wild_group_opens, -w.wild_group_opens),
        )
        return np.where(lay.group == TWO, group, value)

    def _hand_rules(self, lay: _Lay, score: Floats) -> Floats:
        """BURAKO-1, BURAKO-2 and OUT: empty the hand where that brings a burako or ends the hand well, else keep two
        cards.
        """
        w, facts, row = self.weights, lay.facts, lay.row
        opens = lay.size == 0
        naturals, wilds = facts.naturals[row], facts.wilds[row]
        wilds_used = np.where(lay.wild, np.where(opens, MIN_CARDS, 1), lay.needs_wild)
        wilds_left = wilds - wilds_used
        naturals_left = naturals - (np.where(opens, MIN_CARDS, 1) - wilds_used)
        burako = facts.burakos_left[row] > 0
        # One natural may go as the discard, two wilds may be kept.
        near = (naturals_left <= 1) & ~((naturals <= 1) & (wilds <= 2))
        score = score + (burako & near & (wilds_used > 0)) * w.burako
        cost = w.out_partner * facts.partners - w.out_negative * ~facts.justified[:, 1] - w.out_stage * facts.stage
        willing = (facts.justified[:, 0] & (cost <= w.out_limit))[row]
        goes_out = willing | (~facts.justified[row, 0] & (lay.size == MAX_CARDS - 1))
        score = score + (~burako & goes_out & (naturals_left <= 1) & (wilds_used > 0)) * w.out
        strands = ~burako & ~goes_out & (naturals_left + wilds_left < 2) & (facts.view.opening[row] == 0)
        return np.where(strands, np.float32(-1000), score)


class _Lay:
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
        self.stage = facts.stage.take(moves.row)
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
