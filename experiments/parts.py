"""The rows of a contest: one Parquet file a chunk, one row a hand; beside it how long the agents took.

A file is written under a temporary name and renamed, so a file that exists is whole: resuming is listing what is there.
Rows hold nothing that differs from one run to the next (no times, no worker), so the same settings give the same bytes.
Times lie in files of their own.
"""

from __future__ import annotations

import os
import platform
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from burako_env.errors import UserError
from experiments.outcomes import COUNTS, LUCK, OTHERS, Outcomes, names_by_side
from experiments.schedule import HANDS_PER_BOARD, Chunk, Hands
from experiments.stats import Floats, board_points, board_wins

SCHEMA: Final = pa.schema(
    [
        ("pair", pa.int16()),
        ("a", pa.string()),  # team 0
        ("b", pa.string()),  # team 1
        ("game", pa.string()),
        ("board", pa.int64()),
        ("orientation", pa.int8()),  # 1: the teams exchanged; more than two sides: seats the table is turned
        ("hands", pa.int32()),  # 1, or those of the match
        ("score_a", pa.int32()),
        ("score_b", pa.int32()),
        ("points", pa.int32()),  # what counts, a minus b: the difference of the scores, or a forfeit
        ("win", pa.int8()),  # 1: a won, -1: b won, 0: neither
        # Share of the win at a table of more than two sides (TILE-3), null at others.
        ("share_a", pa.float64()),
        ("share_b", pa.float64()),
        ("decisions_a", pa.int32()),
        ("decisions_b", pa.int32()),
        ("turns", pa.int32()),
        ("reason", pa.string()),  # how the hand or match ended
        ("truncated", pa.bool_()),
        ("forfeit", pa.bool_()),  # an agent failed in one of the two hands of the board
        ("error_side", pa.int8()),  # team whose agent failed in this hand, -1 none, 2 another player of the table
        ("error", pa.string()),
        # Null in games other than the card game.
        *((name, pa.int32()) for name in names_by_side(COUNTS)),
        *((f"luck_{name}", pa.float64()) for name in names_by_side(LUCK)),
    ]
)
TIMES: Final = pa.schema(
    [
        ("pair", pa.int16()),
        ("start", pa.int64()),  # first board of the chunk
        ("team", pa.string()),
        ("asked", pa.int64()),  # decisions put to its agents
        ("seconds", pa.float64()),
    ]
)


def write_part(folder: Path, game: str, chunk: Chunk, hands: Hands, rows: slice, outcomes: Outcomes) -> None:
    """Write the chunk whose hands are `rows` of the job: first the times, then the rows, which make it complete."""
    _write(_times_table(chunk, rows, outcomes), chunk.path(folder, "timings"))
    _write(_rows_table(game, chunk, hands, rows, outcomes), chunk.path(folder))


def _rows_table(game: str, chunk: Chunk, hands: Hands, rows: slice, outcomes: Outcomes) -> pa.Table:
    count = chunk.hands
    many, shares = chunk.turns > HANDS_PER_BOARD, outcomes.win_shares[rows]
    columns: dict[str, object] = {
        "pair": np.full(count, chunk.pair.index, dtype=np.int16),
        "a": [chunk.pair.a] * count,
        "b": [chunk.pair.b] * count,
        "game": [game] * count,
        "board": hands.boards[rows],
        "orientation": hands.swapped[rows].astype(np.int8),
        "hands": outcomes.hands[rows],
        "score_a": outcomes.scores[rows, 0],
        "score_b": outcomes.scores[rows, 1],
        "points": outcomes.points[rows],
        "win": outcomes.wins[rows],
        "share_a": shares[:, 0] if many else [None] * count,
        "share_b": shares[:, 1] if many else [None] * count,
        "decisions_a": outcomes.decisions[rows, 0],
        "decisions_b": outcomes.decisions[rows, 1],
        "turns": outcomes.turns[rows],
        "reason": outcomes.reasons[rows],
        "truncated": outcomes.truncated[rows],
        "forfeit": outcomes.forfeits[rows].any(axis=1),
        "error_side": outcomes.error_side[rows],
        "error": [outcomes.errors.get(hand) for hand in range(rows.start, rows.stop)],
    }
    counted = np.concatenate([outcomes.counts[rows], outcomes.luck[rows]], axis=2).swapaxes(1, 2).reshape(count, -1)
    for place, name in enumerate(SCHEMA.names[len(columns) :]):
        values = counted[:, place].astype(SCHEMA.field(name).type.to_pandas_dtype())
        columns[name] = values if outcomes.counted else [None] * count
    return pa.table(columns, schema=SCHEMA)


def _times_table(chunk: Chunk, rows: slice, outcomes: Outcomes) -> pa.Table:
    return pa.table(
        {
            "pair": [chunk.pair.index] * 2,
            "start": [chunk.start] * 2,
            "team": [chunk.pair.a, chunk.pair.b],
            "asked": outcomes.asked[rows, :OTHERS].sum(axis=0, dtype=np.int64),
            "seconds": outcomes.seconds[rows, :OTHERS].sum(axis=0),
        },
        schema=TIMES,
    )


