"""Deep Monte-Carlo (Zha et al. 2021): learn what every action is worth from the results of hands, and play the best.

    for every round:
        play some decisions in every slot, all seats by the network's best action, now and then a random one
        of the hands that have ended: Huber loss between the value of the action played and the points that were
            still to come; the critic learns the same without the action

No bootstrapping, no probabilities: a baseline that fails in other ways than PPO. The value is in two factors, what the
critic says of the position and what the policy's output says the action is worth beside it, as in dueling networks
(Wang et al. 2016). The luck of the cards, most of a result, is the critic's business, and the more of it the better it
sees (`net.critic` oracle); since it does not depend on the action, the policy's best output is the best action. Greedy
self-play swings from round to round; what is evaluated and saved is a running mean of the weights (Polyak and Juditsky
1992), which swings less.

Between rounds the learner holds the mean; the weights that learn are put back for the round.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
import torch
from torch import Tensor
from torch.nn.functional import huber_loss
from torch.nn.utils import parameters_to_vector, vector_to_parameters

from agents.base import Agent
from agents.learned.chance import uniform
from agents.learned.checkpoint import Arrays
from agents.learned.encoder import U8
from agents.learned.network import playable
from burako_env.choice import random_legal
from burako_env.kit.rng import mix
from experiments.processes.apart import load_agent
from experiments.train.algorithm import Workshop
from experiments.train.clone import Alone
from experiments.train.learner import Learner, Means, linear, minibatches
from experiments.train.returns import F32
from experiments.train.rollout import Choice, Rollout, Situation

_EXPLORE = 6
_EXPLORE_ACTION = 7


class Explorer:
    """Plays the best action by value (or a teacher's), and a random one with probability `epsilon`."""

    def __init__(self, learner: Learner, teacher: Agent | None, epsilon: float) -> None:
        self.learner, self.teacher, self.epsilon = learner, teacher, epsilon

    def choose(self, situation: Situation) -> Choice:
        played = self._best(situation)
        explores = np.flatnonzero(uniform(situation.keys, _EXPLORE) < self.epsilon)
        if explores.size:
            keys = mix(situation.keys[explores] + np.uint64(_EXPLORE_ACTION))
            played[explores] = random_legal(situation.words[explores], keys)
        nothing = np.zeros(len(played), dtype=np.float32)
        return Choice(played, played, nothing, nothing)

    @torch.inference_mode()
    def _best(self, situation: Situation) -> np.ndarray:
        if self.teacher is not None:
            return self.teacher.act(situation.view, situation.legal, situation.keys).astype(np.int64)
        legal = torch.from_numpy(situation.legal).to(self.learner.device)
        values = playable(self.learner.policy.net(self.learner.floats(situation.features)), legal)
        best: np.ndarray = values.argmax(dim=1).cpu().numpy()
        return best

    def values(self, features: U8, hidden: U8) -> F32:
        raise AssertionError("results of hands are not estimated")


class Dmc:
    """The algorithm `dmc`."""

    name = "dmc"

    def __init__(self, workshop: Workshop) -> None:
        self.w = workshop
        self.s = workshop.settings.dmc
        self.total = self.s.decisions
        self.decisions = self.updates = self.steps = 0
        settings = workshop.settings
        self.teacher = (
            load_agent(settings.clone.teacher, workshop.game.name, workshop.config)
            if settings.start == "clone"
            else None
        )
        self._learning: Tensor | None = None

    def update(self) -> dict[str, float]:
        s, w = self.s, self.w
        mean = parameters_to_vector(w.learner.parameters).detach()
        vector_to_parameters(mean if self._learning is None else self._learning, w.learner.parameters)
        epsilon = linear(s.epsilon, self.decisions / self.total)
        teacher = self.teacher if self.decisions < s.teacher else None
        with w.clock.on("simulation"):
            rollout = w.collector.collect(s.steps, Explorer(w.learner, teacher, epsilon), Alone(), 1.0)
        with w.clock.on("learning"):
            found = self._learn(rollout, mean)
        self._learning = parameters_to_vector(w.learner.parameters).detach()
        vector_to_parameters(mean, w.learner.parameters)
        self.updates += 1
        return found | rollout.metrics() | {"train/epsilon": epsilon, "train/teacher": float(teacher is not None)}

    def _learn(self, rollout: Rollout, mean: Tensor) -> dict[str, float]:
        """Learn from a round's decisions; `mean` takes part in place."""
        s, w = self.s, self.w
        lr = linear(s.lr, self.decisions / self.total)
        count = float(w.team.sum([len(rollout)])[0])
        if not count:
            return {"train/lr": lr}
        means = Means()
        parts = max(1, round(count / w.team.size / s.minibatch))
        for rows in minibatches(len(rollout), parts, w.settings.seed, self.updates, 0, w.team.rank):
            loss_q, loss_v = self._losses(rollout, rows)
            norm, norm_v, _ = w.learner.step(loss_q + loss_v, lr, s.grad_norm)
            means.add(loss_q=loss_q, loss_v=loss_v, grad_norm=norm, grad_norm_v=norm_v)
            self.steps += 1
            # At first the mean is a short one: what the first weights say is soon forgotten.
            keep = min(s.polyak, self.steps / (self.steps + 10))
            mean.lerp_(parameters_to_vector(w.learner.parameters).detach(), 1 - keep)
        self.decisions += int(count)
        return means.mean("train/") | {"train/lr": lr}

    def _losses(self, rollout: Rollout, rows: npt.NDArray[np.intp]) -> tuple[Tensor, Tensor]:
        """Of the values of actions and of the critic; 0 on a rank that has no rows for a step of the others."""
        learner = self.w.learner
        if not len(rows):
            nothing = 0 * parameters_to_vector(learner.parameters).sum()
            return nothing, nothing
        batch = learner.batch(rollout, rows)
        target = torch.from_numpy(rollout.returns[rows]).to(learner.device)
        position = learner.critic(batch.x, batch.hidden)
        taken = position.detach() + learner.policy.net(batch.x).gather(1, batch.actions[:, None])[:, 0]
        return huber_loss(taken, target), huber_loss(position, target)

    def state(self) -> Arrays:
        found: Arrays = {"progress": np.array([self.decisions, self.updates, self.steps], dtype=np.int64)}
        if self._learning is not None:
            found["learning"] = self._learning.cpu().numpy().copy()
        return found

    def load_state(self, state: Arrays) -> None:
        self.decisions, self.updates, self.steps = state["progress"].tolist()
        if "learning" in state:
            self._learning = torch.from_numpy(state["learning"]).to(self.w.learner.device)
