"""The greedy player: one name for all levels, one scorer a level."""

from collections.abc import Callable, Mapping
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from agents.base import Agent
from agents.ruibal.level2 import scores as level2
from agents.ruibal.level3 import scores as level3
from burako_env.batch import Bools, Ints
from burako_env.chance.rng import U64
from burako_env.errors import unknown
from burako_env.layout import View
from burako_env.ruibal.level1 import PLACES
from burako_env.ruibal.rules import PRESETS

Scores = npt.NDArray[np.float32]


def level1(view: View, legal: Bools) -> Scores:
    """Points at the right place, which everybody can see; who is fastest is chance."""
    return np.pad(view.match, ((0, 0), (0, legal.shape[1] - PLACES))).astype(np.float32)


# What each legal action of n Views is worth, float32 [n, A]: larger is better, one point is about a crown.
SCORERS: Final[dict[str, Callable[[View, Bools], Scores]]] = dict(zip(PRESETS, (level1, level2, level3), strict=True))


class GreedyAgent(Agent):
    """Sound rule-based play of the children's levels: the action that gains most now, keeping what may gain later."""

    def __init__(self) -> None:
        self._scorer: Callable[[View, Bools], Scores] | None = None

    def bind(self, game: str, config: Mapping[str, Any] | None = None) -> None:
        if game not in SCORERS:
            raise unknown("game of greedy", game, PRESETS)
        self._scorer = SCORERS[game]

    def act(self, view: View, legal: Bools, keys: U64) -> Ints:
        if self._scorer is None:
            self.bind(level_of(view))
        assert self._scorer is not None
        action: Ints = np.where(legal, self._scorer(view, legal), np.float32(-np.inf)).argmax(axis=1)
        return action


def level_of(view: View) -> str:
    """The level that a View is of, for agents that nobody bound."""
    if "spread" in view.layout:
        return "ruibal-1"
    return "ruibal-2" if "board" in view.layout else "ruibal-3"
