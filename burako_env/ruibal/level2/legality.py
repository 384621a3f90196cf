"""Legal actions of level 2: what a layer takes (L2-4) and what the rack holds (L2-6), line by line."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import numpy as np
import numpy.typing as npt

from burako_env.kit.rng import U64
from burako_env.ruibal.actions import pack
from burako_env.ruibal.legality import turn_bits
from burako_env.ruibal.level2.actions import (
    COLUMN_PARTS,
    FIRST_COLUMN,
    FIRST_RELEASE,
    FIRST_ROW,
    FIRST_TURN,
    ROW_PARTS,
    TABLE,
)
from burako_env.ruibal.level2.lines import collection_in, column_states, row_states
from burako_env.ruibal.level2.state import BoardState
from burako_env.ruibal.rules import PRESETS
from burako_env.ruibal.tiles import CHARACTER_COUNT, JOKERS, NUMBER_COUNT
from burako_env.ruibal.turns import actors, rack_of
from burako_env.ruibal.zones import Index, held_cells, size_of

Table = npt.NDArray[np.uint32]
_JOKER_COUNTS: Final = PRESETS["ruibal-2"].jokers + 1
_SINGLES: Final = tuple(1 << place for place in range(NUMBER_COUNT))


def _fitting(length: int, parts: Sequence[int]) -> Table:
    """For each state of a line, the parts that may be placed in it: bit i stands for `parts[i]`."""
    table = np.zeros(1 << length, dtype=np.uint32)
    for state in range(1 << length):
        for place, part in enumerate(parts):
            if state & part == 0 and collection_in(state | part, length) & part == part:
                table[state] |= np.uint32(1 << place)
    return table


def _held(length: int, parts: Sequence[int]) -> Table:
    """For a line's cells that a rack holds and its jokers, the parts it can fill: `[jokers * 2**length + held]`."""
    table = np.zeros(_JOKER_COUNTS << length, dtype=np.uint32)
    for jokers in range(_JOKER_COUNTS):
        for held in range(1 << length):
            for place, part in enumerate(parts):
                if (part & ~held).bit_count() <= jokers:
                    table[(jokers << length) + held] |= np.uint32(1 << place)
    return table


_ROW_FITS: Final = _fitting(CHARACTER_COUNT, ROW_PARTS)
_COLUMN_FITS: Final = _fitting(NUMBER_COUNT, COLUMN_PARTS)
_SINGLE_FITS: Final = _fitting(NUMBER_COUNT, _SINGLES)
_ROW_HELD: Final = _held(CHARACTER_COUNT, ROW_PARTS)
_COLUMN_HELD: Final = _held(NUMBER_COUNT, COLUMN_PARTS)


def legal_words(state: BoardState, games: Index) -> U64:
    """Legal actions of live games, uint64 `[4, n]`."""
    seats = actors(state, games)
    rack = rack_of(state, seats, games)
    starting = state.phase[games] == 0
    held = held_cells(rack)
    jokers = size_of(rack & JOKERS).astype(np.uint32)
    filled = state.filled[:, games]

    rows = _held_parts(_ROW_HELD, CHARACTER_COUNT, row_states(held), jokers, starting) & _row_parts(filled)
    columns = _held_parts(_COLUMN_HELD, NUMBER_COUNT, column_states(held), jokers, starting)
    columns &= _COLUMN_FITS[column_states(filled[0])] | _COLUMN_FITS[column_states(filled[1])]
    releases = np.where(starting, held & (state.jokers[0, games] | state.jokers[1, games]), 0)
    return pack(
        [
            *((FIRST_ROW + len(ROW_PARTS) * line, bits) for line, bits in enumerate(rows)),
            *((FIRST_COLUMN + len(COLUMN_PARTS) * line, bits) for line, bits in enumerate(columns)),
            (FIRST_RELEASE, releases),
            (FIRST_TURN, turn_bits(state, seats, games, starting, ~starting)),
        ],
        TABLE.words,
        len(games),
    )


def _held_parts(table: Table, length: int, held: Table, jokers: Table, starting: npt.NDArray[np.bool_]) -> Table:
    """The parts that the rack can fill; after a release (L2-7) those that use a joker."""
    parts: Table = table[(jokers << np.uint32(length)) + held]
    parts[:, ~starting] &= ~table[held[:, ~starting]]
    return parts


def _row_parts(filled: Table) -> Table:
    """The parts of rows that fit into a layer, `[5, n]`; a single cell may also lie in a line of its column."""
    first, second = filled
    parts = _ROW_FITS[row_states(first)] | _ROW_FITS[row_states(second)]
    single = _SINGLE_FITS[column_states(first)] | _SINGLE_FITS[column_states(second)]
    for character in range(CHARACTER_COUNT):
        place = np.uint32(ROW_PARTS.index(1 << character))
        for line in range(NUMBER_COUNT):
            parts[line] |= (single[character] >> np.uint32(line) & np.uint32(1)) << place
    return parts
