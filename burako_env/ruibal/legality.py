"""Legal actions that do not depend on what lies on the table: forfeits, draw and pass (L2-2, L2-9, L2-10)."""

from __future__ import annotations

import numpy as np

from burako_env.kit.rng import U64
from burako_env.ruibal.actions import Kind
from burako_env.ruibal.state import Bools, RackState
from burako_env.ruibal.tiles import OTRO, ROBA, TOMA, TYPE_MASK, ZERO
from burako_env.ruibal.turns import Seats, rack_of
from burako_env.ruibal.zones import Index

# In the order of `actions.TURN_ROWS`.
_ORDER = (Kind.ROBA, Kind.TOMA, Kind.OTRO, Kind.DRAW, Kind.PASS, Kind.END)


def turn_bits(state: RackState, seats: Seats, games: Index, starting: Bools, may_end: Bools) -> U64:
    """Bits of the rows `actions.TURN_ROWS`, `[n]`; `starting`: the turn begins; `may_end`: END closes it."""
    rack = rack_of(state, seats, games)
    neighbour = rack_of(state, (seats - 1) % state.rules.players, games)
    pool: Bools = state.pool_size[games] > 0
    legal = {
        Kind.ROBA: starting & (rack & TYPE_MASK[ROBA] != ZERO) & (neighbour != ZERO),
        Kind.TOMA: starting & (rack & TYPE_MASK[TOMA] != ZERO) & pool,
        Kind.OTRO: starting & (rack & TYPE_MASK[OTRO] != ZERO),
        Kind.DRAW: starting & pool,
        Kind.PASS: starting & ~pool,
        Kind.END: may_end,
    }
    bits = np.zeros(len(games), dtype=np.uint64)
    for place, kind in enumerate(_ORDER):
        bits |= legal[kind].astype(np.uint64) << np.uint64(place)
    return bits
