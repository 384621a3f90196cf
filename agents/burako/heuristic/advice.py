"""The seed's advice ("El descarte"), ADVICE-1 to 7, as switches of the heuristic: obeyed to the letter or left out.

Obeyed, an advice comes before what the parts of the heuristic find; `docs/discards.md` has what each is worth.
"""

from dataclasses import dataclass
from typing import Final

import numpy as np

from agents.burako.discard.measures import NEXT
from agents.burako.discard.sentences import obedience
from agents.burako.facts import Facts, Floats
from agents.burako.heuristic.moves import Lay
from burako_env.batch import Bools
from burako_env.burako.melds.groups import MAX_CARDS
from burako_env.burako.view.layout import ANSWERS
from burako_env.cards import ACE, RANK_COUNT, SUIT_COUNT

# Weight of the seed's word beside ratings of cards in points.
_LETTER: Final = np.float32(16)
# Points that decide whatever else speaks for or against.
_ALWAYS: Final = np.float32(1000)
# ADVICE-3 "more than 3".
_MORE: Final = 3
# ADVICE-5: points for or against the pile, about what a useful card of it is worth.
_COLLECT: Final = np.float32(30)
# ADVICE-6: an own two goes to its place in a run although wilds are kept otherwise.
_IN_PLACE: Final = np.float32(150)
# ADVICE-7: a total this far below the target is near it: a good hand.
_NEAR: Final = 500
# Cards in the team-mates' hands that make a calm going out wait.
PARTNERS_CARDS: Final = 8


@dataclass(frozen=True)
class Advice:
    """The numbers of the advice that is obeyed."""

    obeyed: frozenset[int] = frozenset()

    def discards(self, facts: Facts) -> Floats | None:
        """ADVICE-1 to 3: what the advice adds to the rating of each natural, float32 `[n, 4, 13]`; None: nothing."""
        numbers = self.obeyed & {1, 2, 3}
        return _LETTER * obedience(facts, numbers) if numbers else None

    def pile(self, facts: Facts) -> Floats:
        """ADVICE-3, 5: what speaks for taking the pile, in points, float32 `[n]`."""
        points = np.zeros(facts.rows, dtype=np.float32)
        if 3 in self.obeyed:
            points += _ALWAYS * (facts.view.hand_sizes[:, NEXT] > _MORE)
        if 5 in self.obeyed:
            # One of the team collects: whoever holds most already, of equals both.
            partner = facts.view.hand_sizes[:, 2::2].max(axis=1)
            points += np.where(facts.hand_size >= partner, _COLLECT, -_COLLECT)
        return points

    def lays(self, lay: Lay) -> Floats:
        """ADVICE-4, 6: what speaks for each move, in points, where it is a lay; float32 `[m]`."""
        points = np.zeros(len(lay.row), dtype=np.float32)
        opens = lay.size == 0
        if 4 in self.obeyed:
            # The higher set first; the ace is the highest.
            height = (lay.group - 1) % RANK_COUNT
            points += np.where(opens & ~lay.is_run, 3 * height, 0)
            points += np.where(~opens & lay.is_run & ~lay.wild, 25, 0)
            points -= _ALWAYS * (opens & lay.is_run & ~lay.wild & ~_can_close(lay))
        if 6 in self.obeyed:
            aces = ~lay.is_run & (lay.group == ACE)
            points -= _ALWAYS * (aces & ((lay.wild & (lay.size < MAX_CARDS - 1)) | lay.needs_wild))
            points += _IN_PLACE * (lay.wild & lay.is_run & ~lay.dirty_after & ~opens)
        return points

    def waits(self, facts: Facts) -> Bools:
        """Going out would catch the team-mates with full hands while nothing presses, bool `[n]` (OUT-3: ask).

        ADVICE-7: not where it leaves the others negative (SCORE-4), and not near the target.
        """
        waits: Bools = (facts.stage == 0) & (facts.view.answer != ANSWERS.index("yes"))
        waits &= facts.partners > PARTNERS_CARDS
        if 7 in self.obeyed:
            waits &= facts.justified[:, 1] & ~_near_target(facts)
        return waits


def _can_close(lay: Lay) -> Bools:
    """Whether the suit still has cards for a run of 7 with one wild around a card; bool `[m]`."""
    there = lay.facts.alive > 0
    row, suit, rank = lay.row, np.minimum(lay.card // RANK_COUNT, SUIT_COUNT - 1), lay.card % RANK_COUNT
    # The ace stands at both ends.
    line = np.concatenate([there, there[:, :, :1]], axis=2)[row, suit]
    reach = np.ones(len(row), dtype=np.int64)
    for step in (-1, 1):
        going = np.ones(len(row), dtype=np.bool_)
        for distance in range(1, MAX_CARDS):
            place = rank + step * distance
            inside = (place >= 0) & (place < line.shape[1])
            going &= inside & line[np.arange(len(row)), np.clip(place, 0, line.shape[1] - 1)]
            reach += going
    return reach >= MAX_CARDS - 1


def _near_target(facts: Facts) -> Bools:
    """MATCH-1: the own total is within a good hand of the target; False outside a match; bool `[n]`."""
    target, total = (
        part[:, 0].astype(np.int64) * 100 + part[:, 1] for part in (facts.view.target, facts.view.totals[:, 0])
    )
    return (target > 0) & (total + _NEAR >= target)
