"""The View of level 3: racks and pool as `ruibal/view.py` says, and the collections on the table."""

from __future__ import annotations

from functools import cache
from typing import Final

import numpy as np

from burako_env.layout import Field, View, ViewLayout
from burako_env.ruibal.level3.kinds import KINDS, MAX_TILES, NO_KIND, kind_of
from burako_env.ruibal.level3.state import PHASES, SLOTS, TableState
from burako_env.ruibal.rules import RuibalRules
from burako_env.ruibal.tiles import CELL_COUNT, TYPE_NAMES
from burako_env.ruibal.turns import Seats
from burako_env.ruibal.view import empty_view, fill_rack_fields, rack_view_fields
from burako_env.ruibal.zones import Index

# Columns of a collection in `table`.
KIND, JOKER_PLACES = range(2)


def cells_by_place() -> np.ndarray:
    """The cells of each kind in ascending order, one a place, uint32 `[5, 50]`; 0 where a kind has no more."""
    table = np.zeros((MAX_TILES, NO_KIND + 1), dtype=np.uint32)
    for kind, cells in enumerate(KINDS):
        own = [1 << cell for cell in range(CELL_COUNT) if cells >> cell & 1]
        table[: len(own), kind] = own
    return table


CELL_AT: Final = cells_by_place()


@cache
def view_layout(rules: RuibalRules) -> ViewLayout:
    """The layout for a number of players."""
    rack, *rest = rack_view_fields(rules, PHASES)
    first, last = (
        " ".join(TYPE_NAMES[cell] for cell in range(CELL_COUNT) if cells >> cell & 1) for cells in (KINDS[0], KINDS[-1])
    )
    return ViewLayout(
        (
            rack,
            Field(
                "kinds",
                (NO_KIND,),
                f"collections of each kind, in the order of the makes: {first} to {last} (see the actions)",
            ),
            Field("jokers", (CELL_COUNT,), "jokers on the table by what they stand for"),
            Field(
                "table",
                (SLOTS, 2),
                "collections in the order laid: 1 + kind, 0 none; and where its jokers are, bit 0 its first tile",
            ),
            *rest,
        )
    )


def build_view(state: TableState, games: Index, seats: Seats) -> View:
    """What seats see, int8 `[n, F]`."""
    view = empty_view(view_layout(state.rules), len(games))
    fill_rack_fields(view, state, games, seats)
    most = state.most_laid
    cells, jokers = state.cells[:most, games], state.jokers[:most, games]
    kind = kind_of(cells).astype(np.intp)
    view.table[:, :most, KIND] = ((kind + 1) % (NO_KIND + 1)).T
    rows = (NO_KIND + 1) * np.arange(len(games))
    counts = np.bincount((rows + kind).ravel(), minlength=(NO_KIND + 1) * len(games))
    view.kinds[:] = counts.reshape(len(games), NO_KIND + 1)[:, :NO_KIND]
    for slot in np.flatnonzero(jokers.any(axis=1)).tolist():
        at = np.flatnonzero(jokers[slot])
        wild = jokers[slot, at]
        for place, cell in enumerate(CELL_AT[:, kind[slot, at]]):
            view.table[at, slot, JOKER_PLACES] |= (wild & cell != 0).astype(np.int8) << place
        view.jokers[at] += (wild[:, None] >> np.arange(CELL_COUNT, dtype=np.uint32) & 1).astype(np.int8)
    return view
