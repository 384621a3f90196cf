"""Suites and values as Parquet files that say what they belong to; written whole or not at all.

Their metadata hold one JSON entry: game, rules digest, suite digest, and of values also agent, seed and redraws.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Final

import numpy as np
import pyarrow as pa

from burako_env.batch import Ints
from burako_env.burako.rules import Rules
from burako_env.burako.view.layout import view_layout
from burako_env.errors import UserError
from burako_env.inputs.files import damaged
from burako_env.layout import View
from experiments.discards.rollouts import Points
from experiments.discards.suite import Suite
from experiments.runs.parquet import read_table, write_table

_KEY: Final = b"burako"
_SUITE_COLUMNS: Final = ("deal", "number", "cell", "weight", "key", "legal", "view")
VALUES_SCHEMA: Final = pa.schema(
    [
        ("position", pa.int32()),  # place in the suite
        ("choice", pa.int8()),  # card type discarded; in the suite of draws 0 stock, 1 pile
        ("redraw", pa.int16()),
        ("points", pa.int32()),  # own team minus the others at the end of the hand
    ]
)


def write(table: pa.Table, path: Path, about: Mapping[str, Any]) -> None:
    """Write a table with what it belongs to."""
    write_table(table.replace_schema_metadata({_KEY: json.dumps(dict(about))}), path)


def read(path: Path, columns: Sequence[str] = ()) -> tuple[pa.Table, dict[str, Any]]:
    """A table, some of its columns at least, and what it belongs to; one sentence if it is no file of ours."""
    table = read_table(path, columns or None)
    try:
        about = json.loads((table.schema.metadata or {})[_KEY])
    except (KeyError, ValueError, RecursionError):
        about = None
    if not isinstance(about, dict):
        raise damaged(path, "no file of `burako discards`")
    return table, about


def write_suite(suite: Suite, path: Path) -> None:
    """One row a position; Views as fixed-size binary."""
    width = suite.view.layout.width
    table = pa.table(
        {
            "deal": suite.deals,
            "number": suite.numbers,
            "cell": suite.cells.astype(np.int8),
            "weight": suite.weights,
            "key": suite.keys,
            "legal": pa.FixedSizeBinaryArray.from_buffers(
                pa.binary(suite.legal.shape[1]), len(suite), [None, pa.py_buffer(suite.legal.tobytes())]
            ),
            "view": pa.FixedSizeBinaryArray.from_buffers(
                pa.binary(width), len(suite), [None, pa.py_buffer(np.ascontiguousarray(suite.view.buffer).tobytes())]
            ),
        }
    )
    about = {
        "game": suite.game,
        "rules_digest": suite.rules_digest,
        "suite_digest": suite.digest(),
        "actions": suite.actions.tolist(),
    }
    write(table, path, about)


def read_suite(path: Path, game: str, rules: Rules) -> Suite:
    """The suite of a file, which must be of this game and these rules."""
    table, about = read(path, _SUITE_COLUMNS)
    if about.get("game") != game or about.get("rules_digest") != rules.digest():
        raise UserError(
            f"{path} is of {about.get('game')} with rules {about.get('rules_digest')}, "
            f"not of {game} with rules {rules.digest()}"
        )
    try:
        layout = view_layout(rules)
        views = b"".join(table["view"].to_pylist())
        legal = b"".join(table["legal"].to_pylist())
        suite = Suite(
            game=game,
            rules_digest=str(about["rules_digest"]),
            view=View(np.frombuffer(views, dtype=np.int8).reshape(len(table), layout.width).copy(), layout),
            keys=table["key"].to_numpy(),
            legal=np.frombuffer(legal, dtype=np.bool_).reshape(len(table), -1).copy(),
            actions=np.array(about["actions"], dtype=np.int64),
            deals=table["deal"].to_numpy(),
            numbers=table["number"].to_numpy(),
            cells=table["cell"].to_numpy().astype(np.int64),
            weights=table["weight"].to_numpy(),
        )
    except (KeyError, TypeError, ValueError):
        raise damaged(path, "its columns do not fit together") from None
    if suite.digest() != about.get("suite_digest"):
        raise damaged(path, f"its positions do not give its digest {about.get('suite_digest')}")
    return suite


def values_table(first: int, row: Ints, choice: Ints, points: Points) -> pa.Table:
    """Values of some positions, the first of which has number `first`, as rows."""
    redraws = points.shape[1]
    columns = {
        "position": np.repeat(first + row, redraws).astype(np.int32),
        "choice": np.repeat(choice, redraws).astype(np.int8),
        "redraw": np.tile(np.arange(redraws, dtype=np.int16), len(row)),
        "points": points.reshape(-1),
    }
    return pa.table(columns, schema=VALUES_SCHEMA)


def values_about(suite: Suite, agent: str, seed: int, redraws: int) -> dict[str, Any]:
    """What values belong to."""
    return {
        "game": suite.game,
        "rules_digest": suite.rules_digest,
        "suite_digest": suite.digest(),
        "agent": agent,
        "seed": seed,
        "redraws": redraws,
    }


def read_values(path: Path, suite: Suite) -> tuple[Points, dict[str, Any]]:
    """Points by position, choice and redraw, int32 `[n, choices, redraws]` (0 where illegal), and their description.

    Refuses a file of other rules or of another suite.
    """
    table, about = read(path, VALUES_SCHEMA.names)
    if about.get("rules_digest") != suite.rules_digest:
        raise UserError(f"{path} was made with rules {about.get('rules_digest')}, not {suite.rules_digest}")
    if about.get("suite_digest") != suite.digest():
        raise UserError(f"{path} belongs to suite {about.get('suite_digest')}, not to {suite.digest()}")
    count = about.get("redraws")
    if not isinstance(count, int):
        raise damaged(path, "it does not say how many redraws it has")
    points = np.zeros((*suite.legal.shape, count), dtype=np.int32)
    seen = np.zeros(points.shape, dtype=np.bool_)
    at = tuple(table[name].to_numpy().astype(np.int64) for name in ("position", "choice", "redraw"))
    try:
        points[at] = table["points"].to_numpy()
        seen[at] = True
    except IndexError:
        raise damaged(path, "its columns do not fit together") from None
    if not np.array_equal(seen, np.broadcast_to(suite.legal[:, :, None], seen.shape)):
        raise damaged(path, "it does not hold the values of every choice of its suite")
    return points, about
