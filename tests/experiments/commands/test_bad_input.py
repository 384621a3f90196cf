"""Hundreds of bad inputs over all commands: exit code 2, one sentence, no traceback, soon, and no process is left."""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from itertools import islice
from pathlib import Path

import pytest

from experiments.cli import COMMANDS, main
from tests.tools.bad_input import KINDS, Places, Row, number_rows

pytestmark = pytest.mark.slow

# Seconds after which an input counts as one that does not end.
PATIENCE = 60


class Late(BaseException):
    """Nobody who catches the errors of agents may catch this."""


def complaints(rows: Sequence[Row], capsys: pytest.CaptureFixture[str]) -> list[str]:
    """What is wrong with how each row is answered, when it is run in this process."""
    found = []
    for row in rows:
        capsys.readouterr()
        try:
            with _patience():
                code = main(row)
        except SystemExit as stop:
            code = f"SystemExit {stop.code}"
        except BaseException as error:  # whatever gets through is a traceback for the user
            code = f"{type(error).__name__}: {error}"
        found += _complaint(row, code, capsys.readouterr().err)
    return found


def _complaint(row: Row, code: object, said: str) -> list[str]:
    wrong = []
    if code != 2:
        wrong.append(f"exit code {str(code)[:200]}")
    if said.count("\n") != 1 or not said.strip():
        wrong.append("not one line")
    if "Traceback" in said or "https://" in said:
        wrong.append("a traceback or a library's own words")
    shown = " ".join(part if len(part) < 60 else part[:60] + "..." for part in row)
    return [f"{shown!r}: {', '.join(wrong)}: {said[-300:]!r}"] if wrong else []


@contextlib.contextmanager
def _patience() -> Iterator[None]:
    def late(*_: object) -> None:
        raise Late(f"has not ended within {PATIENCE} seconds")

    before = signal.signal(signal.SIGALRM, late)
    signal.alarm(PATIENCE)
    try:
        yield
    finally:
        signal.alarm(0)
        signal.signal(signal.SIGALRM, before)


@pytest.fixture(autouse=True)
def _elsewhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Runs that should not have begun leave nothing in the checkout."""
    monkeypatch.chdir(tmp_path)


@pytest.mark.parametrize("command", COMMANDS)
def test_numbers(command, capsys, record_property):
    rows = list(number_rows(command))
    record_property("report", f"bad input: {len(rows)} numbers for {command}")
    assert not complaints(rows, capsys)


@pytest.mark.parametrize("kind", KINDS)
def test_kinds(kind, tmp_path, capsys, record_property):
    rows = list(KINDS[kind](Places(tmp_path)))
    record_property("report", f"bad input: {len(rows)} {kind}")
    assert not complaints(rows, capsys)
    assert not list(tmp_path.glob("runs/*")), "a run has begun"


def test_there_are_hundreds(tmp_path, record_property):
    count = sum(len(list(number_rows(command))) for command in COMMANDS)
    count += sum(len(list(KINDS[kind](Places(_new(tmp_path / kind))))) for kind in KINDS)
    record_property("report", f"bad input: {count} in all")
    assert count >= 300


def test_a_sample_in_processes_of_their_own(tmp_path, record_property):
    """As a user runs it: the same, and nothing of the command's session is left behind."""
    rows: list[Row] = []
    for kind in KINDS:
        every = list(KINDS[kind](Places(_new(tmp_path / kind))))
        rows += islice(every, 0, None, max(1, len(every) // 3))
    for command in ("train", "evaluate", "throughput"):
        rows += list(number_rows(command))[:1]
    record_property("report", f"bad input: {len(rows)} in processes of their own")
    found = []
    for row in rows:
        call = [sys.executable, "-m", "experiments.cli", *row]
        if any("\0" in part for part in call):
            continue
        process = subprocess.Popen(
            call, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True, start_new_session=True
        )
        try:
            said = process.communicate(timeout=PATIENCE)[1]
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)
            process.communicate()
            found.append(f"{row} has not ended")
            continue
        found += _complaint(row, process.returncode, said)
        deadline = time.monotonic() + 10
        while (left := _session(process.pid)) and time.monotonic() < deadline:
            time.sleep(0.2)
        if left:
            found.append(f"{row} has left processes {left}")
    assert not found


def _new(folder: Path) -> Path:
    folder.mkdir()
    return folder


def _session(leader: int) -> list[int]:
    """Processes of a session that are still there."""
    found = []
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            with contextlib.suppress(OSError):
                fields = (entry / "stat").read_text().rpartition(")")[2].split()
                if int(fields[3]) == leader and fields[0] != "Z":
                    found.append(int(entry.name))
    return found
