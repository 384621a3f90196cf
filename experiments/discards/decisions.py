"""The decisions part of the summary, from the suites and values in a run folder."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any, get_args

import numpy as np

from burako_env.burako.rules import Rules
from burako_env.errors import UserError
from experiments.discards import advice
from experiments.discards.judge import judge, means, repeat_noise
from experiments.discards.situations import CELLS, cell_name, cells_with
from experiments.discards.store import VALUES_SCHEMA, Points, read, read_suite, read_values, suite_file
from experiments.discards.suite import Kind, Suite
from experiments.discards.values import PARTS


def files_of(folder: Path) -> list[Path]:
    """The suites and values in a run folder."""
    suites = [suite_file(folder, kind) for kind in get_args(Kind)]
    return [path for path in (*suites, *(folder / f"{name}.parquet" for name in PARTS)) if path.exists()]


def stored(folder: Path, game: str, rules: Rules) -> tuple[Suite, Points, dict[str, Any]]:
    """The suite of a run, the points of its discards and what they belong to.

    Refuses files that belong to other rules or do not fit together.
    """
    suite = read_suite(suite_file(folder, "discards"), game, rules)
    return suite, *read_values(folder / "values.parquet", suite)


def results(folder: Path, game: str, rules: Rules, names: Sequence[str], situations: Sequence[str]) -> dict[str, Any]:
    """What the summary says of decisions, from the files of a folder; positions of some situations only."""
    suite, points, about = stored(folder, game, rules)
    kept = np.flatnonzero(cells_with(situations)[suite.cells])
    if not kept.size:
        raise UserError(f"{folder} has no position of {', '.join(situations)}")
    part = suite.take(kept)
    values = means(points[kept], part.legal)
    judged = [judge(name, part, values) for name in names]
    sentences = advice.verdicts(part, values)
    if suite_file(folder, "draws").exists():
        draws = read_suite(suite_file(folder, "draws"), game, rules)
        taken, _ = read_values(folder / "draws.parquet", draws)
        sentences.append(advice.draw_verdict(draws, means(taken, draws.legal)))
    return {
        "suite": {
            "digest": suite.digest(),
            "rules_digest": rules.digest(),
            "positions": len(part),
            "cards": float(part.legal.sum(axis=1).mean()),
            "cells": {cell_name(cell): int((part.cells == cell).sum()) for cell in range(CELLS)},
        },
        "values": about,
        "strategies": sorted(judged, key=lambda found: float(found["regret"])),
        "advice": sentences,
        "noise": _noise(folder / "repeat.parquet", suite, points, names),
    }


def _noise(path: Path, suite: Suite, points: Points, names: Sequence[str]) -> dict[str, Any] | None:
    """How far the positions that were estimated twice agree; None where there are none."""
    if not path.exists():
        return None
    table, _ = read(path, VALUES_SCHEMA.names)
    count = 1 + int(max(table["position"].to_numpy(), default=0))
    again = suite.take(range(min(count, len(suite))))
    second, _ = read_values(path, again)
    return repeat_noise(again, means(points[: len(again)], again.legal), means(second, again.legal), names)
