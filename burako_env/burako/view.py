"""The View of a seat, built from the state: public things, the seat's own hand, and nothing else (INFO-1 to INFO-4)."""

from __future__ import annotations

from functools import lru_cache
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from burako_env.burako.actions import FIRST_RUN, NONE
from burako_env.burako.groups import ACE_LOW, FOREIGN, OWN_TWO
from burako_env.burako.rules import Rules
from burako_env.burako.state import Bytes, Index, State, Words, flat, gather
from burako_env.burako.tables import Tables, tables_for
from burako_env.burako.view_layout import KINDS, PHASES, PILE_TOP, view_layout
from burako_env.cards import JOKER, RANK_COUNT, SUIT_COUNT, TWO, TYPE_COUNT
from burako_env.layout import I8, View

_PLACES: Final = 16
_RUN_WIDTH: Final = 5
_MANY_GAMES: Final = 64
_MOST: Final = 127


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
    between = (
        (np.left_shift(1, high.astype(np.int64)) - 1) & ~(np.left_shift(1, low.astype(np.int64) + 1) - 1) & ~places
    )
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
    # Deck by deck: adding whole unpacked arrays and cutting out the types once is twice as fast as adding the cut-outs.
    totals = _bits(zones[:, 0])
    for index in range(1, decks):
        totals += _bits(zones[:, index])
    counts = totals.reshape(n, count, 64)
    counts[:, :, JOKER] += counts[:, :, JOKER + 1]
    view.buffer[:, : view.layout["closed"].stop].reshape(n, count, TYPE_COUNT)[...] = counts[:, :, :TYPE_COUNT]


def _bits(words: Words) -> I8:
    """The bits of words `[rows, n]`, game by game."""
    return np.unpackbits(np.ascontiguousarray(words.T).view(np.uint8).reshape(-1), bitorder="little").view(np.int8)


def _put_rows(columns: I8, rows: npt.NDArray[Any]) -> None:
    """Write rows `[width, n]` into columns `[n, width]`; a plain transposed copy of bytes is four times slower for
    large n.
    """
    if columns.shape[0] < _MANY_GAMES:
        columns[...] = rows.T
        return
    for column, row in enumerate(rows):
        columns[:, column] = row


class _Columns:
    """Where in the View the rows of a team-major field go: `columns[odd, row]`, `odd` for observers of team 1."""

    def __init__(self, rules: Rules) -> None:
        layout, tables = view_layout(rules), tables_for(rules)
        run_slots = SUIT_COUNT * tables.slots
        sets = layout["set_wild"].start + np.arange(2 * RANK_COUNT).reshape(2, -1)
        runs = layout["runs"].start + np.arange(2 * run_slots).reshape(2, -1) * _RUN_WIDTH
        ranks = layout["closed_sets"].start + np.arange(2 * RANK_COUNT).reshape(2, -1)
        kinds = layout["closed_kinds"].start + np.arange(2 * (len(KINDS) - 1)).reshape(2, -1)
        self.groups = self._both(np.concatenate([sets, runs], axis=1))
        self.wilds = self._both(np.concatenate([sets, runs + _RUN_WIDTH - 1], axis=1))
        self.closed_sets = self._both(ranks)
        # Closed wild groups are counted once, with the sets of their rank.
        self.closed_kinds = self._both(np.concatenate([kinds, ranks[:, TWO : TWO + 1]], axis=1))

    @staticmethod
    def _both(own_first: npt.NDArray[np.intp]) -> npt.NDArray[np.intp]:
        return np.stack([own_first.reshape(-1), own_first[::-1].reshape(-1)])


@lru_cache(maxsize=64)
def _columns(rules: Rules) -> _Columns:
    return _Columns(rules)


def _groups(state: State, tables: Tables, games: Index | None, seats: Bytes, view: View) -> None:
    """Wilds in sets, runs, closed sets and kinds: nearly all of it is empty, so only what is there is written."""
    layout, cells, n = view.layout, flat(view.buffer), len(seats)
    view.buffer[:, layout["set_wild"].start : layout["closed_kinds"].stop] = 0
    odd = seats & 1
    columns = _columns(tables.rules)

    def there(field: npt.NDArray[Any], where: npt.NDArray[np.intp]) -> tuple[Index, Index, npt.NDArray[Any]]:
        """Of what is not zero: row, cell, value."""
        part = (field if games is None else field.take(games, axis=1)).reshape(-1)
        found = (part != 0).nonzero()[0]
        row, game = np.divmod(found, n)
        return row, game * layout.width + where[odd[game], row], part[found]

    for field, where in (
        (state.group_wild, columns.wilds),
        (state.closed_sets, columns.closed_sets),
        (state.closed_kinds, columns.closed_kinds),
    ):
        _, cell, value = there(field, where)
        cells[cell] = value
    row, cell, value = there(state.groups, columns.groups)
    runs = (row % tables.groups >= FIRST_RUN).nonzero()[0]
    fields, cell = RUN_FIELDS.take(value[runs], axis=0), cell[runs]
    for column in range(_RUN_WIDTH - 1):
        cells[cell + column] = fields[:, column]


