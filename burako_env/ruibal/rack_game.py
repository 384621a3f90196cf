"""RackGame: the two levels with racks, whose turns are alike; they differ in where tiles are laid."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, ClassVar

import numpy as np

from burako_env.batch import Ints
from burako_env.ruibal.actions import Kind
from burako_env.ruibal.game import RuibalGame
from burako_env.ruibal.state import RackState
from burako_env.ruibal.tiles import Cells
from burako_env.ruibal.turns import PLAIN
from burako_env.ruibal.zones import Index


class RackGame(RuibalGame):
    """Games of level 2 or 3.

    moves: what laying tiles and releasing a joker do to the state, by the kind of action: called with the state, the
    games and the cells of each, uint32 `[n]`. Everything else is in `turns.py`.
    """

    private_fields = ("rack", "stolen", "lost")
    _state: RackState
    moves: ClassVar[dict[Kind, Callable[[Any, Index, Cells], None]]]

    def _act(self, kind: int, games: Index, actions: Ints) -> None:
        if kind in self.moves:
            rows = self.table.rows[actions]
            cells = np.uint32(1) << rows["tile"].astype(np.uint32) if kind == Kind.RELEASE else rows["cells"]
            self.moves[Kind(kind)](self._state, games, cells)
        else:
            PLAIN[Kind(kind)](self._state, games)
