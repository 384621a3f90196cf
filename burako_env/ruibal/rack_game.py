"""RackGame: the two levels with racks, whose turns are alike; they differ in where tiles are laid."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, ClassVar

import numpy as np
import numpy.typing as npt

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

    _state: RackState
    moves: ClassVar[dict[Kind, Callable[[Any, Index, Cells], None]]]

    def _play(self, games: Index, actions: npt.NDArray[np.int64]) -> None:
        for kind, at, rows in self._by_kind(games, actions):
            if kind == Kind.RELEASE:
                self.moves[kind](self._state, at, np.uint32(1) << rows["tile"].astype(np.uint32))
            elif kind in self.moves:
                self.moves[kind](self._state, at, rows["cells"])
            else:
                PLAIN[kind](self._state, at)
