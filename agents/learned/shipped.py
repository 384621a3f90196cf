"""The bots that come with the framework, by name, each for the games there is a file for.

The files lie in `agents/bots/`, each with a card that says how it was trained and how strong it is. Where the rules say
who sits at the table, there is a file for each seating: `burako-4-ppo`, `ruibal-2-ppo-4` for four players.
"""

from collections.abc import Mapping
from pathlib import Path
from typing import Any, ClassVar, Final

from agents.base import Agent, Floats
from agents.learned.agent import LearnedAgent, Temperature
from agents.learned.checkpoint import load_network
from burako_env.batch import Bools, Ints
from burako_env.chance.rng import U64
from burako_env.errors import UserError
from burako_env.families import family_of
from burako_env.layout import View

BOTS: Final = Path(__file__).parents[1] / "bots"


def _seating(game: str, config: Mapping[str, Any] | None) -> dict[str, Any]:
    """The rule keys that say who sits at the table, with their values."""
    family = family_of(game)
    rules = family.rules(game, config)
    return {key: getattr(rules, key) for key in family.seating}


def _in_words(game: str, seating: Mapping[str, Any]) -> str:
    """A game with its seating: `burako-4`, `ruibal-2 with 4 players`."""
    return game + "".join(f" with {value} {key}" for key, value in seating.items())


class ShippedBot(Agent):
    """A bot of `agents/bots/`; which file it is depends on the game.

    Args:
        temperature: as for `LearnedAgent`.
    """

    bot: ClassVar[str]

    def __init__(self, temperature: Temperature = 0.0) -> None:
        self.temperature = temperature
        # The agent of the file, once a game is known.
        self.network: LearnedAgent | None = None

    def bind(self, game: str, config: Mapping[str, Any] | None = None) -> None:
        seating = _seating(game, config)
        path = BOTS / f"{'-'.join([game, self.bot, *map(str, seating.values())])}.safetensors"
        if not path.is_file():
            known = ", ".join(sorted(_in_words(name, _seating(name, rules)) for name, rules, _ in self._files()))
            table = _in_words(game, seating)
            raise UserError(f"there is no bot {self.bot} for {table}, only for {known}: train one (docs/training.md)")
        self.network = LearnedAgent(path, self.temperature)
        self.network.bind(game, config)

    def act(self, view: View, legal: Bools, keys: U64) -> Ints:
        return self._bound(view).act(view, legal, keys)

    def preferences(self, view: View, legal: Bools, keys: U64) -> Floats:
        return self._bound(view).preferences(view, legal, keys)

    def values(self, view: View) -> Floats | None:
        return self._bound(view).values(view)

    def _files(self) -> list[tuple[str, dict[str, Any], str]]:
        """Game, rules and layout of each file of this bot."""
        headers = [load_network(path)[0] for path in sorted(BOTS.glob(f"*-{self.bot}*.safetensors"))]
        return [(header.game, header.config, header.layout) for header in headers]

    def _bound(self, view: View) -> LearnedAgent:
        """The network for the game of a View."""
        if self.network is None:
            layout = view.layout.digest()
            game, config = next(((game, config) for game, config, its in self._files() if its == layout), ("", {}))
            if not game:
                raise UserError(f"there is no bot {self.bot} for the game of this View: train one (docs/training.md)")
            self.bind(game, config)
        assert self.network is not None
        return self.network


class PpoBot(ShippedBot):
    """Trained in self-play by PPO, on top of the advice of the game's own heuristic."""

    bot = "ppo"


class CloneBot(ShippedBot):
    """An imitation of the heuristic, from its games alone."""

    bot = "clone"


class DmcBot(ShippedBot):
    """Trained by deep Monte-Carlo from the heuristic's games and its own."""

    bot = "dmc"
