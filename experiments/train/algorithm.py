"""What an algorithm gets and what it offers: the shape that `loop.py` drives.

An algorithm trains in rounds. `update` collects decisions and learns from them; everything that chance decides in it
is a pure function of the seed, the game's keys and the number of the round, so that a run which was saved and
resumed goes on bit for bit.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from time import perf_counter
from typing import Any, Protocol

from agents.learned.checkpoint import Arrays
from burako_env.batch import BatchGame
from experiments.train.league import League
from experiments.train.learner import Learner
from experiments.train.ranks import Team
from experiments.train.rollout import Collector
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
        """What was spent since the last call."""
        spent, self.spent = self.spent, {}
        return spent


@dataclass
class Workshop:
    """One rank's tools: settings, its games, the network, the opponents. `config` are the rule keys that differ."""

    settings: TrainSettings
    team: Team
    game: BatchGame
    config: dict[str, Any]
    learner: Learner
    collector: Collector
    league: League
    clock: Clock = field(default_factory=Clock)


class Algorithm(Protocol):
    """`name`; `total`, the decisions to learn from; `decisions` and `updates`, how far it is (over all ranks)."""

    name: str
    total: int
    decisions: int
    updates: int

    def update(self) -> dict[str, float]:
        """One round: collect, learn. Returns numbers for train/ and game/."""

    def state(self) -> Arrays:
        """What it needs beside the workshop's own state to go on."""

    def load_state(self, state: Arrays) -> None:
        """Put a saved state back."""
