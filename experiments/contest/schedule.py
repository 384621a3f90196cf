"""What is played of each pair: boards, cut into chunks of 64.

A board is one deal played twice, the second time with the teams exchanged; board b is deal id b for every pair, so that
all pairs play the same cards. In a game with more than two sides the deal is played as often as there are sides, the
table turned by one seat each time, so that every player sits once in every place. A chunk is the unit of storage and of
resuming, not of play: a worker plays several side by side. Where matches are played, read match for hand.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from agents.spec import members
from experiments.contest.pairings import Pair, round_robin

__all__ = [
    "CHUNK_BOARDS",
    "HANDS_PER_BOARD",
    "Chunk",
    "Hands",
    "Pair",
    "chunks_of",
    "hands_of",
    "jobs_of",
    "round_robin",
]

CHUNK_BOARDS: Final = 64
HANDS_PER_BOARD: Final = 2


@dataclass(frozen=True)
class Chunk:
    """Boards `start` to `start + boards - 1` of a pair; `turns`: hands of a board, one for each side of the game."""

    pair: Pair
    start: int
    boards: int
    turns: int = HANDS_PER_BOARD

    @property
    def hands(self) -> int:
        """Hands in it."""
        return self.turns * self.boards

    def path(self, folder: Path, kind: str = "parts") -> Path:
        """Where its rows are kept; `kind` `timings` for how long they took."""
        return folder / kind / f"pair-{self.pair.index:03d}" / f"boards-{self.start:06d}.parquet"


@dataclass(frozen=True)
class Hands:
    """Hands to play, in chunk order, then board, then orientation. All arrays are `[n]`, `players` is `[n, seats]`.

    players: index of the agent (in `agents`) that plays each seat. boards: deal ids. swapped: the second orientation;
    with more than two sides: by how many seats the table is turned.
    chunk: index of the chunk a hand belongs to.
    """

    agents: tuple[str, ...]
    players: npt.NDArray[np.int64]
    boards: npt.NDArray[np.int64]
    swapped: npt.NDArray[Any]
    chunk: npt.NDArray[np.int64]

    def __len__(self) -> int:
        return len(self.boards)


def chunks_of(pairs: Sequence[Pair], boards: int, first: int = 0, turns: int = HANDS_PER_BOARD) -> list[Chunk]:
    """All chunks of boards `first` to `boards - 1`, pair by pair; the last of each pair may be short."""
    return [
        Chunk(pair, start, min(CHUNK_BOARDS, boards - start), turns)
        for pair in pairs
        for start in range(first, boards, CHUNK_BOARDS)
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


def hands_of(chunks: Sequence[Chunk], side_of: npt.ArrayLike = (0, 1)) -> Hands:
    """The hands of some chunks; `side_of` int `[seats]` is the team of each seat.

    The partners of a mixed team change seats from board to board, so that none of them has the better chair.
    """
    seats = np.asarray(side_of)
    sides = int(seats.max()) + 1
    # The how-manieth of its team each seat is.
    place = np.array([int((seats[:seat] == side).sum()) for seat, side in enumerate(seats.tolist())])
    lineups = [
        [chunk.pair.lineup(sides, board) for board in range(chunk.start, chunk.start + chunk.boards)]
        for chunk in chunks
    ]
    teams = [team for chunk in lineups for lineup in chunk for team in lineup]
    agents = tuple(dict.fromkeys(name for team in teams for name in members(team)))
    players, boards = [], []
    for chunk, chunk_lineups in zip(chunks, lineups):
        table = np.zeros((chunk.boards, len(seats)), dtype=np.int64)
        for row, lineup in enumerate(chunk_lineups):
            for side, team in enumerate(lineup):
                names = np.array([agents.index(name) for name in members(team)])
                own = np.flatnonzero(seats == side)
                table[row, own] = names[(place[own] + chunk.start + row) % len(names)]
        players.append(np.repeat(table, chunk.turns, axis=0))
        boards.append(np.repeat(np.arange(chunk.start, chunk.start + chunk.boards), chunk.turns))
    turned = [np.tile(np.arange(chunk.turns), chunk.boards) for chunk in chunks]
    return Hands(
        agents=agents,
        players=np.concatenate(players),
        boards=np.concatenate(boards),
        swapped=np.concatenate(turned).astype(np.bool_ if sides == 2 else np.int64),
        chunk=np.repeat(np.arange(len(chunks)), [chunk.hands for chunk in chunks]),
    )
