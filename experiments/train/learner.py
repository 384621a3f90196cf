"""The networks being trained: acting, values, one optimiser step and the average; the algorithms share them.

Policy and critic are separate networks with one Adam. Their gradients lie in one flat vector, which the process group
averages; each of the two norms has its own bound.
"""

import copy
import math
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
from experiments.train.acting import F32, Choice, Situation, unpack
from experiments.train.process_group import Diverged, ProcessGroup
from experiments.train.rollout import Rollout

# Rows whose values are asked for at once.
_ROWS: Final = 2048
_DRAW: Final = 3


@dataclass(frozen=True)
class Minibatch:
    """Rows of a rollout on the device: x float32 `[m, D]`, hidden float32 `[m, X]`, legal bool `[m, A]`, actions int64
    `[m]`, advice int64 `[m]` or `[0]`, log_probs, advantages and returns float32 `[m]`.
    """

    x: Tensor
    hidden: Tensor
    legal: Tensor
    actions: Tensor
    advice: Tensor
    log_probs: Tensor
    advantages: Tensor
    returns: Tensor


class Learner:
    """Policy, critic, optimiser; `shown` is the policy that is evaluated and saved, see `average`.

    Args:
        num_actions, hidden: sizes A and X.
        policy, value: shapes of the networks. seed: that of their first weights.
    """

    def __init__(
        self,
        encoder: Encoder,
        num_actions: int,
        hidden: int,
        policy: NetConfig,
        value: NetConfig,
        seed: int,
        group: ProcessGroup,
        device: str,
    ) -> None:
        self.encoder, self.group, self.device = encoder, group, torch.device(device)
        self.policy_config, self.value_config, self.hidden = policy, value, hidden
        self.policy = make_policy(policy, encoder, num_actions, seed).to(self.device)
        self.value = make_value(value, encoder, hidden, seed + 1).to(self.device)
        self.shown = self.policy
        self.parameters = [*self.policy.parameters(), *self.value.parameters()]
        # Weights of the policy, and of both networks.
        self._policy_size = sum(parameter.numel() for parameter in self.policy.parameters())
        self.size = sum(parameter.numel() for parameter in self.parameters)
        # One more number travels with the gradients: the algorithm's own, see `step`.
        self.gradient = torch.zeros(self.size + 1, device=self.device)
        start = 0
        for parameter in self.parameters:
            parameter.grad = self.gradient[start : start + parameter.numel()].view_as(parameter)
            start += parameter.numel()
        self.new_optimiser()

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

    def tensor(self, array: npt.NDArray[Any]) -> Tensor:
        """An array on the device."""
        return torch.from_numpy(array).to(self.device)

    def floats(self, features: U8) -> Tensor:
        """Features as the network reads them."""
        return floats(self.encoder, self.tensor(features))

    @torch.inference_mode()
    def values(self, features: U8, hidden: U8) -> F32:
        """The value of each position to the seat to act, float32 `[n]`."""
        found = [
            self.critic(self.floats(features[i : i + _ROWS]), self.tensor(hidden[i : i + _ROWS]).float())
            for i in range(0, len(features), _ROWS)
        ]
        values: F32 = torch.cat(found).cpu().numpy()
        return values

    @torch.inference_mode()
    def choose(self, situation: Situation) -> Choice:
        """Actions drawn from the policy."""
        x = self.floats(situation.features)
        logits = playable(self.policy(x, self.tensor(situation.advice)), self.tensor(situation.legal))
        probabilities = logits.softmax(dim=1)
        actions = draw(probabilities, self.tensor(uniform(situation.keys, _DRAW)))
        taken = probabilities.gather(1, actions[:, None])[:, 0].log()
        value = self.critic(x, self.tensor(situation.hidden).float())
        chosen = actions.cpu().numpy()
        return Choice(chosen, chosen, taken.cpu().numpy(), value.cpu().numpy())

    # Learning.

    def minibatch(self, rollout: Rollout, rows: npt.NDArray[np.intp]) -> Minibatch:
        """Some rows of a rollout on the device."""
        advice = rollout.advice[rows] if len(rollout.advice) else rollout.advice
        return Minibatch(
            x=self.floats(rollout.features[rows]),
            hidden=self.tensor(rollout.hidden[rows]).float(),
            legal=self.tensor(unpack(rollout.words[rows])),
            actions=self.tensor(rollout.actions[rows]),
            advice=self.tensor(advice),
            log_probs=self.tensor(rollout.logp[rows]),
            advantages=self.tensor(rollout.advantages[rows]),
            returns=self.tensor(rollout.returns[rows]),
        )

    def step(self, loss: Tensor, lr: float, bound: float, extra: float = 0.0) -> tuple[float, float, float]:
        """One step on the mean loss of the process group.

        Returns the norms of the policy's and the critic's gradient before they were bounded, and the mean of `extra`.
        Raises `Diverged`, in all processes at once, instead of taking a step that is not finite.
        """
        self.gradient.zero_()
        loss.backward()  # type: ignore[no-untyped-call]
        self.gradient[-1] = extra
        self.group.average_(self.gradient)
        norms = []
        for part in (self.gradient[: self._policy_size], self.gradient[self._policy_size : -1]):
            norm = float(part.norm())
            if norm > bound:
                part.mul_(bound / norm)
            norms.append(norm)
        if not all(map(math.isfinite, norms)):
            # All processes see the same gradient, so all raise here, and their weights are still those before the step.
            raise Diverged("training has diverged: a gradient is no longer a finite number; lower the learning rate")
        for group in self.optimiser.param_groups:
            group["lr"] = lr
        self.optimiser.step()
        return norms[0], norms[1], float(self.gradient[-1])

    def average(self, memory: float) -> None:
        """Take the policy into a running average of policies, which is shown from now on (Polyak and Juditsky 1992).

        `memory` is the weight of the average so far. A single policy follows the luck of a few hundred hands; an
        average of many depends less on it and plays better.
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


class Means:
    """Running means of numbers by name."""

    def __init__(self) -> None:
        self._found: dict[str, tuple[Any, int]] = {}

    def add(self, **values: Any) -> None:
        """One more of each; tensors stay tensors, so that nothing waits for them."""
        for name, value in values.items():
            total, count = self._found.get(name, (0.0, 0))
            self._found[name] = (total + (value.detach() if isinstance(value, Tensor) else value), count + 1)

    def mean(self, prefix: str) -> dict[str, float]:
        """The means, their names with a prefix."""
        return {f"{prefix}{name}": float(total) / count for name, (total, count) in self._found.items()}
