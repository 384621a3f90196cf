"""What a drawing of a children's level shows, as plain data: the same for text, pages and images.

`seat_level` holds what one seat may know, taken from its View and from nothing else; `open_level` the same table with
every rack open. Seats are absolute and stand in the order of play; tiles are types (`ruibal/tiles.py`).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt

from burako_env.batch import BatchGame
from burako_env.layout import View
from burako_env.ruibal import RuibalGame
from burako_env.ruibal.level2.game import EMPTY, JOKER
from burako_env.ruibal.level3.game import JOKER_PLACES, KIND
from burako_env.ruibal.level3.kinds import KINDS
from burako_env.ruibal.position import PerceptionPosition
from burako_env.ruibal.tiles import CELL_COUNT, FORFEITS

Tiles = tuple[int, ...]
# Cells in ascending order, with whether a joker lies there.
Laid = tuple[tuple[int, bool], ...]


@dataclass(frozen=True)
class LevelSeat:
    """A player.

    Attributes:
        rack: None where it is hidden, () where the level has none. size: tiles in it.
        known: tiles of a hidden rack that the observer knows, as they were stolen from him (RINFO-1).
        sits: sits this call out (L1-2). points: the place he has pointed at in this call; None where that is hidden.
    """

    number: int
    size: int
    rack: Tiles | None
    known: Tiles
    crowns: int
    acts: bool
    sits: bool = False
    points: int | None = None


@dataclass(frozen=True)
class LevelTable:
    """A position as it is drawn; what a level does not have is empty.

    Attributes:
        observer: whose knowledge it is; None: every rack is open. seats: in the order of play from the observer.
        phase: in the words of case files, or `over`. pool: tiles left in it. used: forfeits used, by kind.
        turns_left: of the seat to act, the present one counted (L2-9).
        spread: level 1, the tile at each place. called: the tile that is called. tries: calls of it already made.
        calls_left: tiles still to be called, this one counted.
        board: level 2, the layers. collections: level 3, in the order in which they were laid.
        stolen: own tiles that the observer stole, which their owner knows.
    """

    level: int
    observer: int | None
    seats: tuple[LevelSeat, ...]
    phase: str
    pool: int = 0
    used: tuple[int, ...] = ()
    turns_left: int = 1
    spread: tuple[int | None, ...] = ()
    called: int | None = None
    tries: int = 0
    calls_left: int = 0
    board: tuple[Laid, ...] = ()
    collections: tuple[Laid, ...] = ()
    stolen: Tiles = ()

    @property
    def actor(self) -> LevelSeat | None:
        """Who decides now; nobody when the game is over."""
        return next((seat for seat in self.seats if seat.acts), None)

    @property
    def winners(self) -> tuple[int, ...]:
        """TILE-3: the seats with the most crowns, once the game is over."""
        top = max(seat.crowns for seat in self.seats)
        return tuple(sorted(seat.number for seat in self.seats if seat.crowns == top)) if self.phase == "over" else ()


def seat_level(view: View, level: int, phases: Sequence[str], row: int = 0, *, seat: int = 0) -> LevelTable:
    """What the observer of `view[row]` knows; `seat` is his absolute seat, `phases` are the level's."""
    field = {part.name: view.field(part.name)[row].astype(np.int64) for part in view.layout}
    live = np.flatnonzero(field["phase"])
    table = LevelTable(
        level=level,
        observer=seat,
        seats=_seats(field, seat, over=not live.size),
        phase=phases[live[0]] if live.size else "over",
    )
    if level == 1:
        return replace(
            table,
            spread=tuple(int(code) - 1 if code else None for code in field["spread"]),
            called=int(field["called"]) - 1 if field["called"] else None,
            tries=int(field["tries"]),
            calls_left=int(field["calls_left"]),
        )
    return replace(
        table,
        pool=int(field["pool_size"]),
        used=tuple(kind for kind, count in zip(FORFEITS, field["used"]) for _ in range(count)),
        turns_left=int(field["turns_left"]),
        board=tuple(_layer(cells) for cells in field["board"]) if level == 2 else (),
        collections=tuple(_collection(row) for row in field["table"] if row[KIND]) if level == 3 else (),
        stolen=_counted(field["stolen"]),
    )


def game_level(game: BatchGame, index: int = 0, *, seat: int = 0) -> LevelTable:
    """What a seat of one game knows."""
    assert isinstance(game, RuibalGame)
    return seat_level(game.view([index], [seat]), game.rules.level, game.phases, seat=seat)


def open_level(game: BatchGame, index: int = 0) -> LevelTable:
    """One game with every rack open, and where those have pointed who have."""
    assert isinstance(game, RuibalGame)
    table, position = game_level(game, index), game.position(index)
    points = position.pointed if isinstance(position, PerceptionPosition) else {}
    seats = [
        replace(seat, rack=game_level(game, index, seat=seat.number).seats[0].rack, points=points.get(seat.number))
        for seat in table.seats
    ]
    return replace(table, observer=None, seats=tuple(replace(seat, known=()) for seat in seats), stolen=())


def _seats(field: dict[str, npt.NDArray[np.int64]], observer: int, *, over: bool) -> tuple[LevelSeat, ...]:
    players, racks = len(field["crowns"]), "rack" in field
    found = []
    for relative in range(players):
        rack: Tiles | None = _counted(field["rack"]) if racks else ()
        found.append(
            LevelSeat(
                number=(relative + observer) % players,
                size=int(field["rack_sizes"][relative]) if racks else 0,
                rack=rack if not racks or not relative else None,
                known=_counted(field["lost"]) if racks and relative == 1 else (),
                crowns=int(field["crowns"][relative]),
                acts=not over and relative == int(field["actor"]),
                sits=not racks and bool(field["sitting"][relative]),
            )
        )
    return tuple(found)


def _counted(counts: npt.NDArray[np.int64]) -> Tiles:
    """Tiles of counts by type, in the order of types."""
    return tuple(kind for kind, count in enumerate(counts) for _ in range(int(count)))


def _layer(codes: npt.NDArray[np.int64]) -> Laid:
    """A layer of the board; `codes` `[4, 5]` by character and number."""
    return tuple((cell, bool(code == JOKER)) for cell, code in enumerate(codes.ravel()) if code != EMPTY)


def _collection(row: npt.NDArray[np.int64]) -> Laid:
    """A collection; `row` holds its kind and the places of its jokers."""
    kind, jokers = KINDS[int(row[KIND]) - 1], int(row[JOKER_PLACES])
    cells = [cell for cell in range(CELL_COUNT) if kind >> cell & 1]
    return tuple((cell, bool(jokers >> place & 1)) for place, cell in enumerate(cells))


__all__ = ["Laid", "LevelSeat", "LevelTable", "game_level", "open_level", "seat_level"]
