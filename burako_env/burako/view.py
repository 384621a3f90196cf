"""The View of a seat, built from the state: public things, the seat's own hand, and nothing else (INFO-1 to INFO-4)."""

from __future__ import annotations

from typing import Any, Final

import numpy as np
import numpy.typing as npt

from burako_env.burako.actions import FIRST_RUN, NONE
from burako_env.burako.groups import ACE_LOW, FOREIGN, OWN_TWO
from burako_env.burako.state import Bytes, Index, State, Words, flat, gather
from burako_env.burako.tables import Tables
from burako_env.burako.view_layout import KINDS, PHASES, PILE_TOP, view_layout
from burako_env.cards import JOKER, TYPE_COUNT
from burako_env.layout import I8, View

_PLACES: Final = 16
_RUN_WIDTH: Final = 5
_MANY_GAMES: Final = 64


def _run_fields() -> I8:
    """Lowest place, highest place, hole and own twos of every run state, int8 `[65536, 4]` (see view_layout)."""
    states = np.arange(1 << 16)
    # Bit p: a natural other than a two at place p.
    places = ((states & ACE_LOW) << 1) | ((states & (OWN_TWO - 1) & ~ACE_LOW) << 2)
    low = np.bitwise_count((places & -places) - 1)
    high = np.zeros_like(low)
    for place in range(_PLACES):
        high = np.where(places >> place & 1, place, high)
    twos = (states & (FOREIGN - 1)) // OWN_TWO
    between = (np.left_shift(1, high.astype(np.int64)) - 1) & ~(np.left_shift(1, low.astype(np.int64) + 1) - 1) & ~places
    # Place 2 beside a low ace is the own two's, if the run has one.
    between &= ~np.where((low == 1) & (twos > 0), 4, 0)
    hole = np.bitwise_count((between & -between) - 1)
    empty = places == 0
    columns = [np.where(empty, 0, low), np.where(empty, 0, high), np.where(empty | (between == 0), 0, hole), twos]
    return np.stack(columns, axis=1).astype(np.int8)


RUN_FIELDS = _run_fields()


def build_view(state: State, tables: Tables, games: Index | None, seats: Bytes) -> View:
    """Views of `seats[i]` (uint8) in `games[i]` (None: the whole batch); a fresh buffer."""
    layout = view_layout(tables.rules)
    view = View(np.empty((len(seats), layout.width), dtype=np.int8), layout)
    at = np.arange(state.size) if games is None else games
    _cards(state, tables, at, seats, view)
    _groups(state, tables, games, seats, view)
    _numbers(state, tables, games, at, seats, view)
    return view


def _cards(state: State, tables: Tables, at: Index, seats: Bytes, view: View) -> None:
    """Zones as counts by type, all in one unpacking."""
    decks, n = tables.decks, len(at)
    order = (seats + np.arange(tables.rules.players)[:, None]) % tables.rules.players
    teams = (seats + np.arange(2)[:, None]) % 2
    deck = np.arange(decks)[:, None]

    def zone(field: Words, owners: Index) -> Words:
        return gather(field, owners[:, None, :] * decks + deck, at)

    zones = np.concatenate(
        [
            zone(state.hands, order[:1]),
            zone(state.known, order),
            gather(state.pile, np.broadcast_to(deck, (1, decks, n)), at),
            zone(state.sets, teams),
            zone(state.closed, teams),
        ]
    )
    count = len(zones)
    octets = np.ascontiguousarray(zones.transpose(2, 0, 1)).view(np.uint8).reshape(-1)
    bits = np.unpackbits(octets, bitorder="little").view(np.int8).reshape(n, count, decks, 64)
    out = view.buffer[:, : view.layout["closed"].stop].reshape(n, count, TYPE_COUNT)
    np.add(bits[:, :, 0, :TYPE_COUNT], bits[:, :, 1, :TYPE_COUNT], out=out)
    for index in range(2, decks):
        out += bits[:, :, index, :TYPE_COUNT]
    for index in range(decks):
        out[:, :, JOKER] += bits[:, :, index, JOKER + 1]


def _put_rows(columns: I8, rows: npt.NDArray[Any]) -> None:
    """Write rows `[width, n]` into columns `[n, width]`; a plain transposed copy of bytes is four times slower for large n."""
    if columns.shape[0] < _MANY_GAMES:
        columns[...] = rows.T
        return
    for column, row in enumerate(rows):
        columns[:, column] = row


def _by_team(field: npt.NDArray[Any], games: Index | None, seats: Bytes) -> npt.NDArray[Any]:
    """A team-major field as `[2, rows, n]`, the observers' own team first."""
    part = field if games is None else field.take(games, axis=1)
    halves = part.reshape(2, -1, part.shape[1])
    return np.where(seats & 1, halves[::-1], halves)


