"""Who plays whom on which boards: pairs, cut into chunks of 64 boards.

A board is one deal played twice, the second time with the teams exchanged; board b is deal id b for every pair, so that
all pairs play the same cards. A chunk is the unit of storage and of resuming, not of play: a worker plays several side
by side.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations
from pathlib import Path
from typing import Final

import numpy as np
import numpy.typing as npt

from burako_env.errors import UserError

CHUNK_BOARDS: Final = 64
HANDS_PER_BOARD: Final = 2


@dataclass(frozen=True)
class Pair:
    """Two agents that meet: `a` is team 0 in every hand. `index` numbers the pairs of a run."""

    index: int
    a: str
    b: str


@dataclass(frozen=True)
class Chunk:
    """Boards `start` to `start + boards - 1` of a pair."""

    pair: Pair
    start: int
    boards: int

    @property
    def hands(self) -> int:
        """Hands in it."""
        return HANDS_PER_BOARD * self.boards

    def path(self, folder: Path) -> Path:
        """Where its rows are kept."""
        return folder / "parts" / f"pair-{self.pair.index:03d}" / f"boards-{self.start:06d}.parquet"


@dataclass(frozen=True)
class Hands:
    """Hands to play, in chunk order, then board, then orientation. All arrays are `[n]`, `sides` is `[n, 2]`.

    sides: index of the agent (in `agents`) that plays each team. boards: deal ids. swapped: the second orientation.
    chunk: index of the chunk a hand belongs to.
    """

    agents: tuple[str, ...]
    sides: npt.NDArray[np.int64]
    boards: npt.NDArray[np.int64]
    swapped: npt.NDArray[np.bool_]
    chunk: npt.NDArray[np.int64]

    def __len__(self) -> int:
        return len(self.boards)


def round_robin(agents: Sequence[str]) -> list[Pair]:
    """Every agent against every other one, in the order given."""
    twice = sorted({agent for agent in agents if agents.count(agent) > 1})
    if twice:
        raise UserError(f"agent '{twice[0]}' is named twice: a tournament needs different agents")
    if len(agents) < 2:
        raise UserError(f"a tournament needs at least two agents, not {len(agents)}")
    return [Pair(index, a, b) for index, (a, b) in enumerate(combinations(agents, 2))]


def chunks_of(pairs: Sequence[Pair], boards: int) -> list[Chunk]:
    """All chunks, pair by pair; the last of each pair may be short."""
    return [
        Chunk(pair, start, min(CHUNK_BOARDS, boards - start))
        for pair in pairs
        for start in range(0, boards, CHUNK_BOARDS)
    ]


def jobs_of(chunks: Sequence[Chunk], workers: int, batch: int, batches_per_job: int = 8) -> list[list[Chunk]]:
    """Chunks dealt out in turn to jobs: one a worker, or several if one would be long.

    Pair by pair, so that a batch is mostly one pair and an agent is asked about many games at once; in turn, so that
    every job has its share of the pairs that play slowly.
    """
    hands = sum(chunk.hands for chunk in chunks)
    count = max(workers, -(-hands // (batches_per_job * batch)))
    count = -(-count // workers) * workers
    return [list(job) for start in range(count) if (job := chunks[start::count])]


def hands_of(chunks: Sequence[Chunk]) -> Hands:
    """The hands of some chunks."""
    agents = tuple(dict.fromkeys(name for chunk in chunks for name in (chunk.pair.a, chunk.pair.b)))
    counts = np.array([chunk.hands for chunk in chunks], dtype=np.int64)
    sides = np.array([[agents.index(chunk.pair.a), agents.index(chunk.pair.b)] for chunk in chunks], dtype=np.int64)
    boards = [np.repeat(np.arange(chunk.start, chunk.start + chunk.boards), HANDS_PER_BOARD) for chunk in chunks]
    return Hands(
        agents=agents,
        sides=np.repeat(sides, counts, axis=0),
        boards=np.concatenate(boards),
        swapped=np.concatenate([np.tile([False, True], chunk.boards) for chunk in chunks]),
        chunk=np.repeat(np.arange(len(chunks)), counts),
    )
