"""Boards on which an agent failed say nothing of strength: they stay out of every estimate, and are shown."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from experiments.cli import main
from experiments.contest.contest import Contest
from experiments.contest.pairings import Pair, cross_play, round_robin
from experiments.contest.rows import PairRows
from experiments.report import tables
from experiments.report.page import render
from experiments.report.results import contest_results, evaluation_results, pair_result
from experiments.runs.folder import _plain
from tests.experiments.report.test_report import outline
from tests.tools.contest_bots import module_in, summary_of


@pytest.fixture
def bots(tmp_path, monkeypatch):
    with module_in(tmp_path, monkeypatch) as module:
        yield module


def rows_about(mean, boards=200, forfeited=(), seed=0, failed="a"):
    """Boards about a mean, some of them forfeited with a penalty of 1000 a hand, as the rows of a run have it."""
    points = np.random.default_rng(seed).normal(mean, 450, (boards, 2)).round().astype(np.int64)
    lost = np.zeros(boards, dtype=bool)
    lost[list(forfeited)] = True
    points[lost] = -1000 if failed == "a" else 1000
    reasons = {"RuntimeError: no": int(lost.sum())} if lost.any() else {}
    return PairRows(
        points=points,
        wins=(np.sign(points) + 1) / 2,
        shares=None,
        hands=np.ones((boards, 2), dtype=np.int64),
        luck=np.random.default_rng(seed + 50).normal(0, 1, (boards, 2, 2)),
        forfeited=lost,
        failures=(reasons, {}) if failed == "a" else ({}, reasons),
    )


def contest(pairs, boards=200):
    return Contest("burako-4", (), 0, tuple(pairs), boards)


def agents_of(found):
    return {agent["name"]: agent for agent in found["agents"]}


def test_a_pair_is_measured_by_the_boards_on_which_nobody_failed():
    lost = [3, 20, 21, 150]
    rows = rows_about(100, forfeited=lost)
    found = pair_result(Pair(0, "x", "y"), rows)
    good = np.delete(rows.points, lost, axis=0)
    assert (found["boards"], found["forfeited"]) == (200, 4)
    assert found["mean"] == pytest.approx(good.sum() / 392)
    assert found["win_rate"] == pytest.approx((good > 0).sum() / 392)
    assert found["sd"] == pytest.approx(good.mean(axis=1).std(ddof=1))
    assert sum(found["board_results"]) == 196
    # Everything else too is what the same boards give where no others were played.
    alone = replace(
        rows,
        points=good,
        wins=(np.sign(good) + 1) / 2,
        hands=np.ones((196, 2), dtype=np.int64),
        luck=np.delete(rows.luck, lost, axis=0),
        forfeited=np.zeros(196, dtype=bool),
    )
    expected = pair_result(Pair(0, "x", "y"), alone)
    for key in expected.keys() - {"boards", "forfeited"}:
        assert found[key] == expected[key], key


def test_an_agent_that_always_fails_changes_nothing_for_the_others():
    """The direct result of two sound agents is their difference in the ranking, with its interval."""
    direct = rows_about(427, seed=1)
    every = range(200)
    alone = agents_of(contest_results(contest(round_robin(["x", "y"])), [direct], "y"))
    found = contest_results(
        contest(round_robin(["x", "y", "bad"])),
        [direct, rows_about(0, forfeited=every, failed="b"), rows_about(0, forfeited=every, failed="b")],
        "y",
    )
    rated = agents_of(found)
    assert rated["x"]["points"] == pytest.approx(direct.points.mean())
    for name in ("x", "y"):
        for key in ("points", "points_ci", "elo", "elo_ci"):
            assert rated[name][key] == pytest.approx(alone[name][key]), key
        assert rated[name]["errors"] == 0
    assert np.isnan([rated["bad"]["points"], rated["bad"]["elo"], *rated["bad"]["points_ci"]]).all()
    assert (rated["bad"]["hands"], rated["bad"]["errors"]) == (800, 400)
    assert found["agents"][-1]["name"] == "bad"
    assert rated["x"]["ranks"][0] + rated["y"]["ranks"][0] == pytest.approx(1)
    assert found["intransitivity"] is None


def test_an_agent_that_sometimes_fails_is_rated_by_its_other_boards():
    """Strengths 300, 0, -200: half of the boards of the third are forfeited, which used to cost it 500 points."""
    half = range(0, 200, 2)
    pairs = [rows_about(300, seed=1), rows_about(500, forfeited=half, seed=2, failed="b")]
    pairs.append(rows_about(200, forfeited=half, seed=3, failed="b"))
    found = agents_of(contest_results(contest(round_robin(["x", "y", "z"])), pairs, "y"))
    assert found["x"]["points"] == pytest.approx(300, abs=100)
    assert found["z"]["points"] == pytest.approx(-200, abs=100)
    assert found["z"]["points_ci"][0] < -200 < found["z"]["points_ci"][1]


def test_one_good_board_does_not_outweigh_hundreds():
    """A pair with one board left has no variance of its own; it used to decide the whole ranking."""
    direct = rows_about(427, seed=1)
    bad, other = (rows_about(0, forfeited=range(1, 200), failed="b") for _ in "xy")
    bad.points[0], other.points[0] = 100, -100
    found = agents_of(contest_results(contest(round_robin(["x", "y", "bad"])), [direct, bad, other], "y"))
    # Two boards, one of each pair, say 1 / 400 of what 200 boards say of x - y, and differ from them by 190 points:
    # by less than one board's standard deviation, so there is no reason to doubt that strengths explain it all.
    assert found["x"]["points"] == pytest.approx(direct.points.mean(), abs=1)


def test_partners_that_fail_are_not_strangers():
    """Half of the mixed team's boards forfeited: its loss as partners is that of the others; and none, if all are."""
    pairs = cross_play(["x", "y"])
    assert [(pair.a, pair.b) for pair in pairs] == [("x", "y"), ("x+y", "x"), ("x+y", "y")]
    lost = range(0, 200, 2)
    rows = [rows_about(0, seed=1), rows_about(-50, forfeited=lost, seed=2), rows_about(70, seed=3)]
    found = contest_results(contest(pairs), rows, "x")
    (partners,) = found["cross_play"]
    expected = (rows[1].points[1::2].mean() + rows[2].points[1::2].mean()) / 2
    assert partners["mean"] == pytest.approx(expected)
    assert (found["cross_play_mean"]["mean"], found["cross_play_mean"]["boards"]) == (pytest.approx(expected), 100)
    rows = [rows_about(0, forfeited=range(200), seed=seed) for seed in range(3)]
    found = contest_results(contest(pairs), rows, "x")
    assert np.isnan([found["cross_play"][0]["mean"], found["cross_play_mean"]["mean"]]).all()
    assert np.isnan([player["points"] for player in found["players"]]).all()


