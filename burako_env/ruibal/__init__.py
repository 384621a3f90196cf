"""The three children's levels that prepare for Burako, a game each: `LEVELS` by name.

A level is a folder of the same parts: actions, state, legality, transitions, view, sampling, positions, game.
"""

from __future__ import annotations

from typing import Final

from burako_env.ruibal.game import RuibalGame
from burako_env.ruibal.level1.game import PerceptionGame
from burako_env.ruibal.level2.game import BoardGame
from burako_env.ruibal.level3.game import TableGame

LEVELS: Final[dict[str, type[RuibalGame]]] = {
    "ruibal-1": PerceptionGame,
    "ruibal-2": BoardGame,
    "ruibal-3": TableGame,
}

__all__ = ["LEVELS", "BoardGame", "PerceptionGame", "RuibalGame", "TableGame"]