def _groups(state: State, tables: Tables, games: Index | None, seats: Bytes, view: View) -> None:
    """Wilds in sets, runs, closed sets and kinds."""
    n = len(seats)
    layout, cells = view.layout, flat(view.buffer)
    wild = _by_team(state.group_wild, games, seats)
    runs = np.ascontiguousarray(_by_team(state.groups, games, seats)[:, FIRST_RUN:])
    part = layout["runs"]
    view.buffer[:, part] = 0
    # Few of the slots hold a run: fill in those only.
    team_slot, row = np.divmod(np.flatnonzero(runs.reshape(-1) > 0), n)
    team, slot = np.divmod(team_slot, runs.shape[1])
    first = row * layout.width + (team_slot * _RUN_WIDTH + part.start)
    fields = RUN_FIELDS.take(runs[team, slot, row], axis=0)
    for column in range(_RUN_WIDTH - 1):
        cells[first + column] = fields[:, column]
    cells[first + _RUN_WIDTH - 1] = wild[team, slot + FIRST_RUN, row]

    def put(name: str, values: npt.NDArray[Any]) -> None:
        _put_rows(view.buffer[:, layout[name]], values.reshape(-1, n))

    put("set_wild", wild[:, :FIRST_RUN])
    put("closed_sets", _by_team(state.closed_sets, games, seats))
    put("closed_kinds", _by_team(state.closed_kinds, games, seats)[:, : layout.shapes["closed_kinds"][1]])


def _numbers(state: State, tables: Tables, games: Index | None, at: Index, seats: Bytes, view: View) -> None:
    """Everything from `phase` to the end: one row a column, transposed into the buffer at once."""
    layout, rules = view.layout, tables.rules
    players = np.uint8(rules.players)
    start = layout["phase"].start
    rows = np.zeros((layout.width - start, len(at)), dtype=np.int8)

    def put(name: str, value: npt.ArrayLike) -> None:
        part = layout[name]
        rows[part.start - start : part.stop - start] = value

    def now(field: npt.NDArray[Any]) -> npt.NDArray[Any]:
        return field if games is None else field[..., games]

    def offset(seat: Bytes) -> Bytes:
        """Absolute seats, counted from the observer."""
        return np.where(seat >= seats, seat, seat + players) - seats

    turn = now(state.turn)
    put("phase", now(state.phase) == np.arange(len(PHASES), dtype=np.uint8)[:, None])
    sizes = np.bitwise_count(now(state.hands)).reshape(rules.players, tables.decks, -1).sum(axis=1, dtype=np.uint8)
    order = (seats + np.arange(rules.players, dtype=np.uint8)[:, None]) % players
    put("hand_sizes", np.minimum(np.take_along_axis(sizes, order, axis=0), 127))
    stock = now(state.stock_end) - now(state.stock_next)
    put("stock_size", np.minimum(stock, 127))
    height = now(state.pile_size)
    put("pile_size", np.minimum(height, 127))
    below = height.astype(np.intp) - np.arange(1, PILE_TOP + 1)[:, None]
    top = gather(state.pile_order, np.maximum(below, 0), at)
    put("pile_top", np.where(below >= 0, _code(top), 0))
    put("burakos_left", _by_team(state.burakos_left, games, seats)[:, 0])
    put("actor", offset(now(state.actor)))
    put("turn", offset(turn))
    put("cutter", offset(now(state.cutter)))
    for name in ("first_draw", "opening", "answer", "single_laid", "final_turns"):
        put(name, now(getattr(state, name)))
    put("single", _code(now(state.single)))
    put("drawn", np.where(turn == seats, _code(now(state.drawn)), 0))
    sees_bottom = (now(state.cutter) == seats) & (stock > 0)
    put("bottom", np.where(sees_bottom, _code(now(state.bottom)), 0))
    put("turns", hundreds(now(state.turns)))
    if rules.burakos_per_team:
        takers = now(state.taken_by)
        put("burakos_taken", sum((taker == order).astype(np.int8) for taker in takers))
        first = _by_team(state.taken_by, games, seats)[:, 0]
        put("first_taker", np.where(first == NONE, 0, offset(first) + np.uint8(1)))
    target = now(state.target)
    if target.any():
        put("totals", hundreds(_by_team(state.totals, games, seats)[:, 0]).transpose(1, 0, 2).reshape(4, -1))
        put("target", hundreds(target))
    _put_rows(view.buffer[:, start:], rows)


def _code(cards: npt.NDArray[np.uint8]) -> npt.NDArray[np.uint8]:
    """Card codes: `type + 1`, 0 for none (NONE is 255 and wraps to 0)."""
    return cards + np.uint8(1)


def hundreds(points: npt.NDArray[Any]) -> npt.NDArray[Any]:
    """Points as floor hundreds (saturated) and the rest, `[2, *shape]`."""
    whole, rest = np.divmod(points, 100)
    return np.stack([np.clip(whole, -128, 127), rest])
