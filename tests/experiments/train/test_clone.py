"""Cloning: the loss falls, and the clone agrees with its teacher on decisions it has not learned from."""

from __future__ import annotations

from pathlib import Path

import pytest

import agents
from burako_env.errors import UserError
from experiments.train import setup
from experiments.train.settings import CloneSettings, NetSettings
from tests.tools.train_runs import rows, run, tiny


@pytest.mark.slow
def test_a_clone_agrees_with_its_teacher(tmp_path: Path) -> None:
    settings = tiny(
        algorithm="clone",
        slots=512,
        net=NetSettings(value_widths=(16,), value_block_widths=(8,)),
        clone=CloneSettings(teacher="heuristic:discard=safe", decisions=300_000, epochs=2, minibatch=128, held_out=0.1),
    )
    training = run(settings, tmp_path)
    assert training.finished
    found = rows(tmp_path)
    assert found[-1]["train/loss_pi"] < 0.5 * found[0]["train/loss_pi"]
    assert found[0]["train/agreement"] < 0.6
    last = [row["train/agreement"] for row in found[-5:]]
    assert sum(last) / len(last) >= 0.85
    assert agents.load(str(training.store.best), "burako-4")


@pytest.mark.parametrize("game", ["burako-6", "burako-8"])
def test_cloning_in_larger_games(game: str, tmp_path: Path) -> None:
    settings = tiny(algorithm="clone", game=game, clone=CloneSettings(decisions=5000, minibatch=64))
    run(settings, tmp_path)
    found = rows(tmp_path)
    assert found[-1]["train/loss_pi"] < found[0]["train/loss_pi"]


def test_what_cannot_be_trained_is_refused() -> None:
    for text, changes in (
        ("start is scratch, clone or a .safetensors file", {"start": "nothing"}),
        ("device 'nonsense' cannot be used", {"device": "nonsense"}),
        ("unknown agent", {"clone": CloneSettings(teacher="heuristik")}),
        ("as many layers for a suit", {"net": NetSettings(widths=(8,), block_widths=(8, 8))}),
    ):
        with pytest.raises(UserError, match=text):
            setup.check(tiny(**changes))
