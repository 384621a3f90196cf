"""`burako check FILE...`: run case files and say what does not hold.

Prints a line for each case that fails (file, case, step, expected, found) and a summary; a file that cannot be read
gives a line on standard error (file, line, what is wrong). Exit code 0: every case passed; 1: a case failed; 2: a file
could not be read, whatever the others say.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Final, NamedTuple

from burako_env.cases import ReadingError, read_cases, run_case
from burako_env.errors import UserError

PASSED, FAILED, UNREADABLE = 0, 1, 2
FOLDER_PATTERN: Final = "*.yaml"


class Outcome(NamedTuple):
    """What a file came to: how many cases it holds, and a line for each that failed."""

    cases: int
    failures: list[str]


def check_case_file(path: Path) -> Outcome:
    """Run the cases of a file; `ReadingError` if it cannot be read."""
    cases = read_cases(path)
    return Outcome(len(cases), [str(failure) for failure in map(run_case, cases) if failure is not None])


# What checks a file by the ending of its name, where that is not a case file.
CHECKERS: Final[dict[str, Callable[[Path], Outcome]]] = {}


def check(files: list[Path]) -> int:
    """Check files, and the case files below folders; print the report and return the exit code."""
    cases = failed = unreadable = 0
    for path in files:
        for file in _expand(path):
            try:
                outcome = _checker(file)(file)
            except UserError as error:
                unreadable += 1
                print(error, file=sys.stderr)
                continue
            cases += outcome.cases
            failed += len(outcome.failures)
            for line in outcome.failures:
                print(line)
    unread = f", {unreadable} {'file' if unreadable == 1 else 'files'} not read" if unreadable else ""
    print(f"{cases} cases, {cases - failed} passed, {failed} failed{unread}")
    return UNREADABLE if unreadable else FAILED if failed else PASSED


def _expand(path: Path) -> Iterable[Path]:
    """The file itself, or the case files below a folder by name; a folder without any stands for itself."""
    return (sorted(path.rglob(FOLDER_PATTERN)) or [path]) if path.is_dir() else [path]


def _checker(file: Path) -> Callable[[Path], Outcome]:
    """What checks this file."""
    if file.is_dir():
        raise ReadingError(file, 1, f"there is no {FOLDER_PATTERN} below this folder")
    return CHECKERS.get(file.suffix, check_case_file)


if __name__ == "__main__":
    if not sys.argv[1:]:
        print("which files? python -m experiments.check FILE...", file=sys.stderr)
        sys.exit(UNREADABLE)
    sys.exit(check([Path(argument) for argument in sys.argv[1:]]))
