"""Tournaments: the same rows whatever plays them, and what the summary holds."""

from __future__ import annotations

import os
import random
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
from experiments.contest.outcomes import Outcomes
from experiments.contest.pairings import Pair
from experiments.contest.play import play
from experiments.contest.queries import connect
from experiments.contest.rows import SCHEMA, TIMES
from experiments.contest.schedule import CHUNK_BOARDS, chunks_of, hands_of
from tests.tools.contest_bots import module_in, rows_of, summary_of

PAIR_KEYS = {
    *("a", "b", "boards", "forfeited", "mean", "ci", "win_rate", "win_ci"),
    *("sd", "median", "win_shares", "board_results", "effect", "without_luck", "p", "p_holm", "sequential_test"),
}


@pytest.fixture
def bots(tmp_path, monkeypatch):
    with module_in(tmp_path, monkeypatch) as module:
        yield module


def outcomes_of(slots: int) -> Outcomes:
    """Three boards of random play, played in so many slots."""
    game = burako_env.make("burako-4", batch=slots, root_seed=3)
    hands = hands_of(chunks_of([Pair(0, "random", "random")], 3), game.side_of)
    found = Outcomes(len(hands), 1000)
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
    line = ["tournament", "--agents", "random", f"{bots}:Cheat", "--boards", "70", "--seed", "9"]
    whole, two, broken = tmp_path / "whole", tmp_path / "two", tmp_path / "broken"
    assert main([*line, "--workers", "1", "--out", str(whole)]) == 0
    assert main([*line, "--workers", "2", "--batch", "100", "--out", str(two)]) == 0
    assert len(rows_of(whole)) == 2
    assert rows_of(two) == rows_of(whole)
    assert main([*line, "--workers", "1", "--batch", "200", "--out", str(broken)]) == 0
    lost = sorted(broken.glob("parts/*/*.parquet"))[::2]
    for path in lost:
        path.rename(path.with_suffix(".tmp-1"))
    (broken / "summary.json").unlink()
    assert main([*line, "--workers", "2", "--out", str(broken), "--resume"]) == 0
    assert rows_of(broken) == rows_of(whole)
    for other in (two, broken):
        for part in ("pairs", "failures", "intransitivity", "scores", "records"):
            assert summary_of(other)[part] == summary_of(whole)[part]


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(2))
def test_a_run_killed_at_random_is_resumed_to_the_same_rows(seed, tmp_path):
    """SIGKILL to the command and its workers at any moment, several times, until a resumed run gets through."""
    line = ["evaluate", "random", "heuristic", "--boards", "320", "--seed", "4", "--recorded", "0"]
    killed, whole = tmp_path / "killed", tmp_path / "whole"
    start = time.monotonic()
    assert main([*line, "--workers", "2", "--batch", "128", "--out", str(whole)]) == 0
    length = time.monotonic() - start
    chance = random.Random(seed)
    call = [sys.executable, "-m", "experiments.cli", *line, "--batch", "128", "--out", str(killed), "--resume"]
    kills = 0
    for workers in ("2", "1", "2"):
        # A session of its own, so that the worker processes die with it.
        process = subprocess.Popen(
            [*call, "--workers", workers], start_new_session=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
        )
        try:
            process.wait(timeout=chance.uniform(0.2, 0.9) * length)
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)
            process.wait()
            kills += 1
    assert kills
    assert main([*line, "--workers", "2", "--batch", "128", "--out", str(killed), "--resume"]) == 0
    assert rows_of(killed) == rows_of(whole)
    assert summary_of(killed)["pairs"] == summary_of(whole)["pairs"]


def test_a_run_is_resumed_only_with_its_own_settings(tmp_path, capsys):
    line = ["evaluate", "random", "random", "--workers", "1", "--out", str(tmp_path / "run")]
    assert main([*line, "--boards", "2"]) == 0
    assert main([*line, "--boards", "2"]) == 2
    assert "add --resume" in capsys.readouterr().err
    assert main([*line, "--boards", "1", "--resume"]) == 2
    assert "its boards are 2 already, and can become more, but not 1" in capsys.readouterr().err
    assert main([*line, "--boards", "2", "--resume", "--rules", "consult=false"]) == 2
    assert "its rules is [], not" in capsys.readouterr().err
    assert main([*line, "--boards", "2", "--resume", "--batch", "3"]) == 0


