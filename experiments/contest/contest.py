"""Play pairs of teams on duplicate boards, in worker processes, into a run folder.

Tournament and evaluation are this with different pairs. Workers share nothing but the folder: any of them may play any
chunk. What came out is measured by `report/results.py`.
"""

import contextlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any, Final, Literal

import numpy as np

from agents import Agent
from agents.spec import members
from burako_env.batch import BatchGame
from burako_env.errors import UserError, unknown
from burako_env.families import family_of, make, make_match
from experiments.contest.identity import files_behind
from experiments.contest.outcomes import Outcomes
from experiments.contest.pairings import Pair
from experiments.contest.play import play
from experiments.contest.rows import PairRows, is_played, read_pair, write_part
from experiments.contest.schedule import CHUNK_BOARDS, Chunk, chunks_of, hands_of, jobs_of
from experiments.contest.watchers import watchers
from experiments.processes.apart import load_agent
from experiments.processes.backends import Backend, run_jobs
from experiments.runs.bars import CountingBar
from experiments.runs.folder import versions
from experiments.runs.printing import say
from experiments.runs.settings import rule_changes
from experiments.statistics.sprt import Plan, decide

# Boards of each pair that are played between two looks of a sequential test.
WAVE_BOARDS: Final = 4 * CHUNK_BOARDS

Play = Literal["hands", "matches"]


@dataclass(frozen=True)
class Contest:
    """What is played: a pure description, sent to the workers.

    rules: changes to the game's preset. boards: of each pair; at most so many if `stop` ends a pair early. slow:
    teams whose pairs play at most `slow_boards`. play: whether the two halves of a board are hands or matches.
    time_budget: seconds per decision, 0 without a limit.
    """

    game: str
    rules: tuple[str, ...]
    seed: int
    pairs: tuple[Pair, ...]
    boards: int
    slow: tuple[str, ...] = ()
    slow_boards: int = 0
    play: Play = "hands"
    time_budget: float = 0.0
    stop: Plan | None = None

    @property
    def names(self) -> tuple[str, ...]:
        """The teams, in the order of the pairs."""
        return tuple(dict.fromkeys(name for pair in self.pairs for name in (pair.a, pair.b)))

    @property
    def players(self) -> tuple[str, ...]:
        """The agents in these teams."""
        return tuple(dict.fromkeys(player for name in self.names for player in members(name)))

    def make(self, batch: int) -> BatchGame:
        """The batch to play on."""
        made = make_match if self.play == "matches" else make
        return made(self.game, batch, self.seed, rule_changes(self.rules))

    def load(self, name: str) -> Agent:
        """An agent, ready to play this contest's game."""
        return load_agent(name, self.game, rule_changes(self.rules))

    @cached_property
    def turns(self) -> int:
        """Hands of a board: one for each side of the game."""
        return self.make(1).sides

    @property
    def forfeit(self) -> int:
        """Points by which an agent that fails loses: of a match, its target."""
        match = self.make(1).match
        return family_of(self.game).forfeit if match is None else match.target

    def chunks(self, pairs: Sequence[Pair], first: int = 0, last: int | None = None) -> list[Chunk]:
        """The chunks of boards `first` to `last - 1` of some pairs, all of them by default."""
        found = []
        for pair in pairs:
            boards = min(self.boards, self.slow_boards) if {pair.a, pair.b} & set(self.slow) else self.boards
            found += chunks_of([pair], boards if last is None else min(boards, last), first, self.turns)
        return found

    def check(self) -> None:
        """Refuse a game, rule or agent that does not exist before anything is played."""
        game = self.make(1)
        for team in self.slow:
            if team not in self.names:
                raise unknown("slow team", team, self.names)
        for team in self.names:
            seats = game.seats // game.sides
            if len(members(team)) > seats:
                raise UserError(f"team '{team}' has {len(members(team))} agents for the {seats} seats of {self.game}")
        for name in self.players:
            self.load(name)

    def identity(self) -> dict[str, Any]:
        """What the rows depend on in addition to the settings: version, rules in full, and the agents' files."""
        rules = self.make(1).rules_digest
        files = {path: digest for name in self.players for path, digest in files_behind(name).items()}
        return {"version": versions().get("burako-selfplay"), "rules_digest": rules, "files": files}


def play_all(contest: Contest, folder: Path, workers: int, batch: int, backend: Backend = "loky") -> None:
    """Play every chunk that the folder does not hold yet."""
    hands = {chunk.path(folder): chunk.hands for chunk in contest.chunks(contest.pairs)}

    def played() -> int:
        return sum(count for path, count in hands.items() if path.exists())

    try:
        with CountingBar("hands", sum(hands.values()), played):
            for chunks in _waves(contest, folder):
                _play_missing(contest, chunks, folder, workers, batch, backend)
    except KeyboardInterrupt:
        say(f"finished chunks are kept: the same command with --resume --out {folder} plays the rest", error=True)
        raise


def chunks_played(contest: Contest, folder: Path) -> list[list[Chunk]]:
    """The chunks of each pair that belong to the contest, in order: all of them, or up to the stop."""
    every = [contest.chunks([pair]) for pair in contest.pairs]
    return every if contest.stop is None else [[chunk for chunk in own if chunk.path(folder).exists()] for own in every]


def collect(contest: Contest, folder: Path) -> list[PairRows]:
    """The rows of every pair."""
    return [read_pair(folder, chunks) for chunks in chunks_played(contest, folder)]


def _waves(contest: Contest, folder: Path) -> Iterator[list[Chunk]]:
    """What to play at once: everything, or with an early stop one wave of each pair that is still open."""
    if contest.stop is None:
        yield contest.chunks(contest.pairs)
        return
    still_open = list(contest.pairs)
    for first in range(0, contest.boards, WAVE_BOARDS):
        last = min(first + WAVE_BOARDS, contest.boards)
        yield contest.chunks(still_open, first, last)
        played = [read_pair(folder, contest.chunks([pair], last=last)).counted() for pair in still_open]
        verdicts = [decide(rows.board_points, contest.stop).decision for rows in played]
        still_open = [pair for pair, verdict in zip(still_open, verdicts) if verdict == "open"]
        if not still_open:
            return


def _play_missing(
    contest: Contest, chunks: Sequence[Chunk], folder: Path, workers: int, batch: int, backend: Backend
) -> None:
    def jobs(count: int) -> list[tuple[Any, ...]]:
        missing = [chunk for chunk in chunks if not is_played(folder, chunk)]
        # Workers on other machines know the shared folder by its full path, and find the user's modules from here.
        return [(contest, job, folder.resolve(), batch, Path.cwd()) for job in jobs_of(missing, count, batch)]

    run_jobs(play_job, jobs, workers, backend)


def play_job(contest: Contest, chunks: Sequence[Chunk], folder: Path, batch: int, where: Path) -> None:
    """Play some chunks side by side and write each as soon as its last hand is over."""
    with contextlib.chdir(where):
        game = contest.make(min(batch, sum(chunk.hands for chunk in chunks)))
        hands = hands_of(chunks, game.side_of)
        players = [contest.load(name) for name in hands.agents]
        outcomes = Outcomes(len(hands), contest.forfeit, game.sides)
        left = [chunk.hands for chunk in chunks]
        first = np.cumsum([0, *left])
        for finished in play(game, players, hands, outcomes, watchers(game, outcomes), contest.time_budget):
            for number in hands.chunk[finished]:
                left[number] -= 1
                if not left[number]:
                    rows = slice(int(first[number]), int(first[number + 1]))
                    write_part(folder, contest.game, chunks[number], hands, rows, outcomes)
