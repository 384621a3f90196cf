"""The settings that every command has that plays pairs of teams: tournament and evaluation."""

from collections.abc import Sequence
from typing import Annotated, ClassVar

from pydantic import Field

from burako_env.families import make
from burako_env.inputs.checked import Flag, Real, Whole
from experiments.contest.contest import Contest, Play
from experiments.contest.pairings import Pair, with_others
from experiments.processes.backends import Backend
from experiments.runs.settings import (
    Batch,
    Boards,
    ConfigFile,
    GameName,
    OutDir,
    Resume,
    RuleChanges,
    Seed,
    Settings,
    Workers,
    rule_changes,
)
from experiments.statistics.sprt import Plan

EffectSize = Annotated[Real, Field(ge=-100, le=100)]
ErrorRate = Annotated[Real, Field(gt=0, lt=0.5)]


class ContestSettings(Settings):
    """What is played, when a pair stops, and how the work is shared out."""

    how: ClassVar[frozenset[str]] = frozenset({"workers", "batch", "backend", "recorded"})
    grows: ClassVar[frozenset[str]] = frozenset({"boards"})

    game: GameName = "burako-4"
    play: Annotated[Play, Field(description="what a board has two of: hands, or whole matches")] = "hands"
    boards: Annotated[Boards, Field(description="boards each pair plays, of two hands or matches each")] = 1000
    seed: Seed = 0
    rules: RuleChanges = ()
    time_budget: Annotated[
        Real,
        Field(
            ge=0,
            le=86_400,
            description="seconds per decision, on average over a call for many games; an agent that takes longer loses "
            "these boards (0: no limit; with a limit, results depend on the machine)",
        ),
    ] = 0.0
    sequential: Annotated[
        Flag, Field(description="stop a pair early, as soon as a sequential test decides between t0 and t1")
    ] = False
    t0: Annotated[EffectSize, Field(description="effect size (mean over standard deviation of a board) under H0")] = 0.0
    t1: Annotated[EffectSize, Field(description="effect size under H1")] = 0.1
    alpha: Annotated[ErrorRate, Field(description="how often H1 may be accepted wrongly")] = 0.05
    beta: Annotated[ErrorRate, Field(description="how often H0 may be accepted wrongly")] = 0.05
    recorded: Annotated[
        Whole,
        Field(
            ge=0,
            le=100_000,
            description="hands of each pair to record: those with an error, then the best for a, for b, and so on",
        ),
    ] = 2
    workers: Workers = 0
    batch: Batch = 2048
    backend: Annotated[
        Backend, Field(description="where workers run: loky on this machine, ray on a cluster; results are the same")
    ] = "loky"
    config: ConfigFile = None
    out: OutDir = None
    resume: Resume = False

    def contest(self, pairs: Sequence[Pair]) -> Contest:
        """What is to be played."""
        if make(self.game, config=rule_changes(self.rules)).sides > 2:
            pairs = with_others(pairs)
        plan = Plan(self.t0, self.t1, self.alpha, self.beta)
        return Contest(
            self.game,
            self.rules,
            self.seed,
            tuple(pairs),
            self.boards,
            play=self.play,
            time_budget=self.time_budget,
            stop=plan if self.sequential else None,
        )