def _write(table: pa.Table, path: Path) -> None:
    # Named by process: if two workers ever play the same chunk they write the same rows, each to its own file.
    temporary = path.with_suffix(f".tmp-{platform.node()}-{os.getpid()}")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with temporary.open("wb") as file:
            pq.write_table(table, file)
            # On the disk before it gets its name: not even a power cut leaves a part that is not whole.
            file.flush()
            os.fsync(file.fileno())
        os.replace(temporary, path)
    except OSError as error:
        with suppress(OSError):  # the folder above may be none
            temporary.unlink(missing_ok=True)
        why = os.strerror(error.errno) if error.errno else str(error)
        raise UserError(
            f"cannot write {path}: {why}; finished chunks are kept, the same command with --resume plays the rest"
        ) from None


def remove_leftovers(folder: Path) -> None:
    """Delete the temporary files of a run that was killed."""
    for kind in ("parts", "timings"):
        for path in (folder / kind).glob("*/*.tmp-*"):
            with suppress(OSError):  # what cannot be deleted here cannot be written either, which says so in words
                path.unlink()


@dataclass(frozen=True)
class PairRows:
    """All hands of a pair by board and orientation, `[boards, 2]` each (a column for each side of the game).

    points: a minus b. wins: 1, 0.5 or 0 for a. shares: of the win at the table, of a and of b, `[boards, sides, 2]`,
    None with two sides. hands: 1, or those of the match. luck: a minus b, `[boards, 2, LUCK]`, None where the game has
    none. forfeited: boards on which an agent failed, bool `[boards]`; their points and wins are a penalty, not
    a result. failures: how often each reason was given, for a and for b.
    """

    points: npt.NDArray[np.int64]
    wins: npt.NDArray[np.float64]
    shares: npt.NDArray[np.float64] | None
    hands: npt.NDArray[np.int64]
    luck: npt.NDArray[np.float64] | None
    forfeited: npt.NDArray[np.bool_]
    failures: tuple[dict[str, int], dict[str, int]]

    @property
    def board_points(self) -> Floats:
        """Points per hand of each board, `[boards]`; NaN where it was forfeited."""
        return np.where(self.forfeited, np.nan, board_points(self.points, self.hands))

    @property
    def board_wins(self) -> Floats:
        """Share of each board that a won, `[boards]`; NaN where it was forfeited."""
        return np.where(self.forfeited, np.nan, board_wins(self.wins))

    def counted(self) -> PairRows:
        """The boards that say something of strength: those on which nobody failed."""
        kept = ~self.forfeited
        arrays = ("points", "wins", "shares", "hands", "luck", "forfeited")
        found = {name: getattr(self, name) for name in arrays}
        return replace(self, **{name: array[kept] for name, array in found.items() if array is not None})

    @property
    def errors(self) -> tuple[int, int]:
        """Hands in which the agents of a and of b failed."""
        a, b = (sum(reasons.values()) for reasons in self.failures)
        return a, b


def read_pair(folder: Path, chunks: Sequence[Chunk]) -> PairRows:
    """The rows of one pair, all of its chunks in order."""
    luck_names = [f"luck_{name}" for name in names_by_side(LUCK)]
    names = ["points", "win", "share_a", "share_b", "hands", "forfeit", "error_side", "error", *luck_names]
    table = pa.concat_tables([pq.read_table(chunk.path(folder), columns=names) for chunk in chunks])
    boards = (-1, chunks[0].turns)
    failures: tuple[dict[str, int], dict[str, int]] = ({}, {})
    # What the other players of a table did wrong counts in the pairs that they are measured in.
    failed = table.filter(pc.is_in(table["error_side"], pa.array([0, 1], pa.int8())))
    for side, reason in zip(failed["error_side"].to_pylist(), failed["error"].to_pylist()):
        failures[side][reason] = failures[side].get(reason, 0) + 1
    luck = None
    if not table[luck_names[0]].null_count:
        by_team = np.stack([table[name].to_numpy() for name in luck_names], axis=1)
        luck = (by_team[:, 0::2] - by_team[:, 1::2]).reshape(*boards, len(LUCK))
    shares = None
    if not table["share_a"].null_count:
        shares = np.stack([table[name].to_numpy().reshape(boards) for name in ("share_a", "share_b")], axis=2)
    return PairRows(
        points=table["points"].to_numpy().astype(np.int64).reshape(boards),
        wins=(table["win"].to_numpy().astype(np.float64).reshape(boards) + 1) / 2,
        shares=shares,
        hands=table["hands"].to_numpy().astype(np.int64).reshape(boards),
        luck=luck,
        forfeited=table["forfeit"].to_numpy().reshape(boards).any(axis=1),
        failures=failures,
    )
