"""The state of level 2: racks, pool and the two layers of the board."""

from __future__ import annotations

from functools import cache
from typing import Final

from burako_env.kit.fields import FieldRows
from burako_env.ruibal.rules import RuibalRules
from burako_env.ruibal.state import RackState, field, rack_fields
from burako_env.ruibal.tiles import Cells

PHASES: Final = ("turn", "released")
TURN, RELEASED = range(2)
LAYERS: Final = 2


@cache
def board_fields(rules: RuibalRules) -> tuple[FieldRows, ...]:
    """The declared fields."""
    return (
        *rack_fields(rules),
        field("filled", "u4", LAYERS),  # L2-4: cells that hold a tile, by layer
        field("jokers", "u4", LAYERS),  # those of them that hold a joker
    )


class BoardState(RackState):
    """Arrays of B games."""

    filled: Cells
    jokers: Cells

    def __init__(self, rules: RuibalRules, size: int) -> None:
        super().__init__(rules, board_fields(rules), size)
