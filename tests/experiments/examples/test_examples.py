"""The examples for other libraries run, those that learn quickly learn."""

from __future__ import annotations

import importlib

import pytest


@pytest.mark.slow
def test_maskable_ppo_learns_through_gymnasium() -> None:
    pytest.importorskip("sb3_contrib", reason="needs the extra sb3")
    from experiments.examples.maskable_ppo import main

    mean, margin = main(["--decisions", "25000", "--hands", "100", "--seed", "1"])
    assert mean - margin > 0  # against random play


@pytest.mark.slow
def test_ppo_in_one_file_learns() -> None:
    from experiments.examples.cleanrl_ppo import main

    mean, margin = main(["--decisions", "80000", "--hands", "200", "--seed", "1"])
    assert mean - margin > 0  # against random play


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore")
def test_torchrl_learns_through_both_wrappers(capsys: pytest.CaptureFixture[str]) -> None:
    pytest.importorskip("torchrl", reason="needs the extra clients")
    from experiments.examples.torchrl_ppo import main

    assert main(["--decisions", "24000", "--hands", "200", "--seed", "1"]) > 0  # against random play
    assert "the multi-agent wrapper has played 50 random decisions" in capsys.readouterr().out


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore")
def test_tianshou_runs_through_both_wrappers(capsys: pytest.CaptureFixture[str]) -> None:
    pytest.importorskip("tianshou", reason="wants older versions of pandas and virtualenv than the pins")
    main = importlib.import_module("experiments.examples.tianshou_dqn").main

    # Some hundred decisions teach nothing; a hand against random play is worth less than this either way.
    assert abs(main(["--decisions", "600", "--hands", "2", "--seed", "1"])) < 5000
    assert "the multi-agent wrapper plays" in capsys.readouterr().out
