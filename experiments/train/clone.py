"""Behaviour cloning: imitate a teacher who plays against itself, and learn on the way what positions are worth.

    for every round:
        let the teacher play some decisions in every slot; at a few of them a random action is played instead,
            so that the positions after mistakes are seen too, but the teacher's own choice is what is learned
        policy: cross-entropy with the teacher's choices
        critic: Huber loss with the lambda-returns of the games

Some slots are held out: agreement is measured on their decisions, which are never learned from.
"""

from __future__ import annotations

import numpy as np
import torch
from torch.nn.functional import cross_entropy, huber_loss

from agents.learned.chance import uniform
from agents.learned.checkpoint import Arrays
from agents.learned.encoder import U8
from agents.learned.network import masked
from burako_env.batch import Ints
from burako_env.choice import random_legal
from burako_env.kit.rng import mix
from experiments.processes.apart import load_agent
from experiments.train.algorithm import Workshop
from experiments.train.learner import Learner, Means, linear, minibatches
from experiments.train.rollout import F32, Choice, Rollout, Situation

_NOISE = 4
_NOISE_ACTION = 5
_BOUND = 1.0


class Teacher:
    """Plays like the teacher, with noise; values come from the critic that is being trained."""

    def __init__(self, name: str, game: str, config: dict[str, object], noise: float, learner: Learner) -> None:
        self.agent = load_agent(name, game, config)
        self.noise, self.learner = noise, learner

    def choose(self, situation: Situation) -> Choice:
        wanted = self.agent.act(situation.view, situation.legal, situation.keys)
        played = wanted.copy()
        noisy = np.flatnonzero(uniform(situation.keys, _NOISE) < self.noise)
        if noisy.size:
            played[noisy] = random_legal(situation.words[noisy], mix(situation.keys[noisy] + np.uint64(_NOISE_ACTION)))
        value = self.learner.values(situation.features, situation.hidden)
        return Choice(played, wanted, np.zeros(len(wanted), dtype=np.float32), value)

    def values(self, features: U8, hidden: U8) -> F32:
        return self.learner.values(features, hidden)


class Alone:
    """The seating of a teacher who plays all seats."""

    def opponents(self, deal_ids: Ints) -> tuple[Ints, Ints]:
        return np.full(len(deal_ids), -1, dtype=np.int64), np.zeros(len(deal_ids), dtype=np.int64)

    def act(self, opponent: int, situation: Situation) -> Ints:
        raise AssertionError("a teacher has no opponents")

    def record(self, opponents: Ints, points: F32) -> None:
        return None


class Clone:
    """The algorithm `clone`."""

    name = "clone"

    def __init__(self, workshop: Workshop) -> None:
        self.w = workshop
        self.s = workshop.settings.clone
        self.total = self.s.decisions
        self.decisions = self.updates = 0
        self.teacher = Teacher(self.s.teacher, workshop.game.name, workshop.config, self.s.noise, workshop.learner)

    def update(self) -> dict[str, float]:
        s, w = self.s, self.w
        with w.clock.on("simulation"):
            rollout = w.collector.collect(s.steps, self.teacher, Alone(), s.lam)
        with w.clock.on("learning"):
            found = self._learn(rollout)
        self.updates += 1
        return found | rollout.metrics()

    def _learn(self, rollout: Rollout) -> dict[str, float]:
        s, w = self.s, self.w
        lr = linear(s.lr, self.decisions / self.total)
        held_out = rollout.slots >= w.game.size - round(s.held_out * w.game.size)
        known = np.flatnonzero(~held_out)
        agreement, count = self._agreement(rollout, np.flatnonzero(held_out))
        trained, agreed, tested = w.team.sum([len(known), agreement, count])
        parts = max(1, round(trained / w.team.size / s.minibatch))
        means = Means()
        for epoch in range(s.epochs):
            for part in minibatches(len(known), parts, w.settings.seed, self.updates, epoch, w.team.rank):
                rows = known[part]
                batch = w.learner.batch(rollout, rows)
                imitation = cross_entropy(masked(w.learner.policy.net(batch.x), batch.legal), batch.actions)
                returns = torch.from_numpy(rollout.returns[rows]).to(w.learner.device)
                value = huber_loss(w.learner.critic(batch.x, batch.hidden), returns)
                policy_norm, value_norm, _ = w.learner.step(imitation + value, lr, _BOUND)
                means.add(loss_pi=imitation, loss_v=value, grad_norm=policy_norm, grad_norm_v=value_norm)
        self.decisions += int(trained)
        return means.mean("train/") | {"train/agreement": agreed / max(tested, 1.0), "train/lr": lr}

    @torch.inference_mode()
    def _agreement(self, rollout: Rollout, rows: np.ndarray) -> tuple[float, int]:
        """How many of the held out choices the policy's best action is."""
        agreed = 0.0
        for start in range(0, len(rows), 2048):
            batch = self.w.learner.batch(rollout, rows[start : start + 2048])
            best = masked(self.w.learner.policy.net(batch.x), batch.legal).argmax(dim=1)
            agreed += float((best == batch.actions).sum())
        return agreed, len(rows)

    def state(self) -> Arrays:
        return {"progress": np.array([self.decisions, self.updates], dtype=np.int64)}

    def load_state(self, state: Arrays) -> None:
        self.decisions, self.updates = state["progress"].tolist()
