"""Commands that are killed with -9 at random moments: nothing lives on, and resumed they end as if never killed.

KILLS sets how many moments of each command are tried: a few here, 20 by hand.
"""

from __future__ import annotations

import os
import random
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
import pytest
from safetensors.numpy import load_file

KILLS = int(os.environ.get("KILLS", "2"))
# Seconds that a process may live on without its command.
SURVIVAL = 5.0
NET = ["--net.widths", "32", "16", "--net.block-widths", "16", "8", "--net.value-widths", "16"]
NET += ["--net.value-block-widths", "8", "--slots", "32", "--ppo.steps", "16", "--ppo.minibatch", "128"]
TRAIN = ["train", *NET, "--start", "scratch", "--processes", "2", "--ppo.decisions", "12000", "--save-every", "3"]
TRAIN += ["--evaluation.boards", "2", "--evaluation.every", "5000", "--evaluation.final-boards", "2"]
COMMANDS: dict[str, list[str]] = {
    "tournament": [
        "tournament",
        "--agents",
        "heuristic",
        "heuristic-v0",
        "random",
        "--boards",
        "130",
        "--recorded",
        "0",
    ],
    "train": TRAIN,
    "discards": ["discards", "--config", "tiny"],
    "exploit": ["exploit", "random", *NET, "--start", "clone", "--clone.decisions", "2000", "--budgets", "3000", "9000"]
    + ["--boards", "20", "--save-every", "3"],
}
for workers in ("tournament", "discards"):
    COMMANDS[workers] += ["--workers", "2"]

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="processes are looked up in /proc"),
]


def command(*arguments: str) -> list[str]:
    return [sys.executable, "-m", "experiments.cli", *arguments]


def stat(process: str) -> list[str]:
    """Fields of a process after its name: state, parent, process group, session, .."""
    try:
        return Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
    except OSError:
        return []


def living(session: int) -> list[str]:
    """Processes of a session: those that a command in a session of its own has started, and what these have."""
    found = {path.name: stat(path.name) for path in Path("/proc").iterdir() if path.name.isdigit()}
    return [name for name, fields in found.items() if fields and fields[0] not in "ZX" and fields[3] == str(session)]


def kill(line: list[str], after: float) -> bool:
    """Start a command and kill it, and only it, after some seconds; false if it had ended before.

    Asserts that all it had started is gone soon.
    """
    process = subprocess.Popen(line, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, start_new_session=True)
    try:
        process.wait(after)
        return False
    except subprocess.TimeoutExpired:
        process.send_signal(signal.SIGKILL)
        process.wait()
    finally:
        assert process.stderr is not None
        process.stderr.close()
    end = time.monotonic() + SURVIVAL
    while left := living(process.pid):
        if time.monotonic() > end:
            shown = [Path(f"/proc/{name}/cmdline").read_bytes().replace(b"\0", b" ") for name in left]
            for name in left:
                os.kill(int(name), signal.SIGKILL)
            raise AssertionError(f"still there after {SURVIVAL} seconds: {shown}")
        time.sleep(0.05)
    return True


def finish(line: list[str]) -> float:
    """Run a command to its end; the seconds it took."""
    begun = time.monotonic()
    found = subprocess.run(line, capture_output=True, text=True, check=False)
    assert found.returncode == 0, found.stderr
    return time.monotonic() - begun


def contents(folder: Path) -> dict[str, Any]:
    """What a run found: its rows, values and networks, bit for bit."""
    found: dict[str, Any] = {}
    for path in sorted(folder.rglob("*")):
        name = str(path.relative_to(folder))
        if path.suffix == ".parquet" and "timings" not in name:
            found[name] = pq.read_table(path).to_pydict()
        elif path.suffix == ".safetensors" and name.startswith("checkpoints"):
            found[name] = {key: array.tobytes() for key, array in load_file(path).items()}
        elif path.name == "figures.json" and name.startswith("measured"):
            found[name] = path.read_text().partition('"figures"')[2]
    return found


@pytest.mark.parametrize("name", COMMANDS)
def test_a_killed_run_is_resumed_bit_for_bit(name: str, tmp_path: Path) -> None:
    whole = command(*COMMANDS[name], "--out", str(tmp_path / "whole"))
    seconds = finish(whole)
    wanted = contents(tmp_path / "whole")
    assert wanted
    rng = random.Random(name)
    done = killed = 0
    while killed < KILLS:
        # One folder is killed again and again until its run is over, then the next one.
        out = tmp_path / f"killed-{done}"
        line = command(*COMMANDS[name], "--out", str(out))
        if out.exists():
            line.append("--resume")
        if kill(line, rng.uniform(0, seconds)):
            killed += 1
        else:
            assert contents(out) == wanted
            done += 1
    out = tmp_path / f"killed-{done}"
    if out.exists():
        finish([*command(*COMMANDS[name], "--out", str(out)), "--resume"])
        assert contents(out) == wanted


@pytest.mark.parametrize("name", ["train", "tournament"])
def test_processes_end_with_a_command_that_is_killed_while_they_start(name: str, tmp_path: Path) -> None:
    """Moments right after the first of them is there."""
    rng = random.Random(f"{name} starts")
    many = ["--processes", "6"] if name == "train" else ["--workers", "6"]
    for number in range(KILLS):
        line = command(*COMMANDS[name], *many, "--out", str(tmp_path / str(number)))
        process = subprocess.Popen(line, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, start_new_session=True)
        while len(living(process.pid)) < 3:
            assert process.poll() is None
            time.sleep(0.01)
        time.sleep(rng.uniform(0, 2))
        process.kill()
        process.wait()
        end = time.monotonic() + SURVIVAL
        while left := living(process.pid):
            assert time.monotonic() < end, left
            time.sleep(0.05)
