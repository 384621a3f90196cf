"""A family that no folder is named after plays in contests: its game is a `BatchGame`, and nothing else is needed."""

from __future__ import annotations

import pyarrow.parquet as pq
import pytest

from experiments.cli import main
from tests.tools.contest_bots import summary_of
from tests.tools.places import installed
from tests.tools.sticks import sticks


@pytest.fixture(autouse=True)
def game():
    with sticks() as name:
        yield name


def test_evaluation(tmp_path, capsys):
    out = tmp_path / "run"
    line = ["evaluate", "random", "random", "--game", "sticks", "--boards", "20", "--seed", "1"]
    assert main([*line, "--workers", "1", "--out", str(out)]) == 0
    assert "20 boards" in capsys.readouterr().out
    rows = pq.read_table(next(out.glob("parts/*/*.parquet"))).to_pylist()
    assert len(rows) == 40
    for row in rows:
        assert {row["score_a"], row["score_b"]} == {0, 5}
        assert row["points"] == row["score_a"] - row["score_b"]
        assert (row["reason"], row["turns"]) == ("out", row["decisions_a"] + row["decisions_b"])
        # Counted of the card game alone.
        assert row["burakos_a"] is row["luck_stock_b"] is None
    assert 0 < summary_of(out)["win_rate"] < 1
    assert summary_of(out)["records"]


def test_tournament_of_several_games(tmp_path, monkeypatch):
    """An agent in a process of its own, which knows the family as an installed package, plays too."""
    monkeypatch.syspath_prepend(installed(tmp_path, "sticks", "tests.tools.sticks:STICKS"))
    out = tmp_path / "run"
    line = ["tournament", "--agents", "random", "agents.random:RandomAgent", "--games", "sticks", "ruibal-1"]
    assert main([*line, "--boards", "4", "--workers", "1", "--out", str(out)]) == 0
    summary = summary_of(out)
    assert [pair["game"] for pair in summary["pairs"]] == ["sticks", "ruibal-1"]
    assert [agent["errors"] for agent in summary["agents"]] == [0, 0]


def test_throughput(tmp_path):
    out = tmp_path / "run"
    line = ["throughput", "--games", "sticks", "--batch", "4", "--seconds", "0.01", "--out", str(out)]
    assert main(line) == 0
    assert [found["mode"] for found in summary_of(out)["results"]] == ["batch", "aec"]


def test_lists(capsys):
    assert main(["games"]) == 0
    assert "sticks" in capsys.readouterr().out
    assert main(["rules", "sticks"]) == 0
    assert "sticks" in capsys.readouterr().out


def test_matches_are_refused(tmp_path, capsys):
    line = ["evaluate", "random", "random", "--game", "sticks", "--play", "matches", "--out", str(tmp_path / "run")]
    assert main(line) == 2
    assert "sticks is not played in matches" in capsys.readouterr().err
