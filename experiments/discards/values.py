"""Values of a whole suite, in chunks by worker processes; a killed run goes on with the chunks that are missing.

A chunk is a file of some positions, a pure function of the suite, the agent and the seed. A worker plays as many chunks
side by side as make a batch.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import numpy as np
import pyarrow as pa

from burako_env.burako.rules import burako_rules
from burako_env.inputs.files import damaged
from experiments.discards import bars
from experiments.discards.rollouts import values
from experiments.discards.store import VALUES_SCHEMA, read, read_suite, values_about, values_table, write
from experiments.discards.suite import Source, Suite
from experiments.processes.backends import run_jobs
from experiments.runs.settings import rule_changes

CHUNK_POSITIONS: Final = 16


@dataclass(frozen=True)
class Task:
    """Values to be estimated: a pure description, sent to the workers.

    name: of the files. suite: file of the suite. positions: how many of its first ones. seed: of redraws and rollouts.
    """

    name: str
    source: Source
    suite: Path
    positions: int
    redraws: int
    seed: int

    def path(self, folder: Path, first: int) -> Path:
        """File of the chunk that begins with position `first`."""
        return folder / "parts" / self.name / f"positions-{first:06d}.parquet"

    def result(self, folder: Path) -> Path:
        """File of all values."""
        return folder / f"{self.name}.parquet"

    def chunks(self) -> list[int]:
        """First positions of the chunks."""
        return list(range(0, self.positions, CHUNK_POSITIONS))

    def read(self) -> Suite:
        """The positions."""
        rules = burako_rules(self.source.game, rule_changes(self.source.rules))
        suite = read_suite(self.suite, self.source.game, rules)
        return suite if self.positions == len(suite) else suite.take(range(self.positions))


def estimate(task: Task, folder: Path, workers: int, batch: int) -> Path:
    """Estimate what the folder does not hold yet; all chunks together are then one file."""
    suite = task.read()

    def jobs(count: int) -> list[tuple[Any, ...]]:
        missing = [first for first in task.chunks() if not task.path(folder, first).exists()]
        games = float(suite.legal.sum()) / len(suite) * CHUNK_POSITIONS * task.redraws
        together = max(1, int(batch / games))
        # Every worker its share, even where one batch would hold all.
        together = min(together, -(-len(missing) // count)) or 1
        return [(task, missing[at : at + together], folder) for at in range(0, len(missing), together)]

    paths = [task.path(folder, first) for first in task.chunks()]
    with bars.files(f"{task.name}, positions", paths, CHUNK_POSITIONS):
        run_jobs(estimate_chunks, jobs, workers, "loky")
    about = values_about(suite, task.source.agent, task.seed, task.redraws)
    write(
        pa.concat_tables([_read(task, folder, first, suite, about) for first in task.chunks()]),
        task.result(folder),
        about,
    )
    return task.result(folder)


def _read(task: Task, folder: Path, first: int, suite: Suite, about: dict[str, Any]) -> pa.Table:
    """The values of a chunk."""
    path = task.path(folder, first)
    table, found = read(path, VALUES_SCHEMA.names)
    choices = suite.legal[first : first + CHUNK_POSITIONS].sum(axis=1)
    each = table["position"].to_numpy() - first
    if found != about or not np.array_equal(np.bincount(each[each >= 0]), choices * task.redraws):
        raise damaged(path, "not the values of its positions")
    return table


def estimate_chunks(task: Task, chunks: Sequence[int], folder: Path) -> None:
    """Play some chunks in one batch and write each."""
    suite = task.read()
    about = values_about(suite, task.source.agent, task.seed, task.redraws)
    rows = [row for first in chunks for row in range(first, min(first + CHUNK_POSITIONS, task.positions))]
    row, choice, points = values(task.source.make(1), task.source.load(), suite.take(rows), task.redraws, task.seed)
    for place, first in enumerate(chunks):
        begin = place * CHUNK_POSITIONS
        own = (row >= begin) & (row < begin + CHUNK_POSITIONS)
        write(values_table(first, row[own] - begin, choice[own], points[own]), task.path(folder, first), about)
