"""The rows of a run as SQL views, by DuckDB, straight from the files.

    hands    one row for each hand, as stored (`rows.SCHEMA`)
    sides    one row for each hand and team: what the team did in it, its points and its opponent
    boards   one row for each board: points per hand, a minus b, and wins of a
    times    one row for each chunk and team: decisions put to its agents, seconds they took

    with connect(folder) as found:
        found.sql("SELECT team, avg(points) FROM sides GROUP BY team").show()

The same views are written as `views.sql` into the run folder: `duckdb -init views.sql` in that folder has them in the
shell.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import pyarrow as pa
from pyarrow.fs import LocalFileSystem

from burako_env.inputs.files import write_text
from experiments.contest.outcomes import COUNTS, LUCK
from experiments.contest.rows import KINDS, SCHEMA, TIMES
from experiments.runs.parquet import count_rows, read_table

if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection

_SIDE_COLUMNS: Final = ("score", "share", "decisions", *COUNTS, *(f"luck_{name}" for name in LUCK))


def _side(own: str, other: str, sign: str) -> str:
    columns = ", ".join(f"{name}_{own} AS {name}" for name in _SIDE_COLUMNS)
    side = "ab".index(own)
    return (
        f"SELECT {own} AS team, {other} AS opponent, pair, board, orientation, hands, turns, reason, truncated, "
        f"forfeit, error_side = {side} AS failed, {sign}points AS points, {sign}win AS win, {columns} FROM hands"
    )


# In the run folder itself, so that no name of a folder is taken as a pattern.
_FILES: Final = """\
CREATE VIEW hands AS SELECT * FROM read_parquet('parts/*/*.parquet');
CREATE VIEW times AS SELECT * FROM read_parquet('timings/*/*.parquet');
"""
_VIEWS: Final = f"""\
CREATE VIEW sides AS
    {_side("a", "b", "")}
    UNION ALL
    {_side("b", "a", "-")};
CREATE VIEW boards AS
    SELECT pair, a, b, board, sum(points) / sum(hands) AS points, (avg(win) + 1) / 2 AS wins,
        bool_or(forfeit) AS forfeit
    FROM hands GROUP BY pair, a, b, board;
"""

_PROFILE: Final = f"""\
SELECT team, sum(hands) AS hands, avg(CAST(win = 1 AS INTEGER)) AS won,
    {", ".join(f"sum({name}) / sum(hands) AS {name}" for name in (*COUNTS, "decisions", "turns"))}
FROM sides WHERE NOT forfeit GROUP BY team
"""
_TIMES: Final = "SELECT team, 1000 * sum(seconds) / nullif(sum(asked), 0) AS ms FROM times GROUP BY team"
# Scores of hands in steps of `width` points.
_SCORES: Final = """\
SELECT team, CAST(floor(score / hands / $width) AS INTEGER) AS step, count(*) AS hands
FROM sides WHERE NOT forfeit GROUP BY team, step ORDER BY team, step
"""


def connect(folder: Path) -> DuckDBPyConnection:
    """A connection in memory with the views of a run folder. Raises `UserError` if a file of its rows is damaged."""
    import duckdb  # late: only a finished run is queried
    from pyarrow import dataset

    connection = duckdb.connect()
    rows, times = (sorted(folder.glob(f"{kind}/*/*.parquet")) for kind in KINDS)
    for path in rows:
        count_rows(path)
    # Arrow takes the files by their names, which SQL would take as patterns.
    hands = dataset.dataset([str(path) for path in rows], SCHEMA, "parquet", LocalFileSystem())
    connection.register("hands", hands)
    connection.register("times", pa.concat_tables([TIMES.empty_table(), *(read_table(path) for path in times)]))
    connection.execute(_VIEWS)
    return connection


def write_views(folder: Path) -> None:
    """`views.sql`, relative to the run folder."""
    write_text(folder / "views.sql", _FILES + _VIEWS)


def profiles(folder: Path) -> dict[str, dict[str, Any]]:
    """By team: averages per hand of `COUNTS`, decisions and turns; share of hands won; milliseconds per decision."""
    with connect(folder) as connection:
        answer = connection.execute(_PROFILE)
        names = [column[0] for column in answer.description or ()][1:]
        found: dict[str, dict[str, Any]] = {team: dict(zip(names, row)) for team, *row in answer.fetchall()}
        for team, ms in connection.execute(_TIMES).fetchall():
            found.get(team, {})["ms"] = ms
    return found


def score_steps(folder: Path, width: int = 100) -> dict[str, dict[int, int]]:
    """By team: how many hands it ended with a score in each step of `width` points, by the step's lower bound."""
    steps: dict[str, dict[int, int]] = {}
    with connect(folder) as connection:
        for team, step, hands in connection.execute(_SCORES, {"width": width}).fetchall():
            steps.setdefault(team, {})[step * width] = hands
    return steps
