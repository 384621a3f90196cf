"""Building a rank's workshop from the settings."""

from __future__ import annotations

from pathlib import Path
from typing import Any, Final

import joblib
import numpy as np
import torch

import agents
from agents.base import Agent
from agents.learned.checkpoint import (
    Arrays,
    Header,
    fill_module,
    load_network,
    module_arrays,
    save_network,
)
from agents.learned.encoder import Encoder
from agents.learned.encoders import encoder_for
from agents.learned.network import NetConfig
from burako_env.batch import BatchGame
from burako_env.errors import UserError
from burako_env.families import make
from experiments.processes.apart import load_agent
from experiments.runs.backends import PER_CORE
from experiments.runs.folder import commit, versions
from experiments.runs.settings import rule_changes
from experiments.train.algorithm import Algorithm, Workshop
from experiments.train.carry import carry_over
from experiments.train.league import League
from experiments.train.learner import Learner
from experiments.train.ranks import Diverged, Team
from experiments.train.rollout import Collector
from experiments.train.settings import NetSettings, TrainSettings
from experiments.train.store import joined, part
from experiments.train.whole_hands import WholeHands

# Where an algorithm wants its decisions in another form than with advantages.
COLLECTORS: Final[dict[str, type[Collector]]] = {"dmc": WholeHands}


def net_configs(settings: NetSettings, encoder: Encoder) -> tuple[NetConfig, NetConfig]:
    """Shapes of policy and critic."""
    kind = settings.kind
    if kind == "auto":
        kind = "suits" if encoder.block_actions else "mlp"
    if kind == "suits" and not encoder.blocks:
        raise UserError("net.kind suits needs a game whose features come in blocks: use mlp")
    for widths, block_widths in (
        (settings.widths, settings.block_widths),
        (settings.value_widths, settings.value_block_widths),
    ):
        if kind == "suits" and len(widths) != len(block_widths):
            raise UserError(
                f"net: kind suits has as many layers for a suit as for the rest, "
                f"not {len(block_widths)} and {len(widths)}"
            )
    policy = NetConfig(kind, settings.widths, settings.block_widths, settings.advisor)
    return policy, NetConfig(kind, settings.value_widths, settings.value_block_widths)


def check(settings: TrainSettings) -> BatchGame:
    """Refuse what cannot be trained before anything is written; the game, one slot of it."""
    config = rule_changes(settings.rules)
    game = make(settings.game, 1, settings.seed, config)
    if game.sides < 2:
        raise UserError(f"{settings.game} has one side: there is nobody to play against")
    net_configs(settings.net, encoder_for(settings.game, config, game.layout))
    named = {settings.clone.teacher, *settings.league.anchors, *settings.evaluation.anchors}
    for name in named - {""}:
        load_agent(name, settings.game, config)
    _advisor(settings, config)
    if settings.algorithm == "dmc" and settings.net.advisor:
        raise UserError("dmc learns what actions are worth and hears no advisor: leave net.advisor out")
    most = PER_CORE * int(joblib.cpu_count())
    if settings.processes > most:
        raise UserError(
            f"processes {settings.processes} are more than {PER_CORE} for each core of this machine: at most {most}"
        )
    if settings.league.past + settings.league.anchor > 1:
        raise UserError("league: the shares past and anchor are more than 1 together")
    if not (settings.start in ("scratch", "clone") or settings.start.endswith(".safetensors")):
        raise UserError(f"start is scratch, clone or a .safetensors file, not '{settings.start}'")
    if settings.start.endswith(".safetensors"):
        load_network(Path(settings.start))
    try:
        torch.zeros(1, device=settings.device)
    except (RuntimeError, AssertionError) as error:
        raise UserError(f"device '{settings.device}' cannot be used: {str(error).splitlines()[0]}") from None
    return game


def _advisor(settings: TrainSettings, config: dict[str, Any]) -> Agent | None:
    """The advisor, which the network's file will name: so one that a file may name."""
    name = settings.net.advisor
    try:
        return agents.load_named(name, settings.game, config) if name else None
    except UserError as error:
        raise UserError(f"net.advisor: {error}") from None


def build(settings: TrainSettings, team: Team) -> Workshop:
    """The tools of one rank."""
    config: dict[str, Any] = rule_changes(settings.rules)
    game = make(settings.game, settings.slots, settings.seed, config)
    encoder = encoder_for(settings.game, config, game.layout)
    collector = COLLECTORS.get(settings.algorithm, Collector)(
        game,
        encoder,
        first=team.rank * settings.slots,
        stride=team.size * settings.slots,
        scale=settings.points,
        dense=settings.ppo.rewards == "dense",
        oracle=settings.net.critic == "oracle",
        advisor=_advisor(settings, config),
    )
    policy, value = net_configs(settings.net, encoder)
    learner = Learner(
        encoder,
        game.num_actions,
        collector.hidden_width,
        policy,
        value,
        settings.seed,
        team,
        settings.device,
    )
    league = League(settings.league, learner, settings.game, config, game.sides, settings.seed)
    return Workshop(settings, team, game, config, learner, collector, league)


def start_from(workshop: Workshop, path: Path) -> None:
    """Take the weights of a file: the policy, and the critic if it is of this shape; of another game what carries
    over.
    """
    header, arrays = load_network(path)
    learner = workshop.learner
    if header.game != workshop.game.name:
        carry_over(learner, header, arrays, path)
        return
    ours = header_of(workshop, {})
    for what in ("layout", "actions", "encoder", "policy"):
        if getattr(header, what) != getattr(ours, what):
            raise UserError(f"'{path}' cannot be the start of this run: its {what} is {getattr(header, what)}")
    fill_module(learner.policy, arrays, "policy", path)
    if (header.value, header.hidden) == (ours.value, ours.hidden) and any(name.startswith("value.") for name in arrays):
        fill_module(learner.value, arrays, "value", path)


def state(workshop: Workshop, algorithm: Algorithm) -> Arrays:
    """Everything that this rank's run goes on from; what all ranks share is in that of rank 0."""
    found = joined(collector=workshop.collector.state())
    if workshop.team.rank:
        return found
    return found | joined(learner=workshop.learner.state(), league=workshop.league.state(), algorithm=algorithm.state())


def load_state(workshop: Workshop, algorithm: Algorithm, found: Arrays) -> None:
    """Put a saved state back, with what is shared."""
    workshop.collector.load_state(part(found, "collector"))
    workshop.learner.load_state(part(found, "learner"))
    workshop.league.load_state(part(found, "league"))
    algorithm.load_state(part(found, "algorithm"))


def header_of(workshop: Workshop, training: dict[str, Any]) -> Header:
    """What the file of the present network says."""
    learner = workshop.learner
    return Header.of(
        workshop.game,
        workshop.config,
        learner.encoder,
        learner.policy_config,
        learner.value_config,
        learner.hidden,
        training,
    )


def save(workshop: Workshop, path: Path, training: dict[str, Any]) -> None:
    """Write the present network as an agent."""
    arrays = {**module_arrays(workshop.learner.shown, ""), **module_arrays(workshop.learner.value, "value")}
    if not all(np.isfinite(array).all() for array in arrays.values()):
        raise Diverged(f"training has diverged: a weight is no longer a finite number, {path.name} is not written")
    about = {"seed": workshop.settings.seed, "commit": commit(), "versions": versions(), **training}
    save_network(path, workshop.learner.shown, workshop.learner.value, header_of(workshop, about))
