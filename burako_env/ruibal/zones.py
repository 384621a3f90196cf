"""Zones: sets of physical tiles (a rack, what lies on the table), what they hold, and which tile of a type moves.

A zone is one uint64: bits 0 to 19 the first copies of the character tiles, 20 to 39 the second ones, then the jokers
and the forfeits. So the character types that a zone holds are `zone | zone >> 20`. All functions take and give arrays
`[n]`, any shape where nothing else is said.
"""

from collections.abc import Iterable
from typing import Final

import numpy as np
import numpy.typing as npt

from burako_env.ruibal.tiles import CELL_COUNT, FORFEITS, JOKER, TILE_COUNT, TILES_OF_TYPE, TYPE_COUNT, Cells

Zones = npt.NDArray[np.uint64]


def bits_of(bits: Iterable[int]) -> np.uint64:
    """The number with these bits."""
    return np.uint64(sum(1 << int(bit) for bit in bits))


TYPE_MASK: Final = np.array([bits_of(tiles) for tiles in TILES_OF_TYPE], dtype=np.uint64)
CELLS: Final = np.uint64((1 << CELL_COUNT) - 1)
SHIFT: Final = np.uint64(CELL_COUNT)
JOKERS: Final = TYPE_MASK[JOKER]
FORFEIT_TILES: Final = np.bitwise_or.reduce(TYPE_MASK[list(FORFEITS)])
ZERO: Final = np.uint64(0)
ONE: Final = np.uint64(1)


def held_cells(zone: Zones) -> Cells:
    """The character types that a zone holds, as cells."""
    return ((zone | zone >> SHIFT) & CELLS).astype(np.uint32)


def size_of(zone: Zones) -> npt.NDArray[np.uint8]:
    return np.bitwise_count(zone)


def counts_of(zone: Zones) -> npt.NDArray[np.int8]:
    """Tiles of each type, int8 `[n, 24]`; `zone` `[n]`."""
    bits = np.unpackbits(np.ascontiguousarray(zone).view(np.uint8).reshape(-1, 8), axis=1, bitorder="little")
    counts = np.zeros((len(bits), TYPE_COUNT), dtype=np.int8)
    counts[:, :CELL_COUNT] = bits[:, :CELL_COUNT] + bits[:, CELL_COUNT : 2 * CELL_COUNT]
    for kind in (JOKER, *FORFEITS):
        for tile in TILES_OF_TYPE[kind]:
            counts[:, kind] += bits[:, tile].view(np.int8)
    return counts


def types_of(zone: int) -> list[int]:
    """The types in one zone, sorted, each as often as it is there."""
    return sorted(kind for kind, tiles in enumerate(TILES_OF_TYPE) for tile in tiles if zone >> tile & 1)


def lowest(zone: Zones) -> Zones:
    """The tile of the lowest number, a zone of one bit; nothing of an empty zone."""
    return zone & (~zone + ONE)


def some_of(zone: Zones, types: Zones | np.uint64, first: Zones) -> Zones:
    """One tile of the types' physical tiles in a zone, one that lies in `first` before others; a zone of one bit."""
    there = zone & types
    preferred = there & first
    return lowest(np.where(preferred != ZERO, preferred, there))


def one_each(zone: Zones, cells: Cells, first: Zones) -> Zones:
    """One physical tile of each of the cells, all of which the zone holds; those in `first` before their twins."""
    wanted = cells.astype(np.uint64)
    lower, upper = zone & wanted, zone >> SHIFT & wanted
    twin_first = upper & first >> SHIFT & ~first
    from_upper = twin_first | (wanted & ~lower)
    tiles: Zones = (wanted & ~from_upper) | from_upper << SHIFT
    return tiles


def zone_of_tiles(tiles: npt.NDArray[np.uint8]) -> Zones:
    """The zone of some physical tiles, uint8 `[k, n]` to uint64 `[n]`; numbers from 54 on count for nothing."""
    zone = np.zeros(tiles.shape[1:], dtype=np.uint64)
    for row in tiles:
        zone |= np.where(row < TILE_COUNT, ONE << np.minimum(row, 63).astype(np.uint64), ZERO)
    return zone
