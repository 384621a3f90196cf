"""RackGame: the two levels with racks, whose turns are alike; they differ in where tiles are laid.

A turn is one action (or a few, while it goes on), then the refill and perhaps the game's end.
"""

from abc import abstractmethod
from typing import Any, ClassVar

import numpy as np
import numpy.typing as npt

from burako_env.batch import Ints
from burako_env.chance.rng import STREAM_DEAL, U64, below, combine, shuffled
from burako_env.choice import select_bit
from burako_env.kit.fields import Index, flat, gather
from burako_env.layout import Field, View
from burako_env.ruibal.actions import FORFEIT_OF, Kind
from burako_env.ruibal.game import RuibalGame, repeated
from burako_env.ruibal.rules import RuibalRules
from burako_env.ruibal.state import (
    FORFEITS_LEFT,
    GOING_ON,
    LIVE,
    OUT,
    OVER,
    PASSES,
    Bools,
    RackState,
    RuibalState,
    Seats,
)
from burako_env.ruibal.tiles import FORFEITS, NONE, TYPE_OF_TILE, Cells, tiles_in_play
from burako_env.ruibal.view import bind_racks, fill_racks, rack_fields, redraw_racks
from burako_env.ruibal.zones import (
    FORFEIT_TILES,
    JOKERS,
    ONE,
    TYPE_MASK,
    ZERO,
    Zones,
    lowest,
    one_each,
    size_of,
    some_of,
    zone_of_tiles,
)


