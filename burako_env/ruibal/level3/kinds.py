"""The 49 kinds of collection of level 3 (L3-2): 24 runs and 25 sets, as sets of cells."""

from itertools import combinations, count
from typing import Final

import numpy as np
import numpy.typing as npt

from burako_env.ruibal.tiles import CHARACTER_COUNT, NUMBER_COUNT, Cells, cell_of, cell_set

MIN_TILES: Final = 3
MAX_TILES: Final = 5


def _runs(length: int) -> list[int]:
    """The runs of so many tiles: consecutive numbers of one character."""
    starts = range(1, NUMBER_COUNT - length + 2)
    run = (1 << length) - 1
    return [run << cell_of(character, start) for character in range(CHARACTER_COUNT) for start in starts]


def _sets(size: int) -> list[int]:
    """The sets of so many tiles: one number of different characters, any of them."""
    return [
        cell_set(cell_of(character, number) for character in characters)
        for number in range(1, NUMBER_COUNT + 1)
        for characters in combinations(range(CHARACTER_COUNT), size)
    ]


# Those of 3 tiles, which lay a new collection, come first.
THREES: Final = (*_runs(3), *_sets(3))
LONGER: Final = (*_runs(4), *_runs(5), *_sets(4))
KINDS: Final = (*THREES, *LONGER)
KIND_CELLS: Final = np.array(KINDS, dtype=np.uint32)
NO_KIND: Final = len(KINDS)


def _index() -> tuple[int, npt.NDArray[np.uint8]]:
    """The least modulus under which all kinds (and the empty set) differ, and the kind by remainder."""
    modulus = next(m for m in count(NO_KIND + 1) if len({cells % m for cells in (0, *KINDS)}) == NO_KIND + 1)
    table = np.full(modulus, NO_KIND, dtype=np.uint8)
    for kind, cells in enumerate(KINDS):
        table[cells % modulus] = kind
    return modulus, table


_MODULUS, _KIND_OF = _index()


def kind_of(cells: Cells) -> npt.NDArray[np.uint8]:
    """The kind of collections, `NO_KIND` for empty slots; any shape."""
    return _KIND_OF.take(cells % np.uint32(_MODULUS))


def is_run(cells: Cells) -> npt.NDArray[np.bool_]:
    """Whether collections are runs: their bits are one stretch, so adding the lowest one carries over all of them."""
    run: npt.NDArray[np.bool_] = (cells + lowest(cells)) & cells == 0
    return run


def lowest(cells: Cells) -> Cells:
    """The lowest cell."""
    return cells & (~cells + np.uint32(1))


def ends(cells: Cells) -> Cells:
    """The two end cells of runs."""
    first = lowest(cells)
    return first | (cells + first) >> np.uint32(1)
