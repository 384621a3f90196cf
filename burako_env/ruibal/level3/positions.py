"""Between states and positions of level 3."""

from __future__ import annotations

from collections.abc import Sequence

from burako_env.ruibal.level3.state import PHASES, TableState
from burako_env.ruibal.position import TablePosition
from burako_env.ruibal.position_codec import cells_of, laid_tiles, put_common, put_racks, racks_of


def state_of(positions: Sequence[TablePosition]) -> TableState:
    """States in given positions of equal rules."""
    state = TableState(positions[0].rules, len(positions))
    for game, position in enumerate(positions):
        put_common(state, game, position, PHASES)
        put_racks(state, game, position, laid_tiles(position.table))
        state.laid_count[game] = len(position.table)
        for slot, cells in enumerate(position.table):
            state.cells[slot, game] = sum(1 << cell for cell in cells)
            state.jokers[slot, game] = sum(1 << cell for cell, joker in cells.items() if joker)
    return state


def position_of(state: TableState, game: int) -> TablePosition:
    """One game as plain data."""
    slots = range(int(state.laid_count[game]))
    table = [cells_of(int(state.cells[slot, game]), int(state.jokers[slot, game])) for slot in slots]
    return TablePosition(**racks_of(state, game, PHASES), table=table)
