"""`burako tournament`: every agent against every other on the same duplicate boards."""

from __future__ import annotations

from typing import Annotated

import tyro
from pydantic import Field

from burako_env.errors import unknown
from experiments import report, results
from experiments.contest import Contest, play_all
from experiments.runs import open_run
from experiments.schedule import round_robin
from experiments.settings import Batch, ConfigFile, GameName, OutDir, Resume, RuleChanges, Seed, Settings, Workers


class TournamentSettings(Settings):
    """Round robin on duplicate boards: each board is one deal played twice, the second time with the teams exchanged.

    Prints a ranking and a cross table with 95% intervals over boards; rows and summary.json go to the run folder.
    """

    game: GameName = "burako-4"
    agents: Annotated[
        tuple[str, ...], Field(description="two or more agents: names, name:option=value, or package.module:Class")
    ] = ("random", "heuristic")
    boards: Annotated[int, Field(ge=1, description="boards a pair plays, of two hands each")] = 512
    seed: Seed = 0
    rules: RuleChanges = ()
    anchor: Annotated[
        str | None,
        tyro.conf.arg(metavar="AGENT"),
        Field(description="agent with Elo 1000; by default heuristic if it plays, else the first agent"),
    ] = None
    workers: Workers = 0
    batch: Batch = 1024
    config: ConfigFile = None
    out: OutDir = None
    resume: Resume = False


def run(settings: TournamentSettings, line: str) -> int:
    """Play, print, write the summary."""
    contest = Contest(
        settings.game, settings.rules, settings.seed, tuple(round_robin(settings.agents)), settings.boards
    )
    anchor = _anchor(settings)
    contest.check()
    folder = open_run("tournament", settings, line, contest.identity())
    play_all(contest, folder.folder, settings.workers, settings.batch)
    rows = results.collect(contest, folder.folder)
    pairs = [results.pair_result(pair, found) for pair, found in zip(contest.pairs, rows)]
    agents = results.agent_results(contest, rows, anchor)
    path = folder.write_summary({"agents": agents, "pairs": pairs})
    out = report.console()
    out.print(report.ranking(agents))
    out.print(report.cross_table([agent["name"] for agent in agents], pairs))
    out.print("\n".join((*results.error_lines(rows), f"summary: {path}")), markup=False, soft_wrap=True)
    return 0


def _anchor(settings: TournamentSettings) -> str:
    if settings.anchor is not None:
        if settings.anchor not in settings.agents:
            raise unknown("anchor", settings.anchor, settings.agents)
        return settings.anchor
    return "heuristic" if "heuristic" in settings.agents else settings.agents[0]
