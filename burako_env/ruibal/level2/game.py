"""Level 2, collections on the board: tiles of the rack are placed in one line of one of two layers."""

from typing import Final

import numpy as np

from burako_env.chance.rng import U64
from burako_env.kit.fields import Index, flat
from burako_env.layout import Field, View
from burako_env.ruibal.actions import TURN_ROWS, ActionTable, Kind
from burako_env.ruibal.level2.lines import COLUMN_PARTS, ROW_PARTS, column_cells, crowns_of, placements, row_cells
from burako_env.ruibal.position import BoardPosition
from burako_env.ruibal.state import RackState, column
from burako_env.ruibal.tiles import CELL_BITS, CELL_COUNT, CHARACTER_COUNT, NONE, NUMBER_COUNT, Cells
from burako_env.ruibal.turns import RackGame
from burako_env.ruibal.zones import JOKERS, held_cells, size_of

LAYERS: Final = 2
# What the View shows of a cell.
EMPTY, NATURAL, JOKER = range(3)
_BOARD_TEXT: Final = (
    "cells of each layer by character (lion, crocodile, tiger, bear) and number: 0 empty, 1 its tile, 2 a joker"
)


class BoardState(RackState):
    """Racks, pool and the two layers of the board."""

    phases = ("turn", "released")

    filled: Cells = column("u4", LAYERS)  # L2-4: cells that hold a tile, by layer
    jokers: Cells = column("u4", LAYERS)  # those of them that hold a joker

    @property
    def groups(self) -> tuple[Cells, Cells]:
        return self.filled, self.jokers


class BoardGame(RackGame):
    """B games of level 2.

    Observation: `View` of `view_fields`, int8. Action: an id of `table`, A = 256: 179 placements, 20 releases and
    `TURN_ROWS`, 205 in all. Score: crowns.
    """

    state_type, position_type, lies = BoardState, BoardPosition, "board"
    table = ActionTable(
        [
            *((Kind.PLACE, NONE, row_cells(line, part)) for line in range(1, NUMBER_COUNT + 1) for part in ROW_PARTS),
            *((Kind.PLACE, NONE, column_cells(line, part)) for line in range(CHARACTER_COUNT) for part in COLUMN_PARTS),
            *((Kind.RELEASE, cell, 0) for cell in range(CELL_COUNT)),
            *TURN_ROWS,
        ]
    )
    laid_fields = (Field("board", (LAYERS, CHARACTER_COUNT, NUMBER_COUNT), _BOARD_TEXT),)
    _state: BoardState

    def jokers_of(self, action: int, game: int = 0) -> int:
        held = held_cells(self._state.racks[self._state.actor[game], game])
        return int(self.table.rows["cells"][action] & ~held)

    def _live_words(self, games: Index) -> U64:
        """What a layer takes (L2-4) and what the rack holds (L2-6), line by line."""
        state, seats = self._state, self._actors(games)
        rack = self._rack(seats, games)
        starting, held = state.phase[games] == 0, held_cells(rack)
        rows, columns = placements(state.filled[:, games], held, size_of(rack & JOKERS).astype(np.uint32), starting)
        releases = np.where(starting, held & (state.jokers[0, games] | state.jokers[1, games]), 0)
        return self.table.pack(
            [
                *((len(ROW_PARTS) * line, bits) for line, bits in enumerate(rows)),
                *((_FIRST_COLUMN + len(COLUMN_PARTS) * line, bits) for line, bits in enumerate(columns)),
                (_FIRST_RELEASE, releases),
                (_FIRST_TURN, self._turn_bits(seats, games, starting)),
            ],
            len(games),
        )

    def _lay(self, games: Index, cells: Cells) -> None:
        """L2-3 to L2-6: tiles of the rack, jokers where it lacks one, to the layer that scores more; the turn's end."""
        state, seats = self._state, self._actors(games)
        missing = cells & ~held_cells(self._rack(seats, games))
        first, second = (crowns_of(layer[games], cells) for layer in state.filled)
        layer = (second > first).astype(np.intp)
        flat(state.filled)[layer * state.size + games] |= cells
        flat(state.jokers)[layer * state.size + games] |= missing
        self._lay_tiles(games, cells & ~missing, np.bitwise_count(missing))
        self._score(seats, games, np.maximum(first, second))
        self._end_turn(games, may_go_out=True)

    def _fill_laid(self, view: View, games: Index) -> None:
        for part in self._state.groups:
            cells = np.ascontiguousarray(part[:, games].T)[..., None].view(np.uint8)
            bits = np.unpackbits(cells, axis=2, count=CELL_COUNT, bitorder="little").view(np.int8)
            view.board[:] += bits.reshape(view.board.shape)

    def _read_laid(self, state: BoardState, view: View) -> None:  # type: ignore[override]
        codes = view.board.reshape(-1, LAYERS, CELL_COUNT)
        state.filled[:] = ((codes != EMPTY) @ CELL_BITS).T
        state.jokers[:] = ((codes == JOKER) @ CELL_BITS).T


_FIRST_COLUMN: Final = NUMBER_COUNT * len(ROW_PARTS)
_FIRST_RELEASE: Final = BoardGame.table.first(Kind.RELEASE)
_FIRST_TURN: Final = BoardGame.table.first(Kind.ROBA)
