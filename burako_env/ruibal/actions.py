"""Action tables: one row an id, padded with unused rows to a multiple of 64."""

from collections.abc import Sequence
from enum import IntEnum
from typing import Final

import numpy as np
import numpy.typing as npt

from burako_env.chance.rng import U64
from burako_env.ruibal.tiles import NONE, OTRO, ROBA, TOMA

# What an action does.
Kind = IntEnum("Kind", "UNUSED POINT SIT PLACE MAKE RELEASE ROBA TOMA OTRO DRAW PASS END", start=0)
# (kind, tile, cells): `tile` is the type released or played or the place pointed at, else NONE; `cells` those of a
# placement or a make.
Row = tuple[Kind, int, int]
FORFEIT_OF: Final = {Kind.ROBA: ROBA, Kind.TOMA: TOMA, Kind.OTRO: OTRO}
# The rows with which the tables of levels 2 and 3 end.
TURN_KINDS: Final = (*FORFEIT_OF, Kind.DRAW, Kind.PASS, Kind.END)
TURN_ROWS: Final[Sequence[Row]] = [(kind, FORFEIT_OF.get(kind, NONE), 0) for kind in TURN_KINDS]
WORD: Final = 64


class ActionTable:
    """The actions of a level: `rows`, structured `[A]`, has kind, tile and cells of each id.

    `used`: ids that stand for something, the first ones. `size`: A, a multiple of 64.
    """

    def __init__(self, rows: Sequence[Row]) -> None:
        self.used = len(rows)
        self.size = -(-len(rows) // WORD) * WORD
        self.rows = np.zeros(self.size, dtype=[("kind", "u1"), ("tile", "u1"), ("cells", "u4")])
        self.rows["tile"] = NONE
        self.rows[: self.used] = np.array(list(rows), dtype=self.rows.dtype)
        self._ids = {(kind, tile, cells): number for number, (kind, tile, cells) in enumerate(rows)}

    def row(self, action: int) -> Row:
        kind, tile, cells = self.rows[action].tolist()
        return Kind(kind), tile, cells

    def id_of(self, kind: Kind, tile: int = NONE, cells: int = 0) -> int | None:
        """The id of an action, None where no row has it."""
        return self._ids.get((kind, tile, cells))

    def first(self, kind: Kind) -> int:
        return int((self.rows["kind"] == kind).argmax())

    def pack(self, parts: Sequence[tuple[int, npt.NDArray[np.integer]]], size: int) -> U64:
        """Legal sets as words, uint64 `[A / 64, size]`, from runs of bits: (first id, bits `[size]`, below 2**64)."""
        packed = np.zeros((self.size // WORD, size), dtype=np.uint64)
        for first, bits in parts:
            word, shift = divmod(first, WORD)
            wide = bits.astype(np.uint64)
            packed[word] |= wide << np.uint64(shift)
            if shift and word + 1 < len(packed):
                packed[word + 1] |= wide >> np.uint64(WORD - shift)
        return packed
