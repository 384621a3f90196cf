"""What a seat of a level with racks sees, and back: full states that agree with a View, racks and pool redrawn.

Seats are counted from the observer to the left. A state is sampled in two steps: first one state a View with everything
that is public or the observer's (seat 0), each seen tile bound to some physical tile; then k copies of it, over which
the tiles nobody has seen are dealt anew, all arrangements equally likely. Tiles that were stolen from the observer and
still lie in the next rack stay there.
"""

from typing import Final

import numpy as np

from burako_env.chance.rng import U64, counter_words
from burako_env.kit.fields import Index, gather
from burako_env.layout import I8, Field, View
from burako_env.ruibal.game import seen_turn, turn_fields
from burako_env.ruibal.rules import RuibalRules
from burako_env.ruibal.state import RackState, Seats
from burako_env.ruibal.tiles import (
    CELL_BITS,
    CELL_COUNT,
    COPIES,
    FORFEITS,
    JOKER,
    TILE_COUNT,
    TILES_OF_TYPE,
    TYPE_COUNT,
    tiles_in_play,
)
from burako_env.ruibal.zones import ONE, ZERO, Zones, bits_of, counts_of, size_of, zone_of_tiles

# The first so many physical tiles of a type, uint64 [24, 5].
_COPIES: Final = np.array(
    [[bits_of(tiles[:count]) for count in range(max(COPIES) + 1)] for tiles in TILES_OF_TYPE], dtype=np.uint64
)
_LAST: Final = np.uint64(2**64 - 1)


def rack_fields(rules: RuibalRules, phases: tuple[str, ...]) -> tuple[Field, ...]:
    """The fields of `fill_racks`, phase, actor and crowns."""
    types = (TYPE_COUNT,)
    return (
        Field("rack", types, "own tiles by type: L1 to L5, C1 .. O5, JK, ROBA, TOMA, OTRO"),
        Field("stolen", types, "RINFO-1: those of them that were stolen from the right-hand neighbour"),
        Field("lost", types, "RINFO-1: tiles stolen from the observer that the left-hand neighbour still holds"),
        Field("rack_sizes", (rules.players,), "tiles in each rack"),
        Field("crowns", (rules.players,), "crowns of each player, at most 127"),
        Field("used", (len(FORFEITS),), "forfeits used: ROBA UNA, TOMA DOS, OTRO TURNO"),
        *turn_fields(phases),
        Field("pool_size", (), "tiles left in the pool"),
        Field("turns_left", (), "L2-9: turns of the seat to act, the present one counted"),
        Field("passes", (), "L2-10: passes in a row"),
    )


def fill_racks(view: View, state: RackState, games: Index, seats: Seats) -> None:
    """Racks, pool and turn as each seat sees them."""
    players = state.rules.players
    view.rack[:] = counts_of(gather(state.racks, seats, games))
    for shown, owner in ((view.stolen, (seats - 1) % players), (view.lost, seats)):
        lost = gather(state.lost, owner, games)
        if lost.any():
            shown[:] = counts_of(lost)
    for offset in range(players):
        view.rack_sizes[:, offset] = size_of(gather(state.racks, (seats + offset) % players, games))
    view.used[:] = counts_of(state.used[games])[:, FORFEITS[0] :]
    for name in ("pool_size", "turns_left", "passes"):
        view.field(name)[:] = getattr(state, name)[games]


class Binder:
    """Binds tiles that a View shows to physical tiles; `free` `[n]` are those not yet bound."""

    def __init__(self, count: int, jokers: int) -> None:
        self.bound = np.zeros((TYPE_COUNT, count), dtype=np.int64)
        self.free = np.full(count, bits_of(tiles_in_play(jokers)), dtype=np.uint64)

    def zone(self, counts: I8) -> Zones:
        """The zone of so many tiles of each type, int8 `[n, 24]`."""
        zone = np.zeros(len(counts), dtype=np.uint64)
        for kind in np.flatnonzero(counts.any(axis=0)):
            upto = self.bound[kind] + counts[:, kind]
            zone |= _COPIES[kind, upto] & ~_COPIES[kind, self.bound[kind]]
            self.bound[kind] = upto
        self.free &= ~zone
        return zone


def bind_racks(state: RackState, view: View) -> Binder:
    """What every View of a level with racks shows, into states whose groups are as the View shows them."""
    binder = Binder(len(view), state.rules.jokers)
    seen_turn(state, view)
    stolen = binder.zone(view.stolen)
    state.racks[0] = stolen | binder.zone(view.rack - view.stolen)
    state.lost[state.rules.players - 1] = stolen
    state.lost[0] = binder.zone(view.lost)
    state.racks[1] |= state.lost[0]
    state.used[:] = binder.zone(np.pad(view.used, ((0, 0), (FORFEITS[0], 0))))
    state.turns_left[:] = view.turns_left
    state.passes[:] = view.passes
    state.pool_end[:] = view.pool_size
    laid = np.zeros((len(view), TYPE_COUNT), dtype=np.int8)
    for cells, jokers in zip(*state.groups, strict=True):
        laid[:, :CELL_COUNT] += (cells & ~jokers)[:, None] & CELL_BITS != 0
        laid[:, JOKER] += np.bitwise_count(jokers).astype(np.int8)
    state.laid[:] = binder.zone(laid)
    return binder


def redraw_racks(state: RackState, view: View, free: Zones, keys: U64) -> None:
    """Deal the free tiles over what is hidden: the other racks, then the pool; all arrays are of one length."""
    order = counter_words(keys, TILE_COUNT)
    is_free = free[:, None] >> np.arange(TILE_COUNT, dtype=np.uint64) & ONE != ZERO
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
