"""The network being trained: acting, values, one optimiser step and the average; the algorithms share it.

Policy and critic are separate networks with one Adam. Their gradients lie in one flat vector, which the ranks
average; the two norms are bounded apart.
"""

from __future__ import annotations

import copy
import math
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
import numpy.typing as npt
import torch
from torch import Tensor

from agents.learned.chance import draw, uniform
from agents.learned.checkpoint import Arrays, fill_module, module_arrays
from agents.learned.encoder import U8, Encoder, floats
from agents.learned.network import NetConfig, make_policy, make_value, playable
from burako_env.kit.rng import combine
from experiments.train.ranks import Diverged, Team
from experiments.train.rollout import F32, Choice, Rollout, Situation, unpack

# Rows whose values are asked for at once.
_ROWS: Final = 2048
_DRAW: Final = 3


@dataclass(frozen=True)
class Batch:
    """A minibatch on the device: x float32 `[m, D]`, hidden float32 `[m, X]`, legal bool `[m, A]`, actions int64
    `[m]`, advice int64 `[m]` or `[0]`.
    """

    x: Tensor
    hidden: Tensor
    legal: Tensor
    actions: Tensor
    advice: Tensor


class Learner:
    """Policy, critic, optimiser; `shown` is the policy that is evaluated and saved, see `average`.

    Args:
        num_actions, hidden: sizes A and X.
        policy, value: shapes of the networks. seed: of their first weights.
    """

    def __init__(
        self,
        encoder: Encoder,
        num_actions: int,
        hidden: int,
        policy: NetConfig,
        value: NetConfig,
        seed: int,
        team: Team,
        device: str,
    ) -> None:
        self.encoder, self.team, self.device = encoder, team, torch.device(device)
        self.policy_config, self.value_config, self.hidden = policy, value, hidden
        self.policy = make_policy(policy, encoder, num_actions, seed).to(self.device)
        self.value = make_value(value, encoder, hidden, seed + 1).to(self.device)
        self.shown = self.policy
        self.parameters = [*self.policy.parameters(), *self.value.parameters()]
        self._policy_size = sum(parameter.numel() for parameter in self.policy.parameters())
        # One more number travels with the gradients: the algorithm's own, see `step`.
        self.gradient = torch.zeros(self.size + 1, device=self.device)
        start = 0
        for parameter in self.parameters:
            parameter.grad = self.gradient[start : start + parameter.numel()].view_as(parameter)
            start += parameter.numel()
        self.new_optimiser()

    @property
    def size(self) -> int:
        """Weights of both networks."""
        return sum(parameter.numel() for parameter in self.parameters)

    def new_optimiser(self) -> None:
        """Forget the optimiser's running means."""
        self.optimiser = torch.optim.Adam(self.parameters, lr=1e-3, eps=1e-5, fused=True)
        for parameter in self.parameters:
            state = {"step": torch.zeros((), device=self.device)}
            state |= {name: torch.zeros_like(parameter) for name in ("exp_avg", "exp_avg_sq")}
            self.optimiser.state[parameter] = state

    # Acting.

    def critic(self, x: Tensor, hidden: Tensor) -> Tensor:
        """Values float32 `[m]`."""
        found: Tensor = self.value(torch.cat([x, hidden], dim=1) if hidden.shape[1] else x)
        return found[:, 0]

    def floats(self, features: U8) -> Tensor:
        """Features as the network reads them."""
        return floats(self.encoder, torch.from_numpy(features).to(self.device))

    def _counts(self, hidden: U8) -> Tensor:
        return torch.from_numpy(hidden).to(self.device).float()

    @torch.inference_mode()
    def values(self, features: U8, hidden: U8) -> F32:
        """What positions are worth to who acts, float32 `[n]`."""
        found = [
            self.critic(self.floats(features[i : i + _ROWS]), self._counts(hidden[i : i + _ROWS]))
            for i in range(0, len(features), _ROWS)
        ]
        values: F32 = torch.cat(found).cpu().numpy()
        return values

    @torch.inference_mode()
    def choose(self, situation: Situation) -> Choice:
        """Actions drawn from the policy."""
        x = self.floats(situation.features)
        advice = torch.from_numpy(situation.advice).to(self.device)
        logits = playable(self.policy(x, advice), torch.from_numpy(situation.legal).to(self.device))
        probabilities = logits.softmax(dim=1)
        actions = draw(probabilities, torch.from_numpy(uniform(situation.keys, _DRAW)).to(self.device))
        taken = probabilities.gather(1, actions[:, None])[:, 0].log()
        value = self.critic(x, self._counts(situation.hidden))
        chosen = actions.cpu().numpy()
        return Choice(chosen, chosen, taken.cpu().numpy(), value.cpu().numpy())

    # Learning.

    def batch(self, rollout: Rollout, rows: npt.NDArray[np.intp]) -> Batch:
        """Some rows of a rollout on the device."""
        return Batch(
            x=self.floats(rollout.features[rows]),
            hidden=self._counts(rollout.hidden[rows]),
            legal=torch.from_numpy(unpack(rollout.words[rows])).to(self.device),
            actions=torch.from_numpy(rollout.actions[rows]).to(self.device),
            advice=torch.from_numpy(rollout.advice[rows] if len(rollout.advice) else rollout.advice).to(self.device),
        )

    def step(self, loss: Tensor, lr: float, bound: float, extra: float = 0.0) -> tuple[float, float, float]:
        """One step on the mean loss of all ranks.

        Returns the norms of the policy's and the critic's gradient before they were bounded, and the mean of `extra`.
        Raises `Diverged`, on all ranks at once, before a step that is no number.
        """
        self.gradient.zero_()
        loss.backward()  # type: ignore[no-untyped-call]
        self.gradient[-1] = extra
        self.team.mean_(self.gradient)
        norms = []
        for part in (self.gradient[: self._policy_size], self.gradient[self._policy_size : -1]):
            norm = float(part.norm())
            if norm > bound:
                part.mul_(bound / norm)
            norms.append(norm)
        if not all(map(math.isfinite, norms)):
            # The weights are still those before the step, on every rank: they all see the same gradient.
            raise Diverged("training has diverged: a gradient is no longer a finite number; lower the learning rate")
        for group in self.optimiser.param_groups:
            group["lr"] = lr
        self.optimiser.step()
        return norms[0], norms[1], float(self.gradient[-1])

    def average(self, memory: float) -> None:
        """Take the policy into a running average of policies, which is shown from now on (Polyak and Juditsky 1992).

        `memory` is the weight of the average so far. A step follows the luck of some hundred hands; an average of many
        policies has less of it and plays better.
        """
        if self.shown is self.policy:
            self.shown = copy.deepcopy(self.policy).requires_grad_(False)
        with torch.no_grad():
            for mean, now in zip(self.shown.parameters(), self.policy.parameters()):
                mean.lerp_(now, 1 - memory)

    # Saving.

    def state(self) -> Arrays:
        """Weights and optimiser by name."""
        found = module_arrays(self.policy, "policy") | module_arrays(self.value, "value")
        if self.shown is not self.policy:
            found |= module_arrays(self.shown, "shown")
        for number, parameter in enumerate(self.parameters):
            for name, tensor in self.optimiser.state[parameter].items():
                found[f"adam.{number}.{name}"] = tensor.cpu().numpy().copy()
        return found

    def load_state(self, state: Arrays) -> None:
        """Put a saved state back."""
        fill_module(self.policy, state, "policy", "the saved state")
        fill_module(self.value, state, "value", "the saved state")
        if any(name.startswith("shown.") for name in state):
            self.shown = copy.deepcopy(self.policy).requires_grad_(False)
            fill_module(self.shown, state, "shown", "the saved state")
        for number, parameter in enumerate(self.parameters):
            for name, tensor in self.optimiser.state[parameter].items():
                tensor.copy_(torch.from_numpy(state[f"adam.{number}.{name}"]))


def minibatches(count: int, parts: int, *key: int) -> Iterator[npt.NDArray[np.intp]]:
    """`range(count)` shuffled and cut into `parts`; a pure function of the key."""
    order = np.random.default_rng(int(combine(*key)[0])).permutation(count)
    yield from np.array_split(order, parts)


def linear(schedule: tuple[float, float], share: float) -> float:
    """A schedule's value after a share of its decisions."""
    first, last = schedule
    return first + (last - first) * min(share, 1.0)


class Means:
    """Running means of numbers by name."""

    def __init__(self) -> None:
        self._sums: dict[str, Any] = {}
        self._count = 0

    def add(self, **values: Any) -> None:
        """One more of each; tensors stay tensors, so that nothing waits for them."""
        self._count += 1
        for name, value in values.items():
            found = value.detach() if isinstance(value, Tensor) else value
            self._sums[name] = self._sums[name] + found if name in self._sums else found

    def mean(self, prefix: str) -> dict[str, float]:
        """The means, their names with a prefix."""
        return {f"{prefix}{name}": float(total) / self._count for name, total in self._sums.items()}
