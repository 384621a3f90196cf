"""PPO in self-play (Schulman et al. 2017), with what self-play in games of hidden information has been found to want.

    for every round:
        play some decisions in every slot, against itself, earlier versions and fixed agents
        advantages: GAE over the stream of all seats' decisions, the sign of what follows changing with the side
        for every epoch and minibatch:
            policy: clipped surrogate, bounded below for bad actions (dual clip, Ye et al. 2020)
                    + entropy + KL to a lagged policy, the magnet (Sokota et al. 2023), if it has a weight
            critic: Huber loss with the lambda-returns
            stop the round once the policy has moved by target_kl

Advantages are normalised over the round and all ranks. Schedules are linear in decisions, never in time.
"""

from __future__ import annotations

import copy

import numpy as np
import torch
from torch import Tensor, nn
from torch.nn.functional import huber_loss

from agents.learned.checkpoint import Arrays, fill_module, module_arrays
from agents.learned.network import masked
from experiments.train.algorithm import Workshop
from experiments.train.augment import exchange_suits
from experiments.train.learner import Batch, Means, linear, minibatches
from experiments.train.rollout import Rollout


class Ppo:
    """The algorithm `ppo`."""

    name = "ppo"

    def __init__(self, workshop: Workshop) -> None:
        self.w = workshop
        self.s = workshop.settings.ppo
        self.total = self.s.decisions
        self.decisions = self.updates = 0
        self.magnet: nn.Module | None = None

    def update(self) -> dict[str, float]:
        w = self.w
        with w.clock.on("simulation"):
            rollout = w.collector.collect(self.s.steps, w.learner, w.league, self.s.lam)
        with w.clock.on("learning"):
            found = self._learn(rollout)
        self.updates += 1
        # At first the average remembers no more rounds than there have been.
        w.learner.average(min(self.s.average, 1 - 1 / self.updates))
        left = w.league.end_round(self.decisions, self.updates)
        if left is not None:
            w.collector.take_seats(left)
        return found | rollout.metrics() | w.league.metrics()

    def _learn(self, rollout: Rollout) -> dict[str, float]:
        s, w = self.s, self.w
        share = self.decisions / self.total
        lr, entropy_weight, magnet_weight = (linear(pair, share) for pair in (s.lr, s.entropy, s.magnet))
        if magnet_weight and (self.magnet is None or self.updates % s.magnet_refresh == 0):
            self.magnet = copy.deepcopy(w.learner.policy).requires_grad_(False)
        advantages, count = self._normalised(rollout)
        parts = max(1, round(count / w.team.size / s.minibatch))
        means, stopped = Means(), False
        for epoch in range(s.epochs):
            used = exchange_suits(rollout, w, self.updates, epoch) if s.augment and epoch else rollout
            for rows in minibatches(len(rollout), parts, w.settings.seed, self.updates, epoch, w.team.rank):
                batch = w.learner.batch(used, rows)
                logits = masked(w.learner.policy(batch.x, batch.advice), batch.legal)
                p, logp = logits.softmax(dim=1), logits.log_softmax(dim=1)
                taken = logp.gather(1, batch.actions[:, None])[:, 0]
                entropy = -(p * logp).sum(dim=1).mean()
                change = taken - self._tensor(rollout.logp[rows])
                ratio = change.exp()
                gain = self._gain(ratio, self._tensor(advantages[rows]))
                value = huber_loss(w.learner.critic(batch.x, batch.hidden), self._tensor(rollout.returns[rows]))
                loss = -gain.mean() - entropy_weight * entropy + s.value_weight * value
                if magnet_weight:
                    pull = self._pull(batch, p, logp)
                    loss = loss + magnet_weight * pull
                    means.add(magnet=pull)
                with torch.no_grad():
                    kl = float((ratio - 1 - change).mean())
                    clipped = ((ratio - 1).abs() > s.clip).float().mean()
                policy_norm, value_norm, kl = w.learner.step(loss, lr, s.grad_norm, kl)
                means.add(
                    loss_pi=-gain.mean(),
                    loss_v=value,
                    entropy=entropy,
                    kl=kl,
                    clipfrac=clipped,
                    grad_norm=policy_norm,
                    grad_norm_v=value_norm,
                )
                stopped = kl > s.target_kl
                if stopped:
                    break
            if stopped:
                break
        self.decisions += int(count)
        return means.mean("train/") | {
            "train/lr": lr,
            "train/stopped": float(stopped),
            "train/explained_var": _explained(rollout),
        }

    def _normalised(self, rollout: Rollout) -> tuple[np.ndarray, float]:
        """Advantages with mean 0 and deviation 1 over all ranks, float32 `[N]`, and how many there are."""
        found = rollout.advantages.astype(np.float64)
        count, total, squares = self.w.team.sum([len(found), found.sum(), (found**2).sum()])
        mean = total / count
        deviation = max(squares / count - mean**2, 0.0) ** 0.5
        return ((found - mean) / (deviation + 1e-8)).astype(np.float32), float(count)

    def _tensor(self, values: np.ndarray) -> Tensor:
        return torch.from_numpy(values).to(self.w.learner.device)

    def _gain(self, ratio: Tensor, advantage: Tensor) -> Tensor:
        """The surrogate of each decision, to be made large."""
        clipped = ratio.clamp(1 - self.s.clip, 1 + self.s.clip)
        gain = torch.minimum(ratio * advantage, clipped * advantage)
        return torch.where(advantage < 0, torch.maximum(gain, self.s.dual_clip * advantage), gain)

    def _pull(self, batch: Batch, p: Tensor, logp: Tensor) -> Tensor:
        """Mean KL to the magnet of the policy with (log-)probabilities `[m, A]`."""
        assert self.magnet is not None
        with torch.no_grad():
            there = masked(self.magnet(batch.x, batch.advice), batch.legal).log_softmax(dim=1)
        return (p * (logp - there)).sum(dim=1).mean()

    def state(self) -> Arrays:
        found: Arrays = {"progress": np.array([self.decisions, self.updates], dtype=np.int64)}
        return found | module_arrays(self.magnet, "magnet") if self.magnet is not None else found

    def load_state(self, state: Arrays) -> None:
        self.decisions, self.updates = state["progress"].tolist()
        if any(name.startswith("magnet.") for name in state):
            self.magnet = copy.deepcopy(self.w.learner.policy).requires_grad_(False)
            fill_module(self.magnet, state, "magnet", "the saved state")


def _explained(rollout: Rollout) -> float:
    """Share of the returns' variance that the critic foresaw."""
    variance = float(np.var(rollout.returns))
    return 1 - float(np.var(rollout.returns - rollout.values)) / variance if variance else 0.0
