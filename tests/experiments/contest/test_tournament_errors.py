"""What goes wrong in a tournament: agents that fail, workers that die, disks that are full. Nothing of it is silent."""

from __future__ import annotations

import errno
import resource
import signal
import subprocess
import sys
import time

import numpy as np
import pyarrow.parquet as pq
import pytest

import agents
import burako_env
from burako_env.errors import UserError
from experiments.cli import main
from experiments.contest.asking import ask
from experiments.contest.outcomes import Outcomes
from experiments.contest.schedule import CHUNK_BOARDS
from experiments.processes.backends import run_jobs
from experiments.runs import parquet
from tests.tools.contest_bots import die_once, module_in, rows_of, summary_of


@pytest.fixture
def bots(tmp_path, monkeypatch):
    with module_in(tmp_path, monkeypatch) as module:
        yield module


@pytest.mark.parametrize(
    ("bot", "reason"), [("Cheat", "is not legal"), ("Crash", "RuntimeError: out of ideas"), ("Leave", "SystemExit: 3")]
)
def test_a_failing_agent_loses_the_board_and_the_tournament_goes_on(bot, reason, tmp_path, bots, capsys):
    out = tmp_path / "run"
    line = ["tournament", "--agents", f"{bots}:First", f"{bots}:{bot}", "--boards", str(CHUNK_BOARDS // 2)]
    assert main([*line, "--workers", "1", "--out", str(out)]) == 0
    rows = pq.read_table(next(out.glob("parts/*/*.parquet"))).to_pylist()
    failed = [row for row in rows if row["error_side"] >= 0]
    lost = {row["board"] for row in failed}
    assert 0 < len(lost) < CHUNK_BOARDS // 2
    for row in failed:
        assert (row["error_side"], row["reason"]) == (1, "error")
        assert reason in row["error"]
    for row in rows:
        assert row["forfeit"] == (row["board"] in lost)
        if row["forfeit"]:
            # Both hands of the board, also the one without an error.
            assert (row["points"], row["win"]) == (1000, 1)
        else:
            assert row["points"] == row["score_a"] - row["score_b"]
    found = summary_of(out)
    assert {agent["name"]: agent["errors"] for agent in found["agents"]} == {
        f"{bots}:First": 0,
        f"{bots}:{bot}": len(failed),
    }
    assert sum(row["hands"] for row in found["failures"]) == len(failed)
    assert reason in found["failures"][0]["reason"]
    shown = capsys.readouterr().out
    assert "each forfeits its board" in shown
    assert reason in shown
    assert reason in (out / "report.html").read_text()
    # The hands with an error are recorded, up to where it happened.
    assert found["records"][0]["board"] in lost
    assert '"reason":"unfinished"' in (out / found["records"][0]["file"]).read_text()


def test_a_board_on_which_both_fail_is_a_draw():
    outcomes = Outcomes(6, 1000)
    outcomes.scores[:, 0] = 70
    outcomes.error_side[[0, 3, 4, 5]] = [0, 1, 0, 1]
    assert outcomes.points.tolist() == [-1000, -1000, 1000, 1000, 0, 0]
    assert outcomes.wins.tolist() == [-1, -1, 1, 1, 0, 0]
    assert outcomes.forfeits.any(axis=1).tolist() == [True] * 6


def test_an_answer_of_the_wrong_shape_says_what_was_expected(tmp_path, bots, capsys):
    line = ["evaluate", f"{bots}:Shapeless", "random", "--boards", "2", "--workers", "1"]
    assert main([*line, "--out", str(tmp_path / "run")]) == 0
    assert "act returned int64 [1, 1], expected integers [1]" in capsys.readouterr().out
    assert summary_of(tmp_path / "run")["errors"] == {"a": 4, "b": 0}


def first_decisions(deals: int):
    """Views, legal actions and keys of a batch just dealt."""
    game = burako_env.make("burako-4", batch=deals, root_seed=1)
    game.reset(np.arange(deals))
    return game.view(), game.legal(), game.keys()


def test_only_the_rows_that_fail_by_themselves_are_lost(bots):
    """The good rows of a call that raised are answered as if the others had not been there."""
    view, legal, keys = first_decisions(200)
    keys[[3, 77, 78]] = 2000
    crash = agents.load(f"{bots}:Crash", "burako-4")
    found = ask(crash, view, legal, keys)
    assert sorted(found.failed) == [3, 77, 78]
    good = np.setdiff1d(np.arange(200), [3, 77, 78])
    assert (found.actions[good] == legal.argmax(axis=1)[good]).all()
    assert (found.seconds > 0).all()


def test_an_agent_that_hangs_is_woken_and_loses_only_that_decision(bots):
    view, legal, keys = first_decisions(8)
    keys[5] = 4000
    handler = signal.getsignal(signal.SIGALRM)
    start = time.monotonic()
    found = ask(agents.load(f"{bots}:Sleeper", "burako-4"), view, legal, keys, budget=0.1)
    assert time.monotonic() - start < 10
    assert list(found.failed) == [5]
    assert found.failed[5] == f"{bots}:Sleeper: took longer than 0.1 seconds a decision"
    assert signal.getsignal(signal.SIGALRM) is handler
    assert signal.getitimer(signal.ITIMER_REAL) == (0.0, 0.0)


def test_a_slow_agent_loses_its_boards(tmp_path, bots, capsys):
    line = ["evaluate", f"{bots}:Sleeper", f"{bots}:First", "--boards", "32", "--seed", "3", "--time-budget", "0.02"]
    assert main([*line, "--workers", "1", "--out", str(tmp_path / "run")]) == 0
    found = summary_of(tmp_path / "run")
    assert found["errors"]["a"] >= 1
    assert "took longer than 0.02 seconds a decision" in capsys.readouterr().out


def test_an_agent_that_does_not_load_is_refused_in_a_sentence(tmp_path, bots, capsys):
    source = tmp_path / f"{bots}.py"
    source.write_text(
        source.read_text() + "\n\nclass Broken(First):\n    def __init__(self):\n        raise KeyError('weights')\n"
    )
    assert main(["evaluate", f"{bots}:Broken", "random", "--out", str(tmp_path / "run")]) == 2
    assert capsys.readouterr().err == f"error: agent '{bots}:Broken' does not load: KeyError: 'weights'\n"


def test_an_agent_that_is_no_function_of_what_it_sees_is_reported(tmp_path, bots, capsys):
    line = ["evaluate", f"{bots}:Moody", f"{bots}:First", "--boards", "4", "--workers", "1"]
    assert main([*line, "--out", str(tmp_path / "run")]) == 0
    assert "does not answer the same question the same way" in capsys.readouterr().out


def test_jobs_of_a_worker_that_dies_are_done_again(tmp_path):
    names = ["one", "two"]

    def jobs(count):
        return [(name, [1], tmp_path) for name in names if not (tmp_path / name).exists()]

    run_jobs(die_once, jobs, 2, "loky")
    assert (tmp_path / "mark").exists()
    assert all((tmp_path / name).exists() for name in names)


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="the agent finds its worker in /proc")
def test_chunks_of_a_worker_that_dies_are_played_again(tmp_path, bots):
    line = ["evaluate", f"{bots}:Mortal", f"{bots}:First", "--boards", "65", "--recorded", "0", "--workers", "2"]
    assert main([*line, "--out", str(tmp_path / "died")]) == 0
    assert (tmp_path / "mortal.mark").exists()
    assert main([*line, "--out", str(tmp_path / "lived")]) == 0
    assert rows_of(tmp_path / "died") == rows_of(tmp_path / "lived")


def test_workers_that_keep_dying_end_the_run_with_a_sentence(tmp_path):
    def jobs(count):
        (tmp_path / "mark").unlink(missing_ok=True)
        return [("never", [1], tmp_path)] * 2

    with pytest.raises(UserError, match="worker processes keep dying"):
        run_jobs(die_once, jobs, 2, "loky")


def test_a_full_disk_keeps_the_finished_chunks(tmp_path, bots, monkeypatch, capsys):
    line = [
        "evaluate",
        "random",
        f"{bots}:First",
        "--boards",
        "65",
        "--batch",
        "64",
        "--workers",
        "1",
        "--recorded",
        "0",
    ]
    line += ["--out", str(tmp_path / "run")]
    write, written = pq.write_table, []

    def full(table, file, **options):
        written.append(file.name)
        if len(written) == 4:
            file.write(b"half a file")
            raise OSError(errno.ENOSPC, "No space left on device")
        write(table, file, **options)

    monkeypatch.setattr(parquet.pq, "write_table", full)
    assert main(line) == 2
    error = capsys.readouterr().err
    assert error.count("\n") == 1
    assert "No space left on device; finished chunks are kept" in error
    kept = rows_of(tmp_path / "run")
    assert len(kept) == 1
    assert not list((tmp_path / "run").glob("*/*/*.tmp*"))
    monkeypatch.setattr(parquet.pq, "write_table", write)
    assert main([*line, "--resume"]) == 0
    after = rows_of(tmp_path / "run")
    assert len(after) == 2
    assert kept.items() <= after.items()


def test_a_folder_that_cannot_be_written_is_a_sentence(tmp_path, capsys):
    line = ["evaluate", "random", "heuristic", "--boards", "2", "--workers", "1", "--out", str(tmp_path / "run")]
    (tmp_path / "run").mkdir()
    (tmp_path / "run" / "parts").write_text("in the way")
    (tmp_path / "run" / "manifest.json").write_text("{}")
    assert main(line) == 2
    assert main([*line, "--resume"]) == 2
    capsys.readouterr()
    (tmp_path / "run" / "parts").unlink()
    (tmp_path / "run" / "manifest.json").unlink()
    assert main(line) == 0
    for path in (tmp_path / "run").glob("parts/*/*"):
        path.unlink()
    (tmp_path / "run" / "parts" / "pair-000").rmdir()
    (tmp_path / "run" / "parts" / "pair-000").write_text("in the way")
    assert main([*line, "--resume"]) == 2
    error = capsys.readouterr().err
    assert error.count("\n") == 1
    assert "pair-000" in error


@pytest.mark.slow
def test_a_file_size_limit_is_a_sentence_from_a_worker_process_too(tmp_path):
    """The system itself refuses to write on: as near to a full disk as a test without one comes."""
    call = [sys.executable, "-m", "experiments.cli", "evaluate", "random", "heuristic", "--boards", "130"]
    call += ["--workers", "2", "--out", str(tmp_path / "run")]
    limit = 6000
    found = subprocess.run(
        call,
        capture_output=True,
        text=True,
        check=False,
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit)),
    )
    assert found.returncode == 2
    assert "File too large; finished chunks are kept" in found.stderr
    assert "Traceback" not in found.stderr
