"""Toy runs for the tests of training: every part, so small that it takes seconds."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from experiments.train.loop import Training, train
from experiments.train.settings import (
    CloneSettings,
    EvaluationSettings,
    LeagueSettings,
    NetSettings,
    PpoSettings,
    TrainSettings,
)

SMALL = NetSettings(widths=(32, 16), block_widths=(16, 8), value_widths=(16,), value_block_widths=(8,))


def tiny(**changes: Any) -> TrainSettings:
    """A run of one process whose evaluations are two boards; `changes` are settings or whole groups."""
    groups: dict[str, Any] = {
        "start": "scratch",
        "processes": 1,
        "slots": 32,
        "net": SMALL,
        "clone": CloneSettings(decisions=1200, steps=24, minibatch=128),
        "ppo": PpoSettings(decisions=100_000, steps=16, minibatch=128),
        "league": LeagueSettings(past=0, anchor=0),
        "evaluation": EvaluationSettings(boards=2, every=10**9, final_boards=0),
    }
    return TrainSettings(**{**groups, **changes})


def run(settings: TrainSettings, folder: Path, rounds: int | None = None) -> Training:
    """Train to the end, or until `rounds` rounds have been done in all."""
    folder.mkdir(exist_ok=True)
    return train(settings, folder, stop_after=rounds, shown=False)[0]


def rows(folder: Path) -> list[dict[str, Any]]:
    """The metrics of a run, without its times."""
    lines = (folder / "metrics.jsonl").read_text().splitlines()
    return [{key: value for key, value in json.loads(line).items() if not key.startswith("time/")} for line in lines]
