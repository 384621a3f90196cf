"""What a turn is in the levels with racks: its deal, forfeits, draw and pass, its end with the refill, the game's end.

Every function takes the games it is about, distinct indices `[n]`.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from burako_env.choice import select_bit
from burako_env.kit.fields import flat, gather
from burako_env.kit.rng import STREAM_CHANCE, STREAM_DEAL, below, combine, shuffled
from burako_env.ruibal.actions import Kind
from burako_env.ruibal.state import FORFEITS_LEFT, LIVE, OUT, OVER, PASSES, Bools, RackState
from burako_env.ruibal.tiles import (
    FORFEIT_TILES,
    JOKERS,
    NONE,
    ONE,
    OTRO,
    ROBA,
    TILES_OF_TYPE,
    TOMA,
    TYPE_MASK,
    TYPE_OF_TILE,
    ZERO,
    Cells,
    Words,
)
from burako_env.ruibal.tiles import JOKER as JOKER_TYPE
from burako_env.ruibal.zones import Index, lowest, one_each, size_of, some_of, zone_of_tiles

Seats = npt.NDArray[np.intp]
# The phase of a turn that has begun: level 2 after a release, level 3 after any move.
GOING_ON: Final = 1


def tiles_in_play(jokers: int) -> npt.NDArray[np.uint8]:
    """The physical tiles of a level with so many jokers (TILE-1, L2-1, L3-1)."""
    left_out = TILES_OF_TYPE[JOKER_TYPE][jokers:]
    return np.array([tile for tiles in TILES_OF_TYPE for tile in tiles if tile not in left_out], dtype=np.uint8)


def deal_racks(
    state: RackState, root_seed: int, games: Index, deal_ids: npt.NDArray[np.int64], turned: npt.NDArray[np.int64]
) -> None:
    """Fresh games: L2-1, L3-1. The shuffled tiles are cut into racks and pool, in that order.

    What seat s would have had, seat s + `turned` has, the first turn too: the same tiles, drawn in the same order.
    """
    rules = state.rules
    state.clear(games)
    tiles = tiles_in_play(rules.jokers)
    order = tiles[shuffled(combine(root_seed, STREAM_DEAL, deal_ids), len(tiles))]
    for place in range(rules.players):
        seat = (place + turned) % rules.players
        rack = order[:, place * rules.rack_size : (place + 1) * rules.rack_size]
        flat(state.racks)[seat * state.size + games] = zone_of_tiles(rack.T)
    state.pool[: len(tiles), games] = order.T
    state.pool_next[games] = rules.players * rules.rack_size
    state.pool_end[games] = len(tiles)
    state.actor[games] = turned
    state.turned[games] = turned
    state.deal_ids[games] = deal_ids
    state.chance_key[games] = combine(root_seed, STREAM_CHANCE, deal_ids)


# Tiles that move.


def actors(state: RackState, games: Index) -> Seats:
    """Seat to act, `[n]`."""
    return state.actor[games].astype(np.intp)


def rack_of(state: RackState, seats: Seats, games: Index) -> Words:
    """Racks `[n]`."""
    rack: Words = gather(state.racks, seats, games)
    return rack


def known_of(state: RackState, seats: Seats, games: Index) -> Words:
    """The tiles in each rack that the seat before it knows, `[n]`: these go first, so that no copy tells another."""
    known: Words = gather(state.lost, (seats - 1) % state.rules.players, games)
    return known


def set_rack(state: RackState, seats: Seats, games: Index, rack: Words) -> None:
    """Give seats their racks; what is known of them is what is still there."""
    flat(state.racks)[seats * state.size + games] = rack
    flat(state.lost)[(seats - 1) % state.rules.players * state.size + games] &= rack


def score(state: RackState, seats: Seats, games: Index, crowns: npt.ArrayLike) -> None:
    """Give crowns."""
    flat(state.crowns)[seats * state.size + games] += np.asarray(crowns, dtype=np.int16)


def draw_tiles(state: RackState, seats: Seats, games: Index, wanted: npt.NDArray[np.int64]) -> None:
    """As many tiles as wanted from the pool into racks, or as many as there are."""
    number = np.minimum(wanted, state.pool_size[games])
    for drawn in range(int(number.max(initial=0))):
        part = number > drawn
        at = games[part]
        tile = gather(state.pool, state.pool_next[at].astype(np.intp), at)
        flat(state.racks)[seats[part] * state.size + at] |= ONE << tile.astype(np.uint64)
        state.pool_next[at] += 1


def lay_tiles(state: RackState, games: Index, naturals: Cells, jokers: npt.NDArray[np.integer[Any]]) -> None:
    """These tiles and so many jokers leave the rack of the seat to act: they lie on the board or table."""
    seats = actors(state, games)
    rack, known = rack_of(state, seats, games), known_of(state, seats, games)
    moved = one_each(rack, naturals, known)
    for number in range(int(jokers.max(initial=0))):
        moved |= np.where(jokers > number, some_of(rack & ~moved, JOKERS, known), ZERO)
    state.laid[games] |= moved
    set_rack(state, seats, games, rack ^ moved)


def free_joker(state: RackState, games: Index, cells: Cells) -> None:
    """L2-7, L3-6: the right tile of the rack for a joker of the board or table, and a crown; the turn goes on."""
    seats = actors(state, games)
    rack = rack_of(state, seats, games)
    tile = one_each(rack, cells, known_of(state, seats, games))
    joker = lowest(state.laid[games] & JOKERS)
    state.laid[games] ^= tile | joker
    set_rack(state, seats, games, rack ^ (tile | joker))
    score(state, seats, games, 1)
    state.phase[games] = GOING_ON


# Actions.


def use_forfeit(state: RackState, games: Index, kind: int) -> Seats:
    """L2-9: a forfeit of that kind leaves the rack and the game; the seats that used it."""
    seats = actors(state, games)
    rack = rack_of(state, seats, games)
    tile = some_of(rack, TYPE_MASK[kind], known_of(state, seats, games))
    set_rack(state, seats, games, rack ^ tile)
    state.used[games] |= tile
    return seats


def roba(state: RackState, games: Index) -> None:
    """L2-9: ROBA UNA, one tile of the right-hand neighbour's rack, uniform over its tiles, then the turn's end."""
    players = state.rules.players
    thief = use_forfeit(state, games, ROBA)
    victim = (thief - 1) % players
    rack = rack_of(state, victim, games)
    number = state.luck_next[games]
    place = below(combine(state.chance_key[games], number), size_of(rack))
    kind = TYPE_OF_TILE[select_bit(rack, place.astype(np.uint64))]
    fixed = gather(state.luck, number.astype(np.intp), games)
    there = rack & TYPE_MASK[np.where(fixed == NONE, 0, fixed)] != ZERO
    kind = np.where((fixed != NONE) & there, fixed, kind)
    tile = some_of(rack, TYPE_MASK[kind], known_of(state, victim, games))
    state.luck_next[games] += 1

    set_rack(state, victim, games, rack ^ tile)
    if players > 2:
        # Who had stolen from before cannot tell whether it was that tile: it is no longer known.
        flat(state.lost)[(victim - 1) % players * state.size + games] = 0
    flat(state.racks)[thief * state.size + games] |= tile
    flat(state.lost)[victim * state.size + games] |= tile
    end_turn(state, games)


def toma(state: RackState, games: Index) -> None:
    """L2-9: TOMA DOS, two tiles of the pool, then the turn's end."""
    seats = use_forfeit(state, games, TOMA)
    draw_tiles(state, seats, games, np.full(len(games), 2))
    end_turn(state, games)


