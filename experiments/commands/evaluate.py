"""`burako evaluate A B`: one agent against another on duplicate boards."""

from typing import Annotated

import tyro
from pydantic import Field

from experiments.commands.tournament import measured
from experiments.contest.pairings import Pair
from experiments.contest.settings import ContestSettings
from experiments.report import tables
from experiments.runs.printing import console

AgentA = Annotated[str, tyro.conf.Positional, tyro.conf.arg(metavar="A"), Field(description="agent that is measured")]
AgentB = Annotated[str, tyro.conf.Positional, tyro.conf.arg(metavar="B"), Field(description="agent it plays against")]


class EvaluateSettings(ContestSettings):
    """Points per hand and win rate of agent A against agent B, with 95% intervals over duplicate boards."""

    a: AgentA
    b: AgentB


def run(settings: EvaluateSettings, line: str) -> int:
    """Play, print, write the summary."""
    contest = settings.contest([Pair(0, settings.a, settings.b)])
    contest.check()
    summary, path, page = measured("evaluate", settings, line, contest)
    out = console()
    lines = [*tables.pair_lines(summary["pairs"][0]), *summary["warnings"]]
    out.print("\n".join(lines), markup=False, soft_wrap=True)
    if summary["failures"]:
        out.print(tables.failures(summary["failures"]))
    out.print(f"report: {page}\nsummary: {path}", markup=False, soft_wrap=True)
    return 0
