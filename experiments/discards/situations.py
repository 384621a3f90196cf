"""The situations of a discard that the advice tells apart: the next player's cards, the pile, how far the hand is."""

import itertools
from collections.abc import Sequence
from typing import Final

import numpy as np

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
_CELLS: Final = tuple(itertools.product(*AXES.values()))
CELLS: Final = len(_CELLS)
MANY: Final = 4


def cells_of(view: View) -> Ints:
    """Number of each decision's cell, a combination of one situation of each axis, `[n]`, 0 to `CELLS - 1`."""
    cards = np.clip(view.hand_sizes[:, NEXT].astype(np.int64), 1, MANY) - 1
    stage = np.where(view.burakos_left.any(axis=1), view.burakos_taken.any(axis=1).astype(np.int64), 2)
    sizes = tuple(len(names) for names in AXES.values())
    return np.ravel_multi_index((cards, (view.pile_size > 0).astype(np.int64), stage), sizes).astype(np.int64)


def cell_name(cell: int) -> str:
    """`next-2, pile-empty, early`."""
    return ", ".join(_CELLS[cell])


def cells_with(names: Sequence[str]) -> Bools:
    """Cells that the named situations leave, bool `[CELLS]`: on each axis one of those named, or any if none is."""
    for name in names:
        if name not in NAMES:
            raise unknown("situation", name, NAMES)
    allowed = [set(names) & set(axis) or set(axis) for axis in AXES.values()]
    return np.array([all(name in axis for name, axis in zip(cell, allowed)) for cell in _CELLS])
