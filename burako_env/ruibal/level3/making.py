"""Where the tiles of a make come from (L3-4): worked out once, for legal actions, for playing and for its text.

Everything here is about n makes of n games, one column each; the table is `cells` and `jokers` `[slots, n]`.
"""

from typing import Final, NamedTuple

import numpy as np
import numpy.typing as npt

from burako_env.chance.rng import U64
from burako_env.ruibal.level3.kinds import KINDS, LONGER, MIN_TILES, NO_KIND, THREES, ends, is_run, kind_of, lowest
from burako_env.ruibal.state import Bools
from burako_env.ruibal.tiles import Cells, cells_in

_THREES: Final = np.array(THREES, dtype=np.uint32)[:, None]
# A collection grows in at most two ways: a run at its two ends.
_WAYS: Final = 2


def _growth() -> tuple[npt.NDArray[np.uint32], npt.NDArray[np.uint32]]:
    """By way and kind: the cell that is added (0: none), and the bit of the kind it leads to, counted in `LONGER`."""
    tiles, bits = np.zeros((2, _WAYS, NO_KIND + 1), dtype=np.uint32)
    for kind, cells in enumerate(KINDS):
        grown = [(cell, LONGER.index(cells | 1 << cell)) for cell in cells_in(~cells) if cells | 1 << cell in LONGER]
        for way, (cell, target) in enumerate(grown):
            tiles[way, kind], bits[way, kind] = 1 << cell, 1 << target
    return tiles, bits


_GROWTH_TILE, _GROWTH_BIT = _growth()
# More than there are slots, so that length counts before the order of laying.
_ORDER: Final = 16


class NewCollection(NamedTuple):
    """A make of a kind of three tiles.

    Attributes:
        table: cells `[slots, n]` of what is left of each collection. held, taken, jokers: cells `[n]` of the new one
        that come from the rack, from the table, and that a joker has to stand for.
    """

    table: Cells
    held: Cells
    taken: Cells
    jokers: Cells


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
        while _sweep(givers, stay, missing, wanted, runs=True):
            pass
        _sweep(givers, stay, missing, wanted, runs=False)
        table = cells.copy()
        np.put_along_axis(table, slots, givers, axis=0)
    return NewCollection(table, wanted & held, wanted & ~held & ~missing, missing)


def _sweep(table: Cells, jokers: Cells, missing: Cells, wanted: Cells, *, runs: bool) -> bool:
    """Take the missing cells one by one, in ascending order, where a run or a set gives them; whether any was taken.

    Changes `table` and `missing`. A run of 4 or 5 gives an end tile: the longest does, the first laid among equals; of
    sets of four the first laid gives any tile.
    """
    columns, slots = np.arange(len(wanted)), np.arange(len(table))[:, None]
    rest, any_taken = wanted.copy(), False
    for _ in range(MIN_TILES):
        tile = lowest(rest)
        rest ^= tile
        length = np.bitwise_count(table).astype(np.int64)
        gives = (length > MIN_TILES) & (is_run(table) == runs) & ((ends(table) if runs else table) & tile != 0)
        natural = (table & tile & ~jokers != 0) & (table & ~tile & ~jokers != 0)
        rank = np.where(gives & natural & (tile & missing != 0), length * _ORDER - slots, 0)
        slot = rank.argmax(axis=0)
        found = rank[slot, columns] > 0
        if found.any():
            any_taken = True
            given = np.where(found, tile, np.uint32(0))
            table[slot, columns] ^= given
            missing ^= given
    return any_taken


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


class Addition(NamedTuple):
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


def three_bits(cells: Cells, jokers: Cells, held: Cells, rack_jokers: npt.NDArray[np.uint8]) -> U64:
    """The kinds of three that can be made, bit i for `THREES[i]`, `[n]`.

    Most are decided by the rack alone; where the table has to help, the make is planned.
    """
    missing = _THREES & ~held
    lacking = np.bitwise_count(missing)
    some_held = lacking < MIN_TILES
    legal = some_held & (lacking <= rack_jokers)
    given = np.bitwise_count(missing & donors(cells, jokers))
    may = ~legal & (given > 0) & (given + rack_jokers >= lacking) & (some_held | (rack_jokers > 0))
    kinds, games = may.nonzero()
    if len(kinds):
        plan = plan_three(cells[:, games], jokers[:, games], held[games], _THREES[kinds, 0])
        # The rack has the jokers and gives at least one tile, and at least one is natural.
        enough = np.bitwise_count(plan.jokers) <= rack_jokers[games]
        legal[kinds, games] = enough & (plan.held | plan.jokers != 0) & (plan.held | plan.taken != 0)
    packed = np.packbits(legal, axis=0, bitorder="little")
    return np.ascontiguousarray(packed.T).view(np.uint32)[:, 0].astype(np.uint64)


def longer_bits(cells: Cells, held: Cells, rack_jokers: npt.NDArray[np.uint8]) -> Cells:
    """The kinds of four and five that a tile of the rack completes, bit i for `LONGER[i]`, `[n]`."""
    kind = kind_of(cells)
    has_joker = rack_jokers > 0
    bits = np.zeros(len(held), dtype=np.uint32)
    for tiles, targets in zip(_GROWTH_TILE, _GROWTH_BIT, strict=True):
        tile = tiles[kind]
        grows = (tile & held != 0) | (has_joker & (tile != 0))
        bits |= np.bitwise_or.reduce(np.where(grows, targets[kind], 0), axis=0, initial=np.uint32(0))
    return bits
