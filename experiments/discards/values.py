"""Suites and the values of their choices, in chunks by worker processes; a killed run goes on with what is missing.

The value of a choice is found by the paired rollouts of `agents/rollouts.py`. A chunk is a file of some positions, a
pure function of the suite, the agent and the seed. A worker plays as many chunks side by side as make a batch.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Final

import numpy as np
import pyarrow as pa

from agents import Agent
from agents.rollouts import paired_values
from burako_env.batch import BatchGame, Ints
from burako_env.chance.rng import combine
from burako_env.inputs.files import damaged
from experiments.discards.store import (
    VALUES_SCHEMA,
    Points,
    holds,
    read,
    read_suite,
    suite_file,
    values_table,
    write,
    write_suite,
)
from experiments.discards.suite import Kind, Source, Suite, sample
from experiments.processes.backends import run_jobs
from experiments.runs.bars import CountingBar

# What is estimated, by the names of its files: of which suite, and how far from the run's seed its own is.
PARTS: Final[dict[str, tuple[Kind, int]]] = {
    "values": ("discards", 0),
    "repeat": ("discards", 1),
    "draws": ("draws", 0),
}
CHUNK_POSITIONS: Final = 16
# Which stream of the seed redraws the cards.
_REDRAW: Final = 102


def values(game: BatchGame, agent: Agent, suite: Suite, redraws: int, seed: int) -> tuple[Ints, Ints, Points]:
    """Points (own team minus the others) of every choice in every redraw.

    Position and choice int64 `[m]`, in order; points int32 `[m, redraws]`. `game` is any batch of the suite's game.
    """
    row, choice = np.nonzero(suite.legal)
    keys = combine(seed, _REDRAW, suite.keys)
    points = paired_values(game, agent, suite.view, keys, row, suite.actions[choice], redraws)
    return row, choice, points.astype(np.int32)


@dataclass(frozen=True)
class Task:
    """Values to be estimated: a pure description, sent to the workers.

    name: of the files in the run's folder. source: of the suite that lies in the file `suite`. positions: how many of
    its first ones. seed: of redraws and rollouts.
    """

    name: str
    folder: Path
    source: Source
    suite: Path
    positions: int
    redraws: int
    seed: int

    @property
    def result(self) -> Path:
        """File of all values."""
        return self.folder / f"{self.name}.parquet"

    def chunks(self) -> dict[int, Path]:
        """The chunks' files by the first position of each."""
        parts = self.folder / "parts" / self.name
        return {first: parts / f"positions-{first:06d}.parquet" for first in range(0, self.positions, CHUNK_POSITIONS)}

    def read(self) -> tuple[Suite, dict[str, Any]]:
        """The positions, and what their values belong to."""
        suite = read_suite(self.suite, self.source.game, self.source.make(1).rules)
        if self.positions < len(suite):
            suite = suite.take(range(self.positions))
        return suite, {**suite.about(), "agent": self.source.agent, "seed": self.seed, "redraws": self.redraws}


def estimate_all(
    source: Source, counts: Mapping[str, int], redraws: int, folder: Path, workers: int, batch: int
) -> None:
    """Sample the suites and estimate their values, as far as the folder does not hold them.

    `source` is that of the discards; `counts` has the positions of each part (`PARTS`), 0 to leave it out.
    """
    sources = {"discards": source, "draws": replace(source, positions=counts["draws"], situations=())}
    for name, (kind, further) in PARTS.items():
        suite = suite_file(folder, kind)
        task = Task(name, folder, sources[kind], suite, counts[name], redraws, source.seed + further)
        if task.positions and not suite.exists():
            with CountingBar(f"hands for {kind}", source.hands) as bar:
                write_suite(sample(task.source, kind, bar.more), suite)
        if task.positions and not task.result.exists():
            _estimate(task, workers, batch)


def _estimate(task: Task, workers: int, batch: int) -> None:
    """Estimate what the folder does not hold yet; all chunks together are then one file."""
    (suite, about), chunks = task.read(), task.chunks()

    def jobs(count: int) -> list[tuple[Any, ...]]:
        missing = [first for first, path in chunks.items() if not path.exists()]
        games = float(suite.legal.sum()) / len(suite) * CHUNK_POSITIONS * task.redraws
        # Every worker gets its share, even where one batch would hold all.
        together = min(max(1, int(batch / games)), -(-len(missing) // count)) or 1
        return [(task, missing[at : at + together]) for at in range(0, len(missing), together)]

    with CountingBar(f"{task.name}, chunks", len(chunks), lambda: sum(path.exists() for path in chunks.values())):
        run_jobs(estimate_chunks, jobs, workers, "loky")
    tables = []
    for first, path in chunks.items():
        table, found = read(path, VALUES_SCHEMA.names)
        if found != about or not holds(table, suite.legal[first : first + CHUNK_POSITIONS], task.redraws, first):
            raise damaged(path, "it does not hold the values of its positions")
        tables.append(table)
    write(pa.concat_tables(tables), task.result, about)


def estimate_chunks(task: Task, firsts: Sequence[int]) -> None:
    """Play some chunks in one batch and write each."""
    (suite, about), chunks = task.read(), task.chunks()
    at = np.concatenate([np.arange(first, min(first + CHUNK_POSITIONS, task.positions)) for first in firsts])
    row, choice, points = values(task.source.make(1), task.source.load(), suite.take(at), task.redraws, task.seed)
    for first in firsts:
        own = at[row] // CHUNK_POSITIONS == first // CHUNK_POSITIONS
        write(values_table(at[row][own], choice[own], points[own]), chunks[first], about)
