"""Behaviour cloning: imitate a teacher in self-play, and learn at the same time what positions are worth.

    for every round:
        let the teacher play some decisions in every slot; at a few of them a random action is played instead,
            so that the positions after mistakes are seen too, but the teacher's own choice is what is learned
        policy: cross-entropy with the teacher's choices
        critic: Huber loss with the lambda-returns of the games

Some slots are held out: agreement is measured on their decisions, which are never learned from.
"""

import numpy as np
import numpy.typing as npt
import torch
from torch.nn.functional import cross_entropy, huber_loss

from agents.learned.chance import uniform
from agents.learned.network import masked
from burako_env.batch import Ints
from burako_env.chance.rng import mix
from burako_env.choice import random_legal
from experiments.processes.apart import load_agent
from experiments.train.acting import Choice, SelfPlay, Situation
from experiments.train.context import Algorithm, TrainerContext, linear
from experiments.train.learner import Learner, Means
from experiments.train.rollout import Rollout

_NOISE = 4
_NOISE_ACTION = 5
_BOUND = 1.0


class Teacher:
    """Plays like the teacher, with noise; values come from the critic that is being trained."""

    def __init__(self, name: str, game: str, config: dict[str, object], noise: float, learner: Learner) -> None:
        self.agent = load_agent(name, game, config)
        self.noise, self.values = noise, learner.values

    def choose(self, situation: Situation) -> Choice:
        wanted = self.agent.act(situation.view, situation.legal, situation.keys)
        played = with_noise(wanted, situation, self.noise, _NOISE, _NOISE_ACTION)
        value = self.values(situation.features, situation.hidden)
        return Choice(played, wanted, np.zeros(len(wanted), dtype=np.float32), value)


def with_noise(actions: Ints, situation: Situation, share: float, purpose: int, action_purpose: int) -> Ints:
    """The actions, a share of them replaced by random legal ones; the two purposes of the keys keep chance apart."""
    played = actions.copy()
    noisy = np.flatnonzero(uniform(situation.keys, purpose) < share)
    if noisy.size:
        played[noisy] = random_legal(situation.words[noisy], mix(situation.keys[noisy] + np.uint64(action_purpose)))
    return played


class Clone(Algorithm):
    """The algorithm `clone`."""

    name = "clone"

    def __init__(self, context: TrainerContext) -> None:
        super().__init__(context)
        self.teacher = Teacher(self.s.teacher, context.game.name, context.config, self.s.noise, context.learner)

    def collect(self) -> Rollout:
        return self.context.worker.collect(self.s.steps, self.teacher, SelfPlay(), self.s.lam)

    def learn(self, rollout: Rollout) -> dict[str, float]:
        s, learner, slots = self.s, self.context.learner, self.context.game.size
        lr = linear(s.lr, self.decisions / self.total)
        held_out = rollout.slots >= slots - round(s.held_out * slots)
        tested, known = np.flatnonzero(held_out), np.flatnonzero(~held_out)
        agreed = self._agreement(rollout, tested)
        all_known, all_agreed, all_tested = self.context.group.sum([len(known), agreed, len(tested)])
        means = Means()
        for epoch in range(s.epochs):
            for batch in self.minibatches(rollout, all_known, epoch, known):
                imitation = cross_entropy(masked(learner.policy.net(batch.x), batch.legal), batch.actions)
                value = huber_loss(learner.critic(batch.x, batch.hidden), batch.returns)
                policy_norm, value_norm, _ = learner.step(imitation + value, lr, _BOUND)
                means.add(loss_pi=imitation, loss_v=value, grad_norm=policy_norm, grad_norm_v=value_norm)
        self.decisions += int(all_known)
        return means.mean("train/") | {"train/agreement": all_agreed / max(all_tested, 1.0), "train/lr": lr}

    @torch.inference_mode()
    def _agreement(self, rollout: Rollout, rows: npt.NDArray[np.intp]) -> float:
        """In how many of the held out decisions the policy's best action is the teacher's."""
        agreed = 0.0
        for start in range(0, len(rows), 2048):
            batch = self.context.learner.minibatch(rollout, rows[start : start + 2048])
            best = masked(self.context.learner.policy.net(batch.x), batch.legal).argmax(dim=1)
            agreed += float((best == batch.actions).sum())
        return agreed
