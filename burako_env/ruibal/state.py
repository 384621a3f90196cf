"""The state of a batch of a level; every field is declared once, as an attribute of its class.

The arrays are laid out game-last (`burako_env/kit/fields.py`); seats are rows. `phase` is 0 for the phase a turn
begins in, 1 for the other one that a level may have, `OVER` for a game that has ended.
"""

from collections.abc import Callable
from functools import cache
from typing import Any, ClassVar, Final, NamedTuple

import numpy as np
import numpy.typing as npt

from burako_env.kit.fields import FieldRows, FieldState
from burako_env.ruibal.rules import RuibalRules
from burako_env.ruibal.tiles import NONE, TILE_COUNT, Cells
from burako_env.ruibal.zones import Zones

Bytes = npt.NDArray[np.uint8]
Bools = npt.NDArray[np.bool_]
Seats = npt.NDArray[np.intp]

OVER: Final = 2
# The phase of a turn that has begun: level 2 after a release, level 3 after any move.
GOING_ON: Final = 1
# Values of `reason`, and how case files call them.
LIVE, OUT, FORFEITS_LEFT, PASSES, CALLS = range(5)
REASONS: Final = ("", "out", "forfeits", "passes", "calls")
# L2-9: a game has four ROBA UNA.
THEFTS: Final = 4


class _Column(NamedTuple):
    """dtype, rows (None: one row, kept as `[B]`; a name: that rule key), what each row of a fresh game holds."""

    dtype: str
    rows: int | str | None = None
    fresh: int = 0


# Declares a field of a state, which is annotated with the array that it becomes.
column: Callable[..., Any] = _Column


class RuibalState(FieldState):
    """What every level keeps. phases: names of the level's phases, in the order of their numbers."""

    phases: ClassVar[tuple[str, ...]]

    chance_key: Zones = column("u8")  # what the outcomes of chance in this game come from
    actor: Bytes = column("u1")  # seat to act
    phase: Bytes = column("u1")
    reason: Bytes = column("u1")  # LIVE .. CALLS
    turned: Bytes = column("u1")  # seats by which the table is turned
    luck: Bytes = column("u1", THEFTS, NONE)  # outcomes fixed in advance (case files), NONE: by the key
    luck_next: Bytes = column("u1")  # outcomes used so far
    crowns: npt.NDArray[np.int16] = column("i2", "players")
    turns: npt.NDArray[np.int16] = column("i2")  # turns (level 1: calls) completed
    decisions: npt.NDArray[np.int32] = column("i4")  # actions taken
    deal_ids: npt.NDArray[np.int64] = column("i8")

    def __init__(self, rules: RuibalRules, size: int) -> None:
        self.rules = rules
        level: Any = type(self)
        super().__init__(_fields(level, rules), size)


class RackState(RuibalState):
    """What the levels with racks keep in addition."""

    racks: Zones = column("u8", "players")  # zone of each rack
    # RINFO-1: the tiles of the next seat's rack that this seat knows, as they were stolen from it.
    lost: Zones = column("u8", "players")
    laid: Zones = column("u8")  # zone of the tiles on the board or table
    used: Zones = column("u8")  # zone of the forfeits used
    pool: Bytes = column("u1", TILE_COUNT, NONE)  # physical tiles in their order
    pool_next: Bytes = column("u1")  # row of `pool` drawn next
    pool_end: Bytes = column("u1")  # row after the last one
    turns_left: Bytes = column("u1", None, 1)  # L2-9: turns of the seat to act, the present one counted
    passes: Bytes = column("u1")  # L2-10: passes in a row

    @property
    def pool_size(self) -> npt.NDArray[Any]:
        return self.pool_end - self.pool_next

    @property
    def groups(self) -> tuple[Cells, Cells]:
        """Cells filled in each layer of the board or collection, and those of them that hold a joker, `[k, B]`."""
        raise NotImplementedError


@cache
def _fields(state: Any, rules: RuibalRules) -> tuple[FieldRows, ...]:
    """The declared fields; a level may declare one anew, which keeps its place."""
    declared: dict[str, _Column] = {}
    for part in reversed(state.__mro__):
        declared |= {name: value for name, value in vars(part).items() if isinstance(value, _Column)}
    found = []
    for name, one in declared.items():
        rows = getattr(rules, one.rows) if isinstance(one.rows, str) else one.rows
        found.append(FieldRows(name, one.dtype, rows, (one.fresh,) * (1 if rows is None else rows)))
    return tuple(found)
