"""Deep Monte-Carlo (Zha et al. 2021): learn what every action is worth from the results of hands, and play the best.

    for every round:
        play some decisions in every slot, all seats by the network's best action, now and then a random one
        in the hands that have ended: Huber loss between the value of the action played and the points that were
            still to come; the critic learns the same without the action

There is no bootstrapping and there are no probabilities: a baseline that fails in other ways than PPO. The value has
two parts, the critic's value of the position and the policy's output for what the action adds to it, as in dueling
networks (Wang et al. 2016). The critic accounts for the luck of the cards, which is most of a result, and accounts for
more of it if it sees all hands (`net.critic` oracle). It does not depend on the action, so the policy's largest output
is the best action. Greedy self-play swings from round to round; a running mean of the weights (Polyak and Juditsky
1992) swings less, and is what is evaluated and saved.

Between rounds the learner holds the mean; the weights that learn are put back for the round.
"""

import numpy as np
import torch
from torch import Tensor
from torch.nn.functional import huber_loss
from torch.nn.utils import parameters_to_vector, vector_to_parameters

from agents.base import Agent
from agents.learned.checkpoint import Arrays
from agents.learned.encoder import U8
from agents.learned.network import playable
from burako_env.batch import Ints
from experiments.processes.apart import load_agent
from experiments.train.acting import Choice, SelfPlay, Situation
from experiments.train.clone import with_noise
from experiments.train.context import Algorithm, TrainerContext, linear
from experiments.train.learner import Learner, Means, Minibatch
from experiments.train.returns import F32
from experiments.train.rollout import Rollout

_EXPLORE = 6
_EXPLORE_ACTION = 7


class Explorer:
    """Plays the best action by value (or a teacher's), and a random one with probability `epsilon`."""

    def __init__(self, learner: Learner, teacher: Agent | None, epsilon: float) -> None:
        self.learner, self.teacher, self.epsilon = learner, teacher, epsilon

    def choose(self, situation: Situation) -> Choice:
        played = with_noise(self._best(situation), situation, self.epsilon, _EXPLORE, _EXPLORE_ACTION)
        nothing = np.zeros(len(played), dtype=np.float32)
        return Choice(played, played, nothing, nothing)

    @torch.inference_mode()
    def _best(self, situation: Situation) -> Ints:
        if self.teacher is not None:
            return self.teacher.act(situation.view, situation.legal, situation.keys).astype(np.int64)
        values = self.learner.policy.net(self.learner.floats(situation.features))
        best: Ints = playable(values, self.learner.tensor(situation.legal)).argmax(dim=1).cpu().numpy()
        return best

    def values(self, features: U8, hidden: U8) -> F32:
        raise AssertionError("results of hands are not estimated")


class Dmc(Algorithm):
    """The algorithm `dmc`."""

    name = "dmc"

    def __init__(self, context: TrainerContext) -> None:
        super().__init__(context)
        self.steps, settings = 0, context.settings
        self.teacher = (
            load_agent(settings.clone.teacher, context.game.name, context.config) if settings.start == "clone" else None
        )
        self._learning: Tensor | None = None

    def update(self) -> dict[str, float]:
        parameters = self.context.learner.parameters
        self._mean = parameters_to_vector(parameters).detach()
        vector_to_parameters(self._mean if self._learning is None else self._learning, parameters)
        told = {
            "train/epsilon": linear(self.s.epsilon, self.decisions / self.total),
            "train/teacher": float(self._taught()),
        }
        found = super().update()
        self._learning = parameters_to_vector(parameters).detach()
        vector_to_parameters(self._mean, parameters)
        return found | told

    def _taught(self) -> bool:
        """Whether the teacher still plays."""
        return self.teacher is not None and self.decisions < self.s.teacher

    def collect(self) -> Rollout:
        epsilon = linear(self.s.epsilon, self.decisions / self.total)
        explorer = Explorer(self.context.learner, self.teacher if self._taught() else None, epsilon)
        return self.context.worker.collect(self.s.steps, explorer, SelfPlay(), 1.0)

    def learn(self, rollout: Rollout) -> dict[str, float]:
        s, learner = self.s, self.context.learner
        lr = linear(s.lr, self.decisions / self.total)
        count = float(self.context.group.sum([len(rollout)])[0])
        if not count:
            return {"train/lr": lr}
        means = Means()
        for batch in self.minibatches(rollout, count):
            loss_q, loss_v = self._losses(batch)
            norm, norm_v, _ = learner.step(loss_q + loss_v, lr, s.grad_norm)
            means.add(loss_q=loss_q, loss_v=loss_v, grad_norm=norm, grad_norm_v=norm_v)
            self.steps += 1
            # At first the mean is a short one, so that the first weights are soon forgotten.
            keep = min(s.polyak, self.steps / (self.steps + 10))
            self._mean.lerp_(parameters_to_vector(learner.parameters).detach(), 1 - keep)
        self.decisions += int(count)
        return means.mean("train/") | {"train/lr": lr}

    def _losses(self, batch: Minibatch) -> tuple[Tensor, Tensor]:
        """Losses of the action values and of the critic; 0 in a process without rows for a step of the others."""
        learner = self.context.learner
        if not len(batch.actions):
            nothing = 0 * parameters_to_vector(learner.parameters).sum()
            return nothing, nothing
        position = learner.critic(batch.x, batch.hidden)
        taken = position.detach() + learner.policy.net(batch.x).gather(1, batch.actions[:, None])[:, 0]
        return huber_loss(taken, batch.returns), huber_loss(position, batch.returns)

    def state(self) -> Arrays:
        found: Arrays = {"progress": np.array([self.decisions, self.updates, self.steps], dtype=np.int64)}
        if self._learning is not None:
            found["learning"] = self._learning.cpu().numpy().copy()
        return found

    def load_state(self, state: Arrays) -> None:
        super().load_state(state)
        self.steps = int(state["progress"][2])
        if "learning" in state:
            self._learning = self.context.learner.tensor(state["learning"])
