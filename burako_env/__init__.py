"""The games of burako-selfplay. `make(name, batch)` gives a `BatchGame`; `burako_v0.env()` a PettingZoo environment.

Importing the package makes the games known to Gymnasium: `gymnasium.make("burako_env/Burako4-v0")`.
"""

from importlib.metadata import PackageNotFoundError, version

from burako_env.batch import REASONS, BatchGame, IllegalAction
from burako_env.envs import registration  # noqa: F401  makes the games known to Gymnasium
from burako_env.errors import UserError
from burako_env.families import game_names, make
from burako_env.kit.memory import keep_freed_memory
from burako_env.layout import View

__all__ = ["REASONS", "BatchGame", "IllegalAction", "UserError", "View", "__version__", "game_names", "make"]

try:
    __version__ = version("burako-selfplay")
except PackageNotFoundError:
    # A checkout that nobody has installed.
    __version__ = "0+checkout"

keep_freed_memory()
