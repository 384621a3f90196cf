"""The rows of a tournament: one Parquet file a chunk, one row a hand.

A file is written under a temporary name and renamed, so a file that exists is whole: resuming is listing what is there.
Rows hold nothing that differs from one run to the next (no times, no worker), so the same settings give the same bytes.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.parquet as pq

from burako_env.errors import UserError
from experiments.play_hands import Outcomes
from experiments.schedule import HANDS_PER_BOARD, Chunk, Hands

SCHEMA: Final = pa.schema(
    [
        ("pair", pa.int16()),
        ("a", pa.string()),  # team 0
        ("b", pa.string()),  # team 1
        ("game", pa.string()),
        ("board", pa.int64()),
        ("orientation", pa.int8()),  # 1: the teams exchanged
        ("score_a", pa.int32()),
        ("score_b", pa.int32()),
        ("points", pa.int32()),  # what counts, a minus b: the difference of the scores, or a forfeit
        ("decisions", pa.int32()),
        ("turns", pa.int32()),
        ("reason", pa.string()),  # how the hand ended
        ("truncated", pa.bool_()),
        ("error_side", pa.int8()),  # team whose agent failed, -1 none
        ("error", pa.string()),
    ]
)


def write_part(folder: Path, game: str, chunk: Chunk, hands: Hands, rows: slice, outcomes: Outcomes) -> None:
    """Write the chunk whose hands are `rows` of the job."""
    count = chunk.hands
    table = pa.table(
        {
            "pair": np.full(count, chunk.pair.index, dtype=np.int16),
            "a": [chunk.pair.a] * count,
            "b": [chunk.pair.b] * count,
            "game": [game] * count,
            "board": hands.boards[rows],
            "orientation": hands.swapped[rows].astype(np.int8),
            "score_a": outcomes.scores[rows, 0],
            "score_b": outcomes.scores[rows, 1],
            "points": outcomes.points[rows],
            "decisions": outcomes.decisions[rows],
            "turns": outcomes.turns[rows],
            "reason": outcomes.reasons[rows],
            "truncated": outcomes.truncated[rows],
            "error_side": outcomes.error_side[rows],
            "error": [outcomes.errors.get(hand) for hand in range(rows.start, rows.stop)],
        },
        schema=SCHEMA,
    )
    path = chunk.path(folder)
    # Named by process: if two workers ever play the same chunk they write the same bytes, each to its own file.
    temporary = path.with_suffix(f".tmp-{os.getpid()}")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        pq.write_table(table, temporary)
        os.replace(temporary, path)
    except OSError as error:
        temporary.unlink(missing_ok=True)
        raise UserError(f"cannot write {path}: {error.strerror or error}; finished chunks are kept") from None


def remove_leftovers(folder: Path) -> None:
    """Delete the temporary files of a run that was killed."""
    for path in (folder / "parts").glob("*/*.tmp-*"):
        path.unlink()


@dataclass(frozen=True)
class PairRows:
    """All hands of a pair by board and orientation: points (a minus b) `[boards, 2]`, errors of a and of b."""

    points: npt.NDArray[np.int64]
    errors: tuple[int, int]
    reasons: tuple[str, ...]


def read_pair(folder: Path, chunks: Sequence[Chunk]) -> PairRows:
    """The rows of one pair, all of its chunks in order."""
    table = pa.concat_tables([pq.read_table(chunk.path(folder), schema=SCHEMA) for chunk in chunks])
    side = table["error_side"].to_numpy()
    return PairRows(
        points=table["points"].to_numpy().astype(np.int64).reshape(-1, HANDS_PER_BOARD),
        errors=(int((side == 0).sum()), int((side == 1).sum())),
        reasons=tuple(dict.fromkeys(reason for reason in table["error"].to_pylist() if reason)),
    )
