"""sample_states of the levels with racks: full states that agree with a View, racks and pool redrawn.

First one state a View with everything that is public or the observer's (seat 0), each seen tile bound to some physical
tile; then k copies of it, over which the tiles nobody has seen are dealt anew, all arrangements equally likely. Tiles
that were stolen from the observer and still lie in the next rack stay there.
"""

from __future__ import annotations

from typing import Final, TypeVar

import numpy as np

from burako_env.kit.rng import STREAM_CHANCE, STREAM_SAMPLE, U64, as_ids, combine, counter_words
from burako_env.layout import I8, View
from burako_env.ruibal.state import RackState, RuibalState
from burako_env.ruibal.tiles import FORFEITS, TILE_COUNT, TILES_OF_TYPE, TYPE_COUNT, ZERO, Words, word_of
from burako_env.ruibal.turns import tiles_in_play
from burako_env.ruibal.zones import zone_of_tiles

S = TypeVar("S", bound=RuibalState)


def _copies() -> Words:
    """The first so many physical tiles of a type, uint64 `[24, 5]`."""
    most = max(map(len, TILES_OF_TYPE))
    return np.array([[word_of(tiles[:count]) for count in range(most + 1)] for tiles in TILES_OF_TYPE], dtype=np.uint64)


_COPIES: Final = _copies()
_LAST: Final = np.uint64(2**64 - 1)


class Binder:
    """Binds tiles that a View shows to physical tiles; `free` `[n]` are those not yet bound."""

    def __init__(self, count: int, jokers: int) -> None:
        self.bound = np.zeros((TYPE_COUNT, count), dtype=np.int64)
        self.free = np.full(count, word_of(tiles_in_play(jokers)), dtype=np.uint64)

    def zone(self, counts: I8) -> Words:
        """The zone of so many tiles of each type, int8 `[n, 24]`."""
        zone = np.zeros(len(counts), dtype=np.uint64)
        for kind in np.flatnonzero(counts.any(axis=0)):
            upto = self.bound[kind] + counts[:, kind]
            zone |= _COPIES[kind, upto] & ~_COPIES[kind, self.bound[kind]]
            self.bound[kind] = upto
        self.free &= ~zone
        return zone


def bind_racks(state: RackState, view: View, binder: Binder) -> None:
    """What every View of a level with racks shows, into states of its own."""
    players = state.rules.players
    stolen = binder.zone(view.stolen)
    state.racks[0] = stolen | binder.zone(view.rack - view.stolen)
    state.lost[players - 1] = stolen
    state.lost[0] = binder.zone(view.lost)
    state.racks[1] |= state.lost[0]
    used = np.zeros((len(view), TYPE_COUNT), dtype=np.int8)
    used[:, FORFEITS[0] :] = view.used
    state.used[:] = binder.zone(used)
    state.turns_left[:] = view.turns_left
    state.passes[:] = view.passes
    state.pool_end[:] = view.pool_size
    bind_turn(state, view)


def bind_turn(state: RuibalState, view: View) -> None:
    """Crowns and phase of Views of the seat to act, which sits at seat 0."""
    state.crowns[:] = view.crowns.T
    state.phase[:] = view.phase.argmax(axis=1)


def repeated(base: S, k: int, keys: U64) -> tuple[S, U64]:
    """k copies of each state with chance of their own, and the keys of what is to be redrawn."""
    every = combine(np.repeat(keys, k), STREAM_SAMPLE, np.tile(np.arange(k), base.size))
    state = base.select(np.repeat(np.arange(base.size), k))
    state.deal_ids[:] = as_ids(every)
    state.chance_key[:] = combine(every, STREAM_CHANCE)
    return state, every


def redraw_racks(state: RackState, view: View, free: Words, keys: U64) -> None:
    """Deal the free tiles over what is hidden: the other racks, then the pool; all arrays are of one length."""
    order = counter_words(keys, TILE_COUNT)
    is_free = free[:, None] >> np.arange(TILE_COUNT, dtype=np.uint64) & np.uint64(1) != ZERO
    dealt = np.argsort(np.where(is_free, order, _LAST), axis=1).astype(np.uint8)
    place = np.arange(TILE_COUNT)
    start = np.zeros(len(view), dtype=np.int64)
    for seat in range(1, state.rules.players):
        hidden = view.rack_sizes[:, seat].astype(np.int64)
        if seat == 1:
            hidden -= view.lost.sum(axis=1, dtype=np.int64)
        mine = (place >= start[:, None]) & (place < (start + hidden)[:, None])
        state.racks[seat] |= zone_of_tiles(np.where(mine, dealt, np.uint8(TILE_COUNT)).T)
        start += hidden
    rows = np.minimum(start[:, None] + place, TILE_COUNT - 1)
    state.pool[:] = np.take_along_axis(dealt, rows, axis=1).T
