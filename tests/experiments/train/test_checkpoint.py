"""Files of networks: what is saved is what plays, and whatever is wrong with a file is said in one sentence."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
import torch
from safetensors.numpy import load_file, save_file

import agents
import burako_env
from agents.learned.agent import LearnedAgent
from agents.learned.chance import probabilities
from agents.learned.checkpoint import Header, load_network, save_arrays, save_network
from agents.learned.encoder import floats
from agents.learned.encoders import encoder_for
from agents.learned.network import NetConfig, make_policy, make_value
from burako_env.errors import UserError
from tests.tools.core_play import played

SUITS, MLP = NetConfig("suits", (16, 8), (8, 8)), NetConfig("mlp", (16,), ())


def written(path: Path, game_name: str = "burako-4", config: NetConfig = SUITS) -> torch.nn.Module:
    """A fresh network in a file."""
    game = burako_env.make(game_name)
    encoder = encoder_for(game_name, {}, game.layout)
    header = Header.of(game, {}, encoder, config, config, 0, {"algorithm": "none"})
    policy = make_policy(config, encoder, game.num_actions, seed=3)
    # First weights hardly tell actions apart; these do.
    with torch.no_grad():
        for parameter in policy.parameters():
            parameter.mul_(3)
    save_network(path, policy, make_value(config, encoder, 0, seed=4), header)
    return policy


@pytest.mark.parametrize(("game_name", "config"), [("burako-4", SUITS), ("burako-8", SUITS), ("burako-4", MLP)])
def test_a_saved_network_plays_as_before(game_name: str, config: NetConfig, tmp_path: Path) -> None:
    path = tmp_path / "bot.safetensors"
    policy = written(path, game_name, config)
    agent = agents.load(str(path), game_name)
    assert agent.name == str(path)
    game = played(game_name, 40, 60)
    live = np.flatnonzero(~game.done)
    view, legal, keys = game.view(games=live), game.legal(games=live), game.keys(live)
    encoder = encoder_for(game_name, {}, game.layout)
    with torch.inference_mode():
        logits = policy.net(floats(encoder, torch.from_numpy(encoder.encode(view.buffer)))).numpy()
    best = np.where(legal, logits, -np.inf).argmax(axis=1)
    actions = agent.act(view, legal, keys)
    rows = np.arange(len(live))
    assert legal[rows, actions].all()
    # What is not the best action is as good but for the rounding.
    assert (logits[rows, best] - logits[rows, actions] <= 1e-4).all()
    header, _ = load_network(path)
    assert header.training["algorithm"] == "none"
    assert header.game == game_name


def test_a_fresh_advised_network_plays_as_its_advisor(tmp_path: Path) -> None:
    """Its bonus is 3 and its first scores are hundredths; without the bonus it plays what it likes."""
    path, config = tmp_path / "bot.safetensors", NetConfig("suits", (16, 8), (8, 8), "heuristic:discard=highest")
    game = burako_env.make("burako-6")
    encoder = encoder_for("burako-6", {}, game.layout)
    header = Header.of(game, {}, encoder, config, SUITS, 0, {})
    policy = make_policy(config, encoder, game.num_actions, seed=3)
    save_network(path, policy, None, header)
    advisor, agent = agents.load("heuristic:discard=highest", "burako-6"), agents.load(str(path), "burako-6")
    game = played("burako-6", 100, 60)
    live = np.flatnonzero(~game.done)
    asked = game.view(games=live), game.legal(games=live), game.keys(live)
    assert np.array_equal(agent.act(*asked), advisor.act(*asked))
    assert policy.trust is not None
    with torch.no_grad():
        policy.trust.zero_()
    save_network(path, policy, None, header)
    assert not np.array_equal(agents.load(str(path), "burako-6").act(*asked), advisor.act(*asked))


def test_play_does_not_depend_on_the_batch(tmp_path: Path) -> None:
    written(tmp_path / "bot.safetensors")
    game = played("burako-4", 300, 50)
    live = np.flatnonzero(~game.done)
    view, legal, keys = game.view(games=live), game.legal(games=live), game.keys(live)
    for options in ("", ":temperature=1.0"):
        agent = agents.load(f"{tmp_path / 'bot.safetensors'}{options}", "burako-4")
        whole = agent.act(view, legal, keys)
        for size in (1, 7, 64):
            parts = [
                agent.act(view.take(np.arange(i, j)), legal[i:j], keys[i:j])
                for i in range(0, len(live), size)
                if (j := min(i + size, len(live)))
            ]
            assert np.array_equal(np.concatenate(parts), whole), (options, size)


def test_temperature_draws_by_key(tmp_path: Path) -> None:
    written(tmp_path / "bot.safetensors")
    game = played("burako-4", 200, 50)
    live = np.flatnonzero(~game.done)
    view, legal, keys = game.view(games=live), game.legal(games=live), game.keys(live)
    agent = agents.load(f"{tmp_path / 'bot.safetensors'}:temperature=1", "burako-4")
    first, again = agent.act(view, legal, keys), agent.act(view, legal, keys)
    other = agent.act(view, legal, keys + np.uint64(1))
    assert np.array_equal(first, again)
    assert not np.array_equal(first, other)
    assert legal[np.arange(len(live)), first].all()


@pytest.mark.parametrize("temperature", [1e-300, 1e-30, 1e-6, 1.0, 1e6])
@pytest.mark.parametrize("scale", [1.0, 1e30, np.nan, np.inf])
def test_no_temperature_and_no_weights_play_an_illegal_action(temperature: float, scale: float, tmp_path: Path) -> None:
    written(tmp_path / "bot.safetensors")
    game = played("burako-4", 200, 50)
    live = np.flatnonzero(~game.done)
    view, legal, keys = game.view(games=live), game.legal(games=live), game.keys(live)
    # The constructor takes what a spec would refuse: 1e300 stands for any that is too high.
    for heat in (0.0, temperature, 1e300):
        agent = LearnedAgent(tmp_path / "bot.safetensors", heat)
        with torch.no_grad():
            for parameter in agent.policy.parameters():
                parameter.mul_(scale)
        actions = agent.act(view, legal, keys)
        assert legal[np.arange(len(live)), actions].all()


def test_probabilities_are_those_of_the_legal_logits() -> None:
    logits, legal = torch.tensor([[2.0, 5.0, 1.0]]), torch.tensor([[True, False, True]])
    first = 1 / (1 + np.exp(-1 / 0.5))
    assert probabilities(logits, legal, 0.5).numpy() == pytest.approx(np.array([[first, 0, 1 - first]]))
    assert probabilities(logits, legal, 1e300).tolist() == [[0.5, 0.0, 0.5]]


def test_others_may_read_a_file_as_the_user_has_it(tmp_path: Path) -> None:
    plain = tmp_path / "plain"
    plain.touch()
    save_arrays(tmp_path / "file.safetensors", {"a": np.zeros(2)}, {})
    assert (tmp_path / "file.safetensors").stat().st_mode == plain.stat().st_mode


def test_a_file_that_is_no_network_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "bot.safetensors"

    def refused(text: str, spec: str | None = None, game: str = "burako-4") -> None:
        with pytest.raises(UserError, match=text) as found:
            agents.load(spec or str(path), game)
        assert "\n" not in str(found.value)

    refused("there is no file")
    path.write_text("no tensors at all")
    refused("is damaged or no checkpoint")
    written(path)
    whole = path.read_bytes()
    path.write_bytes(whole[: len(whole) // 2])
    refused("is damaged or no checkpoint")
    save_file({"a": np.zeros(3, dtype=np.float32)}, path)
    refused("of another program")
    save_file({"a": np.zeros(3, dtype=np.float32)}, path, {"burako": json.dumps({"format": 99})})
    refused("has format 99, this version reads format 1")
    save_arrays(path, {"a": np.zeros(3, dtype=np.float32)}, {"kind": "state"})
    refused("the state of a run")
    save_arrays(path, {"a": np.zeros(3, dtype=np.float32)}, {"kind": "network"})
    refused("its header lacks or misstates something")


def test_a_network_that_does_not_fit_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "bot.safetensors"
    written(path, "burako-6")
    with pytest.raises(UserError, match="was trained on burako-6 and cannot play burako-4"):
        agents.load(str(path), "burako-4")
    written(path)
    arrays, header = load_file(path), load_network(path)[0]
    agents.load(f"{path}:temperature=0.5")
    for text, spec in (
        ("temperature .* = -1.0: input should be greater than or equal to 0", "temperature=-1"),
        ("unknown .* option 'warmth'", "warmth=1"),
    ):
        with pytest.raises(UserError, match=text):
            agents.load(f"{path}:{spec}")
    arrays.pop("policy.net.rest_own.bias")
    about = {"kind": "network", **{**header.__dict__, "policy": vars(header.policy), "value": vars(header.value)}}
    save_arrays(path, arrays, about)
    with pytest.raises(UserError, match=r"policy.net.rest_own.bias is missing, not \[\d+\]"):
        agents.load(str(path))
    save_arrays(path, arrays, {**about, "encoder": "another"})
    with pytest.raises(UserError, match="its encoder is another one"):
        agents.load(str(path))
