"""The bots that come with the framework, by name, each for the games there is a file for.

The files lie in `agents/bots/`, each with a card that says how it was trained and how strong it is.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any, ClassVar, Final

from agents.base import Agent, Floats
from agents.learned.agent import LearnedAgent
from burako_env.batch import Bools, Ints
from burako_env.errors import UserError
from burako_env.layout import View
from burako_env.rng import U64

BOTS: Final = Path(__file__).parents[1] / "bots"


def games_of(bot: str) -> tuple[str, ...]:
    """Games there is a file of a bot for."""
    return tuple(sorted(path.name.removesuffix(f"-{bot}.safetensors") for path in BOTS.glob(f"*-{bot}.safetensors")))


class ShippedBot(Agent):
    """A bot of `agents/bots/`; which file it is depends on the game.

    Args:
        temperature: as for `LearnedAgent`.
    """

    bot: ClassVar[str]

    def __init__(self, temperature: float = 0.0) -> None:
        self.temperature = temperature
        self._agent: LearnedAgent | None = None

    def bind(self, game: str, config: Mapping[str, Any] | None = None) -> None:
        path = BOTS / f"{game}-{self.bot}.safetensors"
        if not path.is_file():
            known = ", ".join(games_of(self.bot))
            raise UserError(f"there is no bot {self.bot} for {game}, only for {known}: train one (docs/training.md)")
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
            self.bind(f"burako-{view.layout.shapes['hand_sizes'][0]}")
        assert self._agent is not None
        return self._agent


class PpoBot(ShippedBot):
    """Trained in self-play by PPO, on top of the heuristic's advice."""

    bot = "ppo"


class CloneBot(ShippedBot):
    """An imitation of the heuristic, from its games alone."""

    bot = "clone"
