"""Level 1, find the match: a set of tiles lies spread, those of another one are called, and all point (L1-1, L1-2)."""

from typing import Final

import numpy as np

from burako_env.batch import Ints
from burako_env.chance.rng import STREAM_DEAL, U64, combine, counter_words, shuffled
from burako_env.kit.fields import Index, flat, gather
from burako_env.layout import Field, View
from burako_env.ruibal.actions import ActionTable, Kind
from burako_env.ruibal.game import RuibalGame, repeated, seen_turn, turn_fields
from burako_env.ruibal.position import PerceptionPosition
from burako_env.ruibal.rules import RuibalRules
from burako_env.ruibal.state import CALLS, OVER, Bools, Bytes, RuibalState, Seats, column
from burako_env.ruibal.tiles import CELL_BITS, CELL_COUNT, NONE
from burako_env.ruibal.zones import ONE

PLACES: Final = CELL_COUNT
SIT: Final = PLACES
_SPREAD, _CALLS = range(2)
_LAST: Final = np.uint64(2**64 - 1)


class PerceptionState(RuibalState):
    """What lies spread, what is still to be called, who has pointed where."""

    phases = ("point",)

    luck: Bytes = column("u1", PLACES, NONE)  # at most one a tile
    spread: Bytes = column("u1", PLACES, NONE)  # tile at each place
    calls: Bytes = column("u1", PLACES, NONE)  # tiles in the order in which they are called
    call_next: Bytes = column("u1")  # row of `calls` that is called
    call_end: Bytes = column("u1")  # row after the last one
    tries: Bytes = column("u1")  # calls of this tile already made
    pointed: Bytes = column("u1", "players", NONE)  # place each seat points at in this call
    sitting: Bytes = column("u1", "players")  # L1-2: sits this call out


