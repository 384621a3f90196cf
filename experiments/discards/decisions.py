"""The decisions part: sample the suites, estimate the values, judge strategies and advice against them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import numpy as np

from burako_env.burako.rules import Rules, burako_rules
from burako_env.errors import UserError
from experiments.discards import advice, bars
from experiments.discards.judge import judge, means
from experiments.discards.noise import repeat_noise
from experiments.discards.situations import CELLS, cell_name, cells_with
from experiments.discards.store import VALUES_SCHEMA, read, read_suite, read_values, write_suite
from experiments.discards.suite import Kind, Source, Suite, sample
from experiments.discards.values import Task, estimate
from experiments.runs.settings import rule_changes

# What is estimated, by the names of its files: of which suite, and how far from the run's seed its own is.
PARTS: Final[dict[str, tuple[Kind, int]]] = {
    "values": ("discards", 0),
    "repeat": ("discards", 1),
    "draws": ("draws", 0),
}
KINDS: Final[tuple[Kind, ...]] = ("discards", "draws")


@dataclass(frozen=True)
class Plan:
    """What to estimate. source: of the discards. counts: positions by part (`PARTS`), 0 to leave it out."""

    source: Source
    counts: dict[str, int]
    redraws: int

    def of(self, kind: Kind) -> Source:
        """The source of a suite; draws are of one situation."""
        if kind == "discards":
            return self.source
        own = self.source
        return Source(own.game, own.rules, own.agent, own.seed, own.hands, self.counts["draws"])


def suite_file(folder: Path, kind: Kind) -> Path:
    """Where a suite lies in a run folder."""
    return folder / f"suite-{kind}.parquet"


def files_of(folder: Path) -> list[Path]:
    """The suites and values in a run folder."""
    files = [*(suite_file(folder, kind) for kind in KINDS), *(folder / f"{name}.parquet" for name in PARTS)]
    return [path for path in files if path.exists()]


def rules_of(game: str, changes: Sequence[str]) -> Rules:
    """The rules of the decisions."""
    return burako_rules(game, rule_changes(changes))


def estimate_all(plan: Plan, folder: Path, workers: int, batch: int) -> None:
    """Sample the suites and estimate their values, as far as the folder does not hold them."""
    for name, (kind, further) in PARTS.items():
        if not plan.counts[name]:
            continue
        source, path = plan.of(kind), suite_file(folder, kind)
        if not path.exists():
            with bars.counting(f"hands for {kind}", source.hands) as tick:
                write_suite(sample(source, kind, tick), path)
        task = Task(name, source, path, plan.counts[name], plan.redraws, source.seed + further)
        if not task.result(folder).exists():
            estimate(task, folder, workers, batch)


def stored_suite(folder: Path, rules: Rules, game: str) -> Suite:
    """The suite of an earlier run; refuses it, or its values, if they belong to other rules or do not fit together."""
    suite = read_suite(suite_file(folder, "discards"), game, rules)
    read_values(folder / "values.parquet", suite)
    return suite


def results(folder: Path, game: str, rules: Rules, names: Sequence[str], situations: Sequence[str]) -> dict[str, Any]:
    """What the summary says of decisions, from the files of a folder; positions of some situations only."""
    suite = read_suite(suite_file(folder, "discards"), game, rules)
    points, about = read_values(folder / "values.parquet", suite)
    kept = np.flatnonzero(cells_with(situations)[suite.cells])
    if not kept.size:
        raise UserError(f"{folder} has no position of {', '.join(situations)}")
    part = suite.take(kept)
    values = means(points[kept], part.legal)
    judged = [judge(name, part, values, rules) for name in names]
    sentences = advice.verdicts(part, values, rules)
    if suite_file(folder, "draws").exists():
        draws = read_suite(suite_file(folder, "draws"), game, rules)
        taken, _ = read_values(folder / "draws.parquet", draws)
        sentences.append(advice.draw_verdict(draws, means(taken, draws.legal)))
    return {
        "suite": {
            "digest": suite.digest(),
            "rules_digest": suite.rules_digest,
            "positions": len(part),
            "cards": float(part.legal.sum(axis=1).mean()),
            "cells": {cell_name(cell): int((part.cells == cell).sum()) for cell in range(CELLS)},
        },
        "values": about,
        "strategies": sorted(judged, key=lambda found: float(found["regret"])),
        "advice": sentences,
        "noise": _noise(folder, suite, points, names, rules),
    }


def _noise(folder: Path, suite: Suite, points: Any, names: Sequence[str], rules: Rules) -> dict[str, Any] | None:
    """How far the positions that were estimated twice agree; None where there are none."""
    path = folder / "repeat.parquet"
    if not path.exists():
        return None
    table, _ = read(path, VALUES_SCHEMA.names)
    count = 1 + int(max(table["position"].to_numpy(), default=0))
    again = suite.take(range(min(count, len(suite))))
    second, _ = read_values(path, again)
    first = means(points[: len(again)], again.legal)
    return repeat_noise(again, first, means(second, again.legal), names, rules)