def test_ratings_are_relative_to_somebody_who_plays():
    every = range(200)
    bad = [rows_about(0, forfeited=every), rows_about(0, forfeited=every), rows_about(150, seed=4)]
    found = contest_results(contest(round_robin(["bad", "x", "y"])), bad, "bad")
    assert found["anchor"] == "x"
    rated = agents_of(found)
    assert (rated["x"]["points"], rated["x"]["elo"]) == (0, 1000)
    assert rated["y"]["points"] == pytest.approx(-bad[2].points.mean())
    assert np.isnan(rated["bad"]["points"])


@pytest.mark.parametrize("left", [0, 1, 2, 3])
@pytest.mark.parametrize("names", [("x", "y"), ("x", "y", "z")])
def test_few_boards_left_or_none_crash_nowhere(names, left, recwarn):
    pairs = round_robin(names)
    rows = [rows_about(50, boards=8, forfeited=range(left, 8), seed=seed) for seed in range(len(pairs))]
    one = evaluation_results(contest(pairs[:1], 8), rows[:1])
    many = contest_results(contest(pairs, 8), rows, "x")
    for pair in (one["pairs"][0], *many["pairs"]):
        assert pair["forfeited"] == 8 - left
        assert np.isnan(pair["mean"]) == np.isnan(pair["win_rate"]) == (left == 0)
        assert np.isnan(pair["ci"]).all() == (left < 2)
        assert tables.pair_lines(pair)
    for agent in many["agents"]:
        assert np.isnan(agent["points"]) == np.isnan(agent["elo"]) == (left == 0)
    filled = {"warnings": [], "records": [], "digits": 0, "scores": {}, "seed": 0, "command": "", "kind": "tournament"}
    filled |= {"versions": {}, "machine": {}, "commit": None, "wall_seconds": 0.0}
    filled |= {"config": {"play": "hands", "game": "burako-4", "rules": []}}
    for agent in many["agents"]:
        agent["profile"] = {}
    assert tables.tables({**many, **filled})
    page = render(_plain({**many, **filled}))
    outline(page)
    assert "nan" not in page.lower()
    assert f"{8 - left} forfeited" in page
    assert not [str(warning.message) for warning in recwarn if "slice" in str(warning.message)]


def test_a_tournament_with_an_agent_that_always_fails(tmp_path, bots, capsys):
    """Played: the ranking of the two others is that of a tournament without it."""
    line = ["--boards", "24", "--workers", "1", "--recorded", "3"]
    names = ["random", "heuristic"]
    assert main(["tournament", "--agents", *names, *line, "--out", str(tmp_path / "two")]) == 0
    capsys.readouterr()
    names.append(f"{bots}:Never")
    assert main(["tournament", "--agents", *names, *line, "--out", str(tmp_path / "three")]) == 0
    shown = capsys.readouterr().out
    assert "24 of 24 boards forfeited, which count in no mean" in shown
    assert "nan" not in shown.lower()
    two, three = (summary_of(tmp_path / name) for name in ("two", "three"))
    for name in ("random", "heuristic"):
        for key in ("points", "points_ci", "elo", "elo_ci", "profile"):
            mine, theirs = (agents_of(found)[name][key] for found in (three, two))
            if key == "profile":
                mine, theirs = ({**own, "ms": 0} for own in (mine, theirs))
            assert mine == pytest.approx(theirs, abs=2e-6), key
    never = agents_of(three)[f"{bots}:Never"]
    assert (never["points"], never["points_ci"], never["elo"], never["elo_ci"]) == (None, [None, None]) * 2
    assert (never["hands"], never["errors"]) == (96, 96)
    lost = next(pair for pair in three["pairs"] if f"{bots}:Never" in (pair["a"], pair["b"]))
    assert (lost["boards"], lost["forfeited"], lost["mean"], lost["win_rate"]) == (24, 24, None, None)
    outline((tmp_path / "three" / "report.html").read_text(encoding="utf-8"))
