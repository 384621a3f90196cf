"""The rows as SQL views."""

from __future__ import annotations

import duckdb
import pytest

from experiments.cli import main
from experiments.contest import queries
from tests.tools.contest_bots import summary_of


@pytest.fixture(scope="module")
def run(tmp_path_factory):
    # A quote in the path, as SQL has its own ideas about these.
    folder = tmp_path_factory.mktemp("it's") / "run"
    line = ["evaluate", "heuristic", "random", "--boards", "6", "--workers", "1", "--recorded", "0"]
    assert main([*line, "--out", str(folder)]) == 0
    return folder


def test_views_agree_with_the_summary(run):
    with queries.connect(run) as found:
        assert found.execute("SELECT count(*), count(DISTINCT board) FROM hands").fetchone() == (12, 6)
        (mean, wins) = found.execute("SELECT avg(points), avg(wins) FROM boards").fetchone()
        own = found.execute("SELECT avg(points), sum(failed::int) FROM sides WHERE team = 'heuristic'").fetchone()
        assert found.execute("SELECT sum(asked) > 0 FROM times").fetchone() == (True,)
    summary = summary_of(run)
    assert (mean, wins) == pytest.approx((summary["mean"], summary["win_rate"]), abs=1e-5)
    assert own == pytest.approx((summary["mean"], 0), abs=1e-5)


def test_the_file_of_views_works_in_the_run_folder(run, monkeypatch):
    monkeypatch.chdir(run)
    with duckdb.connect() as connection:
        connection.execute((run / "views.sql").read_text(encoding="utf-8"))
        assert connection.execute("SELECT count(*) FROM sides").fetchone() == (24,)


def test_profiles_and_scores(run):
    profile = queries.profiles(run)["heuristic"]
    assert profile["hands"] == 12
    assert 0 < profile["out"] <= 1
    assert profile["ms"] > 0
    steps = queries.score_steps(run, 250)
    assert sum(steps["heuristic"].values()) == sum(steps["random"].values()) == 12
    assert all(low % 250 == 0 for low in steps["random"])
