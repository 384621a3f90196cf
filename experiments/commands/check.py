"""`burako check FILE...`: run case files, play records again, and say what does not hold.

Prints a line for each case that fails (file, case, step, expected, found), one for each record (of a `*.jsonl` file)
that playing it again does not bear out, and a summary; a file that cannot be read gives a line on standard error (file,
line, what is wrong). Exit code 0: everything passed; 1: a case or a record failed; 2: a file could not be read,
whatever the others say.
"""

from collections import Counter
from collections.abc import Iterable
from pathlib import Path
from typing import Annotated, Final, NamedTuple

import tyro
from pydantic import Field

from burako_env.cases import ReadingError, read_cases, run_case
from burako_env.errors import UserError
from burako_env.records.format import read
from burako_env.records.replay import verify
from experiments.runs.printing import say
from experiments.runs.settings import Settings

PASSED, FAILED, UNREADABLE = 0, 1, 2
FOLDER_PATTERN: Final = "*.yaml"


class CheckSettings(Settings):
    """Run every case, play every record again. Exit code 0: all hold; 1: one does not; 2: a file cannot be read."""

    files: Annotated[
        tuple[Path, ...],
        tyro.conf.Positional,
        tyro.conf.arg(metavar="FILE"),
        Field(description="case files (YAML) or folders of them, record files (*.jsonl)"),
    ]


def run(settings: CheckSettings, line: str) -> int:
    """Exit code of the check."""
    if not settings.files:
        raise UserError("burako check: name one or more case files")
    return check(settings.files)


class Outcome(NamedTuple):
    """What a file came to: how many cases (or records) it holds, and a line for each that failed."""

    cases: int
    failures: list[str]
    noun: str = "cases"


def check_case_file(path: Path) -> Outcome:
    """Run the cases of a file; `ReadingError` if it cannot be read."""
    cases = read_cases(path)
    return Outcome(len(cases), [str(failure) for failure in map(run_case, cases) if failure is not None])


def check_record_file(path: Path) -> Outcome:
    """Play the records of a file again; `ReadingError` if it cannot be read."""
    records = list(read(path))
    if not records:
        raise ReadingError(path, 1, "holds no records: a record file has one JSON object a line")
    found = verify([record for _, record in records])
    failures = [
        f"{path}:{line}: {record.kind} {record.deal_id} of {record.game}: {failure}"
        for (line, record), failure in zip(records, found, strict=True)
        if failure is not None
    ]
    return Outcome(len(records), failures, "records")


def check(files: Iterable[Path]) -> int:
    """Check files, and the case files below folders; print the report and return the exit code."""
    checked: Counter[str] = Counter()
    failed = unreadable = 0
    for path in files:
        for file in _expand(path):
            try:
                if file.is_dir():
                    raise ReadingError(file, 1, f"there is no {FOLDER_PATTERN} below this folder")
                outcome = (check_record_file if file.suffix == ".jsonl" else check_case_file)(file)
            except UserError as error:
                unreadable += 1
                say(str(error), error=True)
                continue
            checked[outcome.noun] += outcome.cases
            failed += len(outcome.failures)
            for line in outcome.failures:
                say(line)
    unread = f", {unreadable} {'file' if unreadable == 1 else 'files'} not read" if unreadable else ""
    what = " and ".join(f"{count} {noun}" for noun, count in checked.items()) or "0 cases"
    print(f"{what}, {checked.total() - failed} passed, {failed} failed{unread}")
    return UNREADABLE if unreadable else FAILED if failed else PASSED


def _expand(path: Path) -> Iterable[Path]:
    """The file itself, or the case files below a folder by name; a folder without any stands for itself."""
    return (sorted(path.rglob(FOLDER_PATTERN)) or [path]) if path.is_dir() else [path]
