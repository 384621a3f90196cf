"""`burako discards`: which card to throw, measured at the table and decision by decision."""

import itertools
from dataclasses import asdict
from pathlib import Path
from typing import Annotated, Any, ClassVar, Final, Literal

from pydantic import Field

from agents.burako.discard import STRATEGIES
from burako_env.errors import UserError, unknown
from burako_env.families import family_of
from burako_env.inputs.checked import Whole
from experiments.contest import rows
from experiments.contest.contest import Contest, chunks_played, collect, play_all
from experiments.contest.identity import files_behind
from experiments.contest.pairings import round_robin
from experiments.discards import show
from experiments.discards.judge import files_of, results, stored
from experiments.discards.situations import NAMES, cells_with
from experiments.discards.suite import Source
from experiments.discards.values import estimate_all
from experiments.report.results import contest_results
from experiments.runs import settings as shared
from experiments.runs.figures import kept
from experiments.runs.folder import open_run, versions
from experiments.runs.printing import console

# Rollouts all begin at once, so their batches may be large; hands at the table refill theirs.
ROLLOUTS_AT_ONCE: Final = 8192
HANDS_AT_ONCE: Final = 1024
# The agent that differs in nothing but the discard.
PLAYER: Final = "heuristic:discard="
TABLES: Final = ("burako-4", "burako-6", "burako-8")
NO_DECISIONS: Final[dict[str, Any]] = {"suite": None, "values": None, "strategies": [], "advice": [], "noise": None}

# A View each, in memory.
Positions = Annotated[Whole, Field(ge=0, le=1_000_000)]


class DiscardsSettings(shared.Settings):
    """Discard strategies with the same meld planner and pile policy, measured in two ways.

    Play: a round robin on duplicate boards. Decisions: positions from self-play, spread over the situations that the
    advice tells apart, in which every legal discard is played to the end many times; a strategy's regret is what its
    card loses against the best one. The values stay in the run folder, where `--values` finds them to judge strategies
    without new rollouts.
    """

    grows: ClassVar[frozenset[str]] = frozenset({"boards"})

    strategies: Annotated[tuple[str, ...], Field(description="strategies to compare; by default all")] = ()
    part: Annotated[Literal["both", "play", "decisions"], Field(description="what to measure")] = "both"
    games: Annotated[tuple[str, ...], Field(description="games of the play part")] = TABLES
    boards: Annotated[shared.Boards, Field(description="boards of each game for each pair, two hands per board")] = 256
    game: shared.GameName = "burako-4"
    rules: shared.RuleChanges = ()
    seed: shared.Seed = 0
    agent: Annotated[str, Field(description="plays the hands that give positions, and the rollouts")] = "heuristic"
    situations: Annotated[tuple[str, ...], Field(description=f"only positions of these: {', '.join(NAMES)}")] = ()
    hands: Annotated[shared.Boards, Field(description="hands of self-play; each gives at most one position")] = 6144
    positions: Annotated[Positions, Field(ge=1, description="discards in the suite")] = 1200
    redraws: Annotated[
        Whole, Field(ge=2, le=10_000, multiple_of=2, description="redraws of the hidden cards, the same for every card")
    ] = 128
    repeat: Annotated[Positions, Field(description="positions to estimate again, for the noise of the estimates")] = 100
    draws: Annotated[Positions, Field(description="draws in the suite for the sentence of ADVICE-3 on the pile")] = 200
    values: Annotated[
        Path | None, Field(description="run folder whose suite and values are judged instead of new ones")
    ] = None
    workers: shared.Workers = 0
    batch: shared.Batch = ROLLOUTS_AT_ONCE
    config: shared.ConfigFile = None
    out: shared.OutDir = None
    resume: shared.Resume = False

    @property
    def names(self) -> tuple[str, ...]:
        """The strategies."""
        return self.strategies or tuple(STRATEGIES)

    @property
    def played(self) -> tuple[str, ...]:
        """The games that are played at the table."""
        return self.games if self.part != "decisions" else ()

    @property
    def source(self) -> Source:
        """Where the positions come from."""
        return Source(self.game, self.rules, self.agent, self.seed, self.hands, self.positions, self.situations)


