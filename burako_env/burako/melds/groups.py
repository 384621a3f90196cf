"""Sets, runs and wild groups as small numbers, and every question about them as one table look-up.

A group's state is a uint16, 0 for no group.

Set, wild group: bits 0-2 the naturals (in the wild group: the wilds), bit 3 a wild.

    bit   15 14 .. 4   3      2 1 0
          -  -         wild   count

Run: which places hold a natural, how many twos of its own suit, and whether a foreign wild (a joker or another
suit's two) lies in it. A two of its own suit is counted apart because the reading decides whether it is natural
(GROUP-5, GROUP-6).

    bit   15        14 13      12     11 10  9  8  7  6  5  4  3  2  1   0
          foreign   own twos   ace    K  Q   J  10 9  8  7  6  5  4  3   ace
          wild      (0 to 2)   high                                      low
"""

from dataclasses import dataclass
from functools import cache
from typing import Final

import numpy as np
import numpy.typing as npt

from burako_env.cards import ACE, RANK_COUNT, TWO

U16 = npt.NDArray[np.uint16]

MIN_CARDS: Final = 3
MAX_CARDS: Final = 7
MIN_NATURALS: Final = 2

SET_WILD: Final = 1 << 3
SET_COUNT: Final = SET_WILD - 1

ACE_LOW: Final = 1 << 0
ACE_HIGH: Final = 1 << 12
OWN_TWO: Final = 1 << 13
FOREIGN: Final = 1 << 15
# Naturals from the 8 up: with one of them in the run an ace can only be the high one (a run has at most 7 places).
_UPPER: Final = sum(1 << bit for bit in range(6, 12))
# Index of a foreign wild where a table is asked by rank.
FOREIGN_RANK: Final = RANK_COUNT

_STATES: Final = 1 << 16
_LOW_PLACE, _TWO_PLACE, _HIGH_PLACE = 1, 2, 14


def add_to_run(state: int, rank: int) -> int:
    """State of a run after a card of `rank` of its suit (13: a foreign wild); says nothing about legality."""
    if rank == FOREIGN_RANK:
        return state | FOREIGN
    if rank == TWO:
        return state + OWN_TWO
    if rank == ACE:
        return state | (ACE_HIGH if state & _UPPER else ACE_LOW)
    return state | 1 << (rank - 1)


def place_state(place: int) -> int:
    """State bit of a natural at a place of a run: 1 the low ace, 2 the two, .. 13 the king, 14 the high ace."""
    if place == _TWO_PLACE:
        return OWN_TWO
    return 1 << (place - 1 if place < _TWO_PLACE else place - 2)


@dataclass(frozen=True)
class RunLookups:
    """What there is to know about run states, by state `[65536]`.

    Attributes:
        length: cards, uint8.
        legal: a run by GROUP-1 to GROUP-6, 3 to 7 cards.
        clean: some reading has no wild.
        accepts: uint16: bit r < 13: a card of that rank of the suit may be laid; bit 13: a foreign wild. Also for the
            states of two cards that an opening goes through (GROUP-12).
        types: uint16, ranks of the run's suit that it holds (the ace once, whichever its place).
    """

    length: npt.NDArray[np.uint8]
    legal: npt.NDArray[np.bool_]
    clean: npt.NDArray[np.bool_]
    accepts: U16
    types: U16


def run_places(ace: str) -> range:
    """Places a run may use under the `ace` key (GROUP-3)."""
    return range(_TWO_PLACE if ace == "high" else _LOW_PLACE, _HIGH_PLACE if ace == "low" else _HIGH_PLACE + 1)


def _readings(ace: str) -> tuple[set[int], set[int]]:
    """States of the runs that have a reading without a wild, and with exactly one wild (GROUP-2 to GROUP-6)."""
    places = run_places(ace)
    without: set[int] = set()
    with_one: set[int] = set()
    for size in range(MIN_CARDS, MAX_CARDS + 1):
        for start in places[: len(places) - size + 1]:
            window = range(start, start + size)
            without.add(sum(map(place_state, window)))
            if size - 1 < MIN_NATURALS:
                continue
            for gap in window:
                naturals = sum(place_state(place) for place in window if place != gap)
                with_one.update((naturals + OWN_TWO, naturals | FOREIGN))
    return without, with_one


@cache
def run_lookups(ace: str) -> RunLookups:
    """Lookups for a value of the `ace` key; cached, read-only."""
    without, with_one = _readings(ace)
    states = np.arange(_STATES, dtype=np.uint16)
    naturals = states & np.uint16(OWN_TWO - 1)
    twos = (states >> 13) & np.uint16(3)
    length = np.bitwise_count(naturals) + twos.astype(np.uint8) + (states >> 15).astype(np.uint8)
    ranks = ((naturals & 0xFFE) << 1) | (naturals & 1) | (naturals >> 12) | ((twos > 0) << TWO)
    clean = np.zeros(_STATES, dtype=np.bool_)
    clean[list(without)] = True
    legal = clean.copy()
    legal[list(with_one)] = True
    accepts = np.zeros(_STATES, dtype=np.uint16)
    for state in np.flatnonzero(legal & (length < MAX_CARDS)).tolist():
        accepts[state] = _accepted(state, legal)
    for state, third in _opened_pairs(ace):
        accepts[state] = third | 1 << TWO | 1 << FOREIGN_RANK
    lookups = RunLookups(length.astype(np.uint8), legal, clean, accepts, ranks.astype(np.uint16))
    for table in (lookups.length, legal, clean, accepts, lookups.types):
        table.setflags(write=False)
    return lookups


def _accepted(state: int, legal: npt.NDArray[np.bool_]) -> int:
    """Bits of the ranks (13: a foreign wild) whose card leaves a legal run."""
    bits = 0
    for rank in range(FOREIGN_RANK + 1):
        after = add_to_run(state, rank)
        if after != state and legal[after]:
            bits |= 1 << rank
    return bits


def _opened_pairs(ace: str) -> list[tuple[int, int]]:
    """States after two cards of an opening, with the bit of the natural that may come third (GROUP-12).

    The two lie side by side, then the next natural upwards may follow, or around a hole, which only a wild fills. A
    wild may follow both: it fills the hole or floats, and an own two falls into its place where that is the hole or
    the end.
    """
    places = run_places(ace)
    pairs = []
    for low in places:
        for high in range(low + 1, min(low + 3, places.stop)):
            follows = high == low + 1 and high + 1 in places
            pairs.append((place_state(low) + place_state(high), 1 << high % RANK_COUNT if follows else 0))
    return pairs


def add_lookup() -> U16:
    """What a card adds to a run's state by rank, uint16 `[2, 14]`: row 1 for runs in which an ace is high."""
    rows = [[add_to_run(base, rank) - base for rank in range(FOREIGN_RANK + 1)] for base in (0, _UPPER)]
    table = np.array(rows, dtype=np.uint16)
    # Only the ace depends on the run; for all other ranks the upper row repeats the lower one.
    table[1, 1:] = table[0, 1:]
    return table


UPPER: Final = np.uint16(_UPPER)
