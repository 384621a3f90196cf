"""The throughput command on tiny runs, and what its loops play."""

from __future__ import annotations

import itertools
import json

import numpy as np
import pytest

import burako_env
from experiments.cli import main
from experiments.commands.throughput import aec_play, batch_play, timed_runs


def test_timed_runs_count_decisions_by_the_clock():
    moments = itertools.count()
    rates = timed_runs(itertools.repeat(8), warm_up=20, seconds=4, runs=3, clock=lambda: float(next(moments)))
    # The clock moves a second at every look: three passes of 8 decisions, over at the fourth look.
    assert rates == [6.0, 6.0, 6.0]


def test_slots_play_their_own_deals_in_order():
    game = burako_env.make("burako-4", batch=3)
    game.reset(np.arange(3))
    play = batch_play(game)
    seen = [{slot} for slot in range(3)]
    for _ in range(900):
        next(play)
        for slot, deal in enumerate(game.deal_ids.tolist()):
            seen[slot].add(deal)
    for slot, deals in enumerate(seen):
        assert sorted(deals) == list(range(slot, slot + 3 * len(deals), 3))
        assert len(deals) > 2


@pytest.mark.parametrize("name", ["burako-4", "burako-8"])
def test_batch_throughput(name, tmp_path, capsys):
    out = tmp_path / "run"
    line = [
        "throughput",
        "--games",
        name,
        "--batch",
        "4",
        "16",
        "--modes",
        "batch",
        "--seconds",
        "0.01",
        "--out",
        str(out),
    ]
    assert main(line) == 0
    assert str(out / "summary.json") in capsys.readouterr().out
    results = json.loads((out / "summary.json").read_text())["results"]
    assert [(result["game"], result["mode"], result["batch"]) for result in results] == [
        (name, "batch", 4),
        (name, "batch", 16),
    ]
    for result in results:
        assert result["decisions_per_s"] > 0
        assert result["decisions_per_s"] == sorted(result["runs"])[2]
        assert 0 < result["bytes_per_game"] < 5000


def test_aec_throughput(tmp_path):
    pytest.importorskip("burako_env.burako_v0")
    assert sum(itertools.islice(aec_play("burako-4", 0), 600)) == 600
    out = tmp_path / "run"
    line = ["throughput", "--games", "burako-4", "--modes", "aec", "--seconds", "0.01", "--out", str(out)]
    assert main(line) == 0
    results = json.loads((out / "summary.json").read_text())["results"]
    assert [(result["mode"], result["batch"]) for result in results] == [("aec", 1)]
