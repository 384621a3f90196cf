"""What is played of each pair: boards, cut into chunks of 64.

A board is one deal played twice, the second time with the teams exchanged; board b is deal id b for every pair, so that
all pairs play the same cards. In a game with more than two sides the deal is played as often as there are sides, the
table turned by one seat each time, so that every player sits once in every place. A chunk is the unit of storage and of
resuming, not of play: a worker plays several side by side. Where matches are played, read match for hand.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from agents.spec import members
from experiments.contest.pairings import Pair

CHUNK_BOARDS: Final = 64


@dataclass(frozen=True)
class Chunk:
    """Boards `start` to `start + boards - 1` of a pair; `turns`: hands of a board, one for each side of the game."""

    pair: Pair
    start: int
    boards: int
    turns: int = 2

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
    with more than two sides: by how many seats the table is turned. chunk: index of the chunk a hand belongs to.
    """

    agents: tuple[str, ...]
    players: npt.NDArray[np.int64]
    boards: npt.NDArray[np.int64]
    swapped: npt.NDArray[Any]
    chunk: npt.NDArray[np.int64]

    def __len__(self) -> int:
        return len(self.boards)

    def take(self, rows: Sequence[int]) -> Hands:
        """Some of the hands."""
        arrays = {name: getattr(self, name)[rows] for name in ("players", "boards", "swapped", "chunk")}
        return replace(self, **arrays)


def chunks_of(pairs: Sequence[Pair], boards: int, first: int = 0, turns: int = 2) -> list[Chunk]:
    """All chunks of boards `first` to `boards - 1`, pair by pair; the last of each pair may be short."""
    return [
        Chunk(pair, start, min(CHUNK_BOARDS, boards - start), turns)
        for pair in pairs
        for start in range(first, boards, CHUNK_BOARDS)
    ]


def jobs_of(chunks: Sequence[Chunk], workers: int, batch: int, batches_per_job: int = 8) -> list[list[Chunk]]:
    """Chunks dealt out in turn to jobs: one for each worker, or several if one would be long.

    Pair by pair, so that a batch is mostly one pair and an agent is asked about many games at once; in turn, so that
    every job has its share of the pairs that play slowly.
    """
    hands = sum(chunk.hands for chunk in chunks)
    count = max(workers, -(-hands // (batches_per_job * batch)))
    count = -(-count // workers) * workers
    return [list(job) for start in range(count) if (job := chunks[start::count])]


def hands_of(chunks: Sequence[Chunk], side_of: npt.ArrayLike = (0, 1)) -> Hands:
    """The hands of some chunks of one game; `side_of` int `[seats]` is the team of each seat.

    The partners of a mixed team change seats from board to board, so that none of them has the better chair.
    """
    seats = np.asarray(side_of).tolist()
    sides, turns = max(seats) + 1, chunks[0].turns
    # Which one of its team each seat is.
    place = [seats[:seat].count(side) for seat, side in enumerate(seats)]
    boards = [board for chunk in chunks for board in range(chunk.start, chunk.start + chunk.boards)]
    pairs = [chunk.pair for chunk in chunks for _ in range(chunk.boards)]
    lineups = [list(map(members, pair.lineup(sides, board))) for pair, board in zip(pairs, boards)]
    agents = tuple(dict.fromkeys(name for lineup in lineups for team in lineup for name in team))
    number = {name: index for index, name in enumerate(agents)}
    players = [
        [number[teams[side][(place[seat] + board) % len(teams[side])]] for seat, side in enumerate(seats)]
        for teams, board in zip(lineups, boards)
    ]
    return Hands(
        agents=agents,
        players=np.repeat(np.array(players, dtype=np.int64), turns, axis=0),
        boards=np.repeat(boards, turns),
        swapped=np.tile(np.arange(turns), len(boards)).astype(np.bool_ if sides == 2 else np.int64),
        chunk=np.repeat(np.arange(len(chunks)), [chunk.hands for chunk in chunks]),
    )
