"""The actions of level 2: 179 placements, 20 releases, and what both levels with racks have; 205 rows.

A placement is a set of cells of one line of the board: the parts of a row (15 each), then the parts of a column with
at least two cells (26 each), so that a single cell stands once.
"""

from __future__ import annotations

from typing import Final

from burako_env.ruibal.actions import TURN_ROWS, ActionTable, Kind, Row
from burako_env.ruibal.tiles import CELL_COUNT, CHARACTER_COUNT, NONE, NUMBER_COUNT, cell_of

ROW_PARTS: Final = tuple(range(1, 1 << CHARACTER_COUNT))
COLUMN_PARTS: Final = tuple(part for part in range(1, 1 << NUMBER_COUNT) if part.bit_count() > 1)


def row_cells(number: int, part: int) -> int:
    """The cells of a part of a row: bit c of `part` is character c."""
    return sum(1 << cell_of(character, number) for character in range(CHARACTER_COUNT) if part >> character & 1)


def column_cells(character: int, part: int) -> int:
    """The cells of a part of a column: bit i of `part` is number i + 1."""
    return part << cell_of(character, 1)


def _rows() -> list[Row]:
    rows: list[Row] = []
    for number in range(1, NUMBER_COUNT + 1):
        rows += [(Kind.PLACE, NONE, row_cells(number, part)) for part in ROW_PARTS]
    for character in range(CHARACTER_COUNT):
        rows += [(Kind.PLACE, NONE, column_cells(character, part)) for part in COLUMN_PARTS]
    rows += [(Kind.RELEASE, cell, 0) for cell in range(CELL_COUNT)]
    return [*rows, *TURN_ROWS]


TABLE: Final = ActionTable(_rows())
FIRST_ROW: Final = 0
FIRST_COLUMN: Final = NUMBER_COUNT * len(ROW_PARTS)
FIRST_RELEASE: Final = TABLE.first(Kind.RELEASE)
FIRST_TURN: Final = TABLE.first(Kind.ROBA)
