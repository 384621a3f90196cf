"""The state of a batch of a level: the fields that all levels have, and those of the levels with racks.

The arrays are laid out game-last (`burako_env/kit/fields.py`); seats are rows. `phase` is 0 for the phase a turn
begins in, 1 for the other one that a level may have, `OVER` for a game that has ended.
"""

from __future__ import annotations

from typing import Any, Final

import numpy as np
import numpy.typing as npt

from burako_env.kit.fields import FieldRows, FieldState
from burako_env.ruibal.rules import RuibalRules
from burako_env.ruibal.tiles import NONE, TILE_COUNT, Words

Bytes = npt.NDArray[np.uint8]
Bools = npt.NDArray[np.bool_]

OVER: Final = 2
# Values of `reason`, and how case files call them.
LIVE, OUT, FORFEITS_LEFT, PASSES, CALLS = range(5)
REASONS: Final = ("", "out", "forfeits", "passes", "calls")


def field(name: str, dtype: str, rows: int | None = None, fresh: int = 0) -> FieldRows:
    """A field with the same value in every row of a fresh game."""
    return FieldRows(name, dtype, rows, (fresh,) * (1 if rows is None else rows))


def common_fields(rules: RuibalRules, chances: int) -> tuple[FieldRows, ...]:
    """What every level keeps; `chances` is how often a game can ask for an outcome of chance."""
    return (
        field("chance_key", "u8"),  # what the outcomes of chance in this game come from
        field("actor", "u1"),  # seat to act
        field("phase", "u1"),
        field("reason", "u1"),  # LIVE .. CALLS
        field("turned", "u1"),  # seats by which the table is turned
        field("luck", "u1", chances, NONE),  # outcomes fixed in advance (case files), NONE: by the key
        field("luck_next", "u1"),  # outcomes used so far
        field("crowns", "i2", rules.players),
        field("turns", "i2"),  # turns (level 1: calls) completed
        field("decisions", "i4"),  # actions taken
        field("deal_ids", "i8"),
    )


# L2-9: a game has four ROBA UNA.
THEFTS: Final = 4


def rack_fields(rules: RuibalRules) -> tuple[FieldRows, ...]:
    """What the levels with racks keep beside that."""
    return (
        *common_fields(rules, THEFTS),
        field("racks", "u8", rules.players),  # zone of each rack
        # RINFO-1: the tiles of the next seat's rack that this seat knows, as they were stolen from it.
        field("lost", "u8", rules.players),
        field("laid", "u8"),  # zone of the tiles on the board or table
        field("used", "u8"),  # zone of the forfeits used
        field("pool", "u1", TILE_COUNT, NONE),  # physical tiles in their order
        field("pool_next", "u1"),  # row of `pool` drawn next
        field("pool_end", "u1"),  # row after the last one
        field("turns_left", "u1", None, 1),  # L2-9: turns of the seat to act, the present one counted
        field("passes", "u1"),  # L2-10: passes in a row
    )


class RuibalState(FieldState):
    """What every level has."""

    chance_key: Words
    actor: Bytes
    phase: Bytes
    reason: Bytes
    turned: Bytes
    luck: Bytes
    luck_next: Bytes
    crowns: npt.NDArray[np.int16]
    turns: npt.NDArray[np.int16]
    decisions: npt.NDArray[np.int32]
    deal_ids: npt.NDArray[np.int64]

    def __init__(self, rules: RuibalRules, fields: tuple[FieldRows, ...], size: int) -> None:
        self.rules = rules
        super().__init__(fields, size)


class RackState(RuibalState):
    """What the levels with racks have."""

    racks: Words
    lost: Words
    laid: Words
    used: Words
    pool: Bytes
    pool_next: Bytes
    pool_end: Bytes
    turns_left: Bytes
    passes: Bytes

    @property
    def pool_size(self) -> npt.NDArray[Any]:
        """Tiles left in the pool, `[B]`."""
        size: npt.NDArray[Any] = self.pool_end - self.pool_next
        return size