class PerceptionGame(RuibalGame):
    """B games of level 1. All seats point at once: in seat order, each unseen by the others before the last.

    Observation: `View` of `view_fields`, int8; where others have pointed in a call is in nobody's View, who sits out is
    in all. Action: an id of `table`, A = 64: a place, or `SIT`. Score: crowns.
    """

    state_type, position_type, lies = PerceptionState, PerceptionPosition, "spread"
    table = ActionTable([*((Kind.POINT, place, 0) for place in range(PLACES)), (Kind.SIT, NONE, 0)])
    _state: PerceptionState

    def jokers_of(self, action: int, game: int = 0) -> int:
        return 0

    def _deal_tiles(self, games: Index, deal_ids: Ints, turned: Ints) -> None:
        """One set spread over the places, the other in the order of the calls."""
        state = self._state
        state.spread[:, games] = shuffled(combine(self.root_seed, STREAM_DEAL, deal_ids, _SPREAD), PLACES).T
        state.calls[:, games] = shuffled(combine(self.root_seed, STREAM_DEAL, deal_ids, _CALLS), PLACES).T
        state.call_end[games] = PLACES

    def _live_words(self, games: Index) -> U64:
        """Any place that still holds a tile, or sitting out."""
        places = (CELL_BITS @ (self._state.spread[:, games] != NONE)).astype(np.uint64)
        sits = gather(self._state.sitting, self._actors(games), games) > 0
        return np.where(sits, np.uint64(1 << SIT), places)[None]

    def _act(self, kind: int, games: Index, actions: Ints) -> None:
        """The seat to act points at a place (NONE: it sits out); the last one's pointing decides the call."""
        state, seats = self._state, self._actors(games)
        flat(state.pointed)[seats * state.size + games] = self.table.rows["tile"][actions]
        last = seats == self.rules.players - 1
        state.actor[games[~last]] += 1
        if last.any():
            self._decide(games[last])

    def _called(self, games: Index) -> Bytes:
        """The tile that is called, `[n]`; NONE once all have been."""
        state = self._state
        rows = np.minimum(state.call_next[games], PLACES - 1)
        over = state.call_next[games] >= state.call_end[games]
        return np.where(over, NONE, gather(state.calls, rows.astype(np.intp), games)).astype(np.uint8)

    def _decide(self, games: Index) -> None:
        """L1-2: who is right and fastest, who sits out next, what is called next."""
        state, tile = self._state, self._called(games)
        pointed = state.pointed[:, games]
        rows = np.minimum(pointed, PLACES - 1).astype(np.intp)
        there = state.spread.reshape(-1).take(rows * state.size + games)
        right = (pointed != NONE) & (there == tile)
        wrong = (pointed != NONE) & ~right
        somebody = right.any(axis=0)
        self._crown(games[somebody], right[:, somebody])

        wrong[:, wrong.all(axis=0)] = False
        state.sitting[:, games] = wrong
        state.pointed[:, games] = NONE
        state.turns[games] += 1
        state.tries[games] += 1
        closed = somebody | (state.tries[games] == self.rules.max_calls)
        at = games[closed]
        spread = state.spread[:, at]
        state.spread[:, at] = np.where(spread == tile[closed], NONE, spread)
        state.tries[at] = 0
        state.call_next[at] += 1
        over = games[state.call_next[games] == state.call_end[games]]
        state.reason[over] = CALLS
        state.phase[over] = OVER
        state.actor[np.setdiff1d(games, over, assume_unique=True)] = 0

    def _crown(self, games: Index, right: Bools) -> None:
        """For one of the seats that are right, `[players, n]`: chance says in which order they are quick."""
        state, players = self._state, self.rules.players
        number = state.luck_next[games]
        speed = counter_words(combine(state.chance_key[games], number), players).T
        # A turned table turns the speed too.
        seat = (np.arange(players)[:, None] - state.turned[games].astype(np.intp)) % players
        fastest = np.where(right, np.take_along_axis(speed, seat, axis=0) | ONE, 0).argmax(axis=0)
        fixed = gather(state.luck, np.minimum(number, len(state.luck) - 1).astype(np.intp), games)
        named = np.minimum(fixed, players - 1).astype(np.intp)
        use = (fixed != NONE) & right[named, np.arange(len(games))]
        self._score(np.where(use, named, fastest), games, 1)
        state.luck_next[games] += 1

    @classmethod
    def view_fields(cls, rules: RuibalRules) -> tuple[Field, ...]:
        return (
            Field("spread", (PLACES,), "tile at each place: 1 + type (L1 1, .. O5 20), 0 none"),
            Field("match", (PLACES,), "1 at the place of the tile that is called"),
            Field("called", (), "tile that is called: 1 + type, 0 none"),
            Field("tries", (), "calls of it already made"),
            Field("calls_left", (), "tiles still to be called, this one counted"),
            Field("sitting", (rules.players,), "1: sits this call out"),
            Field("crowns", (rules.players,), "crowns of each player"),
            *turn_fields(cls.phases),
        )

    def _fill(self, view: View, games: Index, seats: Seats) -> None:
        super()._fill(view, games, seats)
        state = self._state
        spread, tile = state.spread[:, games].T, self._called(games)
        live = state.phase[games] != OVER
        view.spread[:] = np.where(spread == NONE, 0, spread + 1)
        view.match[:] = (spread == tile[:, None]) & live[:, None]
        view.called[:] = np.where(live, tile + 1, 0)
        view.tries[:] = state.tries[games]
        view.calls_left[:] = state.call_end[games] - state.call_next[games]
        for offset in range(self.seats):
            view.sitting[:, offset] = gather(state.sitting, (seats + offset) % self.seats, games)

    def _sampled(self, view: View, k: int, keys: U64) -> RuibalState:
        """The order of the calls to come is redrawn.

        All seats point at once, so it does not matter who is asked first: in the new games the observer sits at seat 0
        and the others point after it, also those who have pointed already in the game that the View is of.
        """
        base = PerceptionState(self.rules, len(view))
        seen_turn(base, view)
        base.spread[:] = np.where(view.spread == 0, NONE, view.spread - 1).T
        base.tries[:] = view.tries
        base.sitting[:] = view.sitting.T
        base.call_end[:] = view.calls_left
        state: PerceptionState
        state, every = repeated(base, k, keys)
        rows, spread = np.repeat(np.arange(len(view)), k), state.spread.T
        waiting = (spread != NONE) & (view.match[rows] == 0)
        order = np.argsort(np.where(waiting, counter_words(every, PLACES), _LAST), axis=1)
        state.calls[0] = view.called[rows] - 1
        state.calls[1:] = np.take_along_axis(spread, order, axis=1)[:, : PLACES - 1].T
        return state
