"""What each part of a recipe is worth: `python -m experiments.studies.ablation [FILE] --out DIR [--workers N]`.

FILE is a YAML file, or the name of one that comes with the project. It has a recipe (`base`, settings of `burako
train`), `variants` (what each changes) and `seeds`; every variant is trained with every seed. Runs that are finished
are not repeated, those that were stopped go on. Writes `summary.json`, `table.md` and the learning curves,
`curves.csv` and `curves.png`.
"""

import re
import sys
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from pydantic import BaseModel, ConfigDict, Field

from burako_env.errors import UserError
from experiments.runs.folder import locked
from experiments.runs.printing import say
from experiments.runs.settings import Preset, Seed, Settings, StudyDir, StudyFile, StudyWorkers, find_preset, run_script
from experiments.studies.trained import in_parallel, interval, merged, result_of, train_one, write_report
from experiments.train.settings import TrainSettings


class Plan(BaseModel):
    """A file of the module's form. Frozen; unknown keys are refused."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    seeds: tuple[Seed, ...] = Field(min_length=1)
    base: dict[str, Any]
    variants: dict[str, dict[str, Any]] = Field(min_length=1)


def read(path: Path) -> dict[str, list[TrainSettings]]:
    """The runs of a file by variant, one per seed; `UserError` for whatever is wrong with it."""
    preset = Preset.read(path)
    plan = preset.fill(Plan)
    found: dict[str, list[TrainSettings]] = {}
    for name, changes in plan.variants.items():
        try:
            found[name] = [TrainSettings(**{**merged(plan.base, changes), "seed": seed}) for seed in plan.seeds]
        except UserError as error:
            raise preset.error(("variants", name), str(error)) from None
    return found


def summarise(runs: Mapping[str, Sequence[Path]], anchor: str) -> list[dict[str, Any]]:
    """A row per variant, best first: points against the anchor at the end, mean over seeds with a t interval."""
    rows = []
    for name, folders in runs.items():
        found = [result_of(folder) for folder in folders]
        points = np.array([run["final"][anchor]["points"] for run in found])
        rows.append(
            {
                "variant": name,
                "points": float(points.mean()),
                "ci": interval(points.tolist(), missing=np.nan),
                "seeds": points.tolist(),
                "seconds": float(np.mean([run["seconds"] for run in found])),
                "curves": [[(e["decisions"], e[anchor]) for e in run["evaluations"]] for run in found],
            }
        )
    return sorted(rows, key=lambda row: -row["points"])


def table(rows: Sequence[Mapping[str, Any]]) -> str:
    """The rows as Markdown."""
    lines = ["| variant | points per hand [95% over seeds] | each seed | minutes |", "|---|---|---|---|"]
    for row in rows:
        low, high = row["ci"]
        seeds = ", ".join(f"{points:+.0f}" for points in row["seeds"])
        lines.append(
            f"| {row['variant']} | {row['points']:+.0f} [{low:.0f}, {high:.0f}] | {seeds} | {row['seconds'] / 60:.1f} |"
        )
    return "\n".join(lines) + "\n"


def curves(rows: Sequence[Mapping[str, Any]]) -> Iterator[tuple[Any, ...]]:
    """The learning curves as rows of a table, its head first."""
    yield ("variant", "seed_number", "decisions", "points")
    for row in rows:
        for number, curve in enumerate(row["curves"], 1):
            yield from ((row["variant"], number, *point) for point in curve)


class AblationSettings(Settings):
    """Train every variant of a recipe with every seed, and compare them."""

    file: StudyFile = "default"
    out: StudyDir
    workers: StudyWorkers = 2


def main(argv: Sequence[str] | None = None) -> int:
    """Run it all."""
    return run_script("experiments.studies.ablation", AblationSettings, run, argv)


def run(chosen: AblationSettings) -> int:
    """Train, compare, write the report."""
    settings, out = read(find_preset("ablation", chosen.file)), chosen.out
    runs = {name: [out / _folder(name, s.seed) for s in own] for name, own in settings.items()}
    jobs = [job for name, own in settings.items() for job in zip(own, runs[name])]
    try:
        out.mkdir(parents=True, exist_ok=True)
        with locked(out):
            in_parallel(train_one, jobs, chosen.workers)
            rows = summarise(runs, next(iter(settings.values()))[0].evaluation.anchors[0])
            drawn = {row["variant"]: row["curves"] for row in rows}
            labels = {"xlabel": "decisions", "ylabel": "points per hand against the anchor"}
            write_report(out, {"rows": rows}, table(rows), curves(rows), drawn, **labels)
    except OSError as error:
        raise UserError(f"cannot use {out}: {error.strerror or error}") from None
    say(table(rows).rstrip())
    return 0


def _folder(variant: str, seed: int) -> str:
    return f"{re.sub(r'[^a-z0-9]+', '-', variant.lower()).strip('-')}-s{seed}"


if __name__ == "__main__":
    sys.exit(main())
