"""What parts of a recipe are worth: `python -m experiments.studies.ablation [FILE] --out DIR [--workers N]`.

FILE is a YAML file, or the name of one that comes with the project. It has a recipe (`base`, settings of `burako
train`), `variants` (what each changes) and `seeds`; every variant is trained with every seed. Runs that are finished
are not repeated, those that were stopped go on. Writes `summary.json`, `table.md` and the learning curves,
`curves.csv` and `curves.png`.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Final

import joblib
import numpy as np
from pydantic import BaseModel, ConfigDict, Field
from scipy import stats

from burako_env.errors import UserError
from burako_env.inputs.files import read_json, whole, write_csv, write_json, write_text
from experiments.processes.backends import worker_count, workers_of
from experiments.runs.folder import commit, locked
from experiments.runs.printing import say
from experiments.runs.settings import Preset, Seed, Settings, StudyDir, StudyFile, StudyWorkers, find_preset, run_script
from experiments.train.settings import TrainSettings

_DPI: Final = 144


class Plan(BaseModel):
    """A file of the module's form. Frozen; unknown keys are refused."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    seeds: tuple[Seed, ...] = Field(min_length=1)
    base: dict[str, Any]
    variants: dict[str, dict[str, Any]] = Field(min_length=1)


def read(path: Path) -> dict[str, list[TrainSettings]]:
    """The runs of a file by variant, one a seed; `UserError` for whatever is wrong with it."""
    preset = Preset.read(path)
    plan = preset.fill(Plan)
    found: dict[str, list[TrainSettings]] = {}
    for name, changes in plan.variants.items():
        try:
            found[name] = [TrainSettings(**{**merged(plan.base, changes), "seed": seed}) for seed in plan.seeds]
        except UserError as error:
            raise preset.error(("variants", name), str(error)) from None
    return found


def merged(base: Mapping[str, Any], changes: Mapping[str, Any]) -> dict[str, Any]:
    """Nested settings with some of them changed."""
    found = {str(key): value for key, value in base.items()}
    for key, value in changes.items():
        before = found.get(str(key))
        if isinstance(value, Mapping) and isinstance(before, Mapping):
            value = merged(before, value)
        found[str(key)] = value
    return found


def train_one(settings: TrainSettings, folder: Path) -> None:
    """One run; what it found goes to `result.json`, written when it is done."""
    from experiments.train import setup
    from experiments.train.loop import train

    done = folder / "result.json"
    if done.is_file():
        return
    setup.check(settings)
    folder.mkdir(parents=True, exist_ok=True)
    with locked(folder):
        training, results = train(settings, folder, shown=False)
    found = {name: {"points": r.points, "margin": r.margin, "wins": r.wins} for name, r in results.items()}
    row = {"evaluations": training.evaluations, "final": found, "seconds": training.seconds}
    write_json(done, row)


def result_of(folder: Path) -> dict[str, Any]:
    """What `train_one` found."""
    return read_json(folder / "result.json", "delete it and call again, which goes on with that run")


def summarise(runs: Mapping[str, Sequence[Path]], anchor: str) -> list[dict[str, Any]]:
    """A row a variant, best first: points against the anchor at the end, mean over seeds with a t interval."""
    rows = []
    for name, folders in runs.items():
        found = [result_of(folder) for folder in folders]
        points = np.array([run["final"][anchor]["points"] for run in found])
        half = np.nan
        if len(points) > 1:
            half = float(stats.t.ppf(0.975, len(points) - 1) * points.std(ddof=1) / len(points) ** 0.5)
        rows.append(
            {
                "variant": name,
                "points": float(points.mean()),
                "ci": [float(points.mean()) - half, float(points.mean()) + half],
                "seeds": points.tolist(),
                "seconds": float(np.mean([run["seconds"] for run in found])),
                "curves": [[(e["decisions"], e[anchor]) for e in run["evaluations"]] for run in found],
            }
        )
    return sorted(rows, key=lambda row: -row["points"])


def table(rows: Sequence[Mapping[str, Any]]) -> str:
    """The rows as Markdown."""
    lines = ["| variant | points a hand [95% over seeds] | each seed | minutes |", "|---|---|---|---|"]
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


def draw(rows: Sequence[Mapping[str, Any]], path: Path) -> None:
    """The mean curve of every variant, its seeds thin behind it."""
    from matplotlib.figure import Figure

    figure = Figure(figsize=(9, 5), layout="constrained")
    axes = figure.add_subplot()
    for number, row in enumerate(rows):
        for curve in row["curves"]:
            axes.plot(*zip(*curve), color=f"C{number}", alpha=0.25, linewidth=0.8)
        shortest = min(map(len, row["curves"]))
        mean = np.mean([curve[:shortest] for curve in row["curves"]], axis=0)
        axes.plot(mean[:, 0], mean[:, 1], color=f"C{number}", label=row["variant"])
    axes.axhline(0, color="0.8", zorder=0)
    axes.set_xlabel("decisions")
    axes.set_ylabel("points a hand against the anchor")
    figure.legend(loc="outside right upper", fontsize="small")
    with whole(path) as file:
        figure.savefig(file, format="png", dpi=_DPI)


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
            with workers_of("loky", worker_count("loky", chosen.workers)):
                joblib.Parallel(batch_size=1)(joblib.delayed(train_one)(*job) for job in jobs)
            rows = summarise(runs, next(iter(settings.values()))[0].evaluation.anchors[0])
            write_json(out / "summary.json", {"commit": commit(), "rows": rows})
            write_text(out / "table.md", table(rows))
            write_csv(out / "curves.csv", curves(rows))
            draw(rows, out / "curves.png")
    except OSError as error:
        raise UserError(f"cannot use {out}: {error.strerror or error}") from None
    say(table(rows).rstrip())
    return 0


def _folder(variant: str, seed: int) -> str:
    return f"{re.sub(r'[^a-z0-9]+', '-', variant.lower()).strip('-')}-s{seed}"


if __name__ == "__main__":
    sys.exit(main())
