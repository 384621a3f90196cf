"""The actions of level 3: 49 makes, 20 releases, and what both levels with racks have; 75 rows."""

from __future__ import annotations

from typing import Final

from burako_env.ruibal.actions import TURN_ROWS, ActionTable, Kind
from burako_env.ruibal.level3.kinds import KINDS, THREES
from burako_env.ruibal.tiles import CELL_COUNT, NONE

TABLE: Final = ActionTable(
    [
        *((Kind.MAKE, NONE, cells) for cells in KINDS),
        *((Kind.RELEASE, cell, 0) for cell in range(CELL_COUNT)),
        *TURN_ROWS,
    ]
)
FIRST_THREE: Final = 0
FIRST_LONGER: Final = len(THREES)
FIRST_RELEASE: Final = TABLE.first(Kind.RELEASE)
FIRST_TURN: Final = TABLE.first(Kind.ROBA)
