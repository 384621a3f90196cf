"""One game of a level as plain lists, for case files, records, tests and pictures. Tiles are types (`tiles.py`)."""

from __future__ import annotations

from dataclasses import dataclass, field

from burako_env.ruibal.rules import RuibalRules


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


@dataclass
class BoardPosition(RackPosition):
    """Level 2. board: of each layer the cells filled, True where a joker lies."""

    board: list[dict[int, bool]] = field(default_factory=lambda: [{}, {}])


@dataclass
class TablePosition(RackPosition):
    """Level 3. table: of each collection, in the order they were laid, its cells, True where a joker lies."""

    table: list[dict[int, bool]] = field(default_factory=list)
