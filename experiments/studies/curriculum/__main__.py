"""`python -m experiments.studies.curriculum [FILE] --out DIR [--workers N]`: see the package.

Writes `summary.json`, `table.md`, `curves.csv` and `curves.png` into DIR; the same command goes on after a stop.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path

from burako_env.errors import UserError
from burako_env.inputs.files import write_text
from experiments.runs.folder import is_used, locked, machine
from experiments.runs.printing import say
from experiments.runs.settings import Settings, StudyDir, StudyFile, StudyWorkers, find_preset, run_script
from experiments.studies.curriculum import report
from experiments.studies.curriculum.plan import read_plan, runs_of
from experiments.studies.curriculum.run import train_and_measure
from experiments.studies.trained import in_parallel, write_report


class CurriculumSettings(Settings):
    """Train all stages of a plan in turn, and its goal alone; measure both on the same boards."""

    file: StudyFile = "default"
    out: StudyDir
    workers: StudyWorkers = 1


def main(argv: Sequence[str] | None = None) -> int:
    """Run it all."""
    return run_script("experiments.studies.curriculum", CurriculumSettings, run, argv)


def run(settings: CurriculumSettings) -> int:
    """Train, measure, write the report."""
    out = settings.out
    path = find_preset("curriculum", settings.file)
    plan = read_plan(path)
    with _opened(out, plan.model_dump_json()):
        runs = runs_of(path, plan, out)
        jobs = [(plan, seed, stages) for (_, seed), stages in runs.items()]
        in_parallel(train_and_measure, jobs, settings.workers)
        summary = {"machine": machine(), **report.summarise(plan, runs)}
        labels = {
            "xlabel": "decisions, with those of the levels",
            "ylabel": f"points per hand against {plan.opponents[0]}",
            "title": jobs[0][2][-1].settings.game,
        }
        curves, drawn = report.curves(runs), report.drawn(plan, runs)
        write_report(out, summary, report.table(summary), curves, drawn, **labels)
    say(report.table(summary).rstrip())
    return 0


@contextmanager
def _opened(out: Path, plan: str) -> Iterator[None]:
    """Hold a folder, which goes on with its own plan only."""
    kept = out / "plan.json"
    with ExitStack() as stack:
        try:
            if kept.is_file() and kept.read_bytes() != plan.encode():
                raise UserError(f"{out} was begun with another plan ({kept}): choose another --out")
            if not kept.is_file() and is_used(out):
                raise UserError(f"{out} is not empty and holds no curriculum: choose another --out")
            out.mkdir(parents=True, exist_ok=True)
            stack.enter_context(locked(out))
            write_text(kept, plan)
        except OSError as error:
            raise UserError(f"cannot use {out}: {error.strerror or error}") from None
        yield


if __name__ == "__main__":
    sys.exit(main())
