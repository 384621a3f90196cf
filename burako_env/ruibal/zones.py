"""Sets of physical tiles as words: what they hold, in counts, and which tile of a type moves.

All functions take and give arrays `[n]` (any shape where nothing else is said).
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from burako_env.ruibal.tiles import (
    CELL_COUNT,
    CELLS,
    FORFEITS,
    JOKER,
    SHIFT,
    TILE_COUNT,
    TILES_OF_TYPE,
    TYPE_COUNT,
    ZERO,
    Cells,
    Words,
)

Index = npt.NDArray[np.intp]


def held_cells(zone: Words) -> Cells:
    """The character types that a zone holds, as cells."""
    cells: Cells = ((zone | zone >> SHIFT) & CELLS).astype(np.uint32)
    return cells


def size_of(zone: Words) -> npt.NDArray[np.uint8]:
    """Number of tiles."""
    return np.bitwise_count(zone)


def counts_of(zone: Words) -> npt.NDArray[np.int8]:
    """Tiles of each type, int8 `[n, 24]`; `zone` `[n]`."""
    bits = np.unpackbits(np.ascontiguousarray(zone).view(np.uint8).reshape(-1, 8), axis=1, bitorder="little")
    counts = np.zeros((len(bits), TYPE_COUNT), dtype=np.int8)
    counts[:, :CELL_COUNT] = bits[:, :CELL_COUNT] + bits[:, CELL_COUNT : 2 * CELL_COUNT]
    for kind in (JOKER, *FORFEITS):
        tiles = TILES_OF_TYPE[kind]
        for tile in tiles:
            counts[:, kind] += bits[:, tile].view(np.int8)
    return counts


def lowest(zone: Words) -> Words:
    """The tile of the lowest number, a word of one bit; nothing of an empty zone."""
    return zone & (~zone + np.uint64(1))


def some_of(zone: Words, types: Words | np.uint64, first: Words) -> Words:
    """One tile of the types' physical tiles in a zone, one that lies in `first` before others; a word of one bit."""
    there = zone & types
    preferred = there & first
    return lowest(np.where(preferred != ZERO, preferred, there))


def one_each(zone: Words, cells: Cells, first: Words) -> Words:
    """One physical tile of each of the cells, all of which the zone holds; those in `first` before their twins."""
    wanted = cells.astype(np.uint64)
    lower, upper = zone & wanted, zone >> SHIFT & wanted
    twin_first = upper & first >> SHIFT & ~first
    from_upper = twin_first | (wanted & ~lower)
    tiles: Words = (wanted & ~from_upper) | from_upper << SHIFT
    return tiles


def types_of(zone: int) -> list[int]:
    """The types in one zone, sorted, each as often as it is there."""
    return sorted(kind for kind, tiles in enumerate(TILES_OF_TYPE) for tile in tiles if zone >> tile & 1)


def zone_of_tiles(tiles: npt.NDArray[np.uint8]) -> Words:
    """The zone of some physical tiles, uint8 `[k, n]` to uint64 `[n]`; numbers from 54 on count for nothing."""
    zone = np.zeros(tiles.shape[1:], dtype=np.uint64)
    for row in tiles:
        zone |= np.where(row < TILE_COUNT, np.uint64(1) << np.minimum(row, 63).astype(np.uint64), ZERO)
    return zone
