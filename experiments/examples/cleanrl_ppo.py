"""PPO in one file, in the manner of CleanRL, over the vector environment: the whole algorithm can be read here.

    python -m experiments.examples.cleanrl_ppo --decisions 200000 --opponent random

All tables are stepped as one batch, so this is the short way to try your own algorithm; to train a strong bot, use
`burako train`.
"""

from __future__ import annotations

from collections.abc import Sequence

import gymnasium
import numpy as np
import torch
from gymnasium.vector import VectorEnv
from torch import Tensor, nn

from burako_env.vector import env_id
from experiments.examples.common import POINTS, SCALE, Observation, arguments, measured

TABLES, STEPS, EPOCHS, MINIBATCH = 64, 64, 4, 1024
CLIP, LAMBDA, ENTROPY, LEARNING_RATE = 0.2, 0.95, 0.01, 5e-4


class Network(nn.Module):
    """Logits of the legal actions, and the value of the position."""

    def __init__(self, columns: int, actions: int) -> None:
        super().__init__()
        self.trunk = nn.Sequential(nn.Linear(columns, 128), nn.Tanh(), nn.Linear(128, 128), nn.Tanh())
        self.policy, self.value = nn.Linear(128, actions), nn.Linear(128, 1)
        # Even odds and the value 0 at first.
        for head in (self.policy, self.value):
            nn.init.normal_(head.weight, std=0.01)
            nn.init.zeros_(head.bias)

    def forward(self, views: Tensor, masks: Tensor) -> tuple[torch.distributions.Categorical, Tensor]:
        hidden = self.trunk(views.float() / SCALE)
        logits = self.policy(hidden).masked_fill(~masks, -1e9)
        return torch.distributions.Categorical(logits=logits, validate_args=False), self.value(hidden).squeeze(-1)


def seen(observation: Observation) -> tuple[Tensor, Tensor]:
    """Views int8 `[n, F]` and legal actions bool `[n, A]`; where a hand is over action 0 stands for all."""
    masks = torch.as_tensor(observation["action_mask"]).bool()
    masks[~masks.any(dim=1), 0] = True
    return torch.as_tensor(observation["observation"]), masks


def advantages(rewards: Tensor, values: Tensor, last: Tensor, ends: Tensor) -> Tensor:
    """Generalised advantage estimates `[STEPS, TABLES]` without discount; `ends`: the hand ended in that step."""
    found, following, ahead = torch.zeros_like(rewards), last, torch.zeros_like(last)
    for step in reversed(range(len(rewards))):
        live = ~ends[step]
        ahead = rewards[step] + following * live - values[step] + LAMBDA * live * ahead
        found[step], following = ahead, values[step]
    return found


def train(envs: VectorEnv, decisions: int, seed: int) -> Network:
    """A network trained for that many decisions."""
    torch.manual_seed(seed)
    torch.set_num_threads(1)
    columns = envs.single_observation_space["observation"].shape[0]  # type: ignore[index]
    network = Network(columns, int(envs.single_action_space.n))  # type: ignore[attr-defined]
    optimiser = torch.optim.Adam(network.parameters(), lr=LEARNING_RATE, eps=1e-5)
    views, masks = seen(envs.reset(seed=seed)[0])
    for _ in range(max(1, decisions // (TABLES * STEPS))):
        rows: list[tuple[Tensor, ...]] = []
        for _ in range(STEPS):
            with torch.no_grad():
                choice, value = network(views, masks)
                action = choice.sample()
            observation, reward, terminated, truncated, _ = envs.step(action.numpy())
            ends, paid = torch.as_tensor(terminated | truncated), torch.as_tensor(reward, dtype=torch.float32)
            rows.append((views, masks, action, choice.log_prob(action), value, paid, ends))
            views, masks = seen(observation)
        batch_views, batch_masks, actions, logs, values, rewards, over = (torch.stack(part) for part in zip(*rows))
        with torch.no_grad():
            last = network(views, masks)[1]
        gains = advantages(rewards, values, last, over)
        flat = [part.flatten(0, 1) for part in (batch_views, batch_masks, actions, logs, gains, gains + values)]
        for _ in range(EPOCHS):
            for part in torch.split(torch.randperm(len(flat[0])), MINIBATCH):
                update(network, optimiser, [column[part] for column in flat])
    return network


def update(network: Network, optimiser: torch.optim.Optimizer, rows: list[Tensor]) -> None:
    """One step of the clipped objective."""
    views, masks, actions, logs, gains, returns = rows
    choice, value = network(views, masks)
    ratio = (choice.log_prob(actions) - logs).exp()
    gains = (gains - gains.mean()) / (gains.std() + 1e-8)
    policy_loss = torch.maximum(-gains * ratio, -gains * ratio.clamp(1 - CLIP, 1 + CLIP)).mean()
    loss = policy_loss + 0.5 * (value - returns).pow(2).mean() - ENTROPY * choice.entropy().mean()
    optimiser.zero_grad()
    loss.backward()
    nn.utils.clip_grad_norm_(network.parameters(), 0.5)
    optimiser.step()


def main(argv: Sequence[str] | None = None) -> tuple[float, float]:
    """Train and measure."""
    given, opponent = arguments("PPO in one file on one side of the card game", argv, decisions=200_000)
    # SameStep: every step is a decision, so nothing has to be left out of what is learned from.
    envs = gymnasium.make_vec(
        env_id(given.game), TABLES, opponents=opponent, points=POINTS, dense=True, autoreset_mode="SameStep"
    )
    network = train(envs, given.decisions, given.seed)

    @torch.no_grad()
    def best(observation: Observation) -> np.ndarray:
        found: np.ndarray = network(*seen(observation))[0].probs.argmax(dim=1).numpy()
        return found

    return measured(best, given, opponent)


if __name__ == "__main__":
    main()
