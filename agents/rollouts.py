"""What each choice in a position is worth: paired, determinised rollouts.

The hidden cards are redrawn in agreement with what the seat knows (`sample_states`, INFO-3 included). Every choice of a
position meets the same redraws, and the players after it the same chance, so differences between choices are less noisy
than the values themselves. All games of several positions are played in one batch.
"""

import numpy as np
import numpy.typing as npt

from agents.base import Agent
from burako_env.batch import BatchGame, Ints
from burako_env.chance.rng import U64
from burako_env.choice import random_legal
from burako_env.layout import View

Floats = npt.NDArray[np.float32]


def paired_values(
    game: BatchGame, agent: Agent, view: View, keys: U64, row: Ints, action: Ints, redraws: int, depth: int = 0
) -> Floats:
    """Points (own side minus the mean of the others) of every choice in every redraw, float32 `[m, redraws]`.

    Args:
        game: any batch of the game. agent: plays all seats after the choice.
        view, keys: n positions of the seats to act, and what their redraws come from, uint64 `[n]`.
        row, action: m choices: the position of each, and what is done there.
        depth: decisions after the choice; 0 plays to the end. Where it cuts a hand short, the points so far count, and
            what the agent expects of the rest if it has an opinion (`Agent.values`).
    """
    states = game.sample_states(view, redraws, keys)
    copies = (row[:, None] * redraws + np.arange(redraws)).reshape(-1)
    played = states.select(copies)
    played.step(np.repeat(action, redraws))
    play_out(played, agent, depth)
    return worth(played, agent).reshape(-1, redraws)


def play_out(game: BatchGame, agent: Agent, depth: int = 0) -> None:
    """Play every game of a batch to its end, or for `depth` decisions if that is not 0.

    A decision with one legal action is not put to the agent.
    """
    live = np.flatnonzero(~game.done)
    taken = 0
    while live.size and (not depth or taken < depth):
        words = game.legal_packed(live)
        actions = random_legal(words, np.zeros(len(words), dtype=np.uint64))
        several = np.flatnonzero(np.bitwise_count(words).sum(axis=1, dtype=np.int64) > 1)
        if several.size:
            at = live[several]
            legal = np.unpackbits(words[several].view(np.uint8), axis=1, bitorder="little").view(np.bool_)
            actions[several] = agent.act(game.view(at), legal, game.keys(at))
        game.step(actions, live, validate=False)
        live = live[~game.done[live]]
        taken += 1


def worth(game: BatchGame, agent: Agent) -> Floats:
    """Points of the side of seat 0, where `sample_states` puts the observer, minus the mean of the others'; `[B]`."""
    scores = game.scores.astype(np.float32)
    own = int(game.side_of[0])
    others = (scores.sum(axis=1) - scores[:, own]) / np.float32(game.sides - 1)
    points: Floats = scores[:, own] - others
    live = np.flatnonzero(~game.done)
    # With more than two sides what another expects says nothing about the own side.
    expected = agent.values(game.view(live)) if live.size and game.sides == 2 else None
    if expected is not None:
        points[live] += np.where(game.side_of[game.to_act[live]] == own, expected, -expected)
    return points