def _numbers(state: State, tables: Tables, games: Index | None, at: Index, seats: Bytes, view: View) -> None:
    """Everything from `phase` to the end: one row a column, transposed into the buffer at once."""
    layout, rules, n = view.layout, tables.rules, len(seats)
    players = np.uint8(rules.players)
    start = layout["phase"].start
    rows = np.zeros((layout.width - start, n), dtype=np.int8)

    def part(first: str, last: str | None = None) -> npt.NDArray[np.int8]:
        return rows[layout[first].start - start : layout[last or first].stop - start]

    def now(field: npt.NDArray[Any]) -> npt.NDArray[Any]:
        return field if games is None else field.take(games, axis=-1)

    def offset(seat: Bytes) -> Bytes:
        """Absolute seats, counted from the observer."""
        return seat - seats + players * (seat < seats)

    part("phase")[...] = now(state.phase) == np.arange(len(PHASES), dtype=np.uint8)[:, None]
    sizes = np.bitwise_count(now(state.hands)).reshape(rules.players, tables.decks, n).sum(axis=1, dtype=np.uint8)
    order = (seats + np.arange(rules.players, dtype=np.uint8)[:, None]) % players
    stock = now(state.stock_end) - now(state.stock_next)
    height = now(state.pile_size)
    if rules.card_count > _MOST:
        sizes, stock = np.minimum(sizes, _MOST), np.minimum(stock, _MOST)
    part("hand_sizes")[...] = flat(sizes).take(order.astype(np.intp) * n + np.arange(n))
    part("stock_size")[...] = stock
    part("pile_size")[...] = np.minimum(height, _MOST)
    below = height.astype(np.intp) - np.arange(1, PILE_TOP + 1)[:, None]
    part("pile_top")[...] = _code(gather(state.pile_order, np.maximum(below, 0), at)) * (below >= 0)
    left = now(state.burakos_left)
    part("burakos_left")[...] = np.where(seats & 1, left[::-1], left)
    who = now(state.span("actor", "cutter"))
    part("actor", "cutter")[...] = offset(who)
    # The fields of the turn stand in the state in the View's order; three of them become card codes.
    turn = part("first_draw", "bottom")
    turn[...] = now(state.span("first_draw", "bottom"))
    for name in ("single", "drawn", "bottom"):
        part(name)[...] += np.int8(1)
    part("drawn")[...] *= who[1] == seats
    part("bottom")[...] *= (who[2] == seats) & (stock > 0)
    part("turns")[...] = np.divmod(now(state.turns), 100)
    part("final_turns")[...] = now(state.final_turns)
    if rules.burakos_per_team:
        takers = now(state.taken_by)
        for taker in takers:
            part("burakos_taken")[...] += taker == order
        first = takers[:: rules.burakos_per_team]
        first = np.where(seats & 1, first[::-1], first)
        part("first_taker")[...] = (offset(first) + np.uint8(1)) * (first != NONE)
    target = now(state.target)
    if target.any():
        totals = now(state.totals)
        own_first = np.where(seats & 1, totals[::-1], totals)
        part("totals")[...] = hundreds(own_first).transpose(1, 0, 2).reshape(4, -1)
        part("target")[...] = hundreds(target)
    _put_rows(view.buffer[:, start:], rows)


def _code(cards: npt.NDArray[np.uint8]) -> npt.NDArray[np.uint8]:
    """Card codes: `type + 1`, 0 for none (NONE is 255 and wraps to 0)."""
    return cards + np.uint8(1)


def hundreds(points: npt.NDArray[Any]) -> npt.NDArray[Any]:
    """Points as floor hundreds (saturated) and the rest, `[2, *shape]`."""
    whole, rest = np.divmod(points, 100)
    return np.stack([np.clip(whole, -128, 127), rest])
