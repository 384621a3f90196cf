"""An approximate best response: one team trained with PPO against an agent that never changes."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import torch

from agents.base import Agent
from agents.learned.agent import LearnedAgent
from agents.learned.checkpoint import Header
from agents.learned.shipped import ShippedBot
from experiments.apart import load_agent
from experiments.settings import rule_changes
from experiments.train import setup
from experiments.train.algorithm import Algorithm
from experiments.train.loop import ALGORITHMS
from experiments.train.metrics import Watch
from experiments.train.ppo import Ppo
from experiments.train.ranks import Team
from experiments.train.settings import EvaluationSettings, LeagueSettings, NetSettings, TrainSettings
from experiments.train.store import Store

if TYPE_CHECKING:
    from experiments.exploit import ExploitSettings


class Response:
    """The training of a run folder. It goes on from the folder's last state, as if it had never stopped."""

    def __init__(self, settings: ExploitSettings, folder: Path) -> None:
        torch.set_num_threads(1)
        self.settings = settings
        target = load_agent(settings.agent, settings.game, rule_changes(settings.rules))
        own = first_network(settings, target)
        self.workshop = setup.build(training(settings, own.header if own else None), Team())
        self.store = Store(folder, keep=0)
        self.rounds = 0
        # Decisions learned from at the start and at every budget so far.
        self.reached: list[int] = []
        begins = "ppo" if own is not None or settings.start == "scratch" else "clone"
        self.algorithm: Algorithm = ALGORITHMS[begins](self.workshop)
        found = self.store.load_state(self.workshop.team)
        if found is not None:
            state, about = found
            with self.store.reading():
                self.rounds, self.reached = about["updates"], about["reached"]
                self.algorithm = ALGORITHMS[about["algorithm"]](self.workshop)
                setup.load_state(self.workshop, self.algorithm, state)
        elif own is not None:
            setup.start_from(self.workshop, own.path)

    def run(self, watch: Watch) -> Iterator[tuple[int, Path]]:
        """Train; yields decisions learned from and the file of the network, at the start and at every budget."""
        yield from [(decisions, self._file(decisions)) for decisions in self.reached]
        if self.algorithm.name == "clone":
            self._go_on(self.settings.clone.decisions, watch)
            self.workshop.learner.new_optimiser()
            self.algorithm = Ppo(self.workshop)
        for budget in (0, *self.settings.budgets)[len(self.reached) :]:
            self._go_on(budget, watch)
            decisions = self.algorithm.decisions
            about = {"algorithm": "ppo", "decisions": decisions, "settings": self.workshop.settings.saved()}
            setup.save(self.workshop, self._file(decisions), about)
            self.reached.append(decisions)
            self._save()
            yield decisions, self._file(decisions)

    def _go_on(self, decisions: int, watch: Watch) -> None:
        """Rounds until that many decisions have been learned from."""
        algorithm = self.algorithm
        while algorithm.decisions < decisions:
            algorithm.update()
            self.rounds += 1
            if self.rounds % self.settings.save_every == 0:
                self._save()
            watch.show(algorithm.name, algorithm.decisions, algorithm.total, f"{algorithm.decisions:,} decisions")

    def _save(self) -> None:
        w = self.workshop
        about = {"algorithm": self.algorithm.name, "reached": self.reached}
        self.store.save_state(w.team, self.rounds, setup.state(w, self.algorithm), about)

    def _file(self, decisions: int) -> Path:
        return self.store.checkpoints / f"response-{decisions:09d}.safetensors"


def first_network(settings: ExploitSettings, target: Agent) -> LearnedAgent | None:
    """What the player begins with: the target's network, that of a file, or none."""
    if settings.start in ("clone", "scratch"):
        return None
    if settings.start != "own":
        target = load_agent(settings.start, settings.game, rule_changes(settings.rules))
    if isinstance(target, ShippedBot):
        return target.network
    return target if isinstance(target, LearnedAgent) else None


def training(settings: ExploitSettings, own: Header | None) -> TrainSettings:
    """The run's settings; `own` is what the file says of a network to begin with, which the player's is then like."""
    net = settings.net
    if own is not None:
        net = NetSettings(
            kind=own.policy.kind,
            widths=own.policy.widths,
            block_widths=own.policy.block_widths,
            value_widths=own.value.widths,
            value_block_widths=own.value.block_widths,
            advisor=own.policy.advisor,
            critic="oracle" if own.hidden else "local",
        )
    return TrainSettings(
        algorithm="ppo",
        start="scratch",
        game=settings.game,
        rules=settings.rules,
        seed=settings.seed,
        slots=settings.slots,
        processes=1,
        net=net,
        clone=settings.clone.model_copy(update={"teacher": settings.agent}),
        ppo=settings.ppo.model_copy(update={"decisions": settings.budgets[-1]}),
        league=LeagueSettings(past=0, anchor=1, anchors=(settings.agent,)),
        evaluation=EvaluationSettings(anchors=(settings.agent,)),
    )
