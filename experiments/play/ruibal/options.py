"""What may be done in a level, each action with the tiles of the rack that it takes and the spots that it is about.

A spot is what can be clicked on the page (`render/ruibal/html.py`): a place of the spread, a cell of the board, a
collection on the table, the pool.
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, cast

import numpy as np

from burako_env.render.ruibal.faces import STANDS_FOR
from burako_env.ruibal import RuibalGame
from burako_env.ruibal.actions import Kind
from burako_env.ruibal.position import PerceptionPosition, RackPosition
from burako_env.ruibal.tiles import CELL_COUNT, JOKER, cells_in

POOL: Final = "pool"


@dataclass(frozen=True)
class Option:
    """A legal action.

    Attributes:
        pieces: tiles of the rack that it takes, sorted. spots: what it changes of what lies open.
        laid: what it lays, a joker as `STANDS_FOR` + cell. taken: those of them that come from the table.
        crowns: that it gains at once.
    """

    action: int
    kind: Kind
    pieces: tuple[int, ...] = ()
    spots: tuple[str, ...] = ()
    laid: tuple[int, ...] = ()
    taken: tuple[int, ...] = ()
    crowns: int = 0

    @property
    def name(self) -> str:
        """Its kind, where makes are three: a new one, one with tiles of the table, one tile more to a collection."""
        if self.kind == Kind.MAKE and self.spots:
            return "TAKE" if self.taken else "GROW"
        return self.kind.name


def options(game: RuibalGame) -> list[Option]:
    """All that the seat to act in game 0 may do."""
    return [option_of(game, action) for action in np.flatnonzero(game.legal()[0]).tolist()]


def options_with(game: RuibalGame, pieces: Sequence[int], spot: str | None = None) -> list[Option]:
    """What just these tiles may do, at a spot if one is named."""
    chosen = tuple(sorted(pieces))
    return [one for one in options(game) if one.pieces == chosen and (spot is None or spot in one.spots)]


def option_of(game: RuibalGame, action: int) -> Option:
    """A legal action of the seat to act in game 0."""
    kind, tile, cells = game.table.row(action)
    match kind:
        case Kind.POINT:
            there = cast(PerceptionPosition, game.position(0)).spread[tile]
            return Option(action, kind, spots=(f"place:{tile}",), laid=() if there is None else (there,))
        case Kind.ROBA | Kind.TOMA | Kind.OTRO:
            return Option(action, kind, (tile,), (POOL,) if kind == Kind.TOMA else ())
        case Kind.DRAW:
            return Option(action, kind, spots=(POOL,))
        case Kind.PLACE | Kind.MAKE | Kind.RELEASE:
            return _laying(game, action, kind, tile, cells)
    return Option(action, kind)


def _laying(game: RuibalGame, action: int, kind: Kind, tile: int, cells: int) -> Option:
    """What lies open afterwards, and the crowns, follow from what the seat knows."""
    played = game.clone()
    played.step([action])
    before, after = cast(RackPosition, game.position(0)), cast(RackPosition, played.position(0))
    seat = before.turn
    crowns = after.crowns[seat] - before.crowns[seat] - (after.reason == "out")
    groups = list(zip(before.groups, after.groups))
    spots = tuple(_SPOTS[game.lies](groups))
    if kind == Kind.RELEASE:
        return Option(action, kind, (tile,), spots, (tile,), crowns=crowns)
    # Of a longer collection only what is added is laid.
    grown = kind == Kind.MAKE and len(after.groups) == len(before.groups)
    new = {cell for old, now in groups for cell in now if cell not in old} if grown else set(cells_in(cells))
    jokers = game.jokers_of(action)
    laid = tuple(STANDS_FOR + cell if jokers >> cell & 1 else cell for cell in cells_in(cells) if cell in new)
    if kind == Kind.PLACE:
        pieces = tuple(sorted(JOKER if piece >= STANDS_FOR else piece for piece in laid))
        return Option(action, kind, pieces, spots, laid, crowns=crowns)
    gone = Counter(before.racks[seat]) - Counter(after.racks[seat])
    taken = tuple(piece for piece in laid if piece < CELL_COUNT and not gone[piece])
    return Option(action, kind, tuple(sorted(gone.elements())), spots, laid, taken, crowns)


Groups = list[tuple[dict[int, bool], dict[int, bool]]]


def _cells(layers: Groups) -> list[str]:
    return [
        f"cell:{layer}:{cell}"
        for layer, (old, new) in enumerate(layers)
        for cell in sorted(new)
        if old.get(cell) != new[cell]
    ]


def _collections(collections: Groups) -> list[str]:
    return [f"group:{slot}" for slot, (old, new) in enumerate(collections) if old != new]


# The spots that lie otherwise than before.
_SPOTS: Final = {"board": _cells, "collections": _collections}

__all__ = ["POOL", "Option", "option_of", "options", "options_with"]
