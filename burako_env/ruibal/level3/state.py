"""The state of level 3: racks, pool and the collections on the table."""

from __future__ import annotations

from functools import cache
from typing import Final

from burako_env.kit.fields import FieldRows
from burako_env.ruibal.level3.kinds import MIN_TILES
from burako_env.ruibal.rules import RuibalRules
from burako_env.ruibal.state import Bytes, RackState, field, rack_fields
from burako_env.ruibal.tiles import COPIES, FORFEITS, TILE_COUNT, Cells

PHASES: Final = ("turn", "moves")
TURN, MOVES = range(2)
# As many collections as all tiles that are not forfeits can make.
SLOTS: Final = (TILE_COUNT - sum(COPIES[kind] for kind in FORFEITS)) // MIN_TILES


@cache
def table_fields(rules: RuibalRules) -> tuple[FieldRows, ...]:
    """The declared fields."""
    return (
        *rack_fields(rules),
        field("cells", "u4", SLOTS),  # of each collection in the order laid, what its tiles stand for; 0: none
        field("jokers", "u4", SLOTS),  # those of them for which a joker stands
        field("laid_count", "u1"),  # collections on the table
    )


class TableState(RackState):
    """Arrays of B games."""

    cells: Cells
    jokers: Cells
    laid_count: Bytes

    def __init__(self, rules: RuibalRules, size: int) -> None:
        super().__init__(rules, table_fields(rules), size)

    @property
    def most_laid(self) -> int:
        """Collections of the game that has most of them."""
        return int(self.laid_count.max(initial=0))
