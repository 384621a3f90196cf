"""What the actions of level 3 do on the table; the others are in `turns.py`."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

import numpy as np

from burako_env.fields import flat
from burako_env.ruibal import turns
from burako_env.ruibal.actions import Kind
from burako_env.ruibal.level3.kinds import MIN_TILES
from burako_env.ruibal.level3.making import plan_longer, plan_three
from burako_env.ruibal.level3.state import MOVES, TableState
from burako_env.ruibal.tiles import JOKERS, ZERO, Cells
from burako_env.ruibal.turns import actors, end_turn, known_of, rack_of, score, set_rack
from burako_env.ruibal.zones import Index, held_cells, lowest, one_each, some_of


def make(state: TableState, games: Index, wanted: Cells) -> None:
    """L3-4, L3-5: a new collection of three, or a tile more to a collection; the turn goes on."""
    longer = np.bitwise_count(wanted) > MIN_TILES
    for part, act in ((~longer, _lay), (longer, _add)):
        if part.any():
            act(state, games[part], wanted[part])
    score(state, actors(state, games), games, 1)
    state.phase[games] = MOVES


def _lay(state: TableState, games: Index, wanted: Cells) -> None:
    """A new collection, after all others."""
    held = held_cells(rack_of(state, actors(state, games), games))
    most = state.most_laid
    plan = plan_three(state.cells[:most, games], state.jokers[:most, games], held, wanted)
    state.cells[:most, games] = plan.table
    slot = state.laid_count[games].astype(np.intp)
    flat(state.cells)[slot * state.size + games] = wanted
    flat(state.jokers)[slot * state.size + games] = plan.jokers
    state.laid_count[games] += 1
    _from_rack(state, games, plan.held, np.bitwise_count(plan.jokers))


def _add(state: TableState, games: Index, wanted: Cells) -> None:
    """A tile more to the collection that lacks just it."""
    held = held_cells(rack_of(state, actors(state, games), games))
    plan = plan_longer(state.cells[: state.most_laid, games], held, wanted)
    flat(state.cells)[plan.slot * state.size + games] |= plan.tile
    flat(state.jokers)[plan.slot * state.size + games] |= np.where(plan.joker, plan.tile, 0)
    _from_rack(state, games, np.where(plan.joker, 0, plan.tile).astype(np.uint32), plan.joker.astype(np.uint8))


def _from_rack(state: TableState, games: Index, naturals: Cells, jokers: np.ndarray) -> None:
    """These tiles and so many jokers go from the rack to the table."""
    seats = actors(state, games)
    rack, known = rack_of(state, seats, games), known_of(state, seats, games)
    moved = one_each(rack, naturals, known)
    for number in range(int(jokers.max(initial=0))):
        moved |= np.where(jokers > number, some_of(rack & ~moved, JOKERS, known), ZERO)
    state.laid[games] |= moved
    set_rack(state, seats, games, rack ^ moved)


def release(state: TableState, games: Index, cells: Cells) -> None:
    """L3-6: the right tile takes the place of a joker, in the first laid collection that has one there."""
    seats = actors(state, games)
    rack = rack_of(state, seats, games)
    slot = (state.jokers[:, games] & cells != 0).argmax(axis=0)
    flat(state.jokers)[slot * state.size + games] ^= cells
    tile = one_each(rack, cells, known_of(state, seats, games))
    joker = lowest(state.laid[games] & JOKERS)
    state.laid[games] ^= tile | joker
    set_rack(state, seats, games, rack ^ (tile | joker))
    score(state, seats, games, 1)
    state.phase[games] = MOVES


def end(state: TableState, games: Index) -> None:
    """L3-3: END closes the moves."""
    end_turn(state, games, may_go_out=True)


PLAIN: Final[dict[Kind, Callable[[TableState, Index], None]]] = {
    Kind.ROBA: turns.roba,
    Kind.TOMA: turns.toma,
    Kind.OTRO: turns.otro,
    Kind.DRAW: turns.draw,
    Kind.PASS: turns.pass_turn,
    Kind.END: end,
}
