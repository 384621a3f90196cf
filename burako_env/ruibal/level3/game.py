"""Level 3, collections on the table: tiles of the rack and of the table make new ones."""

from typing import Final

import numpy as np

from burako_env.chance.rng import U64
from burako_env.kit.fields import Index, flat
from burako_env.layout import Field, View
from burako_env.ruibal.actions import TURN_ROWS, ActionTable, Kind
from burako_env.ruibal.level3.kinds import KIND_CELLS, KINDS, MAX_TILES, MIN_TILES, NO_KIND, THREES, kind_of
from burako_env.ruibal.level3.making import longer_bits, plan_longer, plan_three, three_bits
from burako_env.ruibal.position import TablePosition
from burako_env.ruibal.state import GOING_ON, Bytes, RackState, column
from burako_env.ruibal.tiles import CELL_BITS, CELL_COUNT, COPIES, JOKER, NONE, Cells, cells_in, format_tiles
from burako_env.ruibal.turns import RackGame
from burako_env.ruibal.zones import JOKERS, held_cells, size_of

# As many collections as all tiles that are not forfeits can make.
SLOTS: Final = sum(COPIES[: JOKER + 1]) // MIN_TILES
# Columns of a collection in the View's `table`.
KIND, JOKER_PLACES = range(2)
_TABLE: Final = "1 + kind, 0 none; and where its jokers are, bit 0 its first tile"
_MAKES: Final = " to ".join(format_tiles(cells_in(cells)) for cells in (KINDS[0], KINDS[-1]))

# The cells of each kind in ascending order, one a place, uint32 [5, 50]; 0 where a kind has no more.
_CELL_AT: Final = np.zeros((MAX_TILES, NO_KIND + 1), dtype=np.uint32)
for _kind, _cells in enumerate(KINDS):
    _CELL_AT[: _cells.bit_count(), _kind] = CELL_BITS[cells_in(_cells)]


class TableState(RackState):
    """Racks, pool and the collections on the table."""

    phases = ("turn", "moves")

    cells: Cells = column("u4", SLOTS)  # of each collection in the order laid, what its tiles stand for; 0: none
    jokers: Cells = column("u4", SLOTS)  # those of them for which a joker stands
    laid_count: Bytes = column("u1")  # collections on the table

    @property
    def groups(self) -> tuple[Cells, Cells]:
        return self.cells, self.jokers

    def table(self, games: Index) -> tuple[Cells, Cells]:
        """`groups` of some games, as many as the batch's game that has most of them."""
        most = int(self.laid_count.max(initial=0))
        return self.cells[:most, games], self.jokers[:most, games]


