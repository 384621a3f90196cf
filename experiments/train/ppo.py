"""PPO in self-play (Schulman et al. 2017), with what self-play in games of hidden information has been found to need.

    for every round:
        play some decisions in every slot, against itself, earlier versions and fixed agents
        advantages: GAE over the stream of all seats' decisions (`returns.py`), normalised over the round
        for every epoch and minibatch: a step of Adam on `ppo_loss`
            stop the round once the policy has moved by target_kl

Schedules are linear in decisions, never in time.
"""

import copy
import dataclasses
from collections.abc import Iterator

import numpy as np
import torch
from torch import Tensor, nn
from torch.nn.functional import huber_loss

from agents.learned.checkpoint import Arrays, fill_module, module_arrays
from agents.learned.network import masked
from experiments.train.augment import augmented
from experiments.train.context import Algorithm, TrainerContext, linear
from experiments.train.learner import Means, Minibatch
from experiments.train.rollout import Rollout


@dataclasses.dataclass(frozen=True)
class PpoLoss:
    """The loss and its terms, scalars. `approx_kl` and `clip_fraction` carry no gradient."""

    total: Tensor
    policy: Tensor
    value: Tensor
    entropy: Tensor
    magnet_kl: Tensor | None
    approx_kl: Tensor
    clip_fraction: Tensor


def ppo_loss(
    logits: Tensor,
    actions: Tensor,
    old_log_probs: Tensor,
    advantages: Tensor,
    values: Tensor,
    returns: Tensor,
    *,
    clip: float,
    dual_clip: float,
    value_weight: float,
    entropy_weight: float,
    magnet_weight: float = 0.0,
    magnet_logits: Tensor | None = None,
) -> PpoLoss:
    """The loss of a minibatch, to be made small: L = L_policy + c_v L_value - c_e H + c_m KL(policy || magnet).

    With the ratio r = pi(a) / pi_old(a) of an action's probabilities and its advantage A,

        L_policy = -mean min(r A, clamp(r, 1 - clip, 1 + clip) A), and for A < 0 not above -dual_clip A
        L_value  = mean Huber(V - R)
        H        = mean entropy of pi over the legal actions

    Args:
        logits: float32 `[m, A]`, illegal actions masked (`agents.learned.network.masked`).
        actions: int64 `[m]`. old_log_probs, advantages: of these actions, float32 `[m]`, when they were played.
        values, returns: V and R, float32 `[m]`.
        magnet_logits: masked logits of the magnet, float32 `[m, A]`; only read if `magnet_weight` is not 0.

    Sources: the clipped surrogate is equation 7 of Schulman et al. 2017, the sum of terms equation 9; the Huber loss
    stands where they have the square. dual_clip: Ye et al. 2020, "Mastering complex control in MOBA games with deep
    reinforcement learning". Masked logits: Huang and Ontanon 2022, "A closer look at invalid action masking in policy
    gradient algorithms". approx_kl is the low-variance estimate mean(r - 1 - log r) of KL(pi_old || pi) (Schulman
    2020, "Approximating KL divergence"), and with clip_fraction one of the diagnostics of Huang et al. 2022, "The 37
    implementation details of proximal policy optimization". magnet: Sokota et al. 2023, "A unified approach to
    reinforcement learning, quantal response equilibria, and two-player zero-sum games".
    """
    probs, log_probs = logits.softmax(dim=1), logits.log_softmax(dim=1)
    log_ratio = log_probs.gather(1, actions[:, None])[:, 0] - old_log_probs
    ratio = log_ratio.exp()
    entropy = -(probs * log_probs).sum(dim=1).mean()
    surrogate = torch.minimum(ratio * advantages, ratio.clamp(1 - clip, 1 + clip) * advantages)
    surrogate = torch.where(advantages < 0, torch.maximum(surrogate, dual_clip * advantages), surrogate)
    policy = -surrogate.mean()
    value = huber_loss(values, returns)
    total = policy - entropy_weight * entropy + value_weight * value
    magnet_kl = None
    if magnet_weight and magnet_logits is not None:
        magnet_kl = (probs * (log_probs - magnet_logits.log_softmax(dim=1))).sum(dim=1).mean()
        total = total + magnet_weight * magnet_kl
    with torch.no_grad():
        approx_kl = (ratio - 1 - log_ratio).mean()
        clip_fraction = ((ratio - 1).abs() > clip).float().mean()
    return PpoLoss(total, policy, value, entropy, magnet_kl, approx_kl, clip_fraction)


