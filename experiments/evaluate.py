"""`burako evaluate A B`: one agent against another on duplicate boards."""

from __future__ import annotations

from typing import Annotated

import tyro
from pydantic import Field

from experiments import report, results
from experiments.contest import Contest, play_all
from experiments.runs import open_run
from experiments.schedule import Pair
from experiments.settings import Batch, ConfigFile, GameName, OutDir, Resume, RuleChanges, Seed, Settings, Workers

AgentA = Annotated[str, tyro.conf.Positional, tyro.conf.arg(metavar="A"), Field(description="agent that is measured")]
AgentB = Annotated[str, tyro.conf.Positional, tyro.conf.arg(metavar="B"), Field(description="agent it plays against")]


class EvaluateSettings(Settings):
    """Points a hand and win rate of agent A against agent B, with 95% intervals over duplicate boards."""

    a: AgentA
    b: AgentB
    game: GameName = "burako-4"
    boards: Annotated[int, Field(ge=1, description="boards to play, of two hands each")] = 1000
    seed: Seed = 0
    rules: RuleChanges = ()
    workers: Workers = 0
    batch: Batch = 1024
    config: ConfigFile = None
    out: OutDir = None
    resume: Resume = False


def run(settings: EvaluateSettings, line: str) -> int:
    """Play, print, write the summary: the pair stands in `pairs` and, being the only one, at the top level too."""
    pair = Pair(0, settings.a, settings.b)
    contest = Contest(settings.game, settings.rules, settings.seed, (pair,), settings.boards)
    contest.check()
    folder = open_run("evaluate", settings, line, contest.identity())
    play_all(contest, folder.folder, settings.workers, settings.batch)
    rows = results.collect(contest, folder.folder)
    result = results.pair_result(pair, rows[0])
    errors = {"a": rows[0].errors[0], "b": rows[0].errors[1]}
    path = folder.write_summary({**result, "errors": errors, "pairs": [result]})
    lines = (*report.pair_lines(result), *results.error_lines(rows), f"summary: {path}")
    report.console().print("\n".join(lines), markup=False, soft_wrap=True)
    return 0
