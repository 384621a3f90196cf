"""View and its layout: the only way out of a game's state.

A View is one row-major int8 buffer `[n, F]`; every named field is a zero-copy slice of it. Networks read the buffer,
heuristics the fields; interface, search and records use the same. The layout is one table from which the
documentation and the tests come.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from math import prod
from types import MappingProxyType
from typing import Final, NoReturn

import numpy as np
import numpy.typing as npt

I8 = npt.NDArray[np.int8]
# The largest number that a column holds; a count that may be larger stays there.
MOST: Final = int(np.iinfo(np.int8).max)


@dataclass(frozen=True)
class Field:
    """A named part of the View: its shape (without the batch axis) and what it means."""

    name: str
    shape: tuple[int, ...]
    meaning: str

    @property
    def width(self) -> int:
        """Columns of the buffer it takes."""
        return prod(self.shape)


class ViewLayout:
    """Fields in buffer order. `layout["hand"]` is the slice of a field; `width` is F; `digest()` names the layout.

    It cannot be changed.
    """

    fields: tuple[Field, ...]
    shapes: Mapping[str, tuple[int, ...]]
    width: int
    _slices: Mapping[str, slice]

    def __init__(self, fields: tuple[Field, ...]) -> None:
        shapes: dict[str, tuple[int, ...]] = {}
        slices: dict[str, slice] = {}
        start = 0
        for field in fields:
            slices[field.name] = slice(start, start + field.width)
            shapes[field.name] = field.shape
            start += field.width
        # All Views of a game share its layout, so whoever is given a View must not be able to change it.
        own = {
            "fields": fields,
            "shapes": MappingProxyType(shapes),
            "_slices": MappingProxyType(slices),
            "width": start,
        }
        for name, value in own.items():
            object.__setattr__(self, name, value)

    def __setattr__(self, name: str, value: object) -> NoReturn:
        raise AttributeError(f"a View's layout cannot be changed: {name}")

    def __reduce__(self) -> tuple[type[ViewLayout], tuple[tuple[Field, ...]]]:
        return ViewLayout, (self.fields,)

    def __getitem__(self, name: str) -> slice:
        return self._slices[name]

    def __contains__(self, name: object) -> bool:
        return name in self._slices

    def __iter__(self) -> Iterator[Field]:
        return iter(self.fields)

    def digest(self) -> str:
        """First 16 hex digits of the SHA-256 over names and shapes: checkpoints depend on it."""
        text = ";".join(f"{field.name}{list(field.shape)}" for field in self.fields)
        return hashlib.sha256(text.encode()).hexdigest()[:16]


class View:
    """n observations: `view.buffer` int8 `[n, F]`; `view.hand` and every other field of the layout `[n, *shape]`,
    zero-copy.
    """

    __slots__ = ("buffer", "layout")

    def __init__(self, buffer: I8, layout: ViewLayout) -> None:
        if buffer.ndim != 2 or buffer.shape[1] != layout.width or buffer.dtype != np.int8:
            raise ValueError(
                f"a View's buffer has shape [n, {layout.width}] and dtype int8, "
                f"not {list(buffer.shape)} and {buffer.dtype}"
            )
        self.buffer = buffer
        self.layout = layout

    def __reduce__(self) -> tuple[type[View], tuple[I8, ViewLayout]]:
        return View, (self.buffer, self.layout)

    def __len__(self) -> int:
        return len(self.buffer)

    def field(self, name: str) -> I8:
        """A field by name, `[n, *shape]`; fields of width 1 with shape () are `[n]`."""
        return self.buffer[:, self.layout[name]].reshape(len(self.buffer), *self.layout.shapes[name])

    def __getattr__(self, name: str) -> I8:
        if name.startswith("__") or name not in self.layout:
            raise AttributeError(f"this View has no field '{name}': {', '.join(f.name for f in self.layout)}")
        return self.field(name)

    def take(self, rows: npt.ArrayLike) -> View:
        """The given rows, copied."""
        return View(self.buffer[np.asarray(rows)], self.layout)
