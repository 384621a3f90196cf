"""Where the tiles of a make come from (L3-4): worked out once, for legal actions, for playing and for its text.

Everything here is about n makes of n games, one column each; the table is `cells` and `jokers` `[slots, n]`.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

import numpy as np
import numpy.typing as npt

from burako_env.ruibal.level3.kinds import MIN_TILES, ends, is_run, lowest
from burako_env.ruibal.state import Bools
from burako_env.ruibal.tiles import Cells

# More than there are slots, so that length counts before the order of laying.
_ORDER: Final = 16
Order = Callable[[Cells, Cells], npt.NDArray[np.int64]]


@dataclass(frozen=True)
class NewCollection:
    """A make of a kind of three tiles.

    Attributes:
        table: cells `[slots, n]` of what is left of each collection. held, taken, jokers: cells `[n]` of the new one
        that come from the rack, from the table, and that a joker has to stand for.
    """

    table: Cells
    held: Cells
    taken: Cells
    jokers: Cells

    def legal(self, rack_jokers: npt.NDArray[np.uint8]) -> Bools:
        """Whether the rack has the jokers, gives at least one tile, and at least one is natural, `[n]`."""
        enough = np.bitwise_count(self.jokers) <= rack_jokers
        from_rack = self.held | self.jokers != 0
        natural = self.held | self.taken != 0
        legal: Bools = enough & from_rack & natural
        return legal


def plan_three(cells: Cells, jokers: Cells, held: Cells, wanted: Cells) -> NewCollection:
    """Tiles the rack holds (`held` `[n]`), then what the table gives, then jokers, for the kinds `wanted` `[n]`."""
    missing = wanted & ~held
    table = cells
    # Only collections of 4 and 5 give tiles: few, so they are put together first, in the order they were laid.
    gives = np.bitwise_count(cells) > MIN_TILES
    most = int(gives.sum(axis=0).max(initial=0))
    if most:
        slots = np.argsort(~gives, axis=0, kind="stable")[:most]
        givers, stay = np.take_along_axis(cells, slots, axis=0), np.take_along_axis(jokers, slots, axis=0)
        # End tiles first: taking one may uncover the next, so the sweeps go on until one takes nothing.
        while _sweep(givers, stay, missing, wanted, _run_order):
            pass
        _sweep(givers, stay, missing, wanted, _set_order)
        table = cells.copy()
        np.put_along_axis(table, slots, givers, axis=0)
    return NewCollection(table, wanted & held, wanted & ~held & ~missing, missing)


def _sweep(table: Cells, jokers: Cells, missing: Cells, wanted: Cells, order: Order) -> bool:
    """Take the missing cells one by one, in ascending order, where a collection gives them; whether any was.

    Changes `table` and `missing`.
    """
    columns = np.arange(len(wanted))
    rest = wanted.copy()
    any_taken = False
    for _ in range(MIN_TILES):
        tile = lowest(rest)
        rest ^= tile
        left = table & ~tile
        natural = (table & tile & ~jokers != 0) & (left & ~jokers != 0)
        rank = np.where(natural & (tile & missing != 0), order(table, tile), 0)
        slot = rank.argmax(axis=0)
        found = rank[slot, columns] > 0
        if found.any():
            any_taken = True
            given = np.where(found, tile, np.uint32(0))
            table[slot, columns] ^= given
            missing ^= given
    return any_taken


def _run_order(table: Cells, tile: Cells) -> npt.NDArray[np.int64]:
    """Which run of 4 or 5 gives its end tile: the longest, the first laid among equals; 0 for what gives none."""
    length = np.bitwise_count(table).astype(np.int64)
    gives = (length > MIN_TILES) & is_run(table) & (ends(table) & tile != 0)
    slots = np.arange(len(table))[:, None]
    return np.where(gives, length * _ORDER - slots, 0)


def _set_order(table: Cells, tile: Cells) -> npt.NDArray[np.int64]:
    """Which set of four gives a tile: the first laid; 0 for what gives none."""
    gives = (np.bitwise_count(table) > MIN_TILES) & ~is_run(table) & (table & tile != 0)
    slots = np.arange(len(table))[:, None]
    return np.where(gives, _ORDER - slots, 0)


def donors(cells: Cells, jokers: Cells) -> Cells:
    """All cells that a make could possibly take from the table, `[n]`: naturals of sets of four, and of runs those so
    near to an end that three tiles can stay.
    """
    length = np.bitwise_count(cells)
    near = ends(cells)
    inner = cells & (near << np.uint32(1) | near >> np.uint32(1))
    from_run = near | np.where(length > MIN_TILES + 1, inner, 0)
    giving = np.where(is_run(cells), from_run, cells) & ~jokers
    open_to_all = np.where(length > MIN_TILES, giving, 0)
    given: Cells = np.bitwise_or.reduce(open_to_all, axis=0, initial=np.uint32(0)).astype(np.uint32)
    return given


@dataclass(frozen=True)
class Addition:
    """A make of a kind of four or five: the slot that grows, the cell added, whether by a joker, all `[n]`."""

    slot: npt.NDArray[np.intp]
    tile: Cells
    joker: Bools
    found: Bools


def plan_longer(cells: Cells, held: Cells, wanted: Cells) -> Addition:
    """One tile to the first laid collection that lacks just it, a natural before a joker."""
    if not len(cells):
        nothing = np.zeros(len(wanted), dtype=np.bool_)
        return Addition(np.zeros(len(wanted), dtype=np.intp), np.zeros_like(wanted), nothing, nothing)
    columns = np.arange(len(wanted))
    tile = wanted & ~cells
    lacks_one = (cells & ~wanted == 0) & (np.bitwise_count(tile) == 1)
    natural = lacks_one & (tile & held != 0)
    joker = ~natural.any(axis=0)
    slot = np.where(joker, lacks_one.argmax(axis=0), natural.argmax(axis=0))
    return Addition(slot, tile[slot, columns], joker, lacks_one.any(axis=0))
