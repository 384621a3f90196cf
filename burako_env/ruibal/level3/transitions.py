"""What the actions of level 3 do on the table; the others are in `turns.py`."""

from __future__ import annotations

import numpy as np

from burako_env.kit.fields import flat
from burako_env.ruibal.level3.kinds import MIN_TILES
from burako_env.ruibal.level3.making import plan_longer, plan_three
from burako_env.ruibal.level3.state import TableState
from burako_env.ruibal.tiles import Cells
from burako_env.ruibal.turns import GOING_ON, actors, free_joker, lay_tiles, rack_of, score
from burako_env.ruibal.zones import Index, held_cells


def make(state: TableState, games: Index, wanted: Cells) -> None:
    """L3-4, L3-5: a new collection of three, or a tile more to a collection; the turn goes on."""
    longer = np.bitwise_count(wanted) > MIN_TILES
    for part, act in ((~longer, _lay), (longer, _add)):
        if part.any():
            act(state, games[part], wanted[part])
    score(state, actors(state, games), games, 1)
    state.phase[games] = GOING_ON


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
    lay_tiles(state, games, plan.held, np.bitwise_count(plan.jokers))


def _add(state: TableState, games: Index, wanted: Cells) -> None:
    """A tile more to the collection that lacks just it."""
    held = held_cells(rack_of(state, actors(state, games), games))
    plan = plan_longer(state.cells[: state.most_laid, games], held, wanted)
    flat(state.cells)[plan.slot * state.size + games] |= plan.tile
    flat(state.jokers)[plan.slot * state.size + games] |= np.where(plan.joker, plan.tile, 0)
    lay_tiles(state, games, np.where(plan.joker, 0, plan.tile).astype(np.uint32), plan.joker.astype(np.uint8))


def release(state: TableState, games: Index, cells: Cells) -> None:
    """L3-6: the right tile takes the place of a joker, in the first laid collection that has one there."""
    slot = (state.jokers[:, games] & cells != 0).argmax(axis=0)
    flat(state.jokers)[slot * state.size + games] ^= cells
    free_joker(state, games, cells)
