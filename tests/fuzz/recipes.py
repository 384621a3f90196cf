"""What kinds of positions the fuzz starts from, as data: each makes a few rare rules frequent."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Final

Range = tuple[int, int]


@dataclass(frozen=True)
class Recipe:
    """Ranges are inclusive, chances are from 0 to 1.

    Attributes:
        groups, closed: open groups and bazas of a team. sizes: cards of an open group.
        kinds: how likely sets, runs and wild groups are among them.
        one_suit: whether all runs of the position are of one suit. low_runs: whether runs start at the ace or the 2.
        hand, wilds: cards of a hand, and wilds among them. fitting: chance that a natural suits the groups on the
            table, the suit of `one_suit` or another card of the hand.
        stock, pile: their sizes; the stock is never above what is left.
        taken: chance that a burako has been taken. mate_took: whether a team-mate took the first one.
        laying: chance that the turn's draw is over. answers: OUT-3 this turn, one of them, in the laying phase.
        single: whether a laying seat took a pile of one. known: chance that everyone knows a card of a hand.
        last_turns: whether the hand is at most three turns from `max_turns`.
        share: how often the recipe is taken, compared with the others.
    """

    groups: Range = (0, 3)
    closed: Range = (0, 1)
    sizes: Range = (3, 6)
    kinds: tuple[float, float, float] = (1.0, 1.0, 0.1)
    one_suit: bool = False
    low_runs: bool = False
    hand: Range = (3, 11)
    wilds: Range = (0, 2)
    fitting: float = 0.5
    stock: Range = (3, 60)
    pile: Range = (0, 4)
    taken: float = 0.4
    mate_took: bool = False
    laying: float = 0.2
    answers: tuple[str, ...] = ("none",)
    single: bool = False
    known: float = 0.2
    last_turns: bool = False
    share: int = 1


_PLAIN: Final = Recipe()

RECIPES: Final[dict[str, Recipe]] = {
    "any": _PLAIN,
    # GROUP-9, GROUP-10, GROUP-12: wild groups, open or about to be, and other groups that want the wilds.
    "wild groups": replace(_PLAIN, kinds=(0.5, 0.5, 1.0), hand=(4, 10), wilds=(2, 6), laying=0.5),
    # GROUP-10, SANCTION-18: an open wild group, and wilds that would fit elsewhere.
    "wilds under the ban": replace(
        _PLAIN,
        groups=(3, 5),
        closed=(0, 0),
        sizes=(3, 4),
        kinds=(0.5, 0.5, 1.5),
        hand=(3, 8),
        wilds=(2, 4),
        laying=0.9,
        share=3,
    ),
    # BURAKO-1 to BURAKO-4, TURN-6: hands that are nearly only wilds.
    "few wilds": replace(_PLAIN, hand=(1, 4), wilds=(1, 4), taken=0.3, laying=0.4, groups=(0, 1), share=2),
    # OUT-3, OUT-4, TURN-5: the last cards before going out.
    "asking": replace(
        _PLAIN,
        groups=(1, 4),
        hand=(2, 7),
        wilds=(0, 3),
        fitting=0.8,
        taken=1.0,
        mate_took=True,
        laying=0.7,
        answers=("none", "none", "yes", "no", "no"),
        closed=(0, 2),
    ),
    "asking with one taken": replace(
        _PLAIN, hand=(2, 6), fitting=0.9, taken=1.0, mate_took=True, laying=1.0, answers=("yes", "no"), single=True
    ),
    # OUT-4: after NO an opening is judged on the hand that its third card leaves.
    "openings after NO": replace(
        _PLAIN,
        groups=(0, 2),
        kinds=(1, 1, 0),
        hand=(5, 7),
        wilds=(2, 5),
        fitting=1.0,
        taken=1.0,
        mate_took=True,
        laying=1.0,
        answers=("no",),
        single=True,
        share=2,
    ),
    # GROUP-8: as many runs of a suit as there may be.
    "runs of a suit": replace(
        _PLAIN,
        groups=(4, 6),
        sizes=(3, 3),
        closed=(0, 0),
        kinds=(0, 1, 0),
        one_suit=True,
        hand=(5, 11),
        fitting=0.8,
        laying=0.5,
        share=7,
    ),
    # GROUP-5, GROUP-6, GROUP-3: own twos, aces both ways.
    "low runs": replace(
        _PLAIN, groups=(1, 4), kinds=(0.1, 1, 0), low_runs=True, hand=(4, 11), wilds=(1, 4), fitting=0.9, laying=0.5
    ),
    # GROUP-7: sets, open and closed, and hands full of pairs.
    "sets": replace(
        _PLAIN, groups=(1, 5), closed=(1, 3), kinds=(1, 0.1, 0.2), hand=(5, 11), fitting=0.9, laying=0.5, share=2
    ),
    # END-1, END-2, SCORE-6.
    "end of the stock": replace(_PLAIN, stock=(0, 3), pile=(0, 2), hand=(2, 8), share=2),
    # TURN-5.
    "one-card pile": replace(_PLAIN, pile=(1, 1), hand=(1, 5), single=True, laying=0.6, fitting=0.7),
    # END-3.
    "last turns": replace(_PLAIN, last_turns=True, share=2),
    # OUT-1, OUT-2, SCORE-4, SCORE-5.
    "going out": replace(_PLAIN, hand=(1, 3), taken=1.0, closed=(0, 1), groups=(1, 3), fitting=0.9, wilds=(0, 1)),
    "going out unjustified": replace(
        _PLAIN, groups=(2, 4), hand=(1, 2), taken=1.0, closed=(0, 0), fitting=0.95, wilds=(0, 0), share=5
    ),
    # INFO-3.
    "known cards": replace(_PLAIN, known=0.7, hand=(5, 11), pile=(2, 8), fitting=0.9),
}
