"""MaskablePPO of sb3-contrib on one side of the card game, against an agent of this project.

    pip install 'burako-selfplay[sb3]'
    python -m experiments.examples.maskable_ppo --decisions 100000 --opponent random

Stable-Baselines3 steps single tables one after another, which costs more than the network does: it is here to compare
algorithms, `burako train` to train bots.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from functools import partial
from typing import Any

import gymnasium
import numpy as np
import torch
from gymnasium import spaces
from gymnasium.wrappers import TransformObservation, TransformReward
from sb3_contrib import MaskablePPO
from stable_baselines3.common.monitor import Monitor
from stable_baselines3.common.vec_env import DummyVecEnv

import agents
from burako_env.vector import GameVectorEnv, env_id

# Points of a hand that count 1, and what the View's numbers are divided by: networks like small numbers.
POINTS = 500.0
SCALE = 32.0


def table(game: str, opponent: agents.Agent, root_seed: int) -> gymnasium.Env[Any, Any]:
    """One table as Stable-Baselines3 wants it: the View as float32, without the mask (which it asks for by itself)."""
    env = gymnasium.make(env_id(game), opponents=opponent, root_seed=root_seed, dense=True)
    shape = env.observation_space["observation"].shape  # type: ignore[index]
    space = spaces.Box(-128 / SCALE, 127 / SCALE, shape, np.float32)
    seen = TransformObservation(env, lambda found: scaled(found["observation"]), space)
    return Monitor(TransformReward(seen, lambda reward: float(reward) / POINTS))


def scaled(view: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
    """Views int8 `[.., F]` as the network reads them."""
    return view.astype(np.float32) / np.float32(SCALE)


def train(game: str, opponent: agents.Agent, decisions: int, tables: int = 8, seed: int = 0) -> MaskablePPO:
    """A model trained for that many decisions."""
    # Its networks are so small that threads would only wait for each other.
    torch.set_num_threads(1)
    envs = DummyVecEnv([partial(table, game, opponent, seed + number) for number in range(tables)])
    model = MaskablePPO("MlpPolicy", envs, n_steps=256, batch_size=256, ent_coef=0.01, gamma=1.0, seed=seed)
    return model.learn(decisions)


def points(model: MaskablePPO, game: str, opponent: agents.Agent, hands: int, root_seed: int) -> tuple[float, float]:
    """Mean points per hand against the opponent, and half its 95% interval, on deals that were not trained on."""
    envs = GameVectorEnv(hands, game, opponents=opponent)
    observation, _ = envs.reset(seed=root_seed)
    results, over = np.zeros(hands), np.zeros(hands, dtype=np.bool_)
    while not over.all():
        actions, _ = model.predict(
            scaled(observation["observation"]), action_masks=observation["action_mask"], deterministic=True
        )
        observation, rewards, terminated, truncated, _ = envs.step(actions)
        results += rewards * ~over
        over |= terminated | truncated
    return float(results.mean()), float(1.96 * results.std(ddof=1) / hands**0.5)


def main(argv: Sequence[str] | None = None) -> tuple[float, float]:
    """Train and measure."""
    parser = argparse.ArgumentParser(description="MaskablePPO on one side of the card game")
    parser.add_argument("--game", default="burako-4")
    parser.add_argument("--opponent", default="random", help="any agent of `burako agents`, or a checkpoint")
    parser.add_argument("--decisions", type=int, default=100_000)
    parser.add_argument("--hands", type=int, default=500, help="hands of the measurement")
    parser.add_argument("--seed", type=int, default=0)
    given = parser.parse_args(argv)
    opponent = agents.load(given.opponent, given.game)
    model = train(given.game, opponent, given.decisions, seed=given.seed)
    mean, margin = points(model, given.game, opponent, given.hands, root_seed=1_000_003 + given.seed)
    print(f"{mean:+.0f} points per hand against {given.opponent} (95% interval +-{margin:.0f}, {given.hands} hands)")
    return mean, margin


if __name__ == "__main__":
    main()