class TableGame(RackGame):
    """B games of level 3.

    Observation: `View` of `view_fields`, int8. Action: an id of `table`, A = 128: 49 makes, 20 releases and
    `TURN_ROWS`, 75 in all. Score: crowns.
    """

    state_type, position_type, lies = TableState, TablePosition, "collections"
    table = ActionTable(
        [
            *((Kind.MAKE, NONE, cells) for cells in KINDS),
            *((Kind.RELEASE, cell, 0) for cell in range(CELL_COUNT)),
            *TURN_ROWS,
        ]
    )
    laid_fields = (
        Field("kinds", (NO_KIND,), f"collections of each kind, in the order of the makes: {_MAKES} (see the actions)"),
        Field("jokers", (CELL_COUNT,), "jokers on the table by what they stand for"),
        Field("table", (SLOTS, 2), f"collections in the order laid: {_TABLE}"),
    )
    _state: TableState

    def jokers_of(self, action: int, game: int = 0) -> int:
        state, wanted = self._state, self.table.rows["cells"][[action]]
        held = held_cells(state.racks[state.actor[game], [game]])
        cells, jokers = state.cells[:, [game]], state.jokers[:, [game]]
        if np.bitwise_count(wanted)[0] > MIN_TILES:
            plan = plan_longer(cells, held, wanted)
            return int(plan.tile[0]) if plan.found[0] and plan.joker[0] else 0
        return int(plan_three(cells, jokers, held, wanted).jokers[0])

    def _live_words(self, games: Index) -> U64:
        """Makes from rack and table (L3-4), releases, and what both levels with racks have."""
        state, seats = self._state, self._actors(games)
        rack = self._rack(seats, games)
        held, rack_jokers = held_cells(rack), size_of(rack & JOKERS)
        cells, jokers = state.table(games)
        on_table = np.bitwise_or.reduce(jokers, axis=0, initial=np.uint32(0))
        return self.table.pack(
            [
                (0, three_bits(cells, jokers, held, rack_jokers)),
                (len(THREES), longer_bits(cells, held, rack_jokers)),
                (_FIRST_RELEASE, held & on_table),
                (_FIRST_TURN, self._turn_bits(seats, games, state.phase[games] == 0)),
            ],
            len(games),
        )

    def _lay(self, games: Index, cells: Cells) -> None:
        """L3-4, L3-5: a new collection of three, or a tile more to a collection; the turn goes on."""
        longer = np.bitwise_count(cells) > MIN_TILES
        for part, act in ((~longer, self._lay_new), (longer, self._add)):
            if part.any():
                act(games[part], cells[part])
        self._score(self._actors(games), games, 1)
        self._state.phase[games] = GOING_ON

    def _lay_new(self, games: Index, wanted: Cells) -> None:
        state = self._state
        plan = plan_three(*state.table(games), held_cells(self._rack(self._actors(games), games)), wanted)
        state.cells[: len(plan.table), games] = plan.table
        slot = state.laid_count[games].astype(np.intp)
        flat(state.cells)[slot * state.size + games] = wanted
        flat(state.jokers)[slot * state.size + games] = plan.jokers
        state.laid_count[games] += 1
        self._lay_tiles(games, plan.held, np.bitwise_count(plan.jokers))

    def _add(self, games: Index, wanted: Cells) -> None:
        """A tile more to the collection that lacks just it."""
        state = self._state
        plan = plan_longer(state.table(games)[0], held_cells(self._rack(self._actors(games), games)), wanted)
        flat(state.cells)[plan.slot * state.size + games] |= plan.tile
        flat(state.jokers)[plan.slot * state.size + games] |= np.where(plan.joker, plan.tile, 0)
        natural = np.where(plan.joker, 0, plan.tile).astype(np.uint32)
        self._lay_tiles(games, natural, plan.joker.astype(np.uint8))

    def _fill_laid(self, view: View, games: Index) -> None:
        cells, jokers = self._state.table(games)
        kind = kind_of(cells).astype(np.intp)
        view.table[:, : len(cells), KIND] = ((kind + 1) % (NO_KIND + 1)).T
        rows = (NO_KIND + 1) * np.arange(len(games))
        counts = np.bincount((rows + kind).ravel(), minlength=(NO_KIND + 1) * len(games))
        view.kinds[:] = counts.reshape(len(games), NO_KIND + 1)[:, :NO_KIND]
        for slot in np.flatnonzero(jokers.any(axis=1)).tolist():
            at = np.flatnonzero(jokers[slot])
            wild = jokers[slot, at]
            for place, cell in enumerate(_CELL_AT[:, kind[slot, at]]):
                view.table[at, slot, JOKER_PLACES] |= (wild & cell != 0).astype(np.int8) << place
            view.jokers[at] += (wild[:, None] & CELL_BITS != 0).astype(np.int8)

    def _read_laid(self, state: TableState, view: View) -> None:  # type: ignore[override]
        kinds, wild = view.table[:, :, KIND].T.astype(np.intp) - 1, view.table[:, :, JOKER_PLACES].T
        state.cells[:] = np.append(KIND_CELLS, np.uint32(0))[kinds]
        for place, cells in enumerate(_CELL_AT):
            state.jokers[:] |= np.where(wild >> place & 1 > 0, cells[kinds], np.uint32(0))
        state.laid_count[:] = (kinds >= 0).sum(axis=0)


_FIRST_RELEASE: Final = TableGame.table.first(Kind.RELEASE)
_FIRST_TURN: Final = TableGame.table.first(Kind.ROBA)
