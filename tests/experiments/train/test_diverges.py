"""Training that leaves the finite numbers: one sentence, and what was good is kept."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
import torch
from safetensors.numpy import load_file

from experiments.runs.settings import parse
from experiments.train import clone, dmc, ppo, setup
from experiments.train.process_group import Diverged, ProcessGroup
from experiments.train.settings import CloneSettings, DmcSettings, TrainSettings
from tests.tools.train_runs import run, tiny

ALGORITHMS = {
    "ppo": (ppo, {}),
    "clone": (clone, {"clone": CloneSettings(decisions=100_000, steps=24, minibatch=128)}),
    # Long enough that hands have ended: it learns from nothing else.
    "dmc": (dmc, {"dmc": DmcSettings(decisions=100_000, steps=192, minibatch=128)}),
}


@pytest.mark.parametrize("algorithm", ALGORITHMS)
@pytest.mark.parametrize("poison", [np.nan, np.inf])
def test_the_last_good_checkpoint_is_kept(algorithm: str, poison: float, tmp_path: Path, monkeypatch) -> None:
    module, changes = ALGORITHMS[algorithm]
    settings = tiny(algorithm=algorithm, save_every=1, **changes)
    training = run(settings, tmp_path, rounds=3)
    kept = training.store.checkpoint(3)
    before = kept.read_bytes()
    loss = module.huber_loss
    monkeypatch.setattr(module, "huber_loss", lambda *arguments: loss(*arguments) * poison)
    with pytest.raises(Diverged) as error:
        run(settings, tmp_path, rounds=6)
    text = str(error.value)
    assert "\n" not in text
    assert f"({algorithm}.lr)" in text
    assert "round " in text
    assert str(kept) in text
    assert kept.read_bytes() == before
    # A round that had nothing to learn from yet may have been saved after it: whatever is there is finite.
    for path in tmp_path.rglob("*.safetensors"):
        assert all(np.isfinite(array).all() for array in load_file(path).values()), path


def test_weights_that_are_no_numbers_are_not_written(tmp_path: Path) -> None:
    context = setup.build(tiny(), ProcessGroup())
    with torch.no_grad():
        next(context.learner.policy.parameters()).fill_(torch.nan)
    with pytest.raises(Diverged, match="a weight is no longer a finite number"):
        setup.save(context, tmp_path / "bot.safetensors", {})
    assert not any(tmp_path.iterdir())


@pytest.mark.slow
def test_two_processes_diverge_together(tmp_path: Path) -> None:
    """A start whose scores overflow: both ranks see it at the same step, and one of them says so."""
    start, out = tmp_path / "start.safetensors", tmp_path / "run"
    context = setup.build(parse("train", TrainSettings, ["--config", "ppo-tiny"]), ProcessGroup())
    with torch.no_grad():
        for parameter in context.learner.policy.parameters():
            parameter.mul_(1e30)
    setup.save(context, start, {})
    line = f"train --config ppo-tiny --processes 2 --start {start} --out {out}"
    call = [sys.executable, "-m", "experiments.cli", *line.split()]
    found = subprocess.run(call, capture_output=True, text=True, check=False, timeout=300)
    assert found.returncode == 2, found.stderr
    assert found.stderr.startswith("error: training has diverged: ")
    assert found.stderr.count("\n") == 1
    assert "no checkpoint had been saved" in found.stderr
    assert not list(out.rglob("*.safetensors"))
