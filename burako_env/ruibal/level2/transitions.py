"""What the actions of level 2 do on the board; the others are in `turns.py`."""

from __future__ import annotations

import numpy as np

from burako_env.kit.fields import flat, gather
from burako_env.ruibal.level2.lines import crowns_of
from burako_env.ruibal.level2.state import BoardState
from burako_env.ruibal.tiles import Cells
from burako_env.ruibal.turns import actors, end_turn, free_joker, lay_tiles, rack_of, score
from burako_env.ruibal.zones import Index, held_cells


def place(state: BoardState, games: Index, cells: Cells) -> None:
    """L2-3 to L2-6: tiles of the rack, jokers where it lacks one, to the layer that scores more; the turn's end."""
    seats = actors(state, games)
    missing = cells & ~held_cells(rack_of(state, seats, games))
    first, second = crowns_of(state.filled[0, games], cells), crowns_of(state.filled[1, games], cells)
    layer = (second > first).astype(np.intp)
    flat(state.filled)[layer * state.size + games] |= cells
    flat(state.jokers)[layer * state.size + games] |= missing
    lay_tiles(state, games, cells & ~missing, np.bitwise_count(missing))
    score(state, seats, games, np.maximum(first, second))
    end_turn(state, games, may_go_out=True)


def release(state: BoardState, games: Index, cells: Cells) -> None:
    """L2-7: the right tile takes a joker's place, in the first layer that has one there."""
    layer = (gather(state.jokers, 0, games) & cells == 0).astype(np.intp)
    flat(state.jokers)[layer * state.size + games] ^= cells
    free_joker(state, games, cells)
