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
from experiments.train.algorithm import Algorithm, Workshop
from experiments.train.clone import Clone
from experiments.train.metrics import Watch
from experiments.train.ppo import Ppo
from experiments.train.ranks import Team
from experiments.train.settings import EvaluationSettings, LeagueSettings, NetSettings, TrainSettings

if TYPE_CHECKING:
    from experiments.exploit import ExploitSettings


def respond(settings: ExploitSettings, folder: Path) -> Iterator[tuple[int, Path]]:
    """Train; yields decisions learned from and the file of the network, at the start and at every budget."""
    torch.set_num_threads(1)
    target = load_agent(settings.agent, settings.game, rule_changes(settings.rules))
    own = first_network(settings, target)
    workshop = setup.build(training(settings, own.header if own else None), Team())
    with Watch(shown=True) as watch:
        if own is not None:
            setup.start_from(workshop, own.path)
        elif settings.start != "scratch":
            _go_on(Clone(workshop), settings.clone.decisions, watch)
            workshop.learner.new_optimiser()
        yield 0, _saved(workshop, folder, 0)
        ppo = Ppo(workshop)
        for budget in settings.budgets:
            _go_on(ppo, budget, watch)
            yield ppo.decisions, _saved(workshop, folder, ppo.decisions)


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


def _go_on(algorithm: Algorithm, decisions: int, watch: Watch) -> None:
    """Rounds until that many decisions have been learned from."""
    while algorithm.decisions < decisions:
        algorithm.update()
        watch.show(algorithm.name, algorithm.decisions, algorithm.total, f"{algorithm.decisions:,} decisions")


def _saved(workshop: Workshop, folder: Path, decisions: int) -> Path:
    path = folder / "checkpoints" / f"response-{decisions:09d}.safetensors"
    about = {"algorithm": "ppo", "decisions": decisions, "settings": workshop.settings.saved()}
    setup.save(workshop, path, about)
    return path
