"""sample_states of level 3: the table is public, the rest as `ruibal/sampling.py` says."""

from __future__ import annotations

import numpy as np

from burako_env.kit.rng import U64
from burako_env.layout import View
from burako_env.ruibal.level3.kinds import KIND_CELLS, MAX_TILES
from burako_env.ruibal.level3.state import SLOTS, TableState
from burako_env.ruibal.level3.view import CELL_AT, JOKER_PLACES, KIND
from burako_env.ruibal.rules import RuibalRules
from burako_env.ruibal.sampling import Binder, bind_racks, redraw_racks, repeated
from burako_env.ruibal.tiles import CELL_COUNT, JOKER, TYPE_COUNT


def sample_states(rules: RuibalRules, view: View, k: int, keys: U64) -> TableState:
    """`k` states for each View, view-major."""
    base = TableState(rules, len(view))
    binder = Binder(len(view), rules.jokers)
    bind_racks(base, view, binder)
    laid = np.zeros((len(view), TYPE_COUNT), dtype=np.int8)
    bits = np.arange(CELL_COUNT, dtype=np.uint32)
    cells_of = np.append(KIND_CELLS, np.uint32(0))
    for slot in range(SLOTS):
        kind = view.table[:, slot, KIND].astype(np.intp) - 1
        base.cells[slot] = cells_of[kind]
        for place in range(MAX_TILES):
            wild = view.table[:, slot, JOKER_PLACES] >> place & 1
            base.jokers[slot] |= np.where(wild > 0, CELL_AT[place, kind], 0).astype(np.uint32)
        naturals = base.cells[slot] & ~base.jokers[slot]
        laid[:, :CELL_COUNT] += (naturals[:, None] >> bits & 1).astype(np.int8)
        laid[:, JOKER] += np.bitwise_count(base.jokers[slot]).astype(np.int8)
    base.laid_count[:] = (view.table[:, :, KIND] > 0).sum(axis=1)
    base.laid[:] = binder.zone(laid)
    state, every = repeated(base, k, keys)
    rows = np.repeat(np.arange(len(view)), k)
    redraw_racks(state, view.take(rows), binder.free[rows], every)
    return state
