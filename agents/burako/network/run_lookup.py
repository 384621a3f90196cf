"""Runs of the card game as its View has them, looked up in the core's look-ups."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import Final

import numpy as np
import numpy.typing as npt

from agents.burako.network.features import LENGTHS, LONG
from agents.learned.encoder import U8
from burako_env.burako.melds.groups import FOREIGN, OWN_TWO, place_state, run_lookups

# Places of a run: 0 none, the low ace 1, the two 2, .. the high ace 14.
PLACES: Final = 15
_KEYS: Final = PLACES**3 * 6


@dataclass(frozen=True)
class RunLookup:
    """What is known of a run by the key of its fields in the View (`burako_encoder._Encoding._runs` makes it).

    flags uint8 `[K, 6]`: length from 3, 4, 5, 6, dirty, own twos. accepts uint16 `[K]`: ranks it takes, bit 13 a
    foreign wild. ranks uint16 `[K]`: ranks it holds. long bool `[K]`: five cards or more.
    """

    flags: U8
    accepts: npt.NDArray[np.uint16]
    ranks: npt.NDArray[np.uint16]
    long: npt.NDArray[np.bool_]


@lru_cache(maxsize=8)
def run_lookup(ace: str) -> RunLookup:
    """The look-up for a value of the rules' `ace`: from the View's fields to a state, then the core's look-ups."""
    lookups = run_lookups(ace)
    naturals = [0 if place in (0, 2) else place_state(place) for place in range(PLACES)]
    span = np.array([[sum(naturals[low : high + 1]) if low else 0 for high in range(PLACES)] for low in range(PLACES)])
    key = np.arange(_KEYS)
    low, high, hole = key // (6 * PLACES**2), key // (6 * PLACES) % PLACES, key // 6 % PLACES
    twos, foreign = key % 6 // 2, key % 2
    # Keys that no run has give some number; they are never asked for.
    state = (span[low, high] - np.array(naturals)[hole] + twos * OWN_TWO + foreign * FOREIGN) & 0xFFFF
    length = lookups.length[state]
    flags = [length >= least for least in LENGTHS]
    flags += [(length >= LENGTHS[0]) & ~lookups.clean[state], twos]
    return RunLookup(
        np.stack(flags, axis=1).astype(np.uint8), lookups.accepts[state], lookups.types[state], length >= LONG
    )
