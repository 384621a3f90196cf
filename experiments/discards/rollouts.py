"""What each choice of a suite's positions is worth, by the paired rollouts of `agents/rollouts.py`."""

from __future__ import annotations

from typing import Final

import numpy as np
import numpy.typing as npt

from agents import Agent
from agents.rollouts import paired_values
from burako_env.batch import BatchGame, Ints
from burako_env.kit.rng import combine
from experiments.discards.suite import Suite

Points = npt.NDArray[np.int32]

# Which stream of the seed redraws the cards.
_REDRAW: Final = 102


def values(game: BatchGame, agent: Agent, suite: Suite, redraws: int, seed: int) -> tuple[Ints, Ints, Points]:
    """Points (own team minus the others) of every choice in every redraw.

    Position and choice int64 `[m]`, in order; points int32 `[m, redraws]`. `game` is any batch of the suite's game.
    """
    row, choice = np.nonzero(suite.legal)
    keys = combine(seed, _REDRAW, suite.keys)
    points = paired_values(game, agent, suite.view, keys, row, suite.actions[choice], redraws)
    return row, choice, points.astype(np.int32)
