"""MaskablePPO of sb3-contrib on one side of the card game, against an agent of this project.

    pip install 'burako-selfplay[sb3]'
    python -m experiments.examples.maskable_ppo --decisions 100000 --opponent random

Stable-Baselines3 steps single tables one after another, which costs more than the network does. Use it to compare
algorithms, and `burako train` to train bots.
"""

from __future__ import annotations

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
from burako_env.vector import env_id
from experiments.examples.common import POINTS, SCALE, Observation, arguments, measured


def table(game: str, opponent: agents.Agent, root_seed: int) -> gymnasium.Env[Any, Any]:
    """One table as Stable-Baselines3 expects it: the View as float32, without the mask, which it asks for itself."""
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


def main(argv: Sequence[str] | None = None) -> tuple[float, float]:
    """Train and measure."""
    given, opponent = arguments("MaskablePPO on one side of the card game", argv, decisions=100_000)
    model = train(given.game, opponent, given.decisions, seed=given.seed)

    def best(observation: Observation) -> np.ndarray:
        views, masks = scaled(observation["observation"]), observation["action_mask"]
        return model.predict(views, action_masks=masks, deterministic=True)[0]

    return measured(best, given, opponent)


if __name__ == "__main__":
    main()
