"""Counter-based randomness: every random word is a pure function of what it is for.

Nothing in the project holds a random generator. Deals come from (root seed, deal id), an agent's chance from the key
of its decision (`keys.py`), so play is the same for every batch size, order of play and number of workers. The mixer is
the finaliser of SplitMix64 (Steele, Lea, Flood 2014).
"""

from typing import Any, Final

import numpy as np
import numpy.typing as npt

U64 = npt.NDArray[np.uint64]

# One stream per purpose, so that no two purposes ever share a word.
STREAM_DEAL: Final = 1
STREAM_CUTTER: Final = 2
STREAM_SAMPLE: Final = 4
STREAM_MATCH: Final = 5
STREAM_CHANCE: Final = 7  # outcomes within a game; 6 fills the stars of case files, 3 was the agents'

_GOLDEN: Final = np.uint64(0x9E3779B97F4A7C15)
_MUL1: Final = np.uint64(0xBF58476D1CE4E5B9)
_MUL2: Final = np.uint64(0x94D049BB133111EB)
_MASK64: Final = (1 << 64) - 1
_S30, _S27, _S31, _S32 = np.uint64(30), np.uint64(27), np.uint64(31), np.uint64(32)


def mix(words: U64) -> U64:
    """Bijective scrambling of 64-bit words, any shape."""
    words = (words ^ (words >> _S30)) * _MUL1
    words = (words ^ (words >> _S27)) * _MUL2
    return words ^ (words >> _S31)


def combine(*parts: npt.ArrayLike) -> U64:
    """Hash of several integers or integer arrays (broadcast together) into uint64 words `[n]`; order matters."""
    head, state = 0, None
    for part in parts:
        if state is None and isinstance(part, int):
            # Leading integers are hashed as such: the same arithmetic, without an array for each step. One that is
            # longer than a word is hashed word by word.
            while part > _MASK64:
                head = _mix_int(head + int(_GOLDEN) + (part & _MASK64) * int(_MUL1))
                part >>= 64
            head = _mix_int(head + int(_GOLDEN) + part * int(_MUL1))
            continue
        words: npt.NDArray[Any] = np.atleast_1d(np.asarray(part))
        if words.dtype.kind != "u" or words.dtype.itemsize < 8:
            words = words.astype(np.int64).view(np.uint64)
        before: Any = np.uint64((head + int(_GOLDEN)) & _MASK64) if state is None else state + _GOLDEN
        state = mix(before + words * _MUL1)
    return np.array([head], dtype=np.uint64) if state is None else state


def _mix_int(word: int) -> int:
    """`mix` of one word."""
    word &= _MASK64
    word = ((word ^ (word >> 30)) * int(_MUL1)) & _MASK64
    word = ((word ^ (word >> 27)) * int(_MUL2)) & _MASK64
    return word ^ (word >> 31)


def as_ids(words: U64) -> npt.NDArray[np.int64]:
    """Hashes as deal ids: not negative, int64 of the same shape."""
    return (words >> np.uint64(1)).astype(np.int64)


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
