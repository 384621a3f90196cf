"""The trainer context, which an algorithm works with, and what every algorithm is: the shape that `loop.py` drives.

An algorithm trains in rounds: it collects decisions and learns from them. Everything that chance decides is a pure
function of the seed, the games' keys and the number of the round, so that a run which was saved and resumed goes on
bit for bit (`docs/training.md`, "What is repeatable").
"""

from abc import ABC, abstractmethod
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from time import perf_counter
from typing import Any, ClassVar

import numpy as np
import numpy.typing as npt

from agents.learned.checkpoint import Arrays
from burako_env.batch import BatchGame
from burako_env.chance.rng import combine
from experiments.train.learner import Learner, Minibatch
from experiments.train.opponent_pool import OpponentPool
from experiments.train.process_group import ProcessGroup
from experiments.train.rollout import Rollout, RolloutWorker
from experiments.train.settings import TrainSettings


class Clock:
    """Seconds spent by kind: `with clock.on("simulation"): ...`."""

    def __init__(self) -> None:
        self.spent: dict[str, float] = {}

    @contextmanager
    def on(self, kind: str) -> Iterator[None]:
        """Add the time of the block to a kind."""
        start = perf_counter()
        try:
            yield
        finally:
            self.spent[kind] = self.spent.get(kind, 0.0) + perf_counter() - start

    def take(self) -> dict[str, float]:
        """The seconds since the last call."""
        spent, self.spent = self.spent, {}
        return spent


@dataclass
class TrainerContext:
    """What one process trains with. `config` holds the rule keys that differ from the preset."""

    settings: TrainSettings
    group: ProcessGroup
    game: BatchGame
    config: dict[str, Any]
    learner: Learner
    worker: RolloutWorker
    pool: OpponentPool
    clock: Clock = field(default_factory=Clock)


class Algorithm(ABC):
    """An algorithm and its progress.

    name: also that of its group of settings, `s`. decisions: decisions learned from, over all processes. updates:
    rounds. total: decisions to learn from.
    """

    name: ClassVar[str]

    def __init__(self, context: TrainerContext) -> None:
        self.context = context
        self.s: Any = getattr(context.settings, self.name)
        self.total: int = self.s.decisions
        self.decisions = self.updates = 0

    @abstractmethod
    def collect(self) -> Rollout:
        """Play the games of a round."""

    @abstractmethod
    def learn(self, rollout: Rollout) -> dict[str, float]:
        """Learn from a round and count its decisions. Returns numbers for train/."""

    def update(self) -> dict[str, float]:
        """One round. Returns numbers for train/ and game/."""
        with self.context.clock.on("simulation"):
            rollout = self.collect()
        with self.context.clock.on("learning"):
            found = self.learn(rollout)
        self.updates += 1
        return found | rollout.metrics()

    def minibatches(
        self, rollout: Rollout, count: float, epoch: int = 0, rows: npt.NDArray[np.intp] | None = None
    ) -> Iterator[Minibatch]:
        """Rows of a rollout (by default all), shuffled by seed, round and epoch and cut into minibatches.

        `count` is the number of rows in all processes together: each takes the same number of steps.
        """
        context = self.context
        rows = np.arange(len(rollout)) if rows is None else rows
        parts = max(1, round(count / context.group.size / self.s.minibatch))
        key = combine(context.settings.seed, self.updates, epoch, context.group.rank)
        for part in np.array_split(np.random.default_rng(int(key[0])).permutation(len(rows)), parts):
            yield context.learner.minibatch(rollout, rows[part])

    def state(self) -> Arrays:
        """What the algorithm needs to go on, in addition to the state of the context."""
        return {"progress": np.array([self.decisions, self.updates], dtype=np.int64)}

    def load_state(self, state: Arrays) -> None:
        """Put a saved state back."""
        self.decisions, self.updates = state["progress"][:2].tolist()


def linear(schedule: tuple[float, float], share: float) -> float:
    """A schedule's value after a share of its decisions."""
    first, last = schedule
    return first + (last - first) * min(share, 1.0)
