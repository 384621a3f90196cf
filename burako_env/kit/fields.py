"""The state of a batch as one declared list of fields, laid out game-last.

Every field is an array `[rows, B]`; fields of one dtype share one block, so that copying, selecting and clearing games
are a few operations whatever the number of fields. A game declares its fields and says what a fresh game holds.
"""

from dataclasses import dataclass
from typing import Any, Self

import numpy as np
import numpy.typing as npt

Index = npt.NDArray[np.intp]


@dataclass(frozen=True)
class FieldRows:
    """A field: name, dtype, rows (None: one row, kept as `[B]`), and what a fresh game holds, one value a row."""

    name: str
    dtype: str
    rows: int | None
    fresh: tuple[int, ...]

    @property
    def row_count(self) -> int:
        """Rows of its block."""
        return 1 if self.rows is None else self.rows


class FieldState:
    """Arrays of B games. Every field is an attribute: a view `[rows, B]` of its block, `[B]` for one row."""

    def __init__(self, fields: tuple[FieldRows, ...], size: int) -> None:
        self._fields = fields
        rows: dict[str, list[int]] = {}
        for field in fields:
            rows.setdefault(field.dtype, []).extend(field.fresh)
        # The column of a fresh game, by dtype; clearing games is one assignment a block.
        self._fresh = {dtype: np.array(values, dtype=dtype)[:, None] for dtype, values in rows.items()}
        self._attach({dtype: np.repeat(column, size, axis=1) for dtype, column in self._fresh.items()})

    def _attach(self, blocks: dict[str, npt.NDArray[Any]]) -> None:
        self.blocks = blocks
        self.size = next(iter(blocks.values())).shape[1]
        first = first_rows_of(self._fields)
        for field in self._fields:
            start = first[field.name]
            array = blocks[field.dtype][start : start + field.row_count]
            setattr(self, field.name, array[0] if field.rows is None else array)

    def __getstate__(self) -> dict[str, Any]:
        # The fields share memory with the blocks; a copy or a pickle must attach them anew.
        names = {field.name for field in self._fields}
        return {key: value for key, value in self.__dict__.items() if key not in names}

    def __setstate__(self, saved: dict[str, Any]) -> None:
        self.__dict__.update(saved)
        self._attach(self.blocks)

    def clear(self, games: Index) -> None:
        """Make the given games fresh."""
        for dtype, column in self._fresh.items():
            self.blocks[dtype][:, games] = column

    def select(self, games: Index) -> Self:
        """Copies of the given games (indices may repeat)."""
        other = object.__new__(type(self))
        other.__dict__.update(self.__dict__)
        other._attach({dtype: np.ascontiguousarray(block[:, games]) for dtype, block in self.blocks.items()})
        return other

    def put(self, games: Index, other: Self) -> None:
        """Overwrite the given games with those of another state of the same fields."""
        for dtype, block in self.blocks.items():
            block[:, games] = other.blocks[dtype]

    def save(self) -> dict[str, npt.NDArray[Any]]:
        """Every field by name, `[rows, B]`, copied."""
        return {field.name: np.atleast_2d(getattr(self, field.name)).copy() for field in self._fields}

    def load(self, saved: dict[str, npt.NDArray[Any]]) -> None:
        """Take over saved fields; a missing or misshapen one is a `ValueError` saying what was expected."""
        size = np.asarray(saved["deal_ids"]).shape[-1] if "deal_ids" in saved else 0
        parts: dict[str, list[npt.NDArray[Any]]] = {}
        for field in self._fields:
            if field.name not in saved:
                raise ValueError(f"the saved state lacks '{field.name}'")
            array = np.asarray(saved[field.name])
            expected = (field.row_count, size)
            if array.shape != expected or array.dtype != np.dtype(field.dtype):
                raise ValueError(
                    f"saved '{field.name}' is {array.dtype} {list(array.shape)}, "
                    f"expected {np.dtype(field.dtype)} {list(expected)}"
                )
            parts.setdefault(field.dtype, []).append(array)
        self._attach({dtype: np.concatenate(arrays) for dtype, arrays in parts.items()})

    def bytes_per_game(self) -> int:
        """Size of one game's state."""
        return sum(block.itemsize * block.shape[0] for block in self.blocks.values())


def first_rows_of(fields: tuple[FieldRows, ...]) -> dict[str, int]:
    """First row of each field in the block of its dtype."""
    rows: dict[str, int] = {}
    used: dict[str, int] = {}
    for field in fields:
        rows[field.name] = used.get(field.dtype, 0)
        used[field.dtype] = rows[field.name] + field.row_count
    return rows


def flat(field: npt.NDArray[Any]) -> npt.NDArray[Any]:
    """The field as one axis, sharing memory (fields are contiguous rows of a block)."""
    return field.reshape(-1)


def gather(field: npt.NDArray[Any], rows: int | Index, games: Index) -> npt.NDArray[Any]:
    """`field[rows, games]` for a `[rows, B]` field: a take on the flat array, several times faster than two index
    arrays. Rows of a small dtype would overflow: they must be intp.
    """
    at: Index = rows * field.shape[1] + games
    return field.reshape(-1).take(at)
