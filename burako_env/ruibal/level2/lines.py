"""The lines of the board: rows, columns, the collections in them, and what a placement is worth (L2-3 to L2-5).

A line's state is the set of its filled cells: 4 bits for a row, lion first, 5 for a column, number 1 first. A line
holds at most one collection, the stretch of 3 or more filled cells, as two would need seven cells.
"""

from __future__ import annotations

from typing import Final

import numpy as np
import numpy.typing as npt

from burako_env.ruibal.level2.actions import column_cells, row_cells
from burako_env.ruibal.tiles import CHARACTER_COUNT, NUMBER_COUNT, Cells

MIN_TILES: Final = 3
_ROW_SHIFTS: Final = np.arange(NUMBER_COUNT, dtype=np.uint32)[:, None]
_COLUMN_SHIFTS: Final = (NUMBER_COUNT * np.arange(CHARACTER_COUNT, dtype=np.uint32))[:, None]
# The cells of row 1: bits 0, 5, 10 and 15.
_ROW_MASK: Final = np.uint32(row_cells(1, 15))
_ROW_BITS: Final = np.uint32(15)
_COLUMN_BITS: Final = np.uint32(31)

Table = npt.NDArray[np.uint32]


def collection_in(state: int, length: int) -> int:
    """The stretch of at least 3 filled cells in a line, as bits of the line; 0 if there is none."""
    for size in range(length, MIN_TILES - 1, -1):
        for start in range(length - size + 1):
            stretch = ((1 << size) - 1) << start
            if state & stretch == stretch:
                return stretch
    return 0


def _collections(length: int) -> Table:
    return np.array([collection_in(state, length) for state in range(1 << length)], dtype=np.uint32)


_ROW_COLLECTION: Final = _collections(CHARACTER_COUNT)
_COLUMN_COLLECTION: Final = _collections(NUMBER_COUNT)
# The cells of row 1 by its bits; those of row n are n - 1 bits further.
_SPREAD: Final = np.array([row_cells(1, part) for part in range(16)], dtype=np.uint32)
assert column_cells(1, 1) == 1 << NUMBER_COUNT


def row_states(cells: Cells) -> Table:
    """The states of the five rows, `[5, n]`."""
    spread = cells >> _ROW_SHIFTS & _ROW_MASK
    # Bits 0, 5, 10, 15 move together to 0, 1, 2, 3.
    spread |= spread >> np.uint32(4)
    states: Table = (spread | spread >> np.uint32(8)) & _ROW_BITS
    return states


def column_states(cells: Cells) -> Table:
    """The states of the four columns, `[4, n]`."""
    states: Table = cells >> _COLUMN_SHIFTS & _COLUMN_BITS
    return states


def row_collections(cells: Cells) -> Cells:
    """The cells of the collection in each row, `[5, n]`."""
    found: Cells = _SPREAD[_ROW_COLLECTION[row_states(cells)]] << _ROW_SHIFTS
    return found


def column_collections(cells: Cells) -> Cells:
    """The cells of the collection in each column, `[4, n]`."""
    found: Cells = _COLUMN_COLLECTION[column_states(cells)] << _COLUMN_SHIFTS
    return found


def crowns_of(filled: Cells, placed: Cells) -> npt.NDArray[np.int64]:
    """L2-5: what placing cells in a layer is worth, int64 `[n]`; 0 where they cannot lie there (L2-4).

    1 for each line that holds a placed cell; 1 for each other collection that a new one of these crosses.
    """
    after = filled | placed
    lines = np.concatenate([row_collections(after), column_collections(after)])
    before = np.concatenate([row_collections(filled), column_collections(filled)])
    touched = lines & placed != 0
    fits = (lines & placed == placed).any(axis=0) & (filled & placed == 0)
    new = np.where(touched & (before == 0), lines, 0)
    new_rows = np.bitwise_or.reduce(new[:NUMBER_COUNT], axis=0)
    new_columns = np.bitwise_or.reduce(new[NUMBER_COUNT:], axis=0)
    crossed = ~touched
    crossed[:NUMBER_COUNT] &= lines[:NUMBER_COUNT] & new_columns != 0
    crossed[NUMBER_COUNT:] &= lines[NUMBER_COUNT:] & new_rows != 0
    crowns: npt.NDArray[np.int64] = fits * (touched.sum(axis=0) + crossed.sum(axis=0))
    return crowns
