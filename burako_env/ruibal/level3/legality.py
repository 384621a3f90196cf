"""Legal actions of level 3: makes from rack and table (L3-4), releases, and what both levels with racks have."""

from __future__ import annotations

from typing import Final

import numpy as np
import numpy.typing as npt

from burako_env.kit.rng import U64
from burako_env.ruibal.actions import pack
from burako_env.ruibal.legality import turn_bits
from burako_env.ruibal.level3.actions import FIRST_LONGER, FIRST_RELEASE, FIRST_THREE, FIRST_TURN, TABLE
from burako_env.ruibal.level3.kinds import KINDS, LONGER, MIN_TILES, NO_KIND, THREES, kind_of
from burako_env.ruibal.level3.making import donors, plan_three
from burako_env.ruibal.level3.state import TableState
from burako_env.ruibal.tiles import CELL_COUNT, JOKERS, Cells
from burako_env.ruibal.turns import actors, rack_of
from burako_env.ruibal.zones import Index, held_cells, size_of

_THREES: Final = np.array(THREES, dtype=np.uint32)[:, None]
# A collection grows in at most two ways: a run at its two ends.
_WAYS: Final = 2


def _growth() -> tuple[npt.NDArray[np.uint32], npt.NDArray[np.uint32]]:
    """By way and kind: the cell that is added (0: none), and the bit of the kind it leads to, counted in `LONGER`."""
    tiles, bits = np.zeros((2, _WAYS, NO_KIND + 1), dtype=np.uint32)
    for kind, cells in enumerate(KINDS):
        grown = [
            (cell, LONGER.index(cells | 1 << cell))
            for cell in range(CELL_COUNT)
            if cells | 1 << cell in LONGER and not cells >> cell & 1
        ]
        for way, (cell, target) in enumerate(grown):
            tiles[way, kind], bits[way, kind] = 1 << cell, 1 << target
    return tiles, bits


_GROWTH_TILE, _GROWTH_BIT = _growth()


def legal_words(state: TableState, games: Index) -> U64:
    """Legal actions of live games, uint64 `[2, n]`."""
    seats = actors(state, games)
    rack = rack_of(state, seats, games)
    held, rack_jokers = held_cells(rack), size_of(rack & JOKERS)
    most = state.most_laid
    cells, jokers = state.cells[:most, games], state.jokers[:most, games]
    starting = state.phase[games] == 0
    on_table = np.bitwise_or.reduce(jokers, axis=0, initial=np.uint32(0))
    return pack(
        [
            (FIRST_THREE, _three_bits(cells, jokers, held, rack_jokers)),
            (FIRST_LONGER, _longer_bits(cells, held, rack_jokers)),
            (FIRST_RELEASE, held & on_table),
            (FIRST_TURN, turn_bits(state, seats, games, starting, ~starting)),
        ],
        TABLE.words,
        len(games),
    )


def _three_bits(cells: Cells, jokers: Cells, held: Cells, rack_jokers: npt.NDArray[np.uint8]) -> U64:
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
        legal[kinds, games] = plan.legal(rack_jokers[games])
    packed = np.packbits(legal, axis=0, bitorder="little")
    bits: U64 = np.ascontiguousarray(packed.T).view(np.uint32)[:, 0].astype(np.uint64)
    return bits


def _longer_bits(cells: Cells, held: Cells, rack_jokers: npt.NDArray[np.uint8]) -> Cells:
    """The kinds of four and five that a tile of the rack completes, bit i for `LONGER[i]`, `[n]`."""
    kind = kind_of(cells)
    has_joker = rack_jokers > 0
    bits = np.zeros(len(held), dtype=np.uint32)
    for tiles, targets in zip(_GROWTH_TILE, _GROWTH_BIT, strict=True):
        tile = tiles[kind]
        grows = (tile & held != 0) | (has_joker & (tile != 0))
        bits |= np.bitwise_or.reduce(np.where(grows, targets[kind], 0), axis=0, initial=np.uint32(0))
    return bits
