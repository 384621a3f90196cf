"""The tiles of the children's levels: types, physical tiles, and sets of them as words (TILE-1).

A *type* is 0 to 19 a character tile (character * 5 + number - 1), 20 the joker, 21 to 23 the forfeits. A *cell* is a
character type seen as a place of the board, so a set of cells is a word of 20 bits:

    bit   19 .. 15   14 .. 10   9 .. 5      4 .. 0
          bear       tiger      crocodile   lion 5 4 3 2 1

A *zone* (a rack, what lies on the table) is a set of the 54 physical tiles, one uint64: bits 0 to 19 the first copies
of the character tiles, 20 to 39 the second ones, then the jokers and the forfeits. So the character types that a zone
holds are `zone | zone >> 20`.
"""

from __future__ import annotations

from typing import Any, Final

import numpy as np
import numpy.typing as npt

from burako_env.errors import UserError

Words = npt.NDArray[np.uint64]
Cells = npt.NDArray[np.uint32]

# TILE-1: lion, crocodile, tiger, bear (oso), in the order of a row of the board (TILE-2).
CHARACTERS: Final = "LCTO"
CHARACTER_COUNT: Final = 4
NUMBER_COUNT: Final = 5
CELL_COUNT: Final = CHARACTER_COUNT * NUMBER_COUNT
JOKER, ROBA, TOMA, OTRO = range(CELL_COUNT, CELL_COUNT + 4)
FORFEITS: Final = (ROBA, TOMA, OTRO)
TYPE_COUNT: Final = OTRO + 1
TYPE_NAMES: Final = (
    *(f"{character}{number}" for character in CHARACTERS for number in range(1, NUMBER_COUNT + 1)),
    "JK",
    "ROBA",
    "TOMA",
    "OTRO",
)
# TILE-1: how many tiles there are of each type.
COPIES: Final = (*(2,) * CELL_COUNT, 3, 4, 4, 3)
TILE_COUNT: Final = sum(COPIES)
NONE: Final = 255


def _numbers_by_type() -> tuple[tuple[int, ...], ...]:
    """The physical tiles of each type: first copies, second copies, then jokers and forfeits in a row."""
    numbers: list[tuple[int, ...]] = [(cell, cell + CELL_COUNT) for cell in range(CELL_COUNT)]
    start = 2 * CELL_COUNT
    for kind in range(CELL_COUNT, TYPE_COUNT):
        numbers.append(tuple(range(start, start + COPIES[kind])))
        start += COPIES[kind]
    return tuple(numbers)


def word_of(bits: Any) -> np.uint64:
    """The word with these bits."""
    return np.uint64(sum(1 << int(bit) for bit in bits))


TILES_OF_TYPE: Final = _numbers_by_type()
# Type of each physical tile, uint8 [54]; physical tiles of each type, uint64 [24].
TYPE_OF_TILE: Final = np.zeros(TILE_COUNT, dtype=np.uint8)
for _type, _tiles in enumerate(TILES_OF_TYPE):
    TYPE_OF_TILE[list(_tiles)] = _type
TYPE_MASK: Final = np.array([word_of(tiles) for tiles in TILES_OF_TYPE], dtype=np.uint64)

CELLS: Final = np.uint64((1 << CELL_COUNT) - 1)
SHIFT: Final = np.uint64(CELL_COUNT)
NATURALS: Final = CELLS | CELLS << SHIFT
JOKERS: Final = TYPE_MASK[JOKER]
FORFEIT_TILES: Final = TYPE_MASK[ROBA] | TYPE_MASK[TOMA] | TYPE_MASK[OTRO]
EVERY_TILE: Final = word_of(range(TILE_COUNT))
ZERO: Final = np.uint64(0)
ONE: Final = np.uint64(1)


def cell_of(character: int, number: int) -> int:
    """The cell of a character (0 to 3) and a number (1 to 5)."""
    return character * NUMBER_COUNT + number - 1


def tile_type(name: str) -> int:
    """The type of a name such as `C2`, `JK` or `ROBA`; `UserError` for any other word."""
    if name not in TYPE_NAMES:
        raise UserError(f"'{name}' is not a tile: they are L1 to L5, C1, T1 and O1 alike, JK, ROBA, TOMA and OTRO")
    return TYPE_NAMES.index(name)


def format_tiles(types: Any) -> str:
    """Tiles as text, in the order given."""
    return " ".join(TYPE_NAMES[int(kind)] for kind in types)


def parse_tiles(text: str) -> list[int]:
    """Types of a text such as `C2 JK ROBA`, in its order; `UserError` for a word that is no tile."""
    return [tile_type(word) for word in text.split()]
