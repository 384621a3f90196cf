"""Suites and values as Parquet files that say what they belong to; written whole or not at all.

Their metadata hold one JSON entry: game, rules digest, suite digest, and of values also agent, seed and redraws.
"""

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Final

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from burako_env.batch import Bools, Ints
from burako_env.burako.rules import Rules
from burako_env.burako.view.layout import view_layout
from burako_env.errors import UserError
from burako_env.inputs.files import damaged
from burako_env.layout import View
from experiments.discards.suite import Kind, Suite
from experiments.runs.parquet import read_table, write_table

Points = npt.NDArray[np.int32]

_KEY: Final = b"burako"
# The columns of a suite that are numbers, and what they are called in `Suite`; then `legal` and `view`, rows of bytes.
_NUMBERS: Final = {"deal": "deals", "number": "numbers", "cell": "cells", "weight": "weights", "key": "keys"}
VALUES_SCHEMA: Final = pa.schema(
    [
        ("position", pa.int32()),  # place in the suite
        ("choice", pa.int8()),  # card type discarded; in the suite of draws 0 stock, 1 pile
        ("redraw", pa.int16()),
        ("points", pa.int32()),  # own team minus the others at the end of the hand
    ]
)


def suite_file(folder: Path, kind: Kind) -> Path:
    """Where a suite lies in a run folder."""
    return folder / f"suite-{kind}.parquet"


def write(table: pa.Table, path: Path, about: Mapping[str, Any]) -> None:
    """Write a table with what it belongs to."""
    write_table(table.replace_schema_metadata({_KEY: json.dumps(dict(about))}), path)


def read(path: Path, columns: Sequence[str] = ()) -> tuple[pa.Table, dict[str, Any]]:
    """A table, some of its columns at least, and what it belongs to; `UserError` if the benchmark did not write it."""
    table = read_table(path, columns or None)
    try:
        about = json.loads((table.schema.metadata or {})[_KEY])
    except (KeyError, ValueError, RecursionError):
        about = None
    if not isinstance(about, dict):
        raise damaged(path, "`burako discards` did not write it")
    return table, about


def write_suite(suite: Suite, path: Path) -> None:
    """One row for each position; legal choices and Views as fixed-size binary."""
    columns: dict[str, Any] = {column: getattr(suite, name) for column, name in _NUMBERS.items()}
    columns["cell"] = suite.cells.astype(np.int8)
    for column, rows in (("legal", suite.legal), ("view", suite.view.buffer)):
        data = [None, pa.py_buffer(rows.tobytes())]
        columns[column] = pa.FixedSizeBinaryArray.from_buffers(pa.binary(rows.shape[1]), len(rows), data)
    write(pa.table(columns), path, {**suite.about(), "actions": suite.actions.tolist()})


def read_suite(path: Path, game: str, rules: Rules) -> Suite:
    """The suite of a file, which must be of this game and these rules."""
    table, about = read(path, (*_NUMBERS, "legal", "view"))
    if about.get("game") != game or about.get("rules_digest") != rules.digest():
        raise UserError(
            f"{path} is of {about.get('game')} with rules {about.get('rules_digest')}, "
            f"not of {game} with rules {rules.digest()}"
        )

    def rows(column: str, dtype: npt.DTypeLike, width: int) -> npt.NDArray[Any]:
        return np.frombuffer(b"".join(table[column].to_pylist()), dtype=dtype).reshape(len(table), width).copy()

    try:
        layout = view_layout(rules)
        numbers = {name: table[column].to_numpy() for column, name in _NUMBERS.items()}
        numbers["cells"] = numbers["cells"].astype(np.int64)
        actions = np.array(about["actions"], dtype=np.int64)
        legal, view = rows("legal", np.bool_, -1), View(rows("view", np.int8, layout.width), layout)
        suite = Suite(game, rules, view, legal=legal, actions=actions, **numbers)
    except (KeyError, TypeError, ValueError):
        raise damaged(path, "its columns do not fit together") from None
    if suite.digest() != about.get("suite_digest"):
        raise damaged(path, f"its positions do not give its digest {about.get('suite_digest')}")
    return suite


def read_values(path: Path, suite: Suite) -> tuple[Points, dict[str, Any]]:
    """Points by position, choice and redraw, int32 `[n, choices, redraws]` (0 where illegal), and their description.

    Refuses a file of other rules or of another suite.
    """
    table, about = read(path, VALUES_SCHEMA.names)
    wanted = suite.about()
    if about.get("rules_digest") != wanted["rules_digest"]:
        raise UserError(f"{path} was made with rules {about.get('rules_digest')}, not {wanted['rules_digest']}")
    if about.get("suite_digest") != wanted["suite_digest"]:
        raise UserError(f"{path} belongs to suite {about.get('suite_digest')}, not to {wanted['suite_digest']}")
    count = about.get("redraws")
    if not isinstance(count, int):
        raise damaged(path, "it does not say how many redraws it has")
    if not holds(table, suite.legal, count):
        raise damaged(path, "it does not hold the values of every choice of its suite")
    points = np.zeros((*suite.legal.shape, count), dtype=np.int32)
    points[suite.legal] = table["points"].to_numpy().reshape(-1, count)
    return points, about


def values_table(position: Ints, choice: Ints, points: Points) -> pa.Table:
    """Values as rows: points int32 `[m, redraws]` of choices `[m]` in positions `[m]`."""
    redraws = points.shape[1]
    redraw = np.tile(np.arange(redraws), len(points))
    columns = (position.repeat(redraws), choice.repeat(redraws), redraw, points.reshape(-1))
    return pa.table([pa.array(column, kind) for column, kind in zip(columns, VALUES_SCHEMA.types)], VALUES_SCHEMA)


def holds(table: pa.Table, legal: Bools, redraws: int, first: int = 0) -> bool:
    """Whether a table has the values of every choice of positions, of which `first` is the first, and no others."""
    row, choice = np.nonzero(legal)
    wanted = values_table(first + row, choice, np.zeros((len(row), redraws), dtype=np.int32))
    return all(table[name].equals(wanted[name]) for name in ("position", "choice", "redraw"))
