"""The bots that come with the framework: small files that load by name and play well."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

import agents
from agents.learned.checkpoint import load_network
from agents.learned.shipped import BOTS
from burako_env.errors import UserError
from experiments.cli import main
from tests.core_play import played

FILES = sorted(BOTS.glob("*.safetensors"))
LIMIT = 3 * 2**20


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_a_bot_is_small_has_a_card_and_says_how_it_was_trained(path: Path) -> None:
    assert path.stat().st_size <= LIMIT
    header, _ = load_network(path)
    game, _, bot = path.stem.rpartition("-")
    assert header.game == game
    assert header.training["decisions"] > 0
    assert header.training["commit"]
    card = path.with_suffix(".md").read_text(encoding="utf-8")
    for word in (bot, game, "seed", "commit", "decisions", "points a hand"):
        assert word in card
    agent = agents.load(bot, game)
    at = played(game, 50, 40)
    live = np.flatnonzero(~at.done)
    asked = at.view(games=live), at.legal(games=live), at.keys(live)
    actions = agent.act(*asked)
    assert asked[1][np.arange(len(live)), actions].all()
    assert np.array_equal(agent.preferences(*asked).argmax(axis=1), actions)


def test_a_game_without_the_bot_is_refused() -> None:
    with pytest.raises(UserError, match="no bot ppo for ruibal-2, only for burako-4"):
        agents.load("ppo", "ruibal-2")


def test_ppo_beats_the_first_heuristic(tmp_path: Path) -> None:
    """By about 300 points a hand, five standard errors of a board's mean over 60 boards."""
    code = main(
        ["evaluate", "ppo", "heuristic-v0", "--boards", "60", "--seed", "5", "--workers", "1", "--out", str(tmp_path)]
    )
    assert code == 0
    assert json.loads((tmp_path / "summary.json").read_text())["mean"] > 60
