"""The View of a seat, built from the state: public things, the seat's own hand, and nothing else (INFO-1 to INFO-4)."""

from typing import Any, Final

import numpy as np
import numpy.typing as npt

from burako_env.burako.lookups import Lookups
from burako_env.burako.melds.run_codec import RUN_CELLS, encode
from burako_env.burako.state import State
from burako_env.burako.turn.actions import FIRST_RUN, NONE
from burako_env.burako.view.layout import PHASES, PILE_TOP
from burako_env.burako.zones import Bytes, Words
from burako_env.cards import JOKER, TYPE_COUNT
from burako_env.kit.fields import Index, flat, gather
from burako_env.layout import I8, MOST, View

_MANY_GAMES: Final = 64
_PHASE_NUMBERS: Final = np.arange(len(PHASES), dtype=np.uint8)[:, None]
_BELOW_TOP: Final = np.arange(1, PILE_TOP + 1)[:, None]


def build_view(state: State, lookups: Lookups, games: Index | None, seats: Bytes) -> View:
    """Views of `seats[i]` (uint8) in `games[i]` (None: the whole batch); a fresh buffer."""
    view = View(np.empty((len(seats), lookups.layout.width), dtype=np.int8), lookups.layout)
    at = np.arange(state.size) if games is None else games
    observer = seats.astype(np.intp)
    _cards(state, lookups, at, observer, view)
    if len(seats) < _MANY_GAMES:
        _groups_of_few(state, lookups, at, observer, view)
    else:
        _groups_of_many(state, lookups, games, seats, view)
    _numbers(state, lookups, games, at, seats, observer, view)
    return view


def _cards(state: State, lookups: Lookups, at: Index, observer: Index, view: View) -> None:
    """Zones as counts by type, all in one unpacking."""
    plan, n = lookups.view_plan, len(at)
    zones = gather(state.blocks["u8"], plan.zones.take(observer, axis=1), at)
    # Deck by deck: adding whole unpacked arrays and cutting out the types once is twice as fast as adding the cut-outs.
    totals = _bits(zones[: plan.count])
    for deck in range(1, lookups.decks):
        totals += _bits(zones[deck * plan.count : (deck + 1) * plan.count])
    counts = totals.reshape(n, plan.count, 64)
    counts[:, :, JOKER] += counts[:, :, JOKER + 1]
    view.buffer[:, : view.layout["closed"].stop].reshape(n, plan.count, TYPE_COUNT)[...] = counts[:, :, :TYPE_COUNT]


def _bits(words: Words) -> I8:
    """The bits of words `[rows, n]`, game by game."""
    return np.unpackbits(np.ascontiguousarray(words.T).view(np.uint8).reshape(-1), bitorder="little").view(np.int8)


def _put_rows(columns: I8, rows: npt.NDArray[Any]) -> None:
    """Write rows `[width, n]` into columns `[n, width]`, four times faster than a transposed copy where n is large."""
    if columns.shape[0] < _MANY_GAMES:
        columns[...] = rows.T
        return
    for column, row in enumerate(rows):
        columns[:, column] = row


def _groups_of_few(state: State, lookups: Lookups, at: Index, observer: Index, view: View) -> None:
    """Wilds in sets, runs, closed sets and kinds, all of them."""
    plan = lookups.view_plan
    values = gather(state.blocks["u1"], plan.tables.take(observer, axis=1), at)
    view.buffer[:, plan.table_columns] = values.view(np.int8).T
    runs = gather(state.blocks["u2"], plan.runs.take(observer, axis=1), at)
    fields = encode(runs.T)
    view.buffer[:, view.layout["runs"]].reshape(len(at), fields.shape[1], RUN_CELLS)[:, :, : RUN_CELLS - 1] = fields


