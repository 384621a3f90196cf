"""The example for other libraries runs and learns."""

from __future__ import annotations

import pytest

pytest.importorskip("sb3_contrib", reason="needs the extra sb3")


@pytest.mark.slow
def test_maskable_ppo_learns_through_gymnasium() -> None:
    from experiments.examples.maskable_ppo import main

    mean, margin = main(["--decisions", "10000", "--hands", "100", "--seed", "1"])
    assert mean - margin > 0  # against random play
