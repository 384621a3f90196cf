"""Meld planner: what is worth laying now, and in which order.

Each legal lay gets a score in points; the best lay is made if its score is above 0, else the turn goes on to the
discard. So the signs are the policy: naturals are laid at once, wilds only where the position asks for them. The
weights of wilds started from a regression as in `pile.py` (4 players), then were adjusted by duplicate matches.
"""

from dataclasses import dataclass
from typing import Final

import numpy as np

from agents.burako.facts import Facts, Floats
from agents.burako.heuristic.advice import Advice
from agents.burako.heuristic.moves import Lay, Moves
from burako_env.burako.melds.groups import MAX_CARDS, MIN_CARDS
from burako_env.cards import ACE, JOKER, TWO

# Naturals are laid before the use of wilds is decided.
_NATURALS_FIRST: Final = 500.0
Triple = tuple[float, float, float]


@dataclass(frozen=True)
class PlannerWeights:
    """Points for what a lay does, against a discard (0). Triples are by the team's task (`Facts.task`)."""

    # Naturals: only their order matters, they are all laid.
    on_set: float = 30.0
    on_run: float = 35.0
    open_set: Triple = (30.0, 30.0, 40.0)
    open_run: Triple = (10.0, 5.0, 60.0)
    longer_set: float = 1.0
    longer_run: float = 25.0
    fifth: float = 5.0
    sixth: float = 15.0
    close: float = 100.0
    justify: float = 80.0
    makes_clean: float = 60.0
    aces: float = 5.0
    # Wilds, by what they are laid on; an opening with a wild is decided at its first natural. While burakos are to come
    # a wild is worth most in an opening, which rids the hand of three cards: even a baza is rather closed by a natural.
    wild_on_set: Triple = (-200.0, -60.0, -45.0)
    wild_on_run: Triple = (-200.0, -30.0, -40.0)
    wild_opens_set: Triple = (120.0, -20.0, 65.0)
    wild_opens_run: Triple = (120.0, -100.0, 95.0)
    wild_in_place: Triple = (20.0, 20.0, 0.0)
    wild_sixth: Triple = (0.0, 40.0, 10.0)
    wild_closes: Triple = (130.0, 200.0, 40.0)
    spare_wild: Triple = (26.0, 57.0, 81.0)
    natural: Triple = (-7.5, -4.5, -7.0)
    few_naturals: Triple = (23.0, 35.0, 60.0)
    last_turn: Triple = (25.0, 60.0, 0.0)
    empties: Triple = (110.0, 150.0, 220.0)
    wild_group_from: int = 5
    wild_group_opens: float = 30.0
    wild_group_adds: float = 80.0


