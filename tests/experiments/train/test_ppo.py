"""PPO: the critic's loss falls, the league sits down, and a run that was stopped goes on bit for bit."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from safetensors.numpy import load_file

from burako_env.errors import UserError
from experiments.cli import main
from experiments.train.process_group import ProcessGroup, Rendezvous, start_workers
from experiments.train.settings import CloneSettings, LeagueSettings, NetSettings, PpoSettings
from tests.tools.train_runs import SMALL, rows, run, tiny

# Everything that has a state of its own: snapshots, an anchor, a magnet, both phases.
EVERYTHING: dict[str, Any] = {
    "start": "clone",
    "league": LeagueSettings(past=0.3, anchor=0.2, every=600, refresh=2, size=3),
    "ppo": PpoSettings(decisions=100_000, steps=16, minibatch=128, magnet=(0.02, 0.02), magnet_refresh=3),
}


def states(folder: Path) -> dict[str, dict[str, np.ndarray]]:
    """The arrays of the last state, by file."""
    last = sorted((folder / "state").iterdir())[-1]
    return {path.name: load_file(path) for path in sorted(last.iterdir())}


def assert_same_run(one: Path, other: Path) -> None:
    mine, theirs = states(one), states(other)
    assert mine.keys() == theirs.keys()
    for file, arrays in mine.items():
        assert arrays.keys() == theirs[file].keys()
        for name, array in arrays.items():
            assert array.dtype == theirs[file][name].dtype, (file, name)
            assert array.tobytes() == theirs[file][name].tobytes(), (file, name)
    assert rows(one) == rows(other)


def test_the_loss_falls(tmp_path: Path) -> None:
    """The same few hands' worth of learning again and again: the critic comes to foresee the returns."""
    settings = tiny(slots=96, ppo=PpoSettings(decisions=48_000, steps=48, minibatch=256, epochs=2, lr=(2e-3, 5e-4)))
    assert run(settings, tmp_path).finished
    found = rows(tmp_path)
    explained = [row["train/explained_var"] for row in found]
    assert np.mean(explained[-2:]) > max(0.2, explained[0] + 0.2)
    # Relative to what there is to foresee: the returns grow as play gets under way.
    assert all(np.isfinite(value) for row in found for value in row.values())


def test_stopped_and_resumed_is_the_same_as_run_at_once(tmp_path: Path) -> None:
    settings = tiny(**EVERYTHING)
    whole, broken = tmp_path / "whole", tmp_path / "broken"
    run(settings, whole, rounds=8)
    for rounds in (1, 4, 8):
        assert run(settings, broken, rounds=rounds).rounds == rounds
    assert_same_run(whole, broken)
    last = rows(whole)[-1]
    assert last["pool/size"] >= 2
    assert last["train/magnet"] >= 0


@pytest.mark.slow
def test_two_processes_resume_bit_for_bit(tmp_path: Path) -> None:
    settings = tiny(processes=2, **EVERYTHING)
    whole, broken = tmp_path / "whole", tmp_path / "broken"
    run(settings, whole, rounds=4)
    run(settings, broken, rounds=2)
    run(settings, broken, rounds=4)
    assert_same_run(whole, broken)
    assert sorted(states(whole)) == ["rank0.safetensors", "rank1.safetensors"]


@pytest.mark.parametrize(
    "changes",
    [
        {"net": SMALL.model_copy(update={"critic": "oracle"}), "start": "clone"},
        {"net": NetSettings(kind="mlp", widths=(16,), value_widths=(8,)), "ppo": PpoSettings(steps=16, augment=True)},
        {"ppo": PpoSettings(steps=16, minibatch=128, rewards="terminal"), "game": "burako-6"},
    ],
    ids=["oracle", "augment", "terminal-six"],
)
def test_other_settings_train(changes: dict[str, Any], tmp_path: Path) -> None:
    training = run(tiny(**changes), tmp_path, rounds=4)
    assert training.decisions > 0
    assert all(np.isfinite(value) for row in rows(tmp_path) for value in row.values())


def test_the_command_trains_evaluates_and_refuses(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = tmp_path / "run"
    line = ["train", "--config", "ppo-tiny", "--ppo.decisions", "1500", "--clone.decisions", "1500"]
    assert main([*line, "--out", str(out)]) == 0
    shown = capsys.readouterr().out
    assert "against heuristic" in shown
    assert "finished" in shown
    assert (out / "summary.json").exists()
    assert (out / "checkpoints" / "best.safetensors").exists()
    assert any((out / "tensorboard").iterdir())
    groups = {key.partition("/")[0] for row in rows(out) for key in row}
    assert {"eval", "ladder", "train", "game", "pool"} <= groups
    assert main([*line, "--out", str(out)]) == 2
    assert "add --resume" in capsys.readouterr().err
    assert main([*line, "--seed", "9", "--out", str(out), "--resume"]) == 2
    assert "its seed is 0, not 9" in capsys.readouterr().err


def test_a_start_that_does_not_fit_is_refused(tmp_path: Path) -> None:
    first = run(tiny(algorithm="clone", clone=CloneSettings(decisions=300, steps=16)), tmp_path / "first")
    start = str(first.store.best)
    assert run(tiny(start=start), tmp_path / "second", rounds=1).rounds == 1
    with pytest.raises(UserError, match="its policy is"):
        run(tiny(start=start, net=NetSettings()), tmp_path / "third", rounds=1)


def fail(group: ProcessGroup) -> None:
    """A rank that dies without having said so."""
    os._exit(3)


def test_a_dead_process_does_not_leave_the_others_waiting() -> None:
    shared = Rendezvous(2, 4)
    (process,) = start_workers(shared, fail)
    with pytest.raises(threading.BrokenBarrierError):
        ProcessGroup(0, shared).wait()
    process.join()
    assert process.exitcode == 3


@pytest.mark.slow
@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_a_signal_stops_with_everything_saved(number: signal.Signals, tmp_path: Path) -> None:
    out = tmp_path / "run"
    line = ["train", "--config", "ppo-tiny", "--ppo.decisions", "10000000", "--processes", "2", "--out", str(out)]
    process = subprocess.Popen(
        [sys.executable, "-m", "experiments.cli", *line], env={**os.environ, "OMP_NUM_THREADS": "1"}
    )
    try:
        limit = time.monotonic() + 120
        while process.poll() is None and time.monotonic() < limit:
            if (out / "metrics.jsonl").exists() and len(rows(out)) > 3:
                break
            time.sleep(0.2)
        process.send_signal(number)
        assert process.wait(timeout=60) == 0
    finally:
        if process.poll() is None:
            process.kill()
    done = len(rows(out))
    assert (out / "checkpoints" / f"update-{done:06d}.safetensors").exists()
    assert sorted(states(out)) == ["rank0.safetensors", "rank1.safetensors"]
