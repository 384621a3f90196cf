"""`burako discards`: which card to throw, measured at the table and decision by decision."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any, ClassVar, Final, Literal

from pydantic import Field

from agents.burako.discard import STRATEGIES
from burako_env.errors import UserError, unknown
from burako_env.inputs.checked import Whole
from experiments.contest.identity import files_behind
from experiments.discards import pictures, show
from experiments.discards.decisions import Plan, estimate_all, files_of, results, rules_of, stored_suite
from experiments.discards.play import contest_of, play
from experiments.discards.situations import NAMES, cells_with
from experiments.discards.suite import Source
from experiments.runs.figures import kept
from experiments.runs.folder import Run, open_run, versions
from experiments.runs.printing import console
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
)

# Rollouts all begin at once, so their batches may be large; hands at the table refill theirs.
ROLLOUTS_AT_ONCE: Final = 8192
HANDS_AT_ONCE: Final = 1024
NO_DECISIONS: Final[dict[str, Any]] = {"suite": None, "values": None, "strategies": [], "advice": [], "noise": None}

# A View each, in memory.
Positions = Annotated[Whole, Field(ge=0, le=1_000_000)]


class DiscardsSettings(Settings):
    """Discard strategies with the same meld planner and pile policy, measured in two ways.

    Play: a round robin on duplicate boards. Decisions: positions from self-play, spread over the seed's situations, in
    which every legal discard is played to the end many times; a strategy's regret is what its card loses against the
    best one. The values stay in the run folder, where `--values` finds them to judge strategies without new rollouts.
    """

    grows: ClassVar[frozenset[str]] = frozenset({"boards"})

    strategies: Annotated[tuple[str, ...], Field(description="strategies to compare; by default all")] = ()
    part: Annotated[Literal["both", "play", "decisions"], Field(description="what to measure")] = "both"
    games: Annotated[tuple[str, ...], Field(description="games of the play part")] = (
        "burako-4",
        "burako-6",
        "burako-8",
    )
    boards: Annotated[Boards, Field(description="boards a pair plays of each game, of two hands each")] = 256
    game: GameName = "burako-4"
    rules: RuleChanges = ()
    seed: Seed = 0
    agent: Annotated[str, Field(description="plays the hands that positions are taken from, and the rollouts")] = (
        "heuristic"
    )
    situations: Annotated[
        tuple[str, ...],
        Field(description="positions of these situations only: " + ", ".join(NAMES)),
    ] = ()
    hands: Annotated[Boards, Field(description="hands of self-play; each gives at most one position")] = 6144
    positions: Annotated[Positions, Field(ge=1, description="discards in the suite")] = 1200
    redraws: Annotated[
        Whole, Field(ge=2, le=10_000, multiple_of=2, description="redraws of the hidden cards, the same for every card")
    ] = 128
    repeat: Annotated[Positions, Field(description="positions to estimate again, for the noise of the estimates")] = 100
    draws: Annotated[Positions, Field(description="draws in the suite for the sentence of ADVICE-3 on the pile")] = 200
    values: Annotated[
        Path | None, Field(description="run folder whose suite and values are judged instead of new ones")
    ] = None
    workers: Workers = 0
    batch: Batch = ROLLOUTS_AT_ONCE
    config: ConfigFile = None
    out: OutDir = None
    resume: Resume = False

    @property
    def names(self) -> tuple[str, ...]:
        """The strategies."""
        return self.strategies or tuple(STRATEGIES)

    @property
    def decides(self) -> bool:
        """Whether decisions are measured."""
        return self.part != "play"

    @property
    def plan(self) -> Plan:
        """What to estimate."""
        source = Source(self.game, self.rules, self.agent, self.seed, self.hands, self.positions, self.situations)
        return Plan(source, {"values": self.positions, "repeat": self.repeat, "draws": self.draws}, self.redraws)


def run(settings: DiscardsSettings, line: str) -> int:
    """Measure, print, write summary and pictures."""
    check(settings)
    games = settings.games if settings.part != "decisions" else ()
    contests = {
        game: contest_of(game, settings.rules, settings.names, settings.boards, settings.seed) for game in games
    }
    for contest in contests.values():
        contest.check()
    with open_run("discards", settings, line, identity(settings)) as folder:
        hands = min(settings.batch, HANDS_AT_ONCE)
        played = {
            game: play(contest, folder.folder / "play" / game, settings.workers, hands)
            for game, contest in contests.items()
        }
        summary = {"play": played, **(decide(settings, folder) if settings.decides else NO_DECISIONS)}
        path = folder.write_summary(summary)
        drawn = pictures.draw(summary, folder.folder)
    out = console()
    for table in show.tables(summary):
        out.print(table)
    lines = [*(f"picture: {picture}" for picture in drawn), f"summary: {path}"]
    out.print("\n".join(lines), markup=False, soft_wrap=True)
    return 0


def decide(settings: DiscardsSettings, folder: Run) -> dict[str, Any]:
    """The decisions part of the summary; values are estimated first where no earlier run's are given."""
    where = settings.values or folder.folder
    if settings.values is None:
        estimate_all(settings.plan, where, settings.workers, settings.batch)
    rules = rules_of(settings.game, settings.rules)

    def answer() -> tuple[dict[str, Any], list[Path]]:
        return results(where, settings.game, rules, settings.names, settings.situations), []

    question = {"rules": rules.digest(), "names": settings.names, "situations": settings.situations}
    found: dict[str, Any] = kept(folder.folder, question, files_of(where), answer)
    return found


def check(settings: DiscardsSettings) -> None:
    """Refuse what does not exist before anything is played."""
    for name in settings.names:
        if name not in STRATEGIES:
            raise unknown("discard strategy", name, STRATEGIES)
    if len(set(settings.names)) < len(settings.names):
        raise UserError("a strategy is named twice: name each once")
    cells_with(settings.situations)
    if settings.repeat > settings.positions:
        raise UserError(f"repeat {settings.repeat} is more than the {settings.positions} positions there are")
    settings.plan.source.make(1)
    if settings.decides and settings.values is None:
        settings.plan.source.load()


def identity(settings: DiscardsSettings) -> dict[str, Any]:
    """What results depend on beside the settings: version, rules in full, the agent's files, the stored suite."""
    rules = rules_of(settings.game, settings.rules)
    known: dict[str, Any] = {
        "version": versions().get("burako-selfplay"),
        "rules_digest": rules.digest(),
        "files": files_behind(settings.agent),
    }
    if settings.values is not None and settings.decides:
        known["stored_suite"] = stored_suite(settings.values, rules, settings.game).digest()
    return known
