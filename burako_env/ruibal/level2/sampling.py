"""sample_states of level 2: the board is public, the rest as `ruibal/sampling.py` says."""

from __future__ import annotations

import numpy as np

from burako_env.kit.rng import U64
from burako_env.layout import View
from burako_env.ruibal.level2.state import LAYERS, BoardState
from burako_env.ruibal.level2.view import JOKER
from burako_env.ruibal.rules import RuibalRules
from burako_env.ruibal.sampling import Binder, bind_racks, redraw_racks, repeated
from burako_env.ruibal.tiles import CELL_COUNT, TYPE_COUNT
from burako_env.ruibal.tiles import JOKER as JOKER_TYPE


def sample_states(rules: RuibalRules, view: View, k: int, keys: U64) -> BoardState:
    """`k` states for each View, view-major."""
    base = BoardState(rules, len(view))
    binder = Binder(len(view), rules.jokers)
    bind_racks(base, view, binder)
    laid = np.zeros((len(view), TYPE_COUNT), dtype=np.int8)
    bits = np.uint32(1) << np.arange(CELL_COUNT, dtype=np.uint32)
    for layer in range(LAYERS):
        codes = view.board[:, layer].reshape(-1, CELL_COUNT)
        base.filled[layer] = (codes > 0) @ bits
        base.jokers[layer] = (codes == JOKER) @ bits
        laid[:, :CELL_COUNT] += (codes > 0) & (codes != JOKER)
        laid[:, JOKER_TYPE] += (codes == JOKER).sum(axis=1, dtype=np.int8)
    base.laid[:] = binder.zone(laid)
    state, every = repeated(base, k, keys)
    rows = np.repeat(np.arange(len(view)), k)
    redraw_racks(state, view.take(rows), binder.free[rows], every)
    return state
