"""Twelve rule bugs planted into the core: the cases and the fuzz must find each of them."""

from __future__ import annotations

from pathlib import Path
from typing import Final

import pytest

from burako_env.cases import read_cases, run_case
from tests.fuzz.plan import segments
from tests.fuzz.run import play_segment
from tests.tools.places import CASES
from tests.tools.planted import BUGS, planted

# A case file that finds the bug; others may as well.
FOUND_BY: Final = {
    "wild limit": "sets",
    "ace wrap": "aces",
    "100 a burako left": "score",
    "one-card pile": "single_pile",
    "second look after a wild": "turn",
    "last round one turn too long": "end",
    "SCORE-4 when the others went out unjustified": "score",
    "own-suit 2 under the wild ban": "wild_groups",
    "reopening": "sets",
    "NO": "ask",
    "YES": "ask",
    "known cards": "info",
}
# The fuzz finds every bug within so many decisions, half of them of strict play.
DECISIONS: Final = 12_000


def failures(name: str) -> list[str]:
    """What fails of a case file."""
    return [str(failure) for failure in map(run_case, read_cases(CASES / f"{name}.yaml")) if failure is not None]


def differences(decisions: int, folder: Path) -> str | None:
    """The first difference that the fuzz finds."""
    return next((line for segment in segments(0, decisions) if (line := play_segment(segment, folder)[1])), None)


def test_all_twelve_are_tried() -> None:
    assert set(FOUND_BY) == set(BUGS)
    assert len(BUGS) == 12


@pytest.mark.parametrize("bug", BUGS)
def test_a_case_finds_the_bug(bug: str) -> None:
    with planted(bug):
        assert failures(FOUND_BY[bug])
    assert not failures(FOUND_BY[bug])


@pytest.mark.parametrize("bug", BUGS)
def test_the_fuzz_finds_the_bug(bug: str, tmp_path: Path) -> None:
    """And what it writes is a case file that shows the bug while it is there, and holds when it is gone."""
    with planted(bug):
        line = differences(DECISIONS, tmp_path)
        assert line is not None
        assert "case file: " in line
        (path,) = tmp_path.iterdir()
        (case,) = read_cases(path)
        # What differs in a View alone shows in no case.
        assert run_case(case) is not None or "view of seat" in line
    (case,) = read_cases(path)
    assert run_case(case) is None


def test_nothing_of_a_bug_stays(tmp_path: Path) -> None:
    for bug in BUGS:
        with planted(bug):
            pass
    assert differences(500, tmp_path) is None
