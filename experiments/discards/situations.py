"""The seed's situations of a discard: the next player's cards, the pile, and how far the hand is."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import numpy as np
import numpy.typing as npt

from agents.burako.discard.measures import NEXT
from burako_env.batch import Bools, Ints
from burako_env.errors import unknown
from burako_env.layout import View

# The stage is read from the burakos, which change what is played for: early none is taken, late none is left.
AXES: Final[dict[str, tuple[str, ...]]] = {
    "next player": ("next-1", "next-2", "next-3", "next-more"),
    "pile": ("pile-empty", "pile-there"),
    "stage": ("early", "middle", "late"),
}
NAMES: Final = tuple(name for names in AXES.values() for name in names)
_SIZES: Final = tuple(len(names) for names in AXES.values())
CELLS: Final = int(np.prod(_SIZES))
MANY: Final = 4


def coordinates(view: View) -> npt.NDArray[np.int64]:
    """Where each decision stands on the three axes, int64 `[3, n]`."""
    burakos = view.burakos_left.astype(np.int64)
    left = burakos.sum(axis=1)
    taken = view.burakos_taken.sum(axis=1, dtype=np.int64)
    stage = np.where(left == 0, 2, np.where(taken > 0, 1, 0))
    cards = np.clip(view.hand_sizes[:, NEXT].astype(np.int64), 1, MANY) - 1
    return np.stack([cards, (view.pile_size > 0).astype(np.int64), stage])


def cells_of(view: View) -> Ints:
    """Number of each decision's cell, a combination of one situation of each axis, `[n]`, 0 to `CELLS - 1`."""
    cells: Ints = np.ravel_multi_index(tuple(coordinates(view)), _SIZES).astype(np.int64)
    return cells


def cell_name(cell: int) -> str:
    """`next-2, pile-empty, early`."""
    return ", ".join(names[place] for names, place in zip(AXES.values(), np.unravel_index(cell, _SIZES)))


def cells_with(names: Sequence[str]) -> Bools:
    """Cells that the named situations leave, bool `[CELLS]`: on each axis one of those named, or any if none is."""
    for name in names:
        if name not in NAMES:
            raise unknown("situation", name, NAMES)
    chosen = np.ones(_SIZES, dtype=np.bool_)
    for axis, own in enumerate(AXES.values()):
        wanted = [place for place, name in enumerate(own) if name in names]
        if wanted:
            part = np.zeros(len(own), dtype=np.bool_)
            part[wanted] = True
            chosen &= np.moveaxis(np.broadcast_to(part, (*np.delete(_SIZES, axis), len(own))), -1, axis)
    return chosen.reshape(-1)


def cells_in(name: str) -> Bools:
    """Cells of one situation, bool `[CELLS]`."""
    return cells_with([name])
