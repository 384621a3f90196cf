"""A run of the fuzz: all segments of a seed, in this process or in several, and what came of it in words."""

from __future__ import annotations

import os
import time
import traceback
from collections.abc import Callable, Iterable
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, field
from multiprocessing import get_context
from pathlib import Path
from typing import Any, Final

from tests.fuzz.case_file import write_case
from tests.fuzz.compare import Comparison, Difference, Tally
from tests.fuzz.plan import BOTH, Segment, segments
from tests.reference.coverage import APART, MEANINGS

# How often each rule must come up in a run that is to show something.
LEAST: Final = 100
# What `ReferenceHand.fired` counts: the rule ids, and some events apart.
COUNTED: Final = (*MEANINGS, *APART)
_COLUMNS: Final = 4
# One numerical thread a process, as in the Makefile.
_ONE_THREAD: Final = dict.fromkeys(("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"), "1")


@dataclass
class Result:
    """What a run saw. `differences`: a line for each segment that failed, with the path of its case file."""

    tally: Tally = field(default_factory=Tally)
    differences: list[str] = field(default_factory=list)
    cpu_seconds: float = 0.0

    def problems(self, least: int) -> list[str]:
        """Lines on what went wrong; empty if nothing did."""
        rare = [rule for rule in COUNTED if self.tally.fired[rule] < least]
        lines = [f"{rule} came up {self.tally.fired[rule]} times, fewer than {least}" for rule in rare]
        return self.differences or lines


def fuzz(
    seed: int,
    decisions: int,
    *,
    workers: int = 1,
    out: Path,
    after_segment: Callable[[Result], None] | None = None,
    turns: tuple[tuple[dict[str, Any], ...], ...] = BOTH,
) -> Result:
    """Compare at least `decisions` decisions, going on with other segments after a difference."""
    result = Result()
    planned = list(segments(seed, decisions, turns))
    for tally, difference, seconds in _played(planned, workers, out):
        result.tally.add(tally)
        result.cpu_seconds += seconds
        if difference:
            result.differences.append(difference)
        if after_segment is not None:
            after_segment(result)
    return result


def play_segment(segment: Segment, out: Path) -> tuple[Tally, str | None, float]:
    """The tally of one segment, the line on its difference, the CPU time it took."""
    started, tally, line = time.process_time(), Tally(), None
    try:
        Comparison(segment, tally).run()
    except Difference as difference:
        line = f"{difference}\n  {_case_file(difference, out)}"
    except Exception:  # not a difference but a breakdown elsewhere; the other segments go on
        line = f"{segment}: {traceback.format_exc()}"
    return tally, line, time.process_time() - started


def _case_file(difference: Difference, out: Path) -> str:
    """Write the case file; a core that is broken enough may prevent even that."""
    try:
        return f"case file: {write_case(difference, out)}"
    except Exception as error:
        return f"no case file: {error!r}"


def _played(planned: list[Segment], workers: int, out: Path) -> Iterable[tuple[Tally, str | None, float]]:
    if workers == 1:
        yield from (play_segment(segment, out) for segment in planned)
        return
    os.environ.update(_ONE_THREAD)
    with ProcessPoolExecutor(workers, mp_context=get_context("spawn")) as pool:
        yield from pool.map(play_segment, planned, [out] * len(planned))


def report(tally: Tally) -> str:
    """How often every rule came up, in columns, and what was played."""
    width = max(map(len, COUNTED))
    cells = [f"{rule:<{width}}{tally.fired[rule]:>9}" for rule in COUNTED]
    rows = [cells[start : start + _COLUMNS] for start in range(0, len(cells), _COLUMNS)]
    policies = ", ".join(f"{policy} {count}" for policy, count in sorted(tally.by_policy.items()))
    reasons = ", ".join(f"{reason} {count}" for reason, count in sorted(tally.reasons.items()))
    return "\n".join([*("   ".join(row) for row in rows), f"decisions: {policies}", f"hands: {reasons}"])
