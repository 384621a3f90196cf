"""Counter-based randomness: every random word is a pure function of what it is for.

Nothing in the project holds a random generator. Deals come from (root seed, deal id), an agent's chance from the key of its
decision, so play is the same for every batch size, order of play and number of workers. The mixer is the finaliser of
SplitMix64 (Steele, Lea, Flood 2014).
"""

from __future__ import annotations

from typing import Final

import numpy as np
import numpy.typing as npt

U64 = npt.NDArray[np.uint64]

# One stream per purpose, so that no two purposes ever share a word.
STREAM_DEAL: Final = 1
STREAM_CUTTER: Final = 2
STREAM_AGENT: Final = 3
STREAM_SAMPLE: Final = 4
STREAM_MATCH: Final = 5

_GOLDEN: Final = np.uint64(0x9E3779B97F4A7C15)
_MUL1: Final = np.uint64(0xBF58476D1CE4E5B9)
_MUL2: Final = np.uint64(0x94D049BB133111EB)
_S30, _S27, _S31, _S32 = np.uint64(30), np.uint64(27), np.uint64(31), np.uint64(32)


def mix(words: U64) -> U64:
    """Bijective scrambling of 64-bit words, any shape."""
    words = (words ^ (words >> _S30)) * _MUL1
    words = (words ^ (words >> _S27)) * _MUL2
    return words ^ (words >> _S31)


def combine(*parts: npt.ArrayLike) -> U64:
    """Hash of several integers or integer arrays (broadcast together) into uint64 words; order matters."""
    state = np.zeros((1,), dtype=np.uint64)
    for part in parts:
        if isinstance(part, int):
            part %= 1 << 64
        words = np.atleast_1d(np.asarray(part))
        words = words if words.dtype == np.uint64 else words.astype(np.int64).view(np.uint64)
        state = mix((state + _GOLDEN) ^ mix(words + _GOLDEN))
    return state


def counter_words(keys: U64, count: int) -> U64:
    """`count` random words for each key, uint64 `[len(keys), count]`."""
    steps = np.arange(1, count + 1, dtype=np.uint64) * _GOLDEN
    return mix(keys[:, None] + steps[None, :])


def shuffled(keys: U64, count: int) -> npt.NDArray[np.intp]:
    """A uniformly random permutation of `range(count)` for each key, `[len(keys), count]` (count at most 256).

    The low byte of each random word carries its index, so one plain sort gives the permutation and ties cannot happen
    but by a 56-bit collision, which the index then breaks.
    """
    low = np.uint64(0xFF)
    words = (counter_words(keys, count) & ~low) | np.arange(count, dtype=np.uint64)
    words.sort(axis=1)
    return (words & low).astype(np.intp)


def below(keys: U64, limits: npt.ArrayLike) -> npt.NDArray[np.int64]:
    """A uniform integer in `[0, limit)` for each key (multiply-shift on the high 32 bits: bias below 2**-24)."""
    return (((keys >> _S32) * np.asarray(limits).astype(np.uint64)) >> _S32).astype(np.int64)


def decision_keys(root: int, deal_ids: npt.ArrayLike, swapped: npt.ArrayLike, seats: npt.ArrayLike, numbers: npt.ArrayLike) -> U64:
    """The agents' keys, uint64 `[B]`: hash of (root, deal, orientation, seat, decision number)."""
    return combine(root, STREAM_AGENT, deal_ids, swapped, seats, numbers)
