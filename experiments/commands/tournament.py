"""`burako tournament`: teams against each other on the same duplicate boards."""

from dataclasses import replace
from pathlib import Path
from typing import Annotated, Any, ClassVar

import tyro
from pydantic import Field

from burako_env.errors import UserError, unknown
from experiments.contest.contest import Contest, play_all
from experiments.contest.pairings import ScheduleName, make_pairs
from experiments.contest.settings import ContestSettings
from experiments.report import tables
from experiments.report.page import write_page
from experiments.report.summary import contest_summary, over_games
from experiments.runs.folder import open_run
from experiments.runs.printing import console
from experiments.runs.settings import Boards


class TournamentSettings(ContestSettings):
    """Teams on duplicate boards: each board is one deal played twice, the second time with the teams exchanged.

    Prints a ranking, a cross table and what each team did; rows, summary.json and report.html go to the run folder.
    """

    grows: ClassVar[frozenset[str]] = frozenset({"boards", "slow_boards"})

    games: Annotated[
        tuple[str, ...], Field(description="several games instead of one: a tournament of each, in a folder of its own")
    ] = ()
    agents: Annotated[
        tuple[str, ...],
        Field(
            description="two or more: names, name:option=value, checkpoints, package.module:Class; partners are "
            "written agent+agent"
        ),
    ] = ("random", "heuristic")
    schedule: Annotated[
        ScheduleName,
        Field(
            description="round-robin: all against all; gauntlet: the first against the others; pairs: those of "
            "--pairs; cross-play: every two agents as partners against teams of each"
        ),
    ] = "round-robin"
    pairs: Annotated[
        tuple[tuple[str, str], ...],
        tyro.conf.arg(metavar="A B"),
        Field(description="pairs of teams, for the schedule pairs: A B C D is A against B and C against D"),
    ] = ()
    boards: Annotated[Boards, Field(description="boards each pair plays, of two hands or matches each")] = 512
    slow: Annotated[tuple[str, ...], Field(description="teams that think long: their pairs play fewer boards")] = ()
    slow_boards: Annotated[Boards, Field(description="boards of a pair with one of these")] = 64
    anchor: Annotated[
        str | None,
        tyro.conf.arg(metavar="AGENT"),
        Field(description="team with Elo 1000 and 0 points; by default heuristic if it plays, else the first"),
    ] = None


def run(settings: TournamentSettings, line: str) -> int:
    """Play, print, write the summary and the report."""
    if not settings.games:
        _play(settings, line, _checked(settings))
        return 0
    if len(set(settings.games)) < len(settings.games):
        raise UserError("games names a game twice")
    parts = {name: settings.model_copy(update={"game": name, "games": ()}) for name in settings.games}
    contests = {name: _checked(part) for name, part in parts.items()}
    identity = {name: contest.identity() for name, contest in contests.items()}
    with open_run("tournament", settings, line, identity) as folder:
        summaries = {}
        for name, contest in contests.items():
            inner = parts[name].model_copy(update={"out": folder.folder / name})
            console().print(f"{name}:", markup=False)
            summaries[name] = _play(inner, line, contest)
        summary = over_games(summaries)
        path = folder.write_summary(summary)
    out = console()
    out.print(tables.ranking(summary["agents"], summary["digits"]))
    out.print(f"summary over all games: {path}", markup=False, soft_wrap=True)
    return 0


def _checked(settings: TournamentSettings) -> Contest:
    """What is to be played, checked before anything is written."""
    contest = replace(
        settings.contest(make_pairs(settings.schedule, settings.agents, settings.pairs)),
        slow=settings.slow,
        slow_boards=settings.slow_boards,
    )
    _anchor(contest, settings.anchor)
    contest.check()
    return contest


def _play(settings: TournamentSettings, line: str, contest: Contest) -> dict[str, Any]:
    """The tournament of one game; returns its summary."""
    summary, path, page = measured("tournament", settings, line, contest, _anchor(contest, settings.anchor))
    out = console()
    for table in tables.tables(summary):
        out.print(table)
    out.print(f"summary: {path}\nreport: {page}", markup=False, soft_wrap=True)
    return summary


def measured(
    command: str, settings: ContestSettings, line: str, contest: Contest, anchor: str = ""
) -> tuple[dict[str, Any], Path, Path]:
    """Play a contest in its run folder: its summary, and where that and the report were written."""
    with open_run(command, settings, line, contest.identity()) as run:
        play_all(contest, run.folder, settings.workers, settings.batch, settings.backend)
        summary = contest_summary(contest, run.folder, settings.recorded, anchor)
        return summary, run.write_summary(summary), write_page(run.folder)


def _anchor(contest: Contest, anchor: str | None) -> str:
    if anchor is not None:
        if anchor not in contest.names:
            raise unknown("anchor", anchor, contest.names)
        return anchor
    return "heuristic" if "heuristic" in contest.names else contest.names[0]
