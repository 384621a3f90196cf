"""Between states and positions of level 2."""

from __future__ import annotations

from collections.abc import Sequence

from burako_env.ruibal.level2.state import LAYERS, PHASES, BoardState
from burako_env.ruibal.position import BoardPosition
from burako_env.ruibal.position_codec import cells_of, laid_tiles, put_common, put_racks, racks_of


def state_of(positions: Sequence[BoardPosition]) -> BoardState:
    """States in given positions of equal rules."""
    state = BoardState(positions[0].rules, len(positions))
    for game, position in enumerate(positions):
        put_common(state, game, position, PHASES)
        put_racks(state, game, position, laid_tiles(position.board))
        for layer, cells in enumerate(position.board):
            state.filled[layer, game] = sum(1 << cell for cell in cells)
            state.jokers[layer, game] = sum(1 << cell for cell, joker in cells.items() if joker)
    return state


def position_of(state: BoardState, game: int) -> BoardPosition:
    """One game as plain data."""
    board = [cells_of(int(state.filled[layer, game]), int(state.jokers[layer, game])) for layer in range(LAYERS)]
    return BoardPosition(**racks_of(state, game, PHASES), board=board)