def test_a_run_is_not_resumed_with_another_file_of_an_agent(tmp_path, bots, capsys):
    line = ["evaluate", f"{bots}:First", "random", "--boards", "2", "--workers", "1", "--out", str(tmp_path / "run")]
    assert main(line) == 0
    source = tmp_path / f"{bots}.py"
    source.write_text(source.read_text() + "\n# Changed.\n")
    assert main([*line, "--resume"]) == 2
    assert f"its files {bots}.py is" in capsys.readouterr().err


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
    assert (found["mean"], found["ci"], found["win_rate"], found["p"]) == (0, [0, 0], 0.5, 1)


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
    assert (rows["win"].to_numpy() == np.sign(difference)).all()
    assert (rows["hands"].to_numpy() == 1).all()
    found = summary_of(out)
    assert found["pairs"][0].keys() == PAIR_KEYS
    assert found["pairs"][0] == {key: found[key] for key in PAIR_KEYS}
    assert (found["a"], found["b"], found["boards"]) == ("heuristic", "random", 12)
    assert found["mean"] == pytest.approx(difference.mean())
    assert found["ci"][0] < found["mean"] < found["ci"][1]
    assert found["win_rate"] > 0.8
    assert sum(found["board_results"]) == 12
    assert found["seed"] == 2
    assert found["command"].startswith("burako evaluate heuristic random")
    assert {"config", "versions", "commit", "machine", "wall_seconds"} <= found.keys()
    assert found["config"]["game"] == "burako-6"


def test_summary_and_tables_of_a_tournament(tmp_path, capsys):
    out = tmp_path / "run"
    names = ["random", "heuristic", "heuristic:pile=never"]
    assert main(["tournament", "--agents", *names, "--boards", "8", "--workers", "1", "--out", str(out)]) == 0
    shown = capsys.readouterr().out
    assert all(word in shown for word in ("Ranking", "What they did", "unjustified", "report.html"))
    assert shown.count("heuristic:pile=never") >= 2
    found = summary_of(out)
    assert {agent["name"] for agent in found["agents"]} == set(names)
    assert found["agents"][-1]["name"] == "random"
    contract = {"name", "points", "points_ci", "elo", "elo_ci", "hands", "errors"}
    for agent in found["agents"]:
        assert agent.keys() == contract | {"ranks", "profile"}
        assert (agent["hands"], agent["errors"]) == (32, 0)
        assert agent["points_ci"][0] <= agent["points"] <= agent["points_ci"][1]
        assert agent["profile"]["ms"] > 0
    heuristic = next(agent for agent in found["agents"] if agent["name"] == "heuristic")
    assert (heuristic["elo"], heuristic["points"], found["anchor"]) == (1000, 0, "heuristic")
    never = next(agent for agent in found["agents"] if agent["name"] == "heuristic:pile=never")
    assert never["profile"]["piles"] < heuristic["profile"]["piles"]
    assert [(pair["a"], pair["b"]) for pair in found["pairs"]] == [
        (names[0], names[1]),
        (names[0], names[2]),
        (names[1], names[2]),
    ]
    assert all(pair.keys() == PAIR_KEYS for pair in found["pairs"])


def test_times_lie_in_files_of_their_own(tmp_path):
    out = tmp_path / "run"
    assert main(["evaluate", "heuristic", "random", "--boards", "3", "--workers", "1", "--out", str(out)]) == 0
    times = pq.read_table(next(out.glob("timings/*/*.parquet")))
    assert times.schema.equals(TIMES)
    assert times["team"].to_pylist() == ["heuristic", "random"]
    assert all(seconds > 0 for seconds in times["seconds"].to_pylist())
    with connect(out) as found:
        (decisions,) = found.execute("SELECT sum(decisions) FROM sides WHERE team = 'heuristic'").fetchone()
    # Where there is no choice nobody is asked.
    assert 0 < times["asked"].to_pylist()[0] < decisions


def test_one_board_has_no_interval(tmp_path):
    out = tmp_path / "run"
    assert main(["evaluate", "random", "heuristic", "--boards", "1", "--workers", "1", "--out", str(out)]) == 0
    assert summary_of(out)["ci"] == [None, None]


def test_a_list_of_pairs_need_not_connect_everybody(tmp_path):
    out = tmp_path / "run"
    line = ["tournament", "--schedule", "pairs", "--pairs", "random", "heuristic"]
    line += ["heuristic:pile=never", "heuristic:pile=always", "--boards", "4", "--workers", "1", "--recorded", "0"]
    assert main([*line, "--anchor", "random", "--out", str(out)]) == 0
    points = {agent["name"]: agent["points"] for agent in summary_of(out)["agents"]}
    assert points["random"] == 0
    assert points["heuristic"] > 0
    assert points["heuristic:pile=never"] is None
    assert summary_of(out)["intransitivity"] is None


