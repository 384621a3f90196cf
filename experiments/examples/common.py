"""What the example scripts share: their command line, and the measurement on deals that were not trained on."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Sequence

import numpy as np

import agents
from burako_env.vector import GameVectorEnv

# Points of a hand that count 1, and the divisor of the View's numbers: networks like small numbers.
POINTS, SCALE = 500.0, 32.0
Observation = dict[str, np.ndarray]


def arguments(
    description: str, argv: Sequence[str] | None, decisions: int, hands: int = 500
) -> tuple[argparse.Namespace, agents.Agent]:
    """The arguments of a script, and its opponent; `decisions` and `hands` are defaults."""
    parser = argparse.ArgumentParser(description=description)
    parser.add_argument("--game", default="burako-4")
    parser.add_argument("--opponent", default="random", help="any agent of `burako agents`, or a checkpoint")
    parser.add_argument("--decisions", type=int, default=decisions)
    parser.add_argument("--hands", type=int, default=hands, help="hands of the measurement")
    parser.add_argument("--seed", type=int, default=0)
    given = parser.parse_args(argv)
    return given, agents.load(given.opponent, given.game)


def measured(
    act: Callable[[Observation], np.ndarray], given: argparse.Namespace, opponent: agents.Agent
) -> tuple[float, float]:
    """Mean points per hand against the opponent, and half its 95% interval; prints both.

    `act` gives actions int64 `[n]` for observations `[n, ..]`.
    """
    envs = GameVectorEnv(given.hands, given.game, opponents=opponent)
    observation, _ = envs.reset(seed=1_000_003 + given.seed)
    results, over = np.zeros(given.hands), np.zeros(given.hands, dtype=np.bool_)
    while not over.all():
        observation, rewards, terminated, truncated, _ = envs.step(act(observation))
        results += rewards * ~over
        over |= terminated | truncated
    mean, margin = float(results.mean()), float(1.96 * results.std(ddof=1) / given.hands**0.5)
    said = f"95% interval +-{margin:.0f}, {given.hands} hands"
    print(f"{mean:+.0f} points per hand against {given.opponent} ({said})")
    return mean, margin
