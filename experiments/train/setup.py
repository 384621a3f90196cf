"""The trainer context of a process: built from the settings, begun from a file, saved and loaded."""

from pathlib import Path
from typing import Any, Final

import joblib
import numpy as np
import torch

import agents
from agents.base import Agent
from agents.learned.checkpoint import Arrays, Header, fill_module, load_network, module_arrays, save_network
from agents.learned.encoder import Encoder
from agents.learned.encoders import encoder_for
from agents.learned.network import NetConfig
from burako_env.batch import BatchGame
from burako_env.errors import UserError
from burako_env.families import make
from experiments.processes.apart import load_agent
from experiments.processes.backends import PER_CORE
from experiments.runs.folder import commit, versions
from experiments.runs.settings import rule_changes
from experiments.train.carry import carry_over
from experiments.train.context import Algorithm, TrainerContext
from experiments.train.learner import Learner
from experiments.train.monte_carlo import MonteCarloWorker
from experiments.train.opponent_pool import OpponentPool
from experiments.train.process_group import Diverged, ProcessGroup
from experiments.train.rollout import RolloutWorker
from experiments.train.settings import NetSettings, TrainSettings
from experiments.train.store import joined, part

# The algorithms that want their decisions in another form than with advantages.
WORKERS: Final[dict[str, type[RolloutWorker]]] = {"dmc": MonteCarloWorker}


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
        raise UserError("dmc learns what actions are worth and takes no advisor: leave net.advisor out")
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
    """The advisor. The network's file will name it, so it has to be an agent that a file may name."""
    name = settings.net.advisor
    try:
        return agents.load_named(name, settings.game, config) if name else None
    except UserError as error:
        raise UserError(f"net.advisor: {error}") from None


def build(settings: TrainSettings, group: ProcessGroup) -> TrainerContext:
    """The context of one process."""
    config: dict[str, Any] = rule_changes(settings.rules)
    game = make(settings.game, settings.slots, settings.seed, config)
    encoder = encoder_for(settings.game, config, game.layout)
    worker = WORKERS.get(settings.algorithm, RolloutWorker)(
        game,
        encoder,
        first=group.rank * settings.slots,
        stride=group.size * settings.slots,
        scale=settings.points,
        dense=settings.ppo.rewards == "dense",
        oracle=settings.net.critic == "oracle",
        advisor=_advisor(settings, config),
    )
    policy, value = net_configs(settings.net, encoder)
    learner = Learner(
        encoder, game.num_actions, worker.hidden_width, policy, value, settings.seed, group, settings.device
    )
    pool = OpponentPool(settings.league, learner, settings.game, config, game.sides, settings.seed)
    return TrainerContext(settings, group, game, config, learner, worker, pool)


def start_from(context: TrainerContext, path: Path) -> None:
    """Take the weights of a file: the policy, and the critic if it is of this shape; from another game's file what
    carries over.
    """
    header, arrays = load_network(path)
    learner = context.learner
    if header.game != context.game.name:
        carry_over(learner, header, arrays, path)
        return
    ours = header_of(context, {})
    for what in ("layout", "actions", "encoder", "policy"):
        if getattr(header, what) != getattr(ours, what):
            raise UserError(f"'{path}' cannot be the start of this run: its {what} is {getattr(header, what)}")
    fill_module(learner.policy, arrays, "policy", path)
    if (header.value, header.hidden) == (ours.value, ours.hidden) and any(name.startswith("value.") for name in arrays):
        fill_module(learner.value, arrays, "value", path)


def state(context: TrainerContext, algorithm: Algorithm) -> Arrays:
    """Everything that this process goes on from; what all processes share is in the state of rank 0."""
    found = joined(collector=context.worker.state())
    if context.group.rank:
        return found
    return found | joined(learner=context.learner.state(), league=context.pool.state(), algorithm=algorithm.state())


def load_state(context: TrainerContext, algorithm: Algorithm, found: Arrays) -> None:
    """Put a saved state back, with what is shared."""
    context.worker.load_state(part(found, "collector"))
    context.learner.load_state(part(found, "learner"))
    context.pool.load_state(part(found, "league"))
    algorithm.load_state(part(found, "algorithm"))


def header_of(context: TrainerContext, training: dict[str, Any]) -> Header:
    """The header of the present network's file."""
    learner = context.learner
    shapes = learner.policy_config, learner.value_config, learner.hidden
    return Header.of(context.game, context.config, learner.encoder, *shapes, training)


def save(context: TrainerContext, path: Path, training: dict[str, Any]) -> None:
    """Write the present network as an agent."""
    learner = context.learner
    arrays = {**module_arrays(learner.shown, ""), **module_arrays(learner.value, "value")}
    if not all(np.isfinite(array).all() for array in arrays.values()):
        raise Diverged(f"training has diverged: a weight is no longer a finite number, {path.name} is not written")
    about = {"seed": context.settings.seed, "commit": commit(), "versions": versions(), **training}
    save_network(path, learner.shown, learner.value, header_of(context, about))