def run(settings: DiscardsSettings, line: str) -> int:
    """Measure, print, write summary and pictures."""
    _check(settings)
    pairs = tuple(round_robin([PLAYER + name for name in settings.names]))
    contests = [Contest(game, settings.rules, settings.seed, pairs, settings.boards) for game in settings.played]
    for contest in contests:
        contest.check()
    with open_run("discards", settings, line, _identity(settings)) as opened:
        played = {contest.game: _play(settings, contest, opened.folder) for contest in contests}
        decided = _decide(settings, opened.folder) if settings.part != "play" else NO_DECISIONS
        summary = {"play": played, **decided}
        path = opened.write_summary(summary)
        drawn = show.draw(summary, opened.folder)
    out = console()
    for table in show.tables(summary):
        out.print(table)
    lines = [*(f"picture: {picture}" for picture in drawn), f"summary: {path}"]
    out.print("\n".join(lines), markup=False, soft_wrap=True)
    return 0


def _play(settings: DiscardsSettings, contest: Contest, run_folder: Path) -> dict[str, Any]:
    """Play what the folder does not hold yet; ranking and pairs, under the strategies' names alone."""
    folder = run_folder / "play" / contest.game
    play_all(contest, folder, settings.workers, min(settings.batch, HANDS_AT_ONCE))
    anchor = PLAYER + "random"
    if anchor not in contest.names:
        anchor = contest.names[0]

    def answer() -> tuple[dict[str, Any], list[Path]]:
        return contest_results(contest, collect(contest, folder), anchor), []

    def short(row: dict[str, Any], *keys: str) -> dict[str, Any]:
        return {**row, **{key: row[key].removeprefix(PLAYER) for key in keys}}

    files = rows.files_of(folder, itertools.chain(*chunks_played(contest, folder)))
    found = short(kept(folder, {"contest": asdict(contest), "anchor": anchor}, files, answer), "anchor")
    agents = [short(agent, "name") for agent in found["agents"]]
    pairs = [short(pair, "a", "b") for pair in found["pairs"]]
    return {"anchor": found["anchor"], "agents": agents, "pairs": pairs, "failures": found["failures"]}


def _decide(settings: DiscardsSettings, folder: Path) -> dict[str, Any]:
    """The decisions part of the summary; values are estimated first where no earlier run's are given."""
    where, names, situations = settings.values or folder, settings.names, settings.situations
    if settings.values is None:
        counts = {"values": settings.positions, "repeat": settings.repeat, "draws": settings.draws}
        estimate_all(settings.source, counts, settings.redraws, where, settings.workers, settings.batch)
    rules = settings.source.make(1).rules

    def answer() -> tuple[dict[str, Any], list[Path]]:
        return results(where, settings.game, rules, names, situations), []

    question = {"rules": rules.digest(), "names": names, "situations": situations}
    found: dict[str, Any] = kept(folder, question, files_of(where), answer)
    return found


def _check(settings: DiscardsSettings) -> None:
    """Refuse what does not exist before anything is played."""
    for game in (settings.game, *settings.played):
        if family_of(game).name != "burako":
            raise UserError(f"discards compares strategies of the card game, and {game} is none of its games")
    for name in settings.names:
        if name not in STRATEGIES:
            raise unknown("discard strategy", name, STRATEGIES)
    if len(set(settings.names)) < len(settings.names):
        raise UserError("a strategy is named twice: name each once")
    cells_with(settings.situations)
    if settings.repeat > settings.positions:
        raise UserError(f"repeat {settings.repeat} is more than the {settings.positions} positions there are")
    settings.source.make(1)
    if settings.part != "play" and settings.values is None:
        settings.source.load()


def _identity(settings: DiscardsSettings) -> dict[str, Any]:
    """What results depend on in addition to the settings: version, full rules, agent's files, stored suite."""
    rules = settings.source.make(1).rules
    known: dict[str, Any] = {"version": versions().get("burako-selfplay"), "rules_digest": rules.digest()}
    known["files"] = files_behind(settings.agent)
    if settings.values is not None and settings.part != "play":
        known["stored_suite"] = stored(settings.values, settings.game, rules)[0].digest()
    return known
