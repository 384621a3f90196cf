"""`python -m experiments.curriculum [FILE] --out DIR [--workers N]`: see the package.

Writes `summary.json`, `table.md`, `curves.csv` and `curves.png` into DIR; the same command goes on after a stop.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

import joblib
import tyro
from pydantic import Field

from burako_env.errors import UserError
from experiments.backends import worker_count
from experiments.curriculum import report
from experiments.curriculum.plan import read_plan, runs_of
from experiments.curriculum.run import train_and_measure
from experiments.printing import say
from experiments.runs import commit, machine
from experiments.settings import Settings, StudyDir, StudyWorkers, find_preset, run_script


class CurriculumSettings(Settings):
    """Train all stages of a plan in turn, and its goal alone; measure both on the same boards."""

    file: Annotated[
        str,
        tyro.conf.Positional,
        tyro.conf.arg(metavar="FILE"),
        Field(description="a plan: a YAML file, or the name of a shipped one"),
    ] = "default"
    out: StudyDir
    workers: StudyWorkers = 1


def main(argv: Sequence[str] | None = None) -> int:
    """Run it all."""
    return run_script("experiments.curriculum", CurriculumSettings, run, argv)


def run(settings: CurriculumSettings) -> int:
    """Train, measure, write the report."""
    out = settings.out
    path = find_preset("curriculum", settings.file)
    plan = read_plan(path)
    _same_plan(out, plan.model_dump_json())
    runs = runs_of(path, plan, out)
    jobs = [joblib.delayed(train_and_measure)(plan, seed, stages) for (_, seed), stages in runs.items()]
    joblib.Parallel(n_jobs=worker_count("loky", settings.workers), batch_size=1)(jobs)
    summary = {"commit": commit(), "machine": machine(), **report.summarise(plan, runs)}
    (out / "summary.json").write_text(json.dumps(summary, indent=1) + "\n", encoding="utf-8")
    (out / "table.md").write_text(report.table(summary), encoding="utf-8")
    report.write_curves(runs, out / "curves.csv")
    report.draw(plan, runs, out / "curves.png")
    say(report.table(summary).rstrip())
    return 0


def _same_plan(out: Path, plan: str) -> None:
    """A folder goes on with its own plan only."""
    kept = out / "plan.json"
    try:
        if kept.is_file() and kept.read_text(encoding="utf-8") != plan:
            raise UserError(f"{out} was begun with another plan ({kept}): choose another --out")
        if not kept.is_file() and out.is_dir() and any(out.iterdir()):
            raise UserError(f"{out} is not empty and holds no curriculum: choose another --out")
        out.mkdir(parents=True, exist_ok=True)
        kept.write_text(plan, encoding="utf-8")
    except OSError as error:
        raise UserError(f"cannot use {out}: {error.strerror or error}") from None


if __name__ == "__main__":
    sys.exit(main())
