"""Training of games other than the card game: what is left to the game, tables of single players."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
import yaml

import agents
from experiments.cli import main
from experiments.runs.settings import parse
from experiments.train.evaluation import play_boards, points_of, wins_of
from experiments.train.settings import LeagueSettings, TrainSettings

RULES = {"TILE-3": ["test_the_best_share_the_win", "test_every_seat_is_held_once"]}


@pytest.mark.parametrize(("game", "own", "points"), [("ruibal-2", "greedy", 5.0), ("burako-6", "heuristic", 500.0)])
def test_what_is_left_to_the_game(game: str, own: str, points: float) -> None:
    settings = parse("train", TrainSettings, ["--config", "ppo-tiny", "--game", game])
    assert settings.evaluation.anchors == settings.league.anchors == (own,)
    assert (settings.clone.teacher, settings.points) == (own, points)
    named = TrainSettings(game=game, league=LeagueSettings(anchors=("random",)), points=3.0)
    assert (named.league.anchors, named.evaluation.anchors, named.points) == (("random",), (own,), 3.0)


def test_a_level_is_trained_without_naming_anybody(tmp_path: Path) -> None:
    out = tmp_path / "run"
    flags = "--ppo.decisions 600 --clone.decisions 600 --evaluation.boards 2 --evaluation.final-boards 2 --slots 16"
    assert main(["train", "--config", "ppo-tiny", "--game", "ruibal-3", "--out", str(out), *flags.split()]) == 0
    saved = yaml.safe_load((out / "config.yaml").read_text())
    assert (saved["clone"]["teacher"], saved["evaluation"]["anchors"]) == ("greedy", ["greedy"])
    agents.load(str(out / "checkpoints" / "best.safetensors"), "ruibal-3")


def test_the_best_share_the_win() -> None:
    scores = np.array([[3, 3, 1, 0], [2, 5, 5, 5], [4, 4, 4, 4], [7, 0, 0, 1]])
    assert wins_of(scores).tolist() == [0.5, 0.0, 0.25, 1.0]
    assert points_of(scores) == pytest.approx([3 - 4 / 3, -3, 0, 7 - 1 / 3])


@pytest.mark.parametrize("players", [2, 3, 4])
def test_every_seat_is_held_once(players: int) -> None:
    """Level 1 between players who see every match is luck that turns with the table: over all turns all are equal."""
    greedy = agents.load("greedy", "ruibal-1")
    scores = play_boards("ruibal-1", {"players": players}, 5, np.arange(6), [greedy] * players)
    assert scores.shape == (6, players, players)
    assert (scores.sum(axis=2) == 20).all()
    assert points_of(scores).mean(axis=1) == pytest.approx(np.zeros(6))
    # One turn alone is not fair.
    assert (points_of(scores)[:, 0] != 0).any()
    for turn in range(players):
        assert np.array_equal(scores[:, turn], np.roll(scores[:, 0], turn, axis=1))