class RackGame(RuibalGame):
    """Games of level 2 or 3. A level says how tiles are laid and how what lies is seen."""

    private_fields = ("rack", "stolen", "lost")
    laid_fields: ClassVar[tuple[Field, ...]]
    _state: RackState

    # What is a level's own.

    @abstractmethod
    def _lay(self, games: Index, cells: Cells) -> None:
        """A placement or make of cells, uint32 `[n]`."""

    @abstractmethod
    def _fill_laid(self, view: View, games: Index) -> None:
        """What lies on the board or table into Views of zeros: `laid_fields`."""

    @abstractmethod
    def _read_laid(self, state: RackState, view: View) -> None:
        """What lies on the board or table from Views into states."""

    # The interface of `RuibalGame`.

    @classmethod
    def view_fields(cls, rules: RuibalRules) -> tuple[Field, ...]:
        rack, *rest = rack_fields(rules, cls.phases)
        return (rack, *cls.laid_fields, *rest)

    def _fill(self, view: View, games: Index, seats: Seats) -> None:
        super()._fill(view, games, seats)
        fill_racks(view, self._state, games, seats)
        self._fill_laid(view, games)

    def _sampled(self, view: View, k: int, keys: U64) -> RuibalState:
        base: Any = self._fresh(len(view))
        self._read_laid(base, view)
        binder = bind_racks(base, view)
        state: RackState
        state, every = repeated(base, k, keys)
        rows = np.repeat(np.arange(len(view)), k)
        redraw_racks(state, view.take(rows), binder.free[rows], every)
        return state

    def _deal_tiles(self, games: Index, deal_ids: Ints, turned: Ints) -> None:
        """L2-1, L3-1: the shuffled tiles are cut into racks and pool, in that order.

        What seat s would have had, seat s + `turned` has, the first turn too: the same tiles, drawn in the same order.
        """
        state, rules = self._state, self.rules
        tiles = tiles_in_play(rules.jokers)
        order = tiles[shuffled(combine(self.root_seed, STREAM_DEAL, deal_ids), len(tiles))]
        for place in range(rules.players):
            seat = (place + turned) % rules.players
            rack = order[:, place * rules.rack_size : (place + 1) * rules.rack_size]
            flat(state.racks)[seat * state.size + games] = zone_of_tiles(rack.T)
        state.pool[: len(tiles), games] = order.T
        state.pool_next[games] = rules.players * rules.rack_size
        state.pool_end[games] = len(tiles)
        state.actor[games] = turned

    def _turn_bits(self, seats: Seats, games: Index, starting: Bools) -> U64:
        """Bits of the rows `actions.TURN_ROWS`, `[n]` (L2-2, L2-9, L2-10); `starting`: the turn begins."""
        rack, neighbour = self._rack(seats, games), self._rack((seats - 1) % self.seats, games)
        pool: Bools = self._state.pool_size[games] > 0
        roba, toma, otro = (starting & (rack & TYPE_MASK[tile] != ZERO) for tile in FORFEITS)
        legal = [roba & (neighbour != ZERO), toma & pool, otro, starting & pool, starting & ~pool, ~starting]
        bits: U64 = np.packbits(legal, axis=0, bitorder="little")[0].astype(np.uint64)
        return bits

    def _act(self, kind: int, games: Index, actions: Ints) -> None:
        match kind:
            case Kind.PLACE | Kind.MAKE:
                self._lay(games, self.table.rows["cells"][actions])
            case Kind.RELEASE:
                self._free_joker(games, np.uint32(1) << self.table.rows["tile"][actions].astype(np.uint32))
            case Kind.ROBA:
                self._steal(games)
            case Kind.TOMA:  # L2-9: two tiles of the pool
                seats = self._use_forfeit(games, kind)
                self._draw(seats, games, np.full(len(games), 2))
                self._end_turn(games)
            case Kind.OTRO:  # L2-9: two turns follow
                self._use_forfeit(games, kind)
                self._state.turns_left[games] += 2
                self._end_turn(games, may_go_out=True)
            case Kind.DRAW:  # L2-2: one tile of the pool
                self._draw(self._actors(games), games, np.ones(len(games), dtype=np.int64))
                self._end_turn(games)
            case Kind.PASS:  # L2-10: nothing, and the turns left from OTRO TURNO are given up
                self._state.turns_left[games] = 1
                self._state.passes[games] += 1
                self._end_turn(games, passed=True)
            case Kind.END:  # L2-7, L3-3: the end of a turn that went on
                self._end_turn(games, may_go_out=True)

    # Tiles that move.

    def _rack(self, seats: Seats, games: Index) -> Zones:
        return gather(self._state.racks, seats, games)

    def _known(self, seats: Seats, games: Index) -> Zones:
        """The tiles in each rack that the seat before it knows, `[n]`: they go first, so that no copy tells another."""
        return gather(self._state.lost, (seats - 1) % self.seats, games)

    def _set_rack(self, seats: Seats, games: Index, rack: Zones) -> None:
        """Give seats their racks; what is known of them is what is still there."""
        state = self._state
        flat(state.racks)[seats * state.size + games] = rack
        flat(state.lost)[(seats - 1) % self.seats * state.size + games] &= rack

    def _draw(self, seats: Seats, games: Index, wanted: npt.NDArray[np.int64]) -> None:
        """As many tiles as wanted from the pool into racks, or as many as there are."""
        state = self._state
        number = np.minimum(wanted, state.pool_size[games])
        for drawn in range(int(number.max(initial=0))):
            part = number > drawn
            at = games[part]
            tile = gather(state.pool, state.pool_next[at].astype(np.intp), at)
            flat(state.racks)[seats[part] * state.size + at] |= ONE << tile.astype(np.uint64)
            state.pool_next[at] += 1

    def _lay_tiles(self, games: Index, naturals: Cells, jokers: npt.NDArray[np.integer[Any]]) -> None:
        """These tiles and so many jokers leave the rack of the seat to act: they lie on the board or table."""
        seats = self._actors(games)
        rack, known = self._rack(seats, games), self._known(seats, games)
        moved = one_each(rack, naturals, known)
        for number in range(int(jokers.max(initial=0))):
            moved |= np.where(jokers > number, some_of(rack & ~moved, JOKERS, known), ZERO)
        self._state.laid[games] |= moved
        self._set_rack(seats, games, rack ^ moved)

    def _free_joker(self, games: Index, cells: Cells) -> None:
        """L2-7, L3-6: the right tile of the rack for the joker of a cell, in the first layer or collection that has
        one there, and a crown; the turn goes on.
        """
        state, seats = self._state, self._actors(games)
        wild = state.groups[1]
        flat(wild)[(wild[:, games] & cells != 0).argmax(axis=0) * state.size + games] ^= cells
        rack = self._rack(seats, games)
        tile = one_each(rack, cells, self._known(seats, games))
        joker = lowest(state.laid[games] & JOKERS)
        state.laid[games] ^= tile | joker
        self._set_rack(seats, games, rack ^ (tile | joker))
        self._score(seats, games, 1)
        state.phase[games] = GOING_ON

    # Forfeits and the end of a turn.

    def _use_forfeit(self, games: Index, kind: int) -> Seats:
        """L2-9: a forfeit of that kind leaves the rack and the game; the seats that used it."""
        seats = self._actors(games)
        rack = self._rack(seats, games)
        tile = some_of(rack, TYPE_MASK[FORFEIT_OF[Kind(kind)]], self._known(seats, games))
        self._set_rack(seats, games, rack ^ tile)
        self._state.used[games] |= tile
        return seats

    def _steal(self, games: Index) -> None:
        """L2-9: ROBA UNA, one tile of the right-hand neighbour's rack, uniform over its tiles, then the turn's end."""
        state, players = self._state, self.seats
        thief = self._use_forfeit(games, Kind.ROBA)
        victim = (thief - 1) % players
        rack = self._rack(victim, games)
        number = state.luck_next[games]
        place = below(combine(state.chance_key[games], number), size_of(rack))
        kind = TYPE_OF_TILE[select_bit(rack, place.astype(np.uint64))]
        fixed = gather(state.luck, number.astype(np.intp), games)
        there = rack & TYPE_MASK[np.where(fixed == NONE, 0, fixed)] != ZERO
        kind = np.where((fixed != NONE) & there, fixed, kind)
        tile = some_of(rack, TYPE_MASK[kind], self._known(victim, games))
        state.luck_next[games] += 1

        self._set_rack(victim, games, rack ^ tile)
        if players > 2:
            # Who had stolen from before cannot tell whether it was that tile: it is no longer known.
            flat(state.lost)[(victim - 1) % players * state.size + games] = 0
        flat(state.racks)[thief * state.size + games] |= tile
        flat(state.lost)[victim * state.size + games] |= tile
        self._end_turn(games)

    def _end_turn(self, games: Index, *, may_go_out: bool = False, passed: bool = False) -> None:
        """L2-8, L2-10: the refill, then whether the game is over, then the next turn.

        `may_go_out`: the turn was a placement, END or OTRO, so that an empty rack is the seat's own doing.
        """
        state, seats = self._state, self._actors(games)
        size = size_of(self._rack(seats, games)).astype(np.int64)
        self._draw(seats, games, np.maximum(self.rules.rack_size - size, 0))
        if not passed:
            state.passes[games] = 0
        state.phase[games] = 0
        state.turns[games] += 1
        state.turns_left[games] -= 1

        self._end_game(seats, games, may_go_out)
        next_seat = (state.reason[games] == LIVE) & (state.turns_left[games] == 0)
        state.actor[games[next_seat]] = (seats[next_seat] + 1) % self.seats
        state.turns_left[games[next_seat]] = 1

    def _end_game(self, seats: Seats, games: Index, may_go_out: bool) -> None:
        """L2-10, in its order: out, forfeits, passes."""
        state = self._state
        empty: Bools = state.pool_size[games] == 0
        if not empty.any():
            return
        reason = np.zeros(len(games), dtype=np.uint8)
        reason[state.passes[games] >= self.seats] = PASSES
        reason[np.bitwise_or.reduce(state.racks[:, games]) & ~FORFEIT_TILES == ZERO] = FORFEITS_LEFT
        if may_go_out:
            reason[self._rack(seats, games) == ZERO] = OUT
        reason[~empty] = LIVE
        out = reason == OUT
        self._score(seats[out], games[out], 1)
        state.reason[games] = reason
        state.phase[games[reason != LIVE]] = OVER
