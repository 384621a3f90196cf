"""What is run: stages of `burako train`, one after the other, and the last of them alone.

seeds: [1, 2, 3]
opponents: [heuristic, random]     of the goal, at the end; the first is that of the verdict
boards: 500                        against each, on deals that no run has seen
base: {...}                        settings of `burako train` for every stage
stages: [{game: ruibal-1, ...}, ..., {game: burako-4, ...}]      what each changes; the last is the goal
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any, Final

from pydantic import BaseModel, ConfigDict, Field

from burako_env.errors import UserError
from experiments.runs.settings import Preset, Seed
from experiments.studies.trained import merged
from experiments.train.settings import TestBoards, TrainSettings

ARMS: Final = ("curriculum", "alone", "short")


class Plan(BaseModel):
    """A file of the module's form. Frozen; unknown keys are refused."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    seeds: tuple[Seed, ...] = Field(min_length=1)
    opponents: tuple[str, ...] = Field(min_length=1)
    boards: Annotated[TestBoards, Field(ge=2)]
    base: dict[str, Any]
    stages: tuple[dict[str, Any], ...] = Field(min_length=2)


@dataclass(frozen=True)
class Stage:
    """A run of `burako train` in its folder; `before` are the decisions of the stages before it."""

    settings: TrainSettings
    folder: Path
    before: int


def read_plan(path: Path) -> Plan:
    """The plan in a file; `UserError` for whatever is wrong with it."""
    plan = Preset.read(path).fill(Plan)
    for changes in plan.stages:
        settings = _settings(path, plan, changes)
        if settings.algorithm != "ppo" or settings.start != "scratch":
            raise UserError(f"{path}: stages are of algorithm ppo and start scratch, so that the budgets are equal")
    return plan


def _settings(path: Path, plan: Plan, changes: Mapping[str, Any], **fixed: Any) -> TrainSettings:
    try:
        return TrainSettings(**{**merged(plan.base, changes), **fixed})
    except UserError as error:
        raise UserError(f"{path}: {error}") from None


def stages_of(path: Path, plan: Plan, arm: str, seed: int, out: Path) -> list[Stage]:
    """The stages of an arm with a seed, in order."""
    every = [_settings(path, plan, changes, seed=seed) for changes in plan.stages]
    folder = out / f"{arm}-s{seed}"
    if arm != "curriculum":
        goal = every[-1]
        total = sum(settings.ppo.decisions for settings in every)
        ppo = goal.ppo.model_copy(update={"decisions": total if arm == "alone" else goal.ppo.decisions})
        return [Stage(goal.model_copy(update={"ppo": ppo}), folder / goal.game, 0)]
    stages: list[Stage] = []
    for number, settings in enumerate(every, 1):
        before = sum(stage.settings.ppo.decisions for stage in stages)
        stages.append(Stage(settings, folder / f"{number}-{settings.game}", before))
    return stages


def runs_of(path: Path, plan: Plan, out: Path) -> dict[tuple[str, int], Sequence[Stage]]:
    """Every run by arm and seed."""
    return {(arm, seed): stages_of(path, plan, arm, seed, out) for seed in plan.seeds for arm in ARMS}
