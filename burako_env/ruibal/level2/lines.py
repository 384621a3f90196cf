"""The lines of the board: rows, columns, the collections in them, and what a placement is worth (L2-3 to L2-5).

A line's state is the set of its filled cells: 4 bits for a row, lion first, 5 for a column, number 1 first. A line
holds at most one collection, the stretch of 3 or more filled cells, as two would need seven cells.

A placement is a set of cells of one line: a part of a row (15 each), or a part of a column with at least two cells (26
each), so that a single cell stands once.
"""

from collections.abc import Sequence
from typing import Final

import numpy as np
import numpy.typing as npt

from burako_env.ruibal.rules import PRESETS
from burako_env.ruibal.tiles import CHARACTER_COUNT, NUMBER_COUNT, Cells, cell_of, cell_set, cells_in

Table = npt.NDArray[np.uint32]

MIN_TILES: Final = 3
ROW_PARTS: Final = tuple(range(1, 1 << CHARACTER_COUNT))
COLUMN_PARTS: Final = tuple(part for part in range(1, 1 << NUMBER_COUNT) if part.bit_count() > 1)
_JOKER_COUNTS: Final = PRESETS["ruibal-2"].jokers + 1
_ROW_SHIFTS: Final = np.arange(NUMBER_COUNT, dtype=np.uint32)[:, None]
_COLUMN_SHIFTS: Final = (NUMBER_COUNT * np.arange(CHARACTER_COUNT, dtype=np.uint32))[:, None]


def row_cells(number: int, part: int) -> int:
    """The cells of a part of a row: bit c of `part` is character c."""
    return cell_set(cell_of(character, number) for character in cells_in(part))


def column_cells(character: int, part: int) -> int:
    """The cells of a part of a column: bit i of `part` is number i + 1."""
    return part << cell_of(character, 1)


def _collection_in(state: int, length: int) -> int:
    """The stretch of at least 3 filled cells in a line, as bits of the line; 0 if there is none."""
    for size in range(length, MIN_TILES - 1, -1):
        for start in range(length - size + 1):
            stretch = ((1 << size) - 1) << start
            if state & stretch == stretch:
                return stretch
    return 0


def _fitting(length: int, parts: Sequence[int]) -> Table:
    """For each state of a line, the parts that may be placed in it (L2-4): bit i stands for `parts[i]`."""

    def fits(state: int, part: int) -> bool:
        return not state & part and _collection_in(state | part, length) & part == part

    sets = (cell_set(at for at, part in enumerate(parts) if fits(state, part)) for state in range(1 << length))
    return np.fromiter(sets, dtype=np.uint32)


def _held(length: int, parts: Sequence[int]) -> Table:
    """For a line's cells that a rack holds and its jokers, the parts it can fill (L2-6): `[jokers, held]`."""
    sets = (
        cell_set(at for at, part in enumerate(parts) if (part & ~held).bit_count() <= jokers)
        for jokers in range(_JOKER_COUNTS)
        for held in range(1 << length)
    )
    return np.fromiter(sets, dtype=np.uint32).reshape(_JOKER_COUNTS, -1)


# The cells of row 1 in bits 0, 5, 10 and 15, those of row n are n - 1 bits further.
_ROW_MASK: Final = np.uint32(row_cells(1, 15))
_ROW_COLLECTION: Final = np.array([row_cells(1, _collection_in(state, 4)) for state in range(16)], dtype=np.uint32)
_COLUMN_COLLECTION: Final = np.array([_collection_in(state, 5) for state in range(32)], dtype=np.uint32)
_ROW_FITS: Final = _fitting(CHARACTER_COUNT, ROW_PARTS)
_COLUMN_FITS: Final = _fitting(NUMBER_COUNT, COLUMN_PARTS)
_SINGLE_FITS: Final = _fitting(NUMBER_COUNT, [1 << place for place in range(NUMBER_COUNT)])
_ROW_HELD: Final = _held(CHARACTER_COUNT, ROW_PARTS)
_COLUMN_HELD: Final = _held(NUMBER_COUNT, COLUMN_PARTS)


def _row_states(cells: Cells) -> Table:
    """The states of the five rows, `[5, n]`."""
    spread = cells >> _ROW_SHIFTS & _ROW_MASK
    # Bits 0, 5, 10, 15 move together to 0, 1, 2, 3.
    spread |= spread >> np.uint32(4)
    return (spread | spread >> np.uint32(8)) & np.uint32(15)


def _column_states(cells: Cells) -> Table:
    """The states of the four columns, `[4, n]`."""
    return cells >> _COLUMN_SHIFTS & np.uint32(31)


def _collections(cells: Cells) -> Cells:
    """The cells of the collection in each row and each column, `[9, n]`."""
    rows = _ROW_COLLECTION[_row_states(cells)] << _ROW_SHIFTS
    return np.concatenate([rows, _COLUMN_COLLECTION[_column_states(cells)] << _COLUMN_SHIFTS])


def crowns_of(filled: Cells, placed: Cells) -> npt.NDArray[np.int64]:
    """L2-5: what placing cells in a layer is worth, int64 `[n]`; 0 where they cannot lie there (L2-4).

    1 for each line that holds a placed cell; 1 for each other collection that a new one of these crosses.
    """
    lines, before = _collections(filled | placed), _collections(filled)
    touched = lines & placed != 0
    fits = (lines & placed == placed).any(axis=0) & (filled & placed == 0)
    new = np.where(touched & (before == 0), lines, 0)
    crossed = ~touched
    crossed[:NUMBER_COUNT] &= lines[:NUMBER_COUNT] & np.bitwise_or.reduce(new[NUMBER_COUNT:], axis=0) != 0
    crossed[NUMBER_COUNT:] &= lines[NUMBER_COUNT:] & np.bitwise_or.reduce(new[:NUMBER_COUNT], axis=0) != 0
    crowns: npt.NDArray[np.int64] = fits * (touched.sum(axis=0) + crossed.sum(axis=0))
    return crowns


def placements(
    filled: Cells, held: Cells, jokers: npt.NDArray[np.uint32], starting: npt.NDArray[np.bool_]
) -> tuple[Table, Table]:
    """The parts of each row `[5, n]` and column `[4, n]` that may be placed: bit i stands for the i-th part.

    `filled` `[2, n]` the layers; `held` `[n]` what the rack holds in addition to its jokers; after a release (L2-7,
    not `starting`) only parts that use a joker.
    """
    rows = _held_parts(_ROW_HELD, _row_states(held), jokers, starting) & _row_parts(filled)
    columns = _held_parts(_COLUMN_HELD, _column_states(held), jokers, starting)
    return rows, columns & (_COLUMN_FITS[_column_states(filled[0])] | _COLUMN_FITS[_column_states(filled[1])])


def _held_parts(table: Table, held: Table, jokers: Table, starting: npt.NDArray[np.bool_]) -> Table:
    parts: Table = table[jokers, held]
    parts[:, ~starting] &= ~table[0, held[:, ~starting]]
    return parts


def _row_parts(filled: Cells) -> Table:
    """The parts of rows that fit into a layer, `[5, n]`; a single cell may also lie in a line of its column."""
    first, second = filled
    parts = _ROW_FITS[_row_states(first)] | _ROW_FITS[_row_states(second)]
    single = _SINGLE_FITS[_column_states(first)] | _SINGLE_FITS[_column_states(second)]
    for character in range(CHARACTER_COUNT):
        place = np.uint32(ROW_PARTS.index(1 << character))
        parts |= (single[character] >> _ROW_SHIFTS & np.uint32(1)) << place
    return parts
