"""What each choice of a position is worth: paired, determinised rollouts.

The hidden cards are redrawn in agreement with what the seat knows (`sample_states`, INFO-3 included). Every choice of a
position meets the same redraws, and the players after it the same chance, so differences between choices are less noisy
than the values themselves. All games of several positions are played in one batch.
"""

from __future__ import annotations

from typing import Final

import numpy as np
import numpy.typing as npt

from agents import Agent
from burako_env.batch import BatchGame, Ints
from burako_env.choice import random_legal
from burako_env.rng import combine
from experiments.discards.suite import Suite

Points = npt.NDArray[np.int32]

# Which stream of the seed redraws the cards.
_REDRAW: Final = 102


def values(game: BatchGame, agent: Agent, suite: Suite, redraws: int, seed: int) -> tuple[Ints, Ints, Points]:
    """Points (own team minus the others) of every choice in every redraw.

    Position and choice int64 `[m]`, in order; points int32 `[m, redraws]`. `game` is any batch of the suite's game.
    """
    row, choice = np.nonzero(suite.legal)
    states = game.sample_states(suite.view, redraws, combine(seed, _REDRAW, suite.keys))
    copies = (row[:, None] * redraws + np.arange(redraws)).reshape(-1)
    played = states.select(copies)
    played.step(np.repeat(suite.actions[choice], redraws))
    play_out(played, agent)
    # The observer sits at seat 0 of the redrawn states.
    scores = played.scores
    return row, choice, (scores[:, 0] - scores[:, 1]).reshape(-1, redraws).astype(np.int32)


def play_out(game: BatchGame, agent: Agent) -> None:
    """Play every game of a batch to its end; a decision with one legal action is not put to the agent."""
    live = np.flatnonzero(~game.done)
    while live.size:
        words = game.legal_packed(live)
        actions = random_legal(words, np.zeros(len(words), dtype=np.uint64))
        several = np.flatnonzero(np.bitwise_count(words).sum(axis=1, dtype=np.int64) > 1)
        if several.size:
            at = live[several]
            legal = np.unpackbits(words[several].view(np.uint8), axis=1, bitorder="little").view(np.bool_)
            actions[several] = agent.act(game.view(at), legal, game.keys(at))
        game.step(actions, live, validate=False)
        live = live[~game.done[live]]