class Planner:
    """Scores lays. `scores(facts, moves)` gives float32 `[m]`, meaningful where the move is a lay."""

    def __init__(self, advice: Advice, weights: PlannerWeights | None = None) -> None:
        self.advice = advice
        self.weights = weights or PlannerWeights()

    def scores(self, facts: Facts, moves: Moves) -> Floats:
        """Points of every move that is a lay, above 0 to make it."""
        lay = Lay(facts, moves)
        score = np.where(lay.wild, self._wild(lay), self._natural(lay)) + _NATURALS_FIRST * ~(lay.wild | lay.needs_wild)
        return self._hand_rules(lay, score + self.advice.lays(lay)).astype(np.float32)

    def _natural(self, lay: Lay) -> Floats:
        """Naturals: close, then the table, then new groups; an opening that takes a wild counts as use of the wild."""
        w, facts = self.weights, lay.facts
        closes = lay.size == MAX_CARDS - 1
        value = np.where(lay.is_run, w.on_run, w.on_set) + (lay.size == 4) * w.fifth + (lay.size == 5) * w.sixth
        value += closes * (w.close + w.justify * ~facts.justified[lay.row, 0])
        value += (lay.dirty_before & ~lay.dirty_after) * w.makes_clean + (lay.group == ACE) * w.aces
        opens = np.where(
            lay.is_run,
            lay.of_task(w.open_run) + w.longer_run * (lay.chain - MIN_CARDS),
            lay.of_task(w.open_set) + w.longer_set * (lay.rank_count - MIN_CARDS),
        )
        with_wild = np.where(lay.is_run, lay.of_task(w.wild_opens_run), lay.of_task(w.wild_opens_set))
        opens = np.where(lay.needs_wild, with_wild + self._need_of_wilds(lay), opens)
        return np.where(lay.size == 0, opens, value)

    def _need_of_wilds(self, lay: Lay) -> Floats:
        """What speaks for laying a wild whatever the place: many wilds, few naturals, the end."""
        w, facts, row = self.weights, lay.facts, lay.row
        value = lay.of_task(w.spare_wild) * (facts.wilds[row] - 1) + lay.of_task(w.natural) * facts.naturals[row]
        value = value + lay.of_task(w.few_naturals) * (facts.naturals[row] <= 2)
        need: Floats = value + lay.of_task(w.last_turn) * (facts.stage[row] == 2)
        return need

    def _wild(self, lay: Lay) -> Floats:
        """Wilds: to close, to empty the hand, or when there are many; an own two in its place leaves the run clean."""
        w, facts = self.weights, lay.facts
        closes = lay.size == MAX_CARDS - 1
        value = np.where(lay.is_run, lay.of_task(w.wild_on_run), lay.of_task(w.wild_on_set))
        in_place = lay.is_run & ~lay.dirty_after & (lay.size >= MIN_CARDS)
        value = np.where(in_place, lay.of_task(w.wild_in_place), value) + self._need_of_wilds(lay)
        value += (lay.size == 5) * lay.of_task(w.wild_sixth) + closes * lay.of_task(w.wild_closes)
        # The joker first: a two may still become natural in a run of its suit.
        value += lay.card == JOKER
        # The third card of an opening was decided with the first: any wild then, but naturals come before it.
        value = np.where(lay.size < MIN_CARDS, 1.0 + (lay.card == JOKER), value)
        group = np.where(
            lay.size > 0,
            w.wild_group_adds + closes * w.close,
            np.where(facts.wilds[lay.row] >= w.wild_group_from, w.wild_group_opens, -w.wild_group_opens),
        )
        return np.where(lay.group == TWO, group, value)

    def _hand_rules(self, lay: Lay, score: Floats) -> Floats:
        """BURAKO-1, BURAKO-2, OUT: empty the hand for a burako or to go out justified, else keep cards to play."""
        w, facts, row = self.weights, lay.facts, lay.row
        opens = lay.size == 0
        naturals, wilds = facts.naturals[row], facts.wilds[row]
        wilds_used = np.where(lay.wild, np.where(opens, MIN_CARDS, 1), lay.needs_wild)
        wilds_left = wilds - wilds_used
        naturals_left = naturals - (np.where(opens, MIN_CARDS, 1) - wilds_used)
        burako = facts.burakos_left[row] > 0
        # One natural may go as the discard; two wilds may be kept with a burako, none going out.
        kept = np.where(burako, facts.lookups.rules.burako_wilds_max, 0)
        near = (naturals_left <= 1) & (wilds_left <= kept)
        already = (naturals <= 1) & (wilds <= kept)
        score = score + (near & ~already & (wilds_used > 0)) * lay.of_task(w.empties)
        justified = facts.justified[row, 0]
        goes_out = np.where(justified, ~self.advice.waits(facts)[row], lay.size == MAX_CARDS - 1)
        # A natural to discard and one to keep: wilds alone would have to be laid, and the hand would end (OUT-2).
        keeps = np.where(lay.wild, naturals_left + wilds_left, naturals_left)
        strands = ~burako & ~goes_out & (keeps < 2) & (facts.view.opening[row] == 0)
        return np.where(strands, np.float32(-1000), score)
