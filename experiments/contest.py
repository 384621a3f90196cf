"""Play pairs of agents on duplicate boards, in worker processes, into a run folder.

Tournament and evaluation are this with different pairs. Workers share nothing but the folder: any of them may play any
chunk. What came out is measured by `results.py`, so that workers need not load the statistics.
"""

from __future__ import annotations

import sys
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import joblib
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn, TimeRemainingColumn

import agents
import burako_env
from burako_env.burako.rules import PRESETS
from burako_env.errors import UserError
from burako_env.registry import burako_rules
from experiments.parts import remove_leftovers, write_part
from experiments.play_hands import Outcomes, play
from experiments.runs import versions
from experiments.schedule import Chunk, Pair, chunks_of, hands_of, jobs_of
from experiments.settings import rule_changes


@dataclass(frozen=True)
class Contest:
    """What is played: a pure description, sent to the workers. `rules` are the changes to the game's preset."""

    game: str
    rules: tuple[str, ...]
    seed: int
    pairs: tuple[Pair, ...]
    boards: int

    @property
    def names(self) -> tuple[str, ...]:
        """The agents, in the order of the pairs."""
        return tuple(dict.fromkeys(name for pair in self.pairs for name in (pair.a, pair.b)))

    def check(self) -> None:
        """Refuse a game, rule or agent that does not exist before anything is played."""
        changes = rule_changes(self.rules)
        game = burako_env.make(self.game, batch=1, root_seed=self.seed, config=changes)
        if game.sides != 2:
            raise UserError(f"{self.game} has {game.sides} sides: pairs of agents need a game of two teams")
        for name in self.names:
            agents.load(name, self.game, changes)

    def identity(self) -> dict[str, Any]:
        """What the rows depend on beside the settings: the version and the rules in full."""
        rules = burako_rules(self.game, rule_changes(self.rules)).digest() if self.game in PRESETS else None
        return {"version": versions().get("burako-selfplay"), "rules_digest": rules}


def play_all(contest: Contest, folder: Path, workers: int, batch: int) -> None:
    """Play every chunk that the folder does not hold yet."""
    chunks = chunks_of(contest.pairs, contest.boards)
    remove_leftovers(folder)
    missing = [chunk for chunk in chunks if not chunk.path(folder).exists()]
    workers = workers or joblib.cpu_count()
    jobs = jobs_of(missing, workers, batch)
    pool = joblib.Parallel(n_jobs=min(workers, max(len(jobs), 1)), backend="loky", batch_size=1)
    try:
        with _progress(folder, chunks):
            pool(joblib.delayed(play_job)(contest, job, folder, batch) for job in jobs)
    except KeyboardInterrupt:
        print(
            f"finished chunks are kept: the same command with --resume --out {folder} plays the rest", file=sys.stderr
        )
        raise


def play_job(contest: Contest, chunks: Sequence[Chunk], folder: Path, batch: int) -> None:
    """Play some chunks side by side and write each as soon as its last hand is over."""
    hands = hands_of(chunks)
    changes = rule_changes(contest.rules)
    game = burako_env.make(contest.game, batch=min(batch, len(hands)), root_seed=contest.seed, config=changes)
    players = [agents.load(name, contest.game, changes) for name in hands.agents]
    outcomes = Outcomes.empty(len(hands))
    left = [chunk.hands for chunk in chunks]
    first = [0]
    for chunk in chunks:
        first.append(first[-1] + chunk.hands)
    for finished in play(game, players, hands, outcomes):
        for number in hands.chunk[finished]:
            left[number] -= 1
            if not left[number]:
                write_part(
                    folder, contest.game, chunks[number], hands, slice(first[number], first[number + 1]), outcomes
                )


@contextmanager
def _progress(folder: Path, chunks: Sequence[Chunk]) -> Iterator[None]:
    """A bar of the chunks written so far, whoever writes them; nothing where there is no terminal."""
    console = Console(stderr=True)
    if not console.is_terminal:
        yield
        return
    paths = [chunk.path(folder) for chunk in chunks]
    columns = (TextColumn("hands"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn(), TimeRemainingColumn())
    stop = threading.Event()
    with Progress(*columns, console=console, transient=True) as bar:
        task = bar.add_task("hands", total=sum(chunk.hands for chunk in chunks))

        def watch() -> None:
            while not stop.wait(0.5):
                bar.update(task, completed=sum(chunk.hands for chunk, path in zip(chunks, paths) if path.exists()))

        watcher = threading.Thread(target=watch, daemon=True)
        watcher.start()
        try:
            yield
        finally:
            stop.set()
            watcher.join()
