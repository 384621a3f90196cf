"""A uniform choice among legal actions, straight from the packed words.

Two steps of popcount and select. Random play is what throughput is measured with, so this must cost less than a step
of the game: 140 us for 4,096 games, where drawing a random number for every action and taking the best legal one
costs 7,000.
"""

import sys
from typing import Final

import numpy as np
import numpy.typing as npt

from burako_env.batch import Ints
from burako_env.chance.rng import U64, below

# Words are read as bytes below: bit b of a word must be bit b % 8 of byte b // 8.
assert sys.byteorder == "little"

_ONES: Final = np.uint64(0x0101010101010101)
_HIGH: Final = np.uint64(0x8080808080808080)
_BYTE: Final = np.uint64(0xFF)
_3: Final = np.uint64(3)
_7: Final = np.uint64(7)
_8: Final = np.uint64(8)


def _select_table() -> npt.NDArray[np.uint8]:
    """Position of the k-th set bit of a byte at `[8 * byte + k]`; 0 where there is none."""
    bits = np.unpackbits(np.arange(256, dtype=np.uint8)[:, None], axis=1, bitorder="little")
    table = np.zeros((256, 8), dtype=np.uint8)
    byte, position = np.nonzero(bits)
    table[byte, bits.cumsum(axis=1)[byte, position] - 1] = position
    return table.ravel()


_SELECT: Final = _select_table()


def select_bit(words: U64, k: U64) -> U64:
    """Position (0 to 63) of the k-th set bit of each word, uint64 `[n]`; `k` below the word's popcount.

    Multiplying the eight byte counts by 0x01..01 leaves in each byte the sum up to it. Subtracting these sums from k
    + 128 in every byte keeps the high bit exactly where the sum is at most k: as many bytes lie wholly before the bit
    looked for.
    """
    sums = np.bitwise_count(words.view(np.uint8)).view(np.uint64) * _ONES
    skipped = np.bitwise_count(((k * _ONES) | _HIGH) - sums & _HIGH).astype(np.uint64)
    shift = np.minimum(skipped, _7) << _3
    before = ((sums << _8) >> shift) & _BYTE
    byte = (words >> shift) & _BYTE
    position: U64 = shift + _SELECT[(byte << _3) + (k - before)]
    return position


def random_legal(words: U64, keys: U64) -> Ints:
    """A legal action for each game, uniform, chance from `keys` alone; int64 `[n]`.

    `words` uint64 `[n, W]` as from `BatchGame.legal_packed`, `keys` uint64 `[n]`. A row without a legal action (a done
    game) gets 0.
    """
    n, width = words.shape
    sums = np.zeros((width + 1, n), dtype=np.int16)
    for before, count in enumerate(np.bitwise_count(np.ascontiguousarray(words.T))):
        np.add(sums[before], count, out=sums[before + 1])
    total = sums[-1]
    rest = below(keys, total).astype(np.int16)
    word = np.add.reduce((sums[1:-1] <= rest).view(np.uint8), axis=0, dtype=np.uint8).astype(np.intp)
    game = np.arange(n)
    chosen = words.ravel().take(game * width + word)
    passed = sums.ravel().take(word * n + game)
    bit = select_bit(chosen, (rest - passed).astype(np.uint64))
    action: Ints = (word * 64 + bit.view(np.int64)) * (total > 0)
    return action