def _groups_of_many(state: State, lookups: Lookups, games: Index | None, seats: Bytes, view: View) -> None:
    """The same. Nearly all of it is empty, so in a large batch only what is there is written."""
    layout, cells, n = view.layout, flat(view.buffer), len(seats)
    view.buffer[:, layout["set_wild"].start : layout["closed_kinds"].stop] = 0
    odd = seats & 1
    plan = lookups.view_plan

    def there(field: npt.NDArray[Any], columns: Index) -> tuple[Index, Index, npt.NDArray[Any]]:
        """Of what is not zero: row, cell, value."""
        part = (field if games is None else field.take(games, axis=1)).reshape(-1)
        found = (part != 0).nonzero()[0]
        row, game = np.divmod(found, n)
        return row, game * layout.width + columns[odd[game], row], part[found]

    for field, columns in (
        (state.group_wild, plan.scatter_wilds),
        (state.closed_sets, plan.scatter_closed_sets),
        (state.closed_kinds, plan.scatter_closed_kinds),
    ):
        _, cell, value = there(field, columns)
        cells[cell] = value
    row, cell, value = there(state.groups, plan.scatter_groups)
    runs = (row % lookups.groups >= FIRST_RUN).nonzero()[0]
    fields, cell = encode(value[runs]), cell[runs]
    for column in range(RUN_CELLS - 1):
        cells[cell + column] = fields[:, column]


def _numbers(
    state: State, lookups: Lookups, games: Index | None, at: Index, seats: Bytes, observer: Index, view: View
) -> None:
    """Everything from `phase` to the end: one row a column, transposed into the buffer at once."""
    rules, plan = lookups.rules, lookups.view_plan
    rows = np.zeros((view.layout.width - plan.start, len(seats)), dtype=np.int8)

    def part(name: str) -> I8:
        return rows[plan.parts[name]]

    def now(field: npt.NDArray[Any]) -> npt.NDArray[Any]:
        return field if games is None else field.take(games, axis=-1)

    numbers = gather(state.blocks["u1"], plan.numbers.take(observer, axis=1), at)
    rows[plan.number_rows] = numbers.view(np.int8)
    part("phase")[...] = now(state.phase) == _PHASE_NUMBERS
    hands = np.bitwise_count(gather(state.blocks["u8"], plan.hands.take(observer, axis=1), at))
    sizes = np.add.reduce(hands.reshape(lookups.decks, rules.players, -1), axis=0)
    height, stock = now(state.pile_size), now(state.stock_end) - now(state.stock_next)
    if rules.card_count > MOST:
        sizes, stock = np.minimum(sizes, MOST), np.minimum(stock, MOST)
        part("pile_size")[...] = np.minimum(height, MOST)
    part("hand_sizes")[...] = sizes
    part("stock_size")[...] = stock
    below = height.astype(np.intp) - _BELOW_TOP
    part("pile_top")[...] = _code(gather(state.pile_order, np.maximum(below, 0), at)) * (below >= 0)
    who = rows[plan.seat_rows]
    who -= seats.view(np.int8)
    who += (who < 0) * np.int8(rules.players)
    rows[plan.code_rows] += np.int8(1)
    part("drawn")[...] *= who[1] == 0
    part("bottom")[...] *= (who[2] == 0) & (stock > 0)
    part("turns")[...] = np.divmod(now(state.turns), 100)
    part("final_turns")[...] = now(state.final_turns)
    takers = now(state.taken_by)
    if (takers != NONE).any():
        order = plan.order.take(observer, axis=1)
        for taker in takers:
            part("burakos_taken")[...] += taker == order
        first = takers[:: rules.burakos_per_team]
        first = np.where(seats & 1, first[::-1], first)
        relative = first - seats + np.uint8(rules.players) * (first < seats)
        part("first_taker")[...] = (relative + np.uint8(1)) * (first != NONE)
    target = now(state.target)
    if target.any():
        totals = now(state.totals)
        own_first = np.where(seats & 1, totals[::-1], totals)
        part("totals")[...] = hundreds(own_first).transpose(1, 0, 2).reshape(4, -1)
        part("target")[...] = hundreds(target)
    _put_rows(view.buffer[:, plan.start :], rows)


def _code(cards: npt.NDArray[np.uint8]) -> npt.NDArray[np.uint8]:
    """Card codes: `type + 1`, 0 for none (NONE is 255 and wraps to 0)."""
    return cards + np.uint8(1)


def hundreds(points: npt.NDArray[Any]) -> npt.NDArray[Any]:
    """Points as floor hundreds (saturated) and the rest, `[2, *shape]`."""
    whole, rest = np.divmod(points, 100)
    return np.stack([np.clip(whole, ~MOST, MOST), rest])
