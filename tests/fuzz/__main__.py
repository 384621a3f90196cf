"""`python -m tests.fuzz --decisions N --seed S --out DIR --workers W`: compare the core with the reference.

Exit code 0: everything agreed and every rule was exercised often enough; 1: a difference (its case file lies in DIR) or
a rule that came up too rarely.
"""

from __future__ import annotations

import argparse
import sys
import time
from pathlib import Path

from tests.fuzz.plan import BOTH, CONFIGS, SANCTIONS
from tests.fuzz.run import LEAST, Result, fuzz, report

TURNS = {"both": BOTH, "strict": (CONFIGS,), "sanctions": (SANCTIONS,)}


def show_progress(result: Result) -> None:
    """Rewrite one line on a terminal, with what has been compared so far."""
    done = f"{result.tally.decisions} decisions, {len(result.differences)} differences"
    print(f"\r{done}", end="", file=sys.stderr, flush=True)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(prog="python -m tests.fuzz", description="Compare the core with the reference.")
    parser.add_argument("--decisions", type=int, default=100_000, help="decisions to compare (%(default)s)")
    parser.add_argument("--seed", type=int, default=0, help="what is played (%(default)s)")
    parser.add_argument("--workers", type=int, default=1, help="processes (%(default)s)")
    parser.add_argument("--out", type=Path, default=Path("runs/fuzz"), help="folder of case files (%(default)s)")
    parser.add_argument("--least", type=int, default=LEAST, help="how often every rule must come up (%(default)s)")
    parser.add_argument(
        "--enforcement", choices=TURNS, default="both", help="strict play, sanctions or both (%(default)s)"
    )
    options = parser.parse_args()
    started = time.perf_counter()
    progress = show_progress if sys.stderr.isatty() else None
    result = fuzz(
        options.seed,
        options.decisions,
        workers=options.workers,
        out=options.out,
        after_segment=progress,
        turns=TURNS[options.enforcement],
    )
    if progress:
        print(file=sys.stderr)
    seconds = time.perf_counter() - started
    print(report(result.tally))
    rate = result.tally.decisions / result.cpu_seconds
    print(f"{result.tally.decisions} decisions in {seconds:.0f} s, {rate:.0f} per CPU second")
    for line in result.problems(options.least):
        print(line, file=sys.stderr)
    sys.exit(bool(result.problems(options.least)))