def test_slow_teams_play_fewer_boards(tmp_path, capsys):
    out = tmp_path / "run"
    line = [
        "tournament",
        "--agents",
        "random",
        "heuristic",
        "heuristic:pile=never",
        "--boards",
        "70",
        "--recorded",
        "0",
    ]
    line += ["--workers", "1", "--slow", "heuristic:pile=never", "--slow-boards", "3"]
    assert main([*line, "--out", str(out)]) == 0
    boards = {(pair["a"], pair["b"]): pair["boards"] for pair in summary_of(out)["pairs"]}
    assert boards == {
        ("random", "heuristic"): 70,
        ("random", "heuristic:pile=never"): 3,
        ("heuristic", "heuristic:pile=never"): 3,
    }
    assert main(["tournament", "--slow", "search", "--out", str(tmp_path / "other")]) == 2
    assert "slow team" in capsys.readouterr().err


def test_cross_play_seats_partners_and_rates_them(tmp_path):
    out = tmp_path / "run"
    line = ["tournament", "--schedule", "cross-play", "--agents", "random", "heuristic", "--boards", "8"]
    assert main([*line, "--workers", "1", "--out", str(out)]) == 0
    found = summary_of(out)
    assert {agent["name"] for agent in found["agents"]} == {"random", "heuristic", "random+heuristic"}
    (partners,) = found["cross_play"]
    means = {(pair["a"], pair["b"]): pair["mean"] for pair in found["pairs"]}
    both = means["random+heuristic", "random"] + means["random+heuristic", "heuristic"]
    assert partners["mean"] == pytest.approx(both / 2)
    assert [player["name"] for player in found["players"]] == ["heuristic", "random"]
    assert found["players"][0]["points"] == 0


def test_cross_play_over_all_teams_is_their_mean(tmp_path):
    line = ["tournament", "--schedule", "cross-play", "--boards", "6", "--workers", "1", "--out", str(tmp_path / "t")]
    line += ["--agents", "heuristic", "heuristic:discard=highest", "heuristic:pile=never"]
    assert main(line) == 0
    found = summary_of(tmp_path / "t")
    whole, teams = found["cross_play_mean"], found["cross_play"]
    assert (whole["teams"], whole["boards"], len(teams)) == (3, 6, 3)
    assert whole["mean"] == pytest.approx(sum(team["mean"] for team in teams) / 3, abs=1e-3)
    assert whole["ci"][0] <= whole["mean"] <= whole["ci"][1]


def test_a_sequential_test_stops_at_the_same_board_for_any_number_of_workers(tmp_path, monkeypatch, capsys):
    line = ["evaluate", "heuristic", "random", "--boards", "300", "--sequential", "--recorded", "0"]
    monkeypatch.setattr("experiments.contest.contest.WAVE_BOARDS", 2 * CHUNK_BOARDS)
    one, two = tmp_path / "one", tmp_path / "two"
    assert main([*line, "--workers", "1", "--out", str(one)]) == 0
    assert "t >= 0.1 after" in capsys.readouterr().out
    assert main([*line, "--workers", "2", "--out", str(two)]) == 0
    found = summary_of(one)
    assert found["sequential_test"]["decision"] == "H1"
    assert found["sequential_test"]["boards"] <= 80
    assert found["boards"] == 128
    assert rows_of(one) == rows_of(two)
    next(two.glob("parts/*/*")).unlink()
    assert main([*line, "--workers", "2", "--out", str(two), "--resume"]) == 0
    assert rows_of(one) == rows_of(two)


def test_default_folders_are_new_ones_and_resume_finds_the_last(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    line = ["evaluate", "random", "random", "--boards", "1", "--workers", "1", "--recorded", "0"]
    for _ in range(2):
        assert main(line) == 0
    assert main([*line, "--resume"]) == 0
    folders = sorted(path.name for path in (tmp_path / "runs").iterdir())
    assert len(folders) == 2
    assert folders[0].startswith("evaluate-s0-")
    assert folders[1] == folders[0] + "-2"
    assert capsys.readouterr().out.splitlines()[-1].endswith(f"{folders[1]}{os.sep}summary.json")