class Ppo(Algorithm):
    """The algorithm `ppo`."""

    name = "ppo"

    def __init__(self, context: TrainerContext) -> None:
        super().__init__(context)
        self.magnet: nn.Module | None = None

    def update(self) -> dict[str, float]:
        context = self.context
        found = super().update()
        # At first the average remembers no more rounds than there have been.
        context.learner.average(min(self.s.average, 1 - 1 / self.updates))
        left = context.pool.end_round(self.decisions, self.updates)
        if left is not None:
            context.worker.take_seats(left)
        return found | context.pool.metrics()

    def collect(self) -> Rollout:
        return self.context.worker.collect(self.s.steps, self.context.learner, self.context.pool, self.s.lam)

    def learn(self, rollout: Rollout) -> dict[str, float]:
        s, learner = self.s, self.context.learner
        share = self.decisions / self.total
        lr, entropy_weight, magnet_weight = (linear(pair, share) for pair in (s.lr, s.entropy, s.magnet))
        if magnet_weight and (self.magnet is None or self.updates % s.magnet_refresh == 0):
            self.magnet = copy.deepcopy(learner.policy).requires_grad_(False)
        normalised, count = self._normalised(rollout)
        means, stopped = Means(), False
        for batch in self._epochs(normalised, count):
            loss = self._loss(batch, entropy_weight, magnet_weight)
            policy_norm, value_norm, kl = learner.step(loss.total, lr, s.grad_norm, float(loss.approx_kl))
            if loss.magnet_kl is not None:
                means.add(magnet=loss.magnet_kl)
            means.add(
                loss_pi=loss.policy,
                loss_v=loss.value,
                entropy=loss.entropy,
                kl=kl,
                clipfrac=loss.clip_fraction,
                grad_norm=policy_norm,
                grad_norm_v=value_norm,
            )
            stopped = kl > s.target_kl
            if stopped:
                break
        self.decisions += int(count)
        return means.mean("train/") | {
            "train/lr": lr,
            "train/stopped": float(stopped),
            "train/explained_var": _explained(rollout),
        }

    def _epochs(self, rollout: Rollout, count: float) -> Iterator[Minibatch]:
        """The minibatches of all epochs."""
        context = self.context
        for epoch in range(self.s.epochs):
            rows = rollout
            if self.s.augment and epoch:
                block, key = context.learner.encoder.block, (context.settings.seed, self.updates, epoch)
                rows = augmented(rollout, context.game, block, *key, context.group.rank)
            yield from self.minibatches(rows, count, epoch)

    def _loss(self, batch: Minibatch, entropy_weight: float, magnet_weight: float) -> PpoLoss:
        learner, magnet_logits = self.context.learner, None
        if magnet_weight:
            assert self.magnet is not None
            with torch.no_grad():
                magnet_logits = masked(self.magnet(batch.x, batch.advice), batch.legal)
        return ppo_loss(
            masked(learner.policy(batch.x, batch.advice), batch.legal),
            batch.actions,
            batch.log_probs,
            batch.advantages,
            learner.critic(batch.x, batch.hidden),
            batch.returns,
            clip=self.s.clip,
            dual_clip=self.s.dual_clip,
            value_weight=self.s.value_weight,
            entropy_weight=entropy_weight,
            magnet_weight=magnet_weight,
            magnet_logits=magnet_logits,
        )

    def _normalised(self, rollout: Rollout) -> tuple[Rollout, float]:
        """The rollout with advantages of mean 0 and deviation 1 over all processes, and how many there are."""
        found = rollout.advantages.astype(np.float64)
        count, total, squares = self.context.group.sum([len(found), found.sum(), (found**2).sum()])
        mean = total / count
        deviation = max(squares / count - mean**2, 0.0) ** 0.5
        advantages = ((found - mean) / (deviation + 1e-8)).astype(np.float32)
        return dataclasses.replace(rollout, advantages=advantages), float(count)

    def state(self) -> Arrays:
        return super().state() | (module_arrays(self.magnet, "magnet") if self.magnet is not None else {})

    def load_state(self, state: Arrays) -> None:
        super().load_state(state)
        if any(name.startswith("magnet.") for name in state):
            self.magnet = copy.deepcopy(self.context.learner.policy).requires_grad_(False)
            fill_module(self.magnet, state, "magnet", "the saved state")


def _explained(rollout: Rollout) -> float:
    """Share of the returns' variance that the critic foresaw."""
    variance = float(np.var(rollout.returns))
    return 1 - float(np.var(rollout.returns - rollout.values)) / variance if variance else 0.0
