"""Deep Q-learning with Tianshou on one side of the card game, and its wrapper of the PettingZoo environment.

    pip install tianshou
    python -m experiments.examples.tianshou_dqn --decisions 20000 --opponent random

Tianshou 2.0 needs older versions of pandas and virtualenv than this project's other tools: give it its own
environment. It steps single tables one after another, so it is slow.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Any

import gymnasium
import numpy as np
import torch
from gymnasium import spaces
from gymnasium.wrappers import TransformObservation
from tianshou.algorithm import DQN
from tianshou.algorithm.modelfree.dqn import DiscreteQLearningPolicy
from tianshou.algorithm.multiagent.marl import MultiAgentOffPolicyAlgorithm
from tianshou.algorithm.optim import AdamOptimizerFactory
from tianshou.algorithm.random import MARLRandomDiscreteMaskedOffPolicyAlgorithm
from tianshou.data import Collector, VectorReplayBuffer
from tianshou.env import DummyVectorEnv, PettingZooEnv
from tianshou.trainer import OffPolicyTrainerParams
from tianshou.utils.net.common import Net

import agents
from burako_env import burako_v0
from burako_env.vector import env_id
from experiments.examples.common import POINTS, SCALE, Observation, arguments

TABLES = 4


def table(game: str, opponent: agents.Agent, root_seed: int) -> gymnasium.Env[Any, Any]:
    """One table with its observation under Tianshou's names: `obs` float32 `[F]`, `mask` bool `[A]`."""
    env = gymnasium.make(env_id(game), opponents=opponent, root_seed=root_seed, points=POINTS, dense=True)
    inner = env.observation_space
    space = spaces.Dict(
        {
            "obs": spaces.Box(-128 / SCALE, 127 / SCALE, inner["observation"].shape, np.float32),  # type: ignore[index]
            "mask": spaces.MultiBinary(inner["action_mask"].shape[0]),  # type: ignore[index]
        }
    )
    return TransformObservation(env, named, space)


def named(observation: Observation) -> Observation:
    """An observation under Tianshou's names."""
    return {
        "obs": observation["observation"].astype(np.float32) / np.float32(SCALE),
        "mask": observation["action_mask"].astype(np.bool_),
    }


def learner(env: gymnasium.Env[Any, Any]) -> DQN:
    """Q-learning with a target network, random in a tenth of its decisions."""
    net = Net(state_shape=env.observation_space["obs"].shape, action_shape=env.action_space.n, hidden_sizes=[128])  # type: ignore[index,attr-defined]
    policy = DiscreteQLearningPolicy(model=net, action_space=env.action_space, eps_training=0.1)
    return DQN(policy=policy, optim=AdamOptimizerFactory(lr=5e-4), gamma=1.0, target_update_freq=200)


def train(game: str, opponent: agents.Agent, decisions: int, seed: int) -> DQN:
    """A learner trained for that many decisions."""
    torch.manual_seed(seed)
    torch.set_num_threads(1)
    tables = DummyVectorEnv([partial(table, game, opponent, seed + number) for number in range(TABLES)])
    algorithm = learner(table(game, opponent, seed))
    collector = Collector(algorithm, tables, VectorReplayBuffer(20_000, TABLES), exploration_noise=True)
    collector.reset()
    collector.collect(n_step=TABLES * 64)
    algorithm.run_training(
        OffPolicyTrainerParams(
            training_collector=collector,
            max_epochs=1,
            epoch_num_steps=decisions,
            collection_step_num_env_steps=TABLES * 16,
            update_step_num_gradient_steps_per_sample=0.1,
            batch_size=128,
            test_collector=None,
            test_step_num_episodes=0,
            show_progress=False,
        )
    )
    return algorithm


def points(algorithm: DQN, game: str, opponent: agents.Agent, hands: int, root_seed: int) -> float:
    """Mean points per hand against the opponent, on deals that were not trained on."""
    collector = Collector(algorithm, DummyVectorEnv([partial(table, game, opponent, root_seed)]))
    collector.reset()
    return float(collector.collect(n_episode=hands).returns.mean()) * POINTS


def self_play(hands: int) -> float:
    """Random play at all four seats through the multi-agent wrapper; decisions per hand."""
    env = PettingZooEnv(burako_v0.env(rules={"max_turns": 40}))
    players = [MARLRandomDiscreteMaskedOffPolicyAlgorithm(env.action_space) for _ in env.agents]
    everybody = MultiAgentOffPolicyAlgorithm(algorithms=players, env=env)
    tables = DummyVectorEnv([lambda: PettingZooEnv(burako_v0.env(rules={"max_turns": 40}))])
    collector = Collector(everybody, tables, VectorReplayBuffer(5_000, 1), raise_on_nan_in_buffer=True)
    collector.reset()
    return float(collector.collect(n_episode=hands).lens.mean())


def main(argv: Sequence[str] | None = None) -> float:
    """Train and measure."""
    given, opponent = arguments("DQN of Tianshou on one side of the card game", argv, decisions=20_000, hands=100)
    print(f"the multi-agent wrapper plays {self_play(2):.0f} random decisions per hand")
    algorithm = train(given.game, opponent, given.decisions, given.seed)
    mean = points(algorithm, given.game, opponent, given.hands, root_seed=1_000_003 + given.seed)
    print(f"{mean:+.0f} points per hand against {given.opponent} ({given.hands} hands)")
    return mean


if __name__ == "__main__":
    main()
