"""One game of a level as plain lists, for case files, records, tests and pictures. Tiles are types (`tiles.py`).

A class of positions declares its keys and says below them how they are read from a state and written into one.
"""

from dataclasses import dataclass, field
from typing import Any, ClassVar, Self

import numpy as np

from burako_env.chance.rng import combine
from burako_env.ruibal.rules import RuibalRules
from burako_env.ruibal.state import OVER, REASONS
from burako_env.ruibal.tiles import JOKER, NONE, TILES_OF_TYPE, TYPE_OF_TILE, cell_set, cells_in
from burako_env.ruibal.zones import types_of

Cells = dict[int, bool]
# The key of chance in a given position, where nothing is dealt.
_KEY: Any = combine(0, 0)[0]


@dataclass
class LevelPosition:
    """What every level has.

    Attributes:
        rules: of the game. turn: seat to act (the last to act when over). phase: in the words of case files. crowns: by
        seat. luck: outcomes of chance fixed in advance. reason: how it ended, empty while it lives.
    """

    rules: RuibalRules
    turn: int
    phase: str
    crowns: list[int]
    luck: list[int] = field(default_factory=list)
    reason: str = ""

    @classmethod
    def of(cls, state: Any, game: int) -> Self:
        """One game of a state."""
        return cls(
            rules=state.rules,
            turn=int(state.actor[game]),
            phase="over" if state.phase[game] == OVER else state.phases[state.phase[game]],
            crowns=state.crowns[:, game].tolist(),
            luck=[value for value in state.luck[state.luck_next[game] :, game].tolist() if value != NONE],
            reason=REASONS[state.reason[game]],
            **cls._more(state, game),
        )

    @classmethod
    def _more(cls, state: Any, game: int) -> dict[str, Any]:
        """The keys that not every level has."""
        raise NotImplementedError

    def put(self, state: Any, game: int) -> None:
        """Into one game of a fresh state of equal rules."""
        state.actor[game] = self.turn
        state.phase[game] = OVER if self.phase == "over" else state.phases.index(self.phase)
        state.crowns[:, game] = self.crowns
        state.luck[: len(self.luck), game] = self.luck
        state.reason[game] = REASONS.index(self.reason)
        state.chance_key[game] = _KEY

    @property
    def winners(self) -> list[int]:
        """TILE-3: the seats with the most crowns, once the game is over."""
        top = max(self.crowns)
        return [seat for seat, crowns in enumerate(self.crowns) if crowns == top] if self.reason else []


@dataclass
class PerceptionPosition(LevelPosition):
    """Level 1.

    Attributes:
        spread: tile at each of the 20 places, None where there is none. calls: tiles to come, the first is called.
        tries: calls of it already made. pointed: place by seat, of those who have pointed in this call. sitting: seats
        that sit this call out.
    """

    spread: list[int | None] = field(default_factory=list)
    calls: list[int] = field(default_factory=list)
    tries: int = 0
    pointed: dict[int, int] = field(default_factory=dict)
    sitting: list[int] = field(default_factory=list)

    @classmethod
    def _more(cls, state: Any, game: int) -> dict[str, Any]:
        return {
            "spread": [None if tile == NONE else tile for tile in state.spread[:, game].tolist()],
            "calls": state.calls[state.call_next[game] : state.call_end[game], game].tolist(),
            "tries": int(state.tries[game]),
            "pointed": {seat: at for seat, at in enumerate(state.pointed[:, game].tolist()) if at != NONE},
            "sitting": np.flatnonzero(state.sitting[:, game]).tolist(),
        }

    def put(self, state: Any, game: int) -> None:
        super().put(state, game)
        state.spread[:, game] = [NONE if tile is None else tile for tile in self.spread]
        state.calls[: len(self.calls), game] = self.calls
        state.call_end[game] = len(self.calls)
        state.tries[game] = self.tries
        state.pointed[list(self.pointed), game] = list(self.pointed.values())
        state.sitting[self.sitting, game] = 1


@dataclass
class RackPosition(LevelPosition):
    """Levels 2 and 3.

    Attributes:
        racks: tiles by seat. pool: top first. used: forfeits. turns_left: of the seat to act, the present one counted.
        passes: in a row. lost: tiles stolen from each seat that the next one still holds (RINFO-1).
    """

    racks: list[list[int]] = field(default_factory=list)
    pool: list[int] = field(default_factory=list)
    used: list[int] = field(default_factory=list)
    turns_left: int = 1
    passes: int = 0
    lost: list[list[int]] = field(default_factory=list)

    # The field of the layers of the board, or of the collections on the table.
    groups_key: ClassVar[str]

    @property
    def groups(self) -> list[Cells]:
        """The layers of the board, or the collections on the table."""
        groups: list[Cells] = getattr(self, self.groups_key)
        return groups

    @classmethod
    def _more(cls, state: Any, game: int) -> dict[str, Any]:
        laid = zip(*(part[:, game].tolist() for part in state.groups), strict=True)
        return {
            "racks": [types_of(int(rack)) for rack in state.racks[:, game]],
            "pool": TYPE_OF_TILE[state.pool[state.pool_next[game] : state.pool_end[game], game]].tolist(),
            "used": types_of(int(state.used[game])),
            "turns_left": int(state.turns_left[game]),
            "passes": int(state.passes[game]),
            "lost": [types_of(int(zone)) for zone in state.lost[:, game]],
            cls.groups_key: [{cell: bool(wild >> cell & 1) for cell in cells_in(at)} for at, wild in laid],
        }

    def put(self, state: Any, game: int) -> None:
        """Each tile is bound to a physical one: in a rack those that another seat knows first."""
        super().put(state, game)
        left = [list(tiles) for tiles in TILES_OF_TYPE]

        def zone(types: list[int]) -> np.uint64:
            return np.uint64(sum(1 << left[kind].pop(0) for kind in types))

        for seat, rack in enumerate(self.racks):
            known, rest = self.lost[seat - 1] if self.lost else [], list(rack)
            for kind in known:
                rest.remove(kind)
            state.lost[seat - 1, game] = zone(known)
            state.racks[seat, game] = state.lost[seat - 1, game] | zone(rest)
        state.laid[game] = zone(laid_tiles(self.groups))
        state.used[game] = zone(self.used)
        state.pool[: len(self.pool), game] = [left[kind].pop(0) for kind in self.pool]
        state.pool_end[game] = len(self.pool)
        state.turns_left[game] = self.turns_left
        state.passes[game] = self.passes
        cells, jokers = state.groups
        for row, group in enumerate(self.groups):
            cells[row, game] = cell_set(group)
            jokers[row, game] = cell_set(cell for cell, joker in group.items() if joker)


@dataclass
class BoardPosition(RackPosition):
    """Level 2. board: of each layer the cells filled, True where a joker lies."""

    groups_key = "board"
    board: list[Cells] = field(default_factory=lambda: [{}, {}])


@dataclass
class TablePosition(RackPosition):
    """Level 3. table: of each collection, in the order they were laid, its cells, True where a joker lies."""

    groups_key = "table"
    table: list[Cells] = field(default_factory=list)

    @classmethod
    def _more(cls, state: Any, game: int) -> dict[str, Any]:
        more = super()._more(state, game)
        return {**more, "table": list(filter(None, more["table"]))}

    def put(self, state: Any, game: int) -> None:
        super().put(state, game)
        state.laid_count[game] = len(self.table)


def laid_tiles(groups: list[Cells]) -> list[int]:
    """Types of the tiles in collections or layers."""
    return [JOKER if joker else cell for group in groups for cell, joker in group.items()]
