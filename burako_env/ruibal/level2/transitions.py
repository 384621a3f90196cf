"""What the actions of level 2 do on the board; the others are in `turns.py`."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

import numpy as np

from burako_env.fields import flat, gather
from burako_env.ruibal import turns
from burako_env.ruibal.actions import Kind
from burako_env.ruibal.level2.lines import crowns_of
from burako_env.ruibal.level2.state import RELEASED, BoardState
from burako_env.ruibal.tiles import JOKERS, ZERO, Cells
from burako_env.ruibal.turns import actors, end_turn, known_of, rack_of, score, set_rack
from burako_env.ruibal.zones import Index, held_cells, lowest, one_each, some_of


def place(state: BoardState, games: Index, cells: Cells) -> None:
    """L2-3 to L2-6: tiles of the rack, jokers where it lacks one, to the layer that scores more; the turn's end."""
    seats = actors(state, games)
    rack, known = rack_of(state, seats, games), known_of(state, seats, games)
    missing = cells & ~held_cells(rack)
    moved = one_each(rack, cells & ~missing, known)
    count = np.bitwise_count(missing)
    for number in range(int(count.max(initial=0))):
        joker = some_of(rack & ~moved, JOKERS, known)
        moved |= np.where(count > number, joker, ZERO)
    first, second = crowns_of(state.filled[0, games], cells), crowns_of(state.filled[1, games], cells)
    layer = (second > first).astype(np.intp)
    flat(state.filled)[layer * state.size + games] |= cells
    flat(state.jokers)[layer * state.size + games] |= missing
    state.laid[games] |= moved
    set_rack(state, seats, games, rack ^ moved)
    score(state, seats, games, np.maximum(first, second))
    end_turn(state, games, may_go_out=True)


def release(state: BoardState, games: Index, cells: Cells) -> None:
    """L2-7: the right tile takes a joker's place, in the first layer that has one there; the turn goes on."""
    seats = actors(state, games)
    rack = rack_of(state, seats, games)
    layer = (gather(state.jokers, 0, games) & cells == 0).astype(np.intp)
    flat(state.jokers)[layer * state.size + games] ^= cells
    tile = one_each(rack, cells, known_of(state, seats, games))
    joker = lowest(state.laid[games] & JOKERS)
    state.laid[games] ^= tile | joker
    set_rack(state, seats, games, rack ^ (tile | joker))
    score(state, seats, games, 1)
    state.phase[games] = RELEASED


def end(state: BoardState, games: Index) -> None:
    """L2-7: the turn ends after a release."""
    end_turn(state, games, may_go_out=True)


PLAIN: Final[dict[Kind, Callable[[BoardState, Index], None]]] = {
    Kind.ROBA: turns.roba,
    Kind.TOMA: turns.toma,
    Kind.OTRO: turns.otro,
    Kind.DRAW: turns.draw,
    Kind.PASS: turns.pass_turn,
    Kind.END: end,
}
