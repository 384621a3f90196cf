"""Training a run's stages, and measuring what came out. What is finished is not repeated; what was stopped goes on."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final

import numpy as np

import agents
from burako_env.errors import UserError
from burako_env.families import make
from burako_env.inputs.files import read_json, write_json
from experiments.processes.apart import load_agent
from experiments.runs.settings import rule_changes
from experiments.studies.curriculum.plan import Plan, Stage
from experiments.studies.trained import result_of, train_one
from experiments.train.evaluation import evaluation_seed, play_boards, points_of, wins_of

# Boards that no evaluation of a run is on.
_PURPOSE: Final = 4
_RESULT: Final = "boards.json"


def network_of(stage: Stage) -> Path:
    """The file of a finished stage: the last policies' average."""
    folder = stage.folder / "checkpoints"
    last = max(folder.glob("update-*.safetensors"), default=None)
    if last is None:
        raise UserError(f"{folder} holds no network: delete {stage.folder} and call again, which trains it anew")
    return last


def train_and_measure(plan: Plan, seed: int, stages: Sequence[Stage]) -> None:
    """All stages of a run, each beginning with what carries over from the one before; then boards of the goal."""
    start = "scratch"
    for stage in stages:
        # The manifest of a run that goes on is not compared: the file to begin with is that of the stage before.
        train_one(stage.settings.model_copy(update={"start": start}), stage.folder)
        start = str(network_of(stage))
    done = stages[-1].folder / _RESULT
    if not done.is_file():
        write_json(done, measure(plan, seed, stages[-1]))


def measure(plan: Plan, seed: int, goal: Stage) -> dict[str, dict[str, list[float]]]:
    """Points and wins of every board against each opponent; both arms of a seed meet the same boards."""
    settings = goal.settings
    config = rule_changes(settings.rules)
    player = agents.load(str(network_of(goal)), settings.game, config)
    sides = make(settings.game, 1, 0, config).sides
    found = {}
    for name in plan.opponents:
        others = [load_agent(name, settings.game, config)] * (sides - 1)
        root = evaluation_seed(seed, _PURPOSE)
        scores = play_boards(settings.game, config, root, np.arange(plan.boards), [player, *others])
        found[name] = {"points": points_of(scores).mean(axis=1).tolist(), "wins": wins_of(scores).mean(axis=1).tolist()}
    return found


def boards_of(stages: Sequence[Stage]) -> dict[str, dict[str, list[float]]]:
    """What `measure` found."""
    return read_json(stages[-1].folder / _RESULT, "delete it and call again, which measures anew")


def curve_of(stages: Sequence[Stage]) -> list[dict[str, Any]]:
    """The evaluations of a run: game, decisions since the first stage began, points by opponent."""
    return [
        {
            "game": stage.settings.game,
            "decisions": stage.before + entry["decisions"],
            "points": {name: points for name, points in entry.items() if name != "decisions"},
        }
        for stage in stages
        for entry in result_of(stage.folder)["evaluations"]
    ]


def seconds_of(stages: Sequence[Stage]) -> float:
    """Time spent in training."""
    return sum(float(result_of(stage.folder)["seconds"]) for stage in stages)
