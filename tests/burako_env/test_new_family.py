"""A family that is registered and nothing else: everything that is built on the interface plays it."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from functools import partial
from pathlib import Path

import gymnasium
import numpy as np
import pytest
from pettingzoo.test import api_test

import agents
from burako_env import families, make
from burako_env.choice import random_legal
from burako_env.envs.aec import BatchGameEnv, wrapped
from burako_env.envs.registration import env_id
from burako_env.records.recorder import Recorder
from burako_env.records.replay import verify
from burako_env.vector import GameVectorEnv
from experiments.cli import main
from tests.tools.places import ROOT, installed
from tests.tools.toy_game import CARDS, DUEL, HELD


@pytest.fixture(autouse=True)
def duel(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """The family is known in the tests of this file only."""
    monkeypatch.setattr(families, "_FAMILIES", dict(families._FAMILIES))
    families.register(DUEL)
    yield
    gymnasium.registry.pop(env_id("duel"), None)


def test_the_core_plays_it_to_the_end() -> None:
    game = make("duel", 64, root_seed=3)
    game.reset(np.arange(64))
    for _ in range(2 * HELD):
        assert (game.legal().sum(axis=1) > 0).all()
        game.step(random_legal(game.legal_packed(), game.keys()))
    assert game.done.all()
    assert set(game.reasons) == {"exhausted"}
    seen = game.view().seen.sum(axis=1)
    assert (seen == 2 * HELD).all()
    # Every card that was played counts once, for one of the two.
    assert (game.scores.sum(axis=1) == (game.view().seen * np.arange(CARDS)).sum(axis=1)).all()


def test_samples_agree_with_what_the_seat_sees() -> None:
    game = make("duel", 16, root_seed=1)
    game.reset(np.arange(16))
    for _ in range(3):
        view = game.view()
        samples = game.sample_states(view, 8, game.keys())
        assert (samples.view().buffer == np.repeat(view.buffer, 8, axis=0)).all()
        held = game.hidden().sum(axis=1)
        assert (samples.hidden().sum(axis=1) == np.repeat(held, 8)).all()
        game.step(random_legal(game.legal_packed(), game.keys()))


def test_pettingzoo_plays_it() -> None:
    env = wrapped(BatchGameEnv(partial(make, "duel", 1)))
    api_test(env, num_cycles=40)
    drawn = BatchGameEnv(partial(make, "duel", 1), render_mode="ansi")
    drawn.reset(seed=4)
    assert "duel, play, seat 0 to act" in drawn.render()


def test_gymnasium_plays_it() -> None:
    env = gymnasium.make(env_id("duel"), opponents=agents.load("random", "duel"))
    env.reset(seed=2)
    total, over = 0.0, False
    while not over:
        action = int(np.flatnonzero(env.unwrapped.action_masks())[0])
        _, reward, over, _, _ = env.step(action)
        total += float(reward)
    assert total != 0


def test_many_tables_of_gymnasium() -> None:
    many = GameVectorEnv(4, "duel", opponents=agents.load("random", "duel"))
    seen, _ = many.reset(seed=1)
    assert (seen["action_mask"].sum(axis=1) >= 1).all()
    over = np.zeros(4, dtype=bool)
    for _ in range(HELD):
        seen, _, ended, _, _ = many.step(seen["action_mask"].argmax(axis=1))
        over |= ended
    assert over.all()


def test_records_of_it_hold() -> None:
    game = make("duel", 4, root_seed=9)
    recorder = Recorder(game, {})
    game.reset(np.arange(4))
    recorder.begin()
    while not game.done.all():
        actions = random_legal(game.legal_packed(), game.keys())
        recorder.note(actions)
        game.step(actions)
    records = [record for _, record in recorder.collect()]
    assert [len(record.actions) for record in records] == [2 * HELD] * 4
    assert verify(records) == [None] * 4


def test_a_tournament_with_search_in_it(tmp_path: Path) -> None:
    command = ["tournament", "--game", "duel", "--agents", "random", "search:policy=random,redraws=8", "--boards", "64"]
    assert main([*command, "--seed", "3", "--workers", "1", "--out", str(tmp_path / "run")]) == 0
    found = json.loads((tmp_path / "run" / "summary.json").read_text())
    points = {agent["name"]: agent["points"] for agent in found["agents"]}
    # Looking ahead wins clearly where four cards are all there is.
    assert points["search:policy=random,redraws=8"] > points["random"] + 2
    assert [agent["errors"] for agent in found["agents"]] == [0, 0]


def test_a_tiny_training(tmp_path: Path) -> None:
    """A training has processes of its own: they know the family as an installed package."""
    flags = "--start scratch --slots 32 --net.widths 16 --net.value-widths 8 --ppo.decisions 2000 --ppo.steps 16"
    flags += " --ppo.minibatch 64 --evaluation.boards 8 --evaluation.final-boards 8 --evaluation.every 2000"
    call = [sys.executable, "-m", "experiments.cli", "train", "--game", "duel", *flags.split(), "--out", "run"]
    path = os.pathsep.join(map(str, (installed(tmp_path, "duel", "tests.tools.toy_game:DUEL"), ROOT)))
    done = subprocess.run(call, cwd=tmp_path, env={**os.environ, "PYTHONPATH": path}, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert json.loads((tmp_path / "run" / "summary.json").read_text())["decisions"] >= 2000
    bot = agents.load(str(tmp_path / "run" / "checkpoints" / "best.safetensors"), "duel")
    game = make("duel", 4)
    game.reset(np.arange(4))
    assert game.legal()[np.arange(4), bot.act(game.view(), game.legal(), game.keys())].all()
