"""The bots that come with the framework, by name, each for the games there is a file for.

The files lie in `agents/bots/`, each with a card that says how it was trained and how strong it is. A children's level
has a file for each number of players: `burako-4-ppo`, `ruibal-2-ppo-4`.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any, ClassVar, Final

from agents.base import Agent, Floats
from agents.learned.agent import LearnedAgent, Temperature
from agents.ruibal.agent import level_of
from burako_env.batch import Bools, Ints
from burako_env.errors import UserError
from burako_env.kit.rng import U64
from burako_env.layout import View
from burako_env.ruibal.rules import PRESETS as LEVELS
from burako_env.ruibal.rules import ruibal_rules

BOTS: Final = Path(__file__).parents[1] / "bots"


def games_of(bot: str) -> tuple[str, ...]:
    """Games there is a file of a bot for: `burako-4`, `ruibal-2 with 4 players`."""
    card_games = [path.stem.removesuffix(f"-{bot}") for path in BOTS.glob(f"*-{bot}.safetensors")]
    levels = [path.stem.split(f"-{bot}-") for path in BOTS.glob(f"*-{bot}-*.safetensors")]
    return (*sorted(card_games), *sorted(f"{game} with {players} players" for game, players in levels))


def file_of(bot: str, game: str, config: Mapping[str, Any] | None = None) -> Path:
    """Where the file of a bot for a game lies, if there is one."""
    players = f"-{ruibal_rules(game, config).players}" if game in LEVELS else ""
    return BOTS / f"{game}-{bot}{players}.safetensors"


class ShippedBot(Agent):
    """A bot of `agents/bots/`; which file it is depends on the game.

    Args:
        temperature: as for `LearnedAgent`.
    """

    bot: ClassVar[str]

    def __init__(self, temperature: Temperature = 0.0) -> None:
        self.temperature = temperature
        self._agent: LearnedAgent | None = None

    def bind(self, game: str, config: Mapping[str, Any] | None = None) -> None:
        path = file_of(self.bot, game, config)
        if not path.is_file():
            known = ", ".join(games_of(self.bot))
            table = f"{game} with {ruibal_rules(game, config).players} players" if game in LEVELS else game
            raise UserError(f"there is no bot {self.bot} for {table}, only for {known}: train one (docs/training.md)")
        self._agent = LearnedAgent(path, self.temperature)
        self._agent.bind(game, config)

    def act(self, view: View, legal: Bools, keys: U64) -> Ints:
        return self._bound(view).act(view, legal, keys)

    def preferences(self, view: View, legal: Bools, keys: U64) -> Floats:
        return self._bound(view).preferences(view, legal, keys)

    def values(self, view: View) -> Floats | None:
        return self._bound(view).values(view)

    @property
    def network(self) -> LearnedAgent | None:
        """The agent of the file, once a game is known."""
        return self._agent

    def _bound(self, view: View) -> LearnedAgent:
        """The network for the game of a View."""
        if self._agent is None:
            shapes = view.layout.shapes
            if "hand_sizes" in shapes:
                self.bind(f"burako-{shapes['hand_sizes'][0]}")
            else:
                self.bind(level_of(view), {"players": shapes["crowns"][0]})
        assert self._agent is not None
        return self._agent


class PpoBot(ShippedBot):
    """Trained in self-play by PPO, on top of the advice of the game's own heuristic."""

    bot = "ppo"


class CloneBot(ShippedBot):
    """An imitation of the heuristic, from its games alone."""

    bot = "clone"


class DmcBot(ShippedBot):
    """Trained by deep Monte-Carlo from the heuristic's games and its own."""

    bot = "dmc"
