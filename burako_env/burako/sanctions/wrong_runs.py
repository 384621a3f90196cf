"""SANCTION-12 as look-ups: the pair of a suit with which a card opens a wrong run.

A pair is two naturals of a suit, one or two places apart, that could open a run together (GROUP-12). A card of the
suit fits it next to it or between it; another copy of one of the two does not, nor does a card of another suit.
"""

from dataclasses import dataclass
from functools import cache
from typing import Final

import numpy as np
import numpy.typing as npt

from burako_env.burako.melds.groups import run_places
from burako_env.cards import RANK_COUNT, TWO

# The row of a card of another suit.
FOREIGN: Final = RANK_COUNT


@dataclass(frozen=True)
class WrongRuns:
    """Look-ups by the ranks held of a suit, a word of 13 bits.

    Attributes:
        lowest: uint8 `[14, 8192]`, by the rank of the card (`FOREIGN`: it is of another suit): the number of the lowest
            pair that it does not fit, `none` if there is none. The card itself is not among the ranks.
        low, high: uint8 `[none + 1]`, the ranks of each pair.
        single, double: uint16 `[8192]`, the ranks held that open a wrong run with two others of the suit, where they
            are held once, and where they are held twice.
    """

    lowest: npt.NDArray[np.uint8]
    low: npt.NDArray[np.uint8]
    high: npt.NDArray[np.uint8]
    single: npt.NDArray[np.uint16]
    double: npt.NDArray[np.uint16]

    @property
    def none(self) -> int:
        """The number of no pair."""
        return len(self.low) - 1


def _pairs(ace: str) -> list[tuple[int, int, int]]:
    """Low rank, high rank, and the ranks that fit as a word, from low to high (GROUP-3)."""
    # Rank by place; the 2 is a wild and no natural.
    places = {place: rank for place in run_places(ace) if (rank := (place - 1) % RANK_COUNT) != TWO}
    found = []
    for low in sorted(places):
        for high in (low + 1, low + 2):
            if high in places:
                fits = {places[place] for place in (low - 1, low + 1, high - 1, high + 1) if place in places}
                fits -= {places[low], places[high]}
                found.append((places[low], places[high], sum(1 << rank for rank in fits)))
    return found


@cache
def wrong_runs(ace: str) -> WrongRuns:
    """The look-ups for the rule key `ace`; cached."""
    pairs, held = _pairs(ace), np.arange(1 << RANK_COUNT)
    lowest = np.full((RANK_COUNT + 1, len(held)), len(pairs), dtype=np.uint8)
    # The last to be written is the lowest.
    for number, (low, high, fits) in reversed(list(enumerate(pairs))):
        both = 1 << low | 1 << high
        misfits = np.array([fits >> rank & 1 == 0 for rank in range(RANK_COUNT + 1)])
        lowest[np.ix_(misfits, held & both == both)] = number
    single, double = np.zeros(len(held), dtype=np.uint16), np.zeros(len(held), dtype=np.uint16)
    for rank in range(RANK_COUNT):
        bit = 1 << rank
        single |= np.where((held & bit > 0) & (lowest[rank, held & ~bit] < len(pairs)), bit, 0).astype(np.uint16)
        double |= np.where((held & bit > 0) & (lowest[rank] < len(pairs)), bit, 0).astype(np.uint16)
    ranks = np.array([*((low, high) for low, high, _ in pairs), (0, 0)], dtype=np.uint8)
    return WrongRuns(lowest, ranks[:, 0], ranks[:, 1], single, double)
