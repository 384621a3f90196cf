"""What may be done in a level, each action with the tiles of the rack that it takes and the spots that it is about.

A spot is what can be clicked on the page (`render/level_html.py`): a place of the spread, a cell of the board, a
collection on the table, the pool.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from burako_env.render.ruibal.faces import STANDS_FOR
from burako_env.ruibal import RuibalGame
from burako_env.ruibal.actions import Kind
from burako_env.ruibal.position import BoardPosition, PerceptionPosition, RackPosition, TablePosition
from burako_env.ruibal.tiles import CELL_COUNT, JOKER, OTRO, ROBA, TOMA

POOL: Final = "pool"
FORFEIT_OF: Final = {Kind.ROBA: ROBA, Kind.TOMA: TOMA, Kind.OTRO: OTRO}


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
    kind, tile = Kind(int(game.table.rows["kind"][action])), int(game.table.rows["tile"][action])
    if kind == Kind.POINT:
        position = game.position(0)
        assert isinstance(position, PerceptionPosition)
        there = position.spread[tile]
        return Option(action, kind, spots=(f"place:{tile}",), laid=() if there is None else (there,))
    if kind in FORFEIT_OF:
        return Option(action, kind, (FORFEIT_OF[kind],), (POOL,) if kind == Kind.TOMA else ())
    if kind == Kind.DRAW:
        return Option(action, kind, spots=(POOL,))
    if kind not in (Kind.PLACE, Kind.MAKE, Kind.RELEASE):
        return Option(action, kind)
    # What lies open afterwards, and the crowns, follow from what the seat knows.
    before, after = game.position(0), _played(game, action)
    assert isinstance(before, RackPosition)
    crowns = after.crowns[before.turn] - before.crowns[before.turn] - (after.reason == "out")
    spots = tuple(_changed(before, after))
    if kind == Kind.RELEASE:
        return Option(action, kind, (tile,), spots, (tile,), crowns=crowns)
    if isinstance(before, BoardPosition):
        cells, jokers = int(game.table.rows["cells"][action]), game.jokers_of(action)
        laid = tuple(STANDS_FOR + cell if jokers >> cell & 1 else cell for cell in cells_in(cells))
        pieces = tuple(sorted(JOKER if piece >= STANDS_FOR else piece for piece in laid))
        return Option(action, kind, pieces, spots, laid, crowns=crowns)
    assert isinstance(before, TablePosition)
    assert isinstance(after, TablePosition)
    gone = Counter(before.racks[before.turn]) - Counter(after.racks[before.turn])
    wanted, jokers = int(game.table.rows["cells"][action]), game.jokers_of(action)
    grown = _grown(before, after) if len(after.table) == len(before.table) else set()
    shown = [cell for cell in cells_in(wanted) if not grown or cell in grown]
    laid = tuple(STANDS_FOR + cell if jokers >> cell & 1 else cell for cell in shown)
    taken = tuple(piece for piece in laid if piece < CELL_COUNT and not gone[piece])
    return Option(action, kind, tuple(sorted(gone.elements())), spots, laid, taken, crowns)


def cells_in(word: int) -> list[int]:
    """The cells of a word, ascending."""
    return [cell for cell in range(CELL_COUNT) if word >> cell & 1]


def _played(game: RuibalGame, action: int) -> RackPosition:
    after = game.clone()
    after.step([action])
    position = after.position(0)
    assert isinstance(position, RackPosition)
    return position


def _grown(before: TablePosition, after: TablePosition) -> set[int]:
    """The cells by which collections have grown."""
    return {cell for old, new in zip(before.table, after.table) for cell in new if cell not in old}


def _changed(before: RackPosition, after: RackPosition) -> list[str]:
    """The spots that lie otherwise than before."""
    if isinstance(before, BoardPosition) and isinstance(after, BoardPosition):
        return [
            f"cell:{layer}:{cell}"
            for layer, (old, new) in enumerate(zip(before.board, after.board))
            for cell in sorted(new)
            if old.get(cell) != new[cell]
        ]
    assert isinstance(before, TablePosition)
    assert isinstance(after, TablePosition)
    return [f"group:{slot}" for slot, (old, new) in enumerate(zip(before.table, after.table)) if old != new]


__all__ = ["FORFEIT_OF", "POOL", "Option", "cells_in", "option_of", "options", "options_with"]
