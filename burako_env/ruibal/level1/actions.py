"""The actions of level 1: pointing at one of 20 places, or sitting the call out."""

from __future__ import annotations

from typing import Final

from burako_env.ruibal.actions import ActionTable, Kind
from burako_env.ruibal.tiles import CELL_COUNT, NONE

TABLE: Final = ActionTable([*((Kind.POINT, place, 0) for place in range(CELL_COUNT)), (Kind.SIT, NONE, 0)])
SIT: Final = TABLE.first(Kind.SIT)
