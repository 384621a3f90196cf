"""What the PettingZoo environments of the three levels have in common; each level's module documents its own."""

from collections.abc import Mapping
from functools import partial
from typing import Any, ClassVar, Final

from burako_env.batch import BatchGame
from burako_env.envs.aec import BatchGameEnv
from burako_env.errors import UserError
from burako_env.families import make
from burako_env.render.modes import RENDER_MODES
from burako_env.ruibal.rules import ruibal_rules

# What an illegal action costs in env(): more than a game is worth.
ILLEGAL_REWARD: Final = -50.0


class RuibalEnv(BatchGameEnv):
    """One game of a level; each level's subclass names it."""

    game_name: ClassVar[str]

    def __init__(self, players: int = 4, render_mode: str | None = None, root_seed: int = 0) -> None:
        name = self.game_name
        ruibal_rules(name, {"players": players})
        super().__init__(partial(_make, name, players), root_seed=root_seed, render_mode=render_mode)


def metadata(name: str) -> dict[str, Any]:
    """What PettingZoo's tools read of an environment of this name."""
    return {"render_modes": list(RENDER_MODES), "name": name, "is_parallelizable": False, "render_fps": 1}


def _make(name: str, players: int, root_seed: int, rules: Mapping[str, Any]) -> BatchGame:
    """The game of one episode."""
    if rules.get("players", players) != players:
        raise UserError(f"rules of {name}: players = {rules['players']!r} is not a rule to change but an argument")
    return make(name, 1, root_seed, {**rules, "players": players})
