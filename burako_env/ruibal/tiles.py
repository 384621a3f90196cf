"""The tiles of the children's levels: types, physical tiles, and sets of them as the bits of one number (TILE-1).

A *type* is 0 to 19 a character tile (character * 5 + number - 1), 20 the joker, 21 to 23 the forfeits. A *cell* is a
character type seen as a place of the board, so a set of cells has 20 bits:

    bit   19 .. 15   14 .. 10   9 .. 5      4 .. 0
          bear       tiger      crocodile   lion 5 4 3 2 1
"""

from collections.abc import Iterable
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from burako_env.errors import UserError

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
    *("JK", "ROBA", "TOMA", "OTRO"),
)
# TILE-1: how many tiles there are of each type.
COPIES: Final = (*(2,) * CELL_COUNT, 3, 4, 4, 3)
TILE_COUNT: Final = sum(COPIES)
NONE: Final = 255

# Type of each physical tile, uint8 [54]: first copies, second copies, then jokers and forfeits in a row.
TYPE_OF_TILE: Final = np.concatenate(
    [*[np.arange(CELL_COUNT)] * 2, np.repeat(np.arange(CELL_COUNT, TYPE_COUNT), COPIES[CELL_COUNT:])]
).astype(np.uint8)
TILES_OF_TYPE: Final = tuple(tuple(np.flatnonzero(kind == TYPE_OF_TILE).tolist()) for kind in range(TYPE_COUNT))
CELL_BITS: Final = np.uint32(1) << np.arange(CELL_COUNT, dtype=np.uint32)


def cell_of(character: int, number: int) -> int:
    """The cell of a character (0 to 3) and a number (1 to 5)."""
    return character * NUMBER_COUNT + number - 1


def cells_in(cells: int) -> list[int]:
    """The cells of one set, ascending."""
    return [cell for cell in range(CELL_COUNT) if cells >> cell & 1]


def cell_set(cells: Iterable[int]) -> int:
    """The set of some different cells."""
    return sum(1 << cell for cell in cells)


def tiles_in_play(jokers: int) -> npt.NDArray[np.uint8]:
    """The physical tiles of a level with so many jokers (TILE-1, L2-1, L3-1), type by type."""
    left_out = TILES_OF_TYPE[JOKER][jokers:]
    return np.array([tile for tiles in TILES_OF_TYPE for tile in tiles if tile not in left_out], dtype=np.uint8)


def tile_type(name: str) -> int:
    """The type of a name such as `C2`, `JK` or `ROBA`; `UserError` for any other word."""
    if name not in TYPE_NAMES:
        raise UserError(f"'{name}' is not a tile: they are L1 to L5, C1, T1 and O1 alike, JK, ROBA, TOMA and OTRO")
    return TYPE_NAMES.index(name)


def format_tiles(types: Iterable[Any]) -> str:
    """Tiles as text, in the order given."""
    return " ".join(TYPE_NAMES[int(kind)] for kind in types)


def parse_tiles(text: str) -> list[int]:
    """Types of a text such as `C2 JK ROBA`, in its order; `UserError` for a word that is no tile."""
    return [tile_type(word) for word in text.split()]
