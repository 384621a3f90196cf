"""`python -m experiments.curriculum [FILE] --out DIR [--workers N]`: see the package.

Writes `summary.json`, `table.md`, `curves.csv` and `curves.png` into DIR; the same command goes on after a stop.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path

import joblib

from burako_env.errors import UserError
from burako_env.files import write_csv, write_json, write_text
from experiments.backends import workers_of
from experiments.curriculum import report
from experiments.curriculum.plan import read_plan, runs_of
from experiments.curriculum.run import train_and_measure
from experiments.runs import commit, is_used, locked, machine
from experiments.settings import find_preset


def main(argv: Sequence[str] | None = None) -> int:
    """Run it all."""
    parser = argparse.ArgumentParser(prog="python -m experiments.curriculum", description=__doc__)
    parser.add_argument("file", nargs="?", default="default", help="a plan: a YAML file, or the name of a shipped one")
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--workers", type=int, default=1, help="runs at a time; results do not depend on it")
    arguments = parser.parse_args(argv)
    out: Path = arguments.out
    try:
        path = find_preset("curriculum", arguments.file)
        plan = read_plan(path)
        with _opened(out, plan.model_dump_json()):
            runs = runs_of(path, plan, out)
            jobs = [joblib.delayed(train_and_measure)(plan, seed, stages) for (_, seed), stages in runs.items()]
            with workers_of("loky", arguments.workers):
                joblib.Parallel(batch_size=1)(jobs)
            summary = {"commit": commit(), "machine": machine(), **report.summarise(plan, runs)}
            write_json(out / "summary.json", summary)
            write_text(out / "table.md", report.table(summary))
            write_csv(out / "curves.csv", report.curves(runs))
            report.draw(plan, runs, out / "curves.png")
    except UserError as error:
        print(f"error: {error}", file=sys.stderr)
        return 2
    print(report.table(summary), end="")
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
