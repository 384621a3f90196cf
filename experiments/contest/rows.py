"""The rows of a contest: one Parquet file for each chunk, one row for each hand; apart from it how long agents took.

Files are written whole or not at all, so resuming is listing what is there.
Rows hold nothing that differs from one run to the next (no times, no worker), so the same settings give the same bytes.
Times lie in files of their own.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

from burako_env.inputs.files import damaged
from experiments.contest.outcomes import COUNTS, LUCK, OTHERS, Outcomes, names_by_side
from experiments.contest.schedule import Chunk, Hands
from experiments.runs.parquet import count_rows, read_table, write_table
from experiments.statistics.intervals import Floats, board_points, board_wins

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
# Columns that say which hand a row is.
_PLACE: Final = ("pair", "board", "orientation")
# What there is a file of for each chunk: its rows, and how long the agents took.
KINDS: Final = ("parts", "timings")
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
    kept = "; finished chunks are kept, the same command with --resume plays the rest"
    write_table(_times_table(chunk, rows, outcomes), chunk.path(folder, "timings"), kept)
    write_table(_rows_table(game, chunk, hands, rows, outcomes), chunk.path(folder), kept)


def _rows_table(game: str, chunk: Chunk, hands: Hands, rows: slice, outcomes: Outcomes) -> pa.Table:
    count = chunk.hands
    shares = outcomes.win_shares[rows] if chunk.turns > 2 else None
    columns: dict[str, object] = {
        "pair": [chunk.pair.index] * count,
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
        "share_a": [None] * count if shares is None else shares[:, 0],
        "share_b": [None] * count if shares is None else shares[:, 1],
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
    for name, values in zip(SCHEMA.names[len(columns) :], counted.T):
        kind = SCHEMA.field(name).type.to_pandas_dtype()
        columns[name] = values.astype(kind) if outcomes.counted else [None] * count
    return pa.table(columns, schema=SCHEMA)


def _times_table(chunk: Chunk, rows: slice, outcomes: Outcomes) -> pa.Table:
    asked = outcomes.asked[rows, :OTHERS].sum(axis=0, dtype=np.int64)
    seconds = outcomes.seconds[rows, :OTHERS].sum(axis=0)
    places = [[chunk.pair.index] * 2, [chunk.start] * 2, [chunk.pair.a, chunk.pair.b]]
    return pa.table([*places, asked, seconds], schema=TIMES)


def is_played(folder: Path, chunk: Chunk) -> bool:
    """Whether the rows and times of a chunk are there, of all its boards.

    The last chunk of a pair has fewer where the run was then given more boards: it is played again.
    """
    rows, times = chunk.path(folder), chunk.path(folder, "timings")
    return times.exists() and rows.exists() and count_rows(times) == 2 and count_rows(rows) >= chunk.hands


def files_of(folder: Path, chunks: Iterable[Chunk]) -> list[Path]:
    """All files of some chunks."""
    return [chunk.path(folder, kind) for chunk in chunks for kind in KINDS]


def rows_of(folder: Path, chunk: Chunk, columns: Sequence[str]) -> pa.Table:
    """Some columns of a chunk. Raises `UserError` with the mend if its file does not hold what belongs there."""
    path = chunk.path(folder)
    # All of it, so that a changed byte is noticed in whatever column it is.
    table = read_table(path)
    if missing := {*_PLACE, *columns} - set(table.column_names):
        raise damaged(path, f"it has no column {min(missing)}")
    boards = np.arange(chunk.start, chunk.start + chunk.boards)
    place = (chunk.pair.index, np.repeat(boards, chunk.turns), np.tile(np.arange(chunk.turns), chunk.boards))
    if len(table) != chunk.hands or any(
        (table[name].to_numpy() != wanted).any() for name, wanted in zip(_PLACE, place)
    ):
        raise damaged(path, f"not the {chunk.hands} rows of its boards")
    return table.select(columns)


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
    failures: tuple[Mapping[str, int], Mapping[str, int]]

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
        arrays = {name: array for name, array in vars(self).items() if isinstance(array, np.ndarray)}
        return PairRows(**{**vars(self), **{name: array[kept] for name, array in arrays.items()}})

    @property
    def errors(self) -> tuple[int, int]:
        """Hands in which the agents of a and of b failed."""
        a, b = self.failures
        return sum(a.values()), sum(b.values())


def read_pair(folder: Path, chunks: Sequence[Chunk]) -> PairRows:
    """The rows of one pair, all of its chunks in order."""
    luck_names = [f"luck_{name}" for name in names_by_side(LUCK)]
    names = ["points", "win", "share_a", "share_b", "hands", "forfeit", "error_side", "error", *luck_names]
    table = pa.concat_tables([rows_of(folder, chunk, names) for chunk in chunks])
    boards = (-1, chunks[0].turns)
    # What the other players of a table did wrong counts in the pairs that they are measured in.
    a, b = (Counter(table.filter(pc.equal(table["error_side"], side))["error"].to_pylist()) for side in (0, 1))
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
        failures=(a, b),
    )
