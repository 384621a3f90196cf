"""`burako train`: bots from self-play. `settings.py` lists what can be set, `loop.py` is the course of a run."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from burako_env.inputs.extras import needed

with needed("train"):
    from experiments.runs.folder import Run, open_run
    from experiments.runs.printing import say
    from experiments.train.settings import TrainSettings

if TYPE_CHECKING:
    from experiments.train.evaluation import Result
    from experiments.train.loop import Training

__all__ = ["TrainSettings", "run"]


def run(settings: TrainSettings, line: str) -> int:
    """Train, print, write the summary."""
    # torch takes seconds to load: not for a mistyped command.
    from experiments.train import setup
    from experiments.train.loop import train

    game = setup.check(settings)
    with open_run("train", settings, line, {"rules_digest": game.rules_digest}) as folder:
        training, results = train(settings, folder.folder)
        path = _write_summary(folder, training, results)
    for name, result in results.items():
        say(f"against {name}: {result}, {result.boards} boards")
    state = "finished" if training.finished else "stopped; --resume goes on from here"
    say(f"{state}: {training.decisions:,} decisions\nsummary: {path}")
    return 0


def _write_summary(folder: Run, training: Training, results: Mapping[str, Result]) -> Path:
    found = {}
    for name, r in results.items():
        interval = [r.points - r.margin, r.points + r.margin]
        found[name] = {"boards": r.boards, "mean": r.points, "ci": interval, "win_rate": r.wins}
    return folder.write_summary(
        {
            "finished": training.finished,
            "decisions": training.decisions,
            "rounds": training.rounds,
            "train_seconds": round(training.seconds, 1),
            "decisions_per_s": round(training.decisions / max(training.seconds, 1e-9), 1),
            "checkpoint": str(training.store.checkpoint(training.rounds)),
            "best": str(training.store.best),
            "evaluations": training.evaluations,
            "final": found,
        }
    )
