"""PPO with TorchRL's parts on one side of the card game, and its multi-agent wrapper around the PettingZoo environment.

    pip install 'burako-selfplay[clients]'
    python -m experiments.examples.torchrl_ppo --decisions 100000 --opponent random

TorchRL resets tables that have ended itself, so the vector environment is made with `autoreset_mode="Disabled"`.
"""

from __future__ import annotations

from collections.abc import Sequence

import gymnasium
import numpy as np
import torch
from tensordict import TensorDict
from tensordict.nn import TensorDictModule
from torch import Tensor, nn
from torchrl.envs import EnvBase, GymWrapper, PettingZooWrapper
from torchrl.modules import MaskedCategorical, ProbabilisticActor, ValueOperator
from torchrl.objectives import ClipPPOLoss
from torchrl.objectives.value import GAE

import agents
from burako_env import burako_v0
from burako_env.vector import env_id
from experiments.examples.common import POINTS, SCALE, Observation, arguments, measured

TABLES, STEPS, EPOCHS, MINIBATCH = 64, 64, 4, 1024


class Trunk(nn.Module):
    """A network on the View `[.., F]`, int8."""

    def __init__(self, columns: int, outputs: int) -> None:
        super().__init__()
        head = nn.Linear(128, outputs)
        nn.init.normal_(head.weight, std=0.01)
        self.layers = nn.Sequential(nn.Linear(columns, 128), nn.Tanh(), head)

    def forward(self, observation: Tensor) -> Tensor:
        found: Tensor = self.layers(observation.float() / SCALE)
        return found


class Policy(Trunk):
    """Logits `[.., A]` and the legal actions, bool; where a hand is over action 0 stands for all."""

    def forward(self, observation: Tensor, action_mask: Tensor) -> tuple[Tensor, Tensor]:  # type: ignore[override]
        mask = action_mask.bool()
        mask = torch.cat([mask[..., :1] | ~mask.any(dim=-1, keepdim=True), mask[..., 1:]], dim=-1)
        return super().forward(observation), mask


def actor_of(columns: int, actions: int) -> ProbabilisticActor:
    """A policy that plays legal actions only."""
    module = TensorDictModule(Policy(columns, actions), ["observation", "action_mask"], ["logits", "mask"])
    return ProbabilisticActor(
        module, in_keys=["logits", "mask"], distribution_class=MaskedCategorical, return_log_prob=True
    )


def tables(game: str, opponent: agents.Agent, count: int) -> EnvBase:
    """The vector environment as TorchRL sees it, tables that have ended waiting for their reset."""
    envs = gymnasium.make_vec(
        env_id(game), count, opponents=opponent, points=POINTS, dense=True, autoreset_mode="Disabled"
    )
    return GymWrapper(envs, categorical_action_encoding=True)


def train(env: EnvBase, decisions: int, seed: int) -> ProbabilisticActor:
    """An actor trained for that many decisions."""
    torch.manual_seed(seed)
    torch.set_num_threads(1)
    env.set_seed(seed)
    columns = env.observation_spec["observation"].shape[-1]
    actor = actor_of(columns, env.action_spec.space.n)
    critic = ValueOperator(Trunk(columns, 1), in_keys=["observation"])
    estimate = GAE(gamma=1.0, lmbda=0.95, value_network=critic)
    loss = ClipPPOLoss(actor, critic, clip_epsilon=0.2, entropy_coeff=0.01, normalize_advantage=True)
    optimiser = torch.optim.Adam(loss.parameters(), lr=5e-4)
    state = env.reset()
    for _ in range(max(1, decisions // (TABLES * STEPS))):
        with torch.no_grad():
            rows = env.rollout(STEPS, actor, auto_reset=False, tensordict=state, break_when_any_done=False)
            estimate(rows)
        state = next_state(env, rows)
        flat = rows.reshape(-1)
        for _ in range(EPOCHS):
            for part in torch.split(torch.randperm(len(flat)), MINIBATCH):
                losses = loss(flat[part])
                optimiser.zero_grad()
                (losses["loss_objective"] + losses["loss_critic"] + losses["loss_entropy"]).backward()
                nn.utils.clip_grad_norm_(loss.parameters(), 0.5)
                optimiser.step()
    return actor


def next_state(env: EnvBase, rows: TensorDict) -> TensorDict:
    """Where the next rollout begins: the last observations, tables that have ended dealt anew."""
    last = rows[:, -1]["next"].select("observation", "action_mask", "done", "terminated", "truncated")
    state: TensorDict = env.maybe_reset(last)
    return state


def self_play(decisions: int, seed: int) -> TensorDict:
    """A rollout of random play at all four seats through the multi-agent wrapper."""
    env = PettingZooWrapper(burako_v0.env(), use_mask=True, categorical_actions=True, seed=seed)
    found: TensorDict = env.rollout(decisions)
    return found


def main(argv: Sequence[str] | None = None) -> float:
    """Train and measure."""
    given, opponent = arguments("PPO with TorchRL on one side of the card game", argv, decisions=100_000)
    print(f"the multi-agent wrapper has played {len(self_play(50, given.seed))} random decisions")
    actor = train(tables(given.game, opponent, TABLES), given.decisions, given.seed)

    @torch.no_grad()
    def drawn(observation: Observation) -> np.ndarray:
        seen = {name: torch.as_tensor(array) for name, array in observation.items()}
        found: np.ndarray = actor(TensorDict(seen, batch_size=[given.hands]))["action"].numpy()
        return found

    return measured(drawn, given, opponent)[0]


if __name__ == "__main__":
    main()
