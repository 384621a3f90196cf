"""The state of level 1: what lies spread, what is still to be called, who has pointed where."""

from __future__ import annotations

from functools import cache
from typing import Final

import numpy as np

from burako_env.kit.fields import FieldRows, Index, gather
from burako_env.ruibal.rules import RuibalRules
from burako_env.ruibal.state import Bytes, RuibalState, common_fields, field
from burako_env.ruibal.tiles import CELL_COUNT, NONE

PHASES: Final = ("point",)
POINT: Final = 0
PLACES: Final = CELL_COUNT


@cache
def perception_fields(rules: RuibalRules) -> tuple[FieldRows, ...]:
    """The declared fields."""
    return (
        *common_fields(rules, PLACES),
        field("spread", "u1", PLACES, NONE),  # tile at each place
        field("calls", "u1", PLACES, NONE),  # tiles in the order in which they are called
        field("call_next", "u1"),  # row of `calls` that is called
        field("call_end", "u1"),  # row after the last one
        field("tries", "u1"),  # calls of this tile already made
        field("pointed", "u1", rules.players, NONE),  # place each seat points at in this call
        field("sitting", "u1", rules.players),  # L1-2: sits this call out
    )


class PerceptionState(RuibalState):
    """Arrays of B games."""

    spread: Bytes
    calls: Bytes
    call_next: Bytes
    call_end: Bytes
    tries: Bytes
    pointed: Bytes
    sitting: Bytes

    def __init__(self, rules: RuibalRules, size: int) -> None:
        super().__init__(rules, perception_fields(rules), size)


def called(state: PerceptionState, games: Index) -> Bytes:
    """The tile that is called, `[n]`; NONE once all have been."""
    rows = np.minimum(state.call_next[games], PLACES - 1)
    over = state.call_next[games] >= state.call_end[games]
    tiles: Bytes = np.where(over, NONE, gather(state.calls, rows.astype(np.intp), games)).astype(np.uint8)
    return tiles