def otro(state: RackState, games: Index) -> None:
    """L2-9: OTRO TURNO ends the turn, and two turns follow."""
    use_forfeit(state, games, OTRO)
    state.turns_left[games] += 2
    end_turn(state, games, may_go_out=True)


def draw(state: RackState, games: Index) -> None:
    """L2-2: one tile of the pool, then the turn's end."""
    draw_tiles(state, actors(state, games), games, np.ones(len(games), dtype=np.int64))
    end_turn(state, games)


def pass_turn(state: RackState, games: Index) -> None:
    """L2-10: nothing, and the turns left from OTRO TURNO are given up."""
    state.turns_left[games] = 1
    state.passes[games] += 1
    end_turn(state, games, passed=True)


def end(state: RackState, games: Index) -> None:
    """L2-7, L3-3: the end of a turn that went on."""
    end_turn(state, games, may_go_out=True)


def end_turn(state: RackState, games: Index, *, may_go_out: bool = False, passed: bool = False) -> None:
    """L2-8, L2-10: the refill, then whether the game is over, then the next turn.

    `may_go_out`: the turn was a placement, END or OTRO, so that an empty rack is the seat's own doing.
    """
    rules = state.rules
    seats = actors(state, games)
    size = size_of(rack_of(state, seats, games)).astype(np.int64)
    draw_tiles(state, seats, games, np.maximum(rules.rack_size - size, 0))
    if not passed:
        state.passes[games] = 0
    state.phase[games] = 0
    state.turns[games] += 1
    state.turns_left[games] -= 1

    _end_game(state, seats, games, may_go_out)
    going = state.reason[games] == LIVE
    next_seat = going & (state.turns_left[games] == 0)
    state.actor[games[next_seat]] = (seats[next_seat] + 1) % rules.players
    state.turns_left[games[next_seat]] = 1


def _end_game(state: RackState, seats: Seats, games: Index, may_go_out: bool) -> None:
    """L2-10, in its order: out, forfeits, passes."""
    empty: Bools = state.pool_size[games] == 0
    if not empty.any():
        return
    reason = np.zeros(len(games), dtype=np.uint8)
    reason[state.passes[games] >= state.rules.players] = PASSES
    reason[np.bitwise_or.reduce(state.racks[:, games]) & ~FORFEIT_TILES == ZERO] = FORFEITS_LEFT
    if may_go_out:
        reason[rack_of(state, seats, games) == ZERO] = OUT
    reason[~empty] = LIVE
    out = reason == OUT
    score(state, seats[out], games[out], 1)
    state.reason[games] = reason
    state.phase[games[reason != LIVE]] = OVER


# The actions that name no tiles.
PLAIN: Final[dict[Kind, Callable[[RackState, Index], None]]] = {
    Kind.ROBA: roba,
    Kind.TOMA: toma,
    Kind.OTRO: otro,
    Kind.DRAW: draw,
    Kind.PASS: pass_turn,
    Kind.END: end,
}
