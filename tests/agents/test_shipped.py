"""The bots that come with the framework: small files that load by name and play well."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

import agents
from agents.learned.checkpoint import load_network
from agents.learned.shipped import BOTS
from burako_env.choice import random_legal
from burako_env.errors import UserError
from burako_env.families import make
from experiments.cli import main

FILES = sorted(BOTS.glob("*.safetensors"))
LIMIT = 3 * 2**20


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_a_bot_is_small_has_a_card_and_says_how_it_was_trained(path: Path) -> None:
    assert path.stat().st_size <= LIMIT
    header, _ = load_network(path)
    game, bot = header.game, path.stem.split("-")[2]
    level = game.startswith("ruibal")
    # A children's level has a file for each number of players.
    assert path.stem == (f"{game}-{bot}-{header.config['players']}" if level else f"{game}-{bot}")
    assert header.training["decisions"] > 0
    assert header.training["commit"]
    card = path.with_suffix(".md").read_text(encoding="utf-8")
    for word in (bot, game, "seed", "commit", "decisions", "points per hand"):
        assert word in card
    agent = agents.load(bot, game, header.config)
    at = make(game, 50, 3, header.config)
    at.reset(range(50))
    for _ in range(20 if level else 40):
        at.step(random_legal(at.legal_packed(), at.keys()))
    live = np.flatnonzero(~at.done)
    asked = at.view(games=live), at.legal(games=live), at.keys(live)
    actions = agent.act(*asked)
    assert asked[1][np.arange(len(live)), actions].all()
    assert np.array_equal(agent.preferences(*asked).argmax(axis=1), actions)


def test_a_game_without_the_bot_is_refused() -> None:
    with pytest.raises(UserError, match="no bot ppo for ruibal-2 with 3 players, only for burako-4, ") as found:
        agents.load("ppo", "ruibal-2", {"players": 3})
    assert "ruibal-2 with 2 players, ruibal-2 with 4 players" in str(found.value)
    assert "\n" not in str(found.value)


@pytest.mark.parametrize("players", [2, 4])
def test_a_bot_that_nobody_bound_knows_its_game_by_the_view(players: int) -> None:
    game = make("ruibal-3", 20, 0, {"players": players})
    game.reset(range(20))
    asked = game.view(), game.legal(), game.keys()
    bound = agents.load("ppo", "ruibal-3", {"players": players})
    assert np.array_equal(agents.load("ppo").act(*asked), bound.act(*asked))


def test_ppo_beats_greedy_on_level_2(tmp_path: Path) -> None:
    """By about 7 crowns a game, whose mean over 60 boards has a standard error of 0.9."""
    line = "evaluate ppo greedy --game ruibal-2 --rules players=2 --boards 60 --seed 5 --workers 1 --out"
    assert main([*line.split(), str(tmp_path)]) == 0
    assert json.loads((tmp_path / "summary.json").read_text())["mean"] > 3


def test_ppo_beats_the_first_heuristic(tmp_path: Path) -> None:
    """By about 300 points per hand, five standard errors of a board's mean over 60 boards."""
    code = main(
        ["evaluate", "ppo", "heuristic-v0", "--boards", "60", "--seed", "5", "--workers", "1", "--out", str(tmp_path)]
    )
    assert code == 0
    assert json.loads((tmp_path / "summary.json").read_text())["mean"] > 60
