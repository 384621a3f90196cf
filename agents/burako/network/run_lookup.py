"""What the encoder asks of a run, by its state."""

from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np
import numpy.typing as npt

from agents.burako.network.features import LENGTHS, LONG
from agents.learned.encoder import U8
from burako_env.burako.melds.groups import OWN_TWO, run_lookups


@dataclass(frozen=True)
class RunLookup:
    """What is known of a run by its state (`burako_env.burako.melds.groups`), over all K = 65,536 states.

    flags uint8 `[K, 6]`: length from 3, 4, 5, 6, dirty, own twos. accepts uint16 `[K]`: ranks it takes, bit 13 a
    foreign wild. ranks uint16 `[K]`: ranks it holds. long bool `[K]`: five cards or more.
    """

    flags: U8
    accepts: npt.NDArray[np.uint16]
    ranks: npt.NDArray[np.uint16]
    long: npt.NDArray[np.bool_]


@lru_cache(maxsize=8)
def run_lookup(ace: str) -> RunLookup:
    """The look-up for a value of the rules' `ace`."""
    lookups, state = run_lookups(ace), np.arange(1 << 16)
    length = lookups.length
    flags: list[npt.NDArray[Any]] = [length >= least for least in LENGTHS]
    flags += [(length >= LENGTHS[0]) & ~lookups.clean, state // OWN_TWO % 4]
    return RunLookup(np.stack(flags, axis=1).astype(np.uint8), lookups.accepts, lookups.types, length >= LONG)
