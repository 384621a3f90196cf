"""The three children's levels that prepare for Burako, a game each: `LEVELS` by name.

A level is one class, a `RuibalGame`: `level1.py`, `level2/game.py` and `level3/game.py`. What the two levels with racks
have in common is `turns.RackGame`.
"""

from typing import Final

from burako_env.ruibal.game import RuibalGame
from burako_env.ruibal.level1 import PerceptionGame
from burako_env.ruibal.level2.game import BoardGame
from burako_env.ruibal.level3.game import TableGame

LEVELS: Final[dict[str, type[RuibalGame]]] = {"ruibal-1": PerceptionGame, "ruibal-2": BoardGame, "ruibal-3": TableGame}

__all__ = ["LEVELS", "BoardGame", "PerceptionGame", "RuibalGame", "TableGame"]
