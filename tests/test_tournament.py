"""Tournaments: the same rows whatever plays them, mistakes of agents, and what the summary holds."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time

import numpy as np
import pyarrow.parquet as pq
import pytest

import agents
import burako_env
from experiments.cli import main
from experiments.parts import SCHEMA
from experiments.play_hands import FORFEIT_POINTS, Outcomes, play
from experiments.schedule import CHUNK_BOARDS, Pair, chunks_of, hands_of, jobs_of, round_robin

BOTS = '''
import numpy as np
from agents import Agent


class First(Agent):
    """The first legal action; no chance at all."""

    def act(self, view, legal, keys):
        return legal.argmax(axis=1)


class Cheat(First):
    """Now and then an action that is not legal."""

    def act(self, view, legal, keys):
        return np.where(keys % np.uint64(2000) == 0, legal.argmin(axis=1), legal.argmax(axis=1))


class Crash(First):
    """Now and then an exception."""

    def act(self, view, legal, keys):
        if (keys % np.uint64(2000) == 0).any():
            raise RuntimeError("out of ideas")
        return super().act(view, legal, keys)


class Shapeless(First):
    """Answers for one game, whatever it was asked."""

    def act(self, view, legal, keys):
        return np.zeros((1, 1), dtype=np.int64)
'''


@pytest.fixture
def bots(tmp_path, monkeypatch):
    """A module `tourney_bots` that worker processes find too, through the current directory."""
    (tmp_path / "tourney_bots.py").write_text(BOTS)
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(str(tmp_path))
    yield "tourney_bots"
    sys.modules.pop("tourney_bots", None)


def rows_of(folder):
    """The bytes of every part by name."""
    return {path.relative_to(folder): path.read_bytes() for path in sorted(folder.glob("parts/*/*"))}


def summary_of(folder):
    return json.loads((folder / "summary.json").read_text())


def test_round_robin_and_chunks():
    pairs = round_robin(["a", "b", "c"])
    assert [(pair.a, pair.b) for pair in pairs] == [("a", "b"), ("a", "c"), ("b", "c")]
    chunks = chunks_of(pairs, 150)
    assert [(chunk.start, chunk.boards) for chunk in chunks[:3]] == [(0, 64), (64, 64), (128, 22)]
    for workers, batch in ((1, 1024), (2, 64), (3, 16)):
        jobs = jobs_of(chunks, workers, batch)
        assert sorted((chunk for job in jobs for chunk in job), key=chunks.index) == chunks
        assert len(jobs) >= min(workers, len(chunks))
    assert jobs_of([], 2, 64) == []


def test_hands_of_a_chunk_are_each_board_twice():
    hands = hands_of(chunks_of([Pair(0, "a", "b"), Pair(1, "b", "a")], 3))
    assert hands.agents == ("a", "b")
    assert hands.boards.tolist() == [0, 0, 1, 1, 2, 2] * 2
    assert hands.swapped.tolist() == [False, True] * 6
    assert hands.sides[0].tolist() == [0, 1]
    assert hands.sides[-1].tolist() == [1, 0]
    assert hands.chunk.tolist() == [0] * 6 + [1] * 6


def outcomes_of(slots: int) -> Outcomes:
    """Three boards of random play, played in so many slots."""
    hands = hands_of(chunks_of([Pair(0, "random", "random")], 3))
    game = burako_env.make("burako-4", batch=slots, root_seed=3)
    found = Outcomes.empty(len(hands))
    finished = np.concatenate(list(play(game, [agents.load("random", "burako-4")], hands, found)))
    assert sorted(finished) == list(range(6))
    return found


def test_hands_are_the_same_in_any_batch():
    whole = outcomes_of(6)
    assert all(reason in ("out", "exhausted", "truncated") for reason in whole.reasons)
    assert (whole.turns > 0).all()
    for slots in (1, 4, 20):
        other = outcomes_of(slots)
        assert other.scores.tolist() == whole.scores.tolist()
        assert other.decisions.tolist() == whole.decisions.tolist()
        assert other.turns.tolist() == whole.turns.tolist()
        assert other.reasons == whole.reasons


def test_rows_do_not_depend_on_workers_batch_or_interruption(tmp_path, bots):
    line = ["tournament", "--agents", "random", f"{bots}:Cheat", "--boards", "140", "--seed", "9"]
    whole, two, broken = tmp_path / "whole", tmp_path / "two", tmp_path / "broken"
    assert main([*line, "--workers", "1", "--out", str(whole)]) == 0
    assert main([*line, "--workers", "2", "--batch", "100", "--out", str(two)]) == 0
    assert len(rows_of(whole)) == 3
    assert rows_of(two) == rows_of(whole)
    assert main([*line, "--workers", "1", "--batch", "200", "--out", str(broken)]) == 0
    lost = sorted(broken.glob("parts/*/*.parquet"))[::2]
    for path in lost:
        path.rename(path.with_suffix(".tmp-1"))
    (broken / "summary.json").unlink()
    assert main([*line, "--workers", "2", "--out", str(broken), "--resume"]) == 0
    assert rows_of(broken) == rows_of(whole)
    for other in (two, broken):
        for part in ("agents", "pairs"):
            assert summary_of(other)[part] == summary_of(whole)[part]


@pytest.mark.slow
def test_a_killed_run_is_resumed_to_the_same_rows(tmp_path):
    line = ["tournament", "--agents", "random", "heuristic", "--boards", "320", "--workers", "1", "--batch", "64"]
    killed, whole = tmp_path / "killed", tmp_path / "whole"
    process = subprocess.Popen([sys.executable, "-m", "experiments.cli", *line, "--out", str(killed)])
    while process.poll() is None and not list(killed.glob("parts/*/*.parquet")):
        time.sleep(0.02)
    process.send_signal(signal.SIGKILL)
    process.wait()
    found = len(list(killed.glob("parts/*/*.parquet")))
    assert 1 <= found < 5
    assert main([*line, "--out", str(killed), "--resume"]) == 0
    assert main([*line, "--out", str(whole)]) == 0
    assert rows_of(killed) == rows_of(whole)


def test_a_run_is_resumed_only_with_its_own_settings(tmp_path, capsys):
    line = ["evaluate", "random", "random", "--workers", "1", "--out", str(tmp_path / "run")]
    assert main([*line, "--boards", "2"]) == 0
    assert main([*line, "--boards", "2"]) == 2
    assert "add --resume" in capsys.readouterr().err
    assert main([*line, "--boards", "3", "--resume"]) == 2
    assert "its boards is 2, not 3" in capsys.readouterr().err
    assert main([*line, "--boards", "2", "--resume", "--rules", "consult=false"]) == 2
    assert "its rules is [], not" in capsys.readouterr().err
    assert main([*line, "--boards", "2", "--resume", "--batch", "3"]) == 0


def test_an_agent_against_itself_draws_every_board(tmp_path, bots):
    """Exchanging the teams exchanges the hands: with equal play without chance the two hands cancel exactly."""
    out = tmp_path / "run"
    assert (
        main(["evaluate", f"{bots}:First", f"{bots}:First", "--boards", "20", "--workers", "1", "--out", str(out)]) == 0
    )
    rows = pq.read_table(next(out.glob("parts/*/*.parquet")))
    points = rows["points"].to_numpy().reshape(-1, 2)
    assert (points.sum(axis=1) == 0).all()
    assert points.any()
    found = summary_of(out)
    assert (found["mean"], found["ci"], found["win_rate"]) == (0, [0, 0], 0.5)


def test_rows_and_summary_of_an_evaluation(tmp_path, capsys):
    out = tmp_path / "run"
    line = ["evaluate", "heuristic", "random", "--game", "burako-6", "--boards", "12", "--seed", "2", "--workers", "1"]
    assert main([*line, "--out", str(out)]) == 0
    assert str(out / "summary.json") in capsys.readouterr().out
    rows = pq.read_table(next(out.glob("parts/*/*.parquet")))
    assert rows.schema.equals(SCHEMA)
    assert rows.num_rows == 24
    difference = rows["score_a"].to_numpy() - rows["score_b"].to_numpy()
    assert (rows["points"].to_numpy() == difference).all()
    found = summary_of(out)
    assert found["pairs"][0] == {key: found[key] for key in ("a", "b", "boards", "mean", "ci", "win_rate", "win_ci")}
    assert (found["a"], found["b"], found["boards"]) == ("heuristic", "random", 12)
    assert found["mean"] == pytest.approx(difference.mean())
    assert found["ci"][0] < found["mean"] < found["ci"][1]
    assert found["win_rate"] > 0.8
    assert found["seed"] == 2
    assert found["command"].startswith("burako evaluate heuristic random")
    assert {"config", "versions", "commit", "machine", "wall_seconds"} <= found.keys()
    assert found["config"]["game"] == "burako-6"


def test_summary_and_tables_of_a_tournament(tmp_path, capsys):
    out = tmp_path / "run"
    line = ["tournament", "--agents", "random", "heuristic", "heuristic:pile=never", "--boards", "8", "--workers", "1"]
    assert main([*line, "--out", str(out)]) == 0
    shown = capsys.readouterr().out
    assert "Ranking" in shown
    assert shown.count("heuristic:pile=never") >= 2
    found = summary_of(out)
    assert {agent["name"] for agent in found["agents"]} == {"random", "heuristic", "heuristic:pile=never"}
    assert found["agents"][-1]["name"] == "random"
    for agent in found["agents"]:
        assert agent.keys() == {"name", "points", "points_ci", "elo", "elo_ci", "hands", "errors"}
        assert (agent["hands"], agent["errors"]) == (32, 0)
        assert agent["points_ci"][0] <= agent["points"] <= agent["points_ci"][1]
    assert next(agent for agent in found["agents"] if agent["name"] == "heuristic")["elo"] == 1000
    assert [(pair["a"], pair["b"]) for pair in found["pairs"]] == [
        ("random", "heuristic"),
        ("random", "heuristic:pile=never"),
        ("heuristic", "heuristic:pile=never"),
    ]
    for pair in found["pairs"]:
        assert pair.keys() == {"a", "b", "boards", "mean", "ci", "win_rate", "win_ci"}


def test_one_board_has_no_interval(tmp_path):
    assert main(["evaluate", "random", "random", "--boards", "1", "--out", str(tmp_path / "run")]) == 0
    assert summary_of(tmp_path / "run")["ci"] == [None, None]


@pytest.mark.parametrize(("bot", "reason"), [("Cheat", "is not legal"), ("Crash", "RuntimeError: out of ideas")])
def test_a_failing_agent_loses_the_hand_and_the_tournament_goes_on(bot, reason, tmp_path, bots, capsys):
    out = tmp_path / "run"
    line = ["tournament", "--agents", f"{bots}:First", f"{bots}:{bot}", "--boards", str(CHUNK_BOARDS)]
    assert main([*line, "--workers", "1", "--out", str(out)]) == 0
    rows = pq.read_table(next(out.glob("parts/*/*.parquet"))).to_pylist()
    failed = [row for row in rows if row["error_side"] >= 0]
    assert 0 < len(failed) < len(rows)
    for row in failed:
        assert (row["error_side"], row["points"], row["reason"]) == (1, FORFEIT_POINTS, "error")
        assert reason in row["error"]
    assert {agent["name"]: agent["errors"] for agent in summary_of(out)["agents"]} == {
        f"{bots}:First": 0,
        f"{bots}:{bot}": len(failed),
    }
    assert reason in capsys.readouterr().out


def test_an_answer_of_the_wrong_shape_says_what_was_expected(tmp_path, bots, capsys):
    line = [
        "evaluate",
        f"{bots}:Shapeless",
        "random",
        "--boards",
        "2",
        "--workers",
        "1",
        "--out",
        str(tmp_path / "run"),
    ]
    assert main(line) == 0
    assert "act returned int64 [1, 1], expected integers [1]" in capsys.readouterr().out
    assert summary_of(tmp_path / "run")["errors"] == {"a": 4, "b": 0}


def test_default_folders_are_new_ones_and_resume_finds_the_last(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    line = ["evaluate", "random", "random", "--boards", "1", "--workers", "1"]
    for _ in range(2):
        assert main(line) == 0
    assert main([*line, "--resume"]) == 0
    folders = sorted(path.name for path in (tmp_path / "runs").iterdir())
    assert len(folders) == 2
    assert folders[0].startswith("evaluate-s0-")
    assert folders[1] == folders[0] + "-2"
    assert capsys.readouterr().out.splitlines()[-1].endswith(f"{folders[1]}{os.sep}summary.json")
