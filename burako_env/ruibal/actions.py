"""Action tables: one row an id, padded with unused rows to a multiple of 64."""

from __future__ import annotations

from collections.abc import Sequence
from enum import IntEnum

import numpy as np
import numpy.typing as npt

from burako_env.kit.rng import U64
from burako_env.ruibal.tiles import NONE, OTRO, ROBA, TOMA


class Kind(IntEnum):
    """What an action does."""

    UNUSED = 0
    POINT = 1
    SIT = 2
    PLACE = 3
    MAKE = 4
    RELEASE = 5
    ROBA = 6
    TOMA = 7
    OTRO = 8
    DRAW = 9
    PASS = 10
    END = 11


# (kind, tile, cells): `tile` is the type released or the place pointed at, else NONE; `cells` those of a placement or a
# make, as a word of 20 bits.
Row = tuple[Kind, int, int]
# The rows with which the tables of levels 2 and 3 end.
TURN_ROWS: Sequence[Row] = (
    (Kind.ROBA, ROBA, 0),
    (Kind.TOMA, TOMA, 0),
    (Kind.OTRO, OTRO, 0),
    (Kind.DRAW, NONE, 0),
    (Kind.PASS, NONE, 0),
    (Kind.END, NONE, 0),
)
WORD: int = 64


class ActionTable:
    """The actions of a level.

    Attributes:
        rows: structured `[A]` with kind, tile and cells of each id. used: ids that stand for something, the first ones.
        size: A, a multiple of 64.
    """

    def __init__(self, rows: Sequence[Row]) -> None:
        self.used = len(rows)
        self.size = -(-len(rows) // WORD) * WORD
        self.rows = np.zeros(self.size, dtype=[("kind", "u1"), ("tile", "u1"), ("cells", "u4")])
        self.rows["tile"] = NONE
        self.rows[: self.used] = np.array(list(rows), dtype=self.rows.dtype)
        self._ids = {(kind, tile, cells): number for number, (kind, tile, cells) in enumerate(rows)}

    @property
    def words(self) -> int:
        """64-bit words of a legal set."""
        return self.size // WORD

    def id_of(self, kind: Kind, tile: int = NONE, cells: int = 0) -> int | None:
        """The id of an action, None where no row has it."""
        return self._ids.get((kind, tile, cells))

    def first(self, kind: Kind) -> int:
        """The first id of a kind."""
        return int((self.rows["kind"] == kind).argmax())


def pack(parts: Sequence[tuple[int, npt.NDArray[np.integer]]], words: int, size: int) -> U64:
    """Legal sets as words, uint64 `[words, size]`, from runs of bits: (first id, bits `[size]`, below 2**64)."""
    packed = np.zeros((words, size), dtype=np.uint64)
    for first, bits in parts:
        word, shift = divmod(first, WORD)
        wide = bits.astype(np.uint64)
        packed[word] |= wide << np.uint64(shift)
        if shift and word + 1 < words:
            packed[word + 1] |= wide >> np.uint64(WORD - shift)
    return packed
