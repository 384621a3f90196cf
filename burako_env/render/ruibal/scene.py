"""What a drawing of a children's level shows, as plain data: the same for text, pages and images.

`seat_level` holds what one seat may know, taken from its View and from nothing else; `open_level` the same table with
every rack open. Seats are absolute and stand in the order of play; tiles are types (`ruibal/tiles.py`).
"""

from dataclasses import dataclass, replace
from typing import Any, Final, cast

import numpy as np
import numpy.typing as npt

from burako_env.batch import BatchGame
from burako_env.layout import View
from burako_env.ruibal import RuibalGame
from burako_env.ruibal.level2.game import EMPTY, JOKER
from burako_env.ruibal.level3.game import JOKER_PLACES, KIND
from burako_env.ruibal.level3.kinds import KINDS
from burako_env.ruibal.tiles import FORFEITS, cells_in

Tiles = tuple[int, ...]
# Cells in ascending order, with whether a joker lies there.
Laid = tuple[tuple[int, bool], ...]
Fields = dict[str, npt.NDArray[np.int64]]


@dataclass(frozen=True)
class LevelSeat:
    """A player.

    Attributes:
        rack: None where it is hidden, () where the level has none. size: tiles in it.
        known: tiles of a hidden rack that the observer knows, as they were stolen from them (RINFO-1).
        sits: sits this call out (L1-2). points: the place they have pointed at in this call; None where that is hidden.
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
        lies: what lies in the middle, as `RuibalGame.lies` says: spread, board or collections.
        observer: whose knowledge it is; None: every rack is open. seats: in the order of play from the observer.
        phase: in the words of case files, or `over`. pool: tiles left in it. used: forfeits used, by kind.
        turns_left: of the seat to act, the present one counted (L2-9).
        spread: level 1, the tile at each place. called: the tile that is called. tries: calls of it already made.
        calls_left: tiles still to be called, this one counted.
        board: level 2, the layers. collections: level 3, in the order in which they were laid.
        stolen: own tiles that the observer stole, which their owner knows.
    """

    lies: str
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
    def has_racks(self) -> bool:
        """Whether the players have tiles of their own."""
        return self.lies != "spread"

    @property
    def winners(self) -> tuple[int, ...]:
        """TILE-3: the seats with the most crowns, once the game is over."""
        top = max(seat.crowns for seat in self.seats)
        return tuple(sorted(seat.number for seat in self.seats if seat.crowns == top)) if self.phase == "over" else ()


def seat_level(game: RuibalGame, view: View, row: int = 0, *, seat: int = 0) -> LevelTable:
    """What the observer of `view[row]`, a View of such games, knows; `seat` is its absolute seat."""
    field = {part.name: view.field(part.name)[row].astype(np.int64) for part in view.layout}
    live = np.flatnonzero(field["phase"])
    phase = game.phases[live[0]] if live.size else "over"
    seats = tuple(_seat(field, seat, relative, over=not live.size) for relative in range(game.seats))
    return LevelTable(lies=game.lies, observer=seat, seats=seats, phase=phase, **_MIDDLES[game.lies](field))


def game_level(game: BatchGame, index: int = 0, *, seat: int = 0) -> LevelTable:
    """What a seat of one game knows."""
    return seat_level(cast(RuibalGame, game), game.view([index], [seat]), seat=seat)


def open_level(game: BatchGame, index: int = 0) -> LevelTable:
    """One game with every rack open, and where those have pointed who have."""
    table, position = game_level(game, index), cast(RuibalGame, game).position(index)
    points, racks = getattr(position, "pointed", {}), getattr(position, "racks", [()] * game.seats)
    seats = [
        replace(
            seat,
            rack=tuple(racks[seat.number]),
            known=(),
            crowns=position.crowns[seat.number],
            points=points.get(seat.number),
        )
        for seat in table.seats
    ]
    return replace(table, observer=None, seats=tuple(seats), stolen=())


def _seat(field: Fields, observer: int, relative: int, *, over: bool) -> LevelSeat:
    racks, number = "rack" in field, (relative + observer) % len(field["crowns"])
    rack = _counted(field["rack"]) if racks and not relative else None
    return LevelSeat(
        number=number,
        size=int(field["rack_sizes"][relative]) if racks else 0,
        rack=rack if racks else (),
        known=_counted(field["lost"]) if racks and relative == 1 else (),
        crowns=int(field["crowns"][relative]),
        acts=not over and relative == int(field["actor"]),
        sits=not racks and bool(field["sitting"][relative]),
    )


def _counted(counts: npt.NDArray[np.int64]) -> Tiles:
    """Tiles of counts by type, in the order of types."""
    return tuple(np.repeat(np.arange(len(counts)), counts).tolist())


def _spread(field: Fields) -> dict[str, Any]:
    return {
        "spread": tuple(code - 1 if code else None for code in field["spread"].tolist()),
        "called": int(field["called"]) - 1 if field["called"] else None,
        "tries": int(field["tries"]),
        "calls_left": int(field["calls_left"]),
    }


def _pool(field: Fields) -> dict[str, Any]:
    return {
        "pool": int(field["pool_size"]),
        "used": tuple(np.repeat(FORFEITS, field["used"]).tolist()),
        "turns_left": int(field["turns_left"]),
        "stolen": _counted(field["stolen"]),
    }


def _board(field: Fields) -> dict[str, Any]:
    """The layers, `[2, 4, 5]` by character and number."""
    layers = (enumerate(codes.ravel().tolist()) for codes in field["board"])
    board = tuple(tuple((cell, code == JOKER) for cell, code in layer if code != EMPTY) for layer in layers)
    return _pool(field) | {"board": board}


def _collections(field: Fields) -> dict[str, Any]:
    """The collections, each its kind and the places of its jokers."""
    laid = (row.tolist() for row in field["table"] if row[KIND])
    return _pool(field) | {
        "collections": tuple(
            tuple(
                (cell, bool(row[JOKER_PLACES] >> place & 1))
                for place, cell in enumerate(cells_in(KINDS[row[KIND] - 1]))
            )
            for row in laid
        )
    }


# The parts of a scene that belong to what lies in the middle.
_MIDDLES: Final = {"spread": _spread, "board": _board, "collections": _collections}

__all__ = ["Laid", "LevelSeat", "LevelTable", "game_level", "open_level", "seat_level"]
