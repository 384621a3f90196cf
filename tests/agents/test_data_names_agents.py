"""Nothing that is loaded runs code or opens other files: records and networks name agents of the project only."""

from __future__ import annotations

import dataclasses
import json
import struct
import sys
from pathlib import Path
from pkgutil import resolve_name
from typing import Any

import numpy as np
import pytest
from safetensors.numpy import load_file, save

import agents
from agents.learned.checkpoint import load_network, save_arrays
from agents.spec import AgentName
from burako_env.errors import UserError
from burako_env.records.format import append
from experiments.cli import main
from tests.experiments.train.test_checkpoint import MLP, written
from tests.experiments.watch.test_watch import data_of, played
from tests.tools.core_play import played as moved

TRAP = """
from pathlib import Path
from agents import Agent
Path("ran").touch()
class Tidy(Agent):
    def act(self, view, legal, keys):
        return legal.argmax(axis=1)
"""
NAMED = (
    "trap:Tidy",
    "search:policy=trap:Tidy",
    "search(policy=trap:Tidy)",
    "search:rollout='trap:Tidy'",
    "search:policy=search(rollout=search(policy=trap:Tidy))",
    "clumsy:agent=trap:Tidy",
    "cunning:agent=search(policy=trap:Tidy)",
    "clumsy:agent=\"search:policy='trap:Tidy'\"",
    "bot.safetensors",
    "'bot.safetensors'",
    "search:policy=bot.safetensors",
    "bot.safetensors:temperature=1",
    "missing.safetensors",
)


@pytest.fixture
def trap(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A current directory with a module that leaves a trace when it is imported."""
    (tmp_path / "trap.py").write_text(TRAP, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", [*sys.path])
    monkeypatch.delitem(sys.modules, "trap", raising=False)
    return tmp_path / "ran"


def header_of(path: Path) -> dict[str, Any]:
    """The header of a network as plain data."""
    return {"kind": "network", **dataclasses.asdict(load_network(path)[0])}


@pytest.mark.parametrize("spec", NAMED)
def test_a_file_names_only_agents_of_the_project(spec: str, trap: Path) -> None:
    written(Path("bot.safetensors"), config=MLP)
    with pytest.raises(UserError, match="may not be named by a file"):
        agents.load_named(spec, "burako-4")
    about = header_of(Path("bot.safetensors"))
    about["policy"]["advisor"] = spec
    save_arrays(Path("advised.safetensors"), load_file("bot.safetensors"), about)
    with pytest.raises(UserError, match=r"advised\.safetensors.*advisor.*may not be named by a file"):
        agents.load("advised.safetensors", "burako-4")
    assert not trap.exists()
    # On the command line the same words are the user's own.
    if "missing" not in spec and not spec.startswith(("clumsy", "cunning")):
        agents.load(spec, "burako-4")
        assert trap.exists() == ("trap" in spec)


def test_a_network_that_names_itself_is_refused(trap: Path) -> None:
    path = Path("bot.safetensors")
    written(path, config=MLP)
    about = header_of(path)
    for spec in ("bot.safetensors", str(path.resolve()), "search:policy=bot.safetensors"):
        about["policy"]["advisor"] = spec
        save_arrays(Path("bot.safetensors"), load_file(path), about)
        with pytest.raises(UserError, match="may not be named by a file"):
            agents.load("bot.safetensors", "burako-4")


def test_nested_agents_end_somewhere() -> None:
    deep = "random"
    for _ in range(20):
        deep = f"search(policy={deep})"
    with pytest.raises(UserError, match="nested"):
        agents.load_named(deep, "burako-4")
    assert agents.load_named("search:policy=search(policy=heuristic(pile=never))", "burako-4").name.startswith("search")


def test_every_option_of_a_shipped_agent_is_known_to_be_one_that_a_file_may_give() -> None:
    """Texts could name anything: an option that takes an agent says so by its type."""
    from agents.registry import AGENTS
    from agents.spec import options_of

    for name in agents.names():
        for key, (kind, _) in options_of(resolve_name(AGENTS[name])).items():
            assert kind is not str, f"{name}:{key}"
    assert options_of(resolve_name(AGENTS["search"]))["policy"][0] == AgentName


@pytest.mark.parametrize(
    "specs",
    [
        ("trap:Tidy", "search:policy=trap:Tidy", "clumsy:agent=trap:Tidy", "search:rollout='trap:Tidy'"),
        ("bot.safetensors", "greedy", "", "\x1b[2J:fire:"),
    ],
)
def test_watching_a_record_runs_nothing(specs: tuple[str, ...], trap: Path, capsys: pytest.CaptureFixture[str]) -> None:
    written(Path("bot.safetensors"), config=MLP)
    append(Path("r.jsonl"), [played().model_copy(update={"agents": specs})])
    assert main(["watch", "r.jsonl"]) == 0
    page = Path("r.html").read_text(encoding="utf-8")
    assert page.count("is not asked") == 4
    assert not any("o" in frame for frame in data_of(page)["frames"])
    assert not trap.exists()
    assert "\x1b" not in capsys.readouterr().out


def test_a_shipped_agent_of_a_record_is_asked() -> None:
    from experiments.watch.command import make_page

    record = played().model_copy(update={"agents": ("heuristic:pile=never",) * 4})
    assert any("o" in frame for frame in data_of(make_page(record))["frames"])


@pytest.mark.parametrize("number", [np.nan, np.inf, -np.inf])
@pytest.mark.parametrize("name", ["policy.net.layers.0.weight", "value.layers.0.bias", "extra"])
def test_weights_are_finite(name: str, number: float, tmp_path: Path) -> None:
    path = tmp_path / "bot.safetensors"
    written(path, config=MLP)
    arrays, about = load_file(path), header_of(path)
    arrays.setdefault("extra", np.zeros(3, dtype=np.float32)).flat[-1] = 1.0
    arrays[name].flat[1] = number
    save_arrays(path, arrays, about)
    with pytest.raises(UserError, match=f"{name} holds numbers that are not finite"):
        agents.load(str(path), "burako-4")


@pytest.mark.parametrize("options", ["", ":temperature=1"])
@pytest.mark.parametrize("factor", [-1e38, 1e38, -1e12])
def test_huge_weights_play_legally(options: str, factor: float, tmp_path: Path) -> None:
    path = tmp_path / "bot.safetensors"
    written(path, config=MLP)
    arrays, about = load_file(path), header_of(path)
    for name in arrays:
        arrays[name][...] = np.sign(arrays[name]) * np.float32(factor)
    save_arrays(path, arrays, about)
    agent = agents.load(f"{path}{options}", "burako-4")
    game = moved("burako-4", 30, 40)
    live = np.flatnonzero(~game.done)
    legal = game.legal(live)
    actions = agent.act(game.view(live), legal, game.keys(live))
    assert legal[np.arange(len(live)), actions].all()


WRONG = {
    "game": [None, 4, "burako-5", ["burako-4"], "", "x" * 100_000, "\ud800", "\x1b[31m"],
    "config": [None, [], {"decks": 10**9}, {"decks": "two"}, {"no": 1}, {"run_slots": 1e9}, {"decks": [2]}],
    "layout": [None, 1, "", "another"],
    "actions": [None, "another"],
    "encoder": [None, "another"],
    "num_actions": [None, "512", 10**12, -1, 512.0, True, 0],
    "run_slots": [None, 0, -1, 10**9, 4.5],
    "hidden": ["0", -0.5],
    "policy": [None, [], {}, "mlp", {"kind": "mlp"}],
    "value": [None, 3, {"kind": "suits"}],
    "training": [None, [], "none"],
}
WRONG_NETS = {
    "kind": [None, "lstm", 3, ["mlp"]],
    "widths": [None, 16, "16", [], [0], [-16], [16.5], ["16"], [True], [2**40], [2**16, 2**16], [16] * 100_000, [[16]]],
    "block_widths": [None, [2**40], ["a"], [-1]],
    "advisor": [None, 3, ["heuristic"], "heuristik", "x" * 100_000],
}


@pytest.fixture(scope="module")
def network(tmp_path_factory: pytest.TempPathFactory) -> tuple[dict[str, Any], dict[str, Any]]:
    """Arrays and header of a small sound network."""
    path = tmp_path_factory.mktemp("network") / "bot.safetensors"
    written(path, config=MLP)
    return load_file(path), header_of(path)


def refused(path: Path) -> str:
    with pytest.raises(UserError) as caught:
        agents.load(str(path), "burako-4")
    said = str(caught.value)
    assert len(said) < 1500
    assert said.count("\n") == 0
    return said


def test_every_field_of_a_header_is_checked(network: tuple[Any, Any], tmp_path: Path) -> None:
    arrays, about = network
    path = tmp_path / "bot.safetensors"
    save_arrays(path, arrays, about)
    agents.load(str(path), "burako-4")
    for key, values in WRONG.items():
        for value in values:
            save_arrays(path, arrays, {**about, key: value})
            refused(path)
    for net in ("policy", "value"):
        for key, values in WRONG_NETS.items():
            for value in values:
                # Only a policy is advised, and block widths are of no use to an mlp but have to be widths.
                if (net, key) == ("value", "advisor") and isinstance(value, str):
                    continue
                save_arrays(path, arrays, {**about, net: {**about[net], key: value}})
                refused(path)
    for key in about:
        if key not in ("hidden", "training"):
            save_arrays(path, arrays, {name: value for name, value in about.items() if name != key})
            refused(path)
    save_arrays(path, arrays, {**about, "more": 1})
    assert "more" in refused(path)


@pytest.mark.parametrize("points", [None, "x", float("nan"), float("inf"), 0, -1, [], 1e300, True])
def test_the_unit_of_a_critic_is_a_number_of_points(points: Any, network: tuple[Any, Any], tmp_path: Path) -> None:
    arrays, about = network
    path = tmp_path / "bot.safetensors"
    for settings in ({"points": 500}, {}, [], None, {"ppo": 3}):
        save_arrays(path, arrays, {**about, "training": {"settings": settings}})
        agents.load(str(path), "burako-4")
    if points is not True:
        save_arrays(path, arrays, {**about, "training": {"settings": {"points": points}}})
        assert "its critic counts in units of" in refused(path)


def raw(path: Path, text: str, tensors: dict[str, Any] | None = None, data: bytes = b"") -> None:
    """A safetensors file with this text as our part of its header."""
    head = json.dumps({"__metadata__": {"burako": text}, **(tensors or {})}).encode()
    path.write_bytes(struct.pack("<Q", len(head)) + head + data)


def test_headers_that_are_no_json_of_ours(tmp_path: Path) -> None:
    path = tmp_path / "bot.safetensors"
    for text in (
        "",
        "[]",
        "1",
        "null",
        "{",
        "[" * 100_000,
        '{"a":' * 100_000,
        "9" * 10_000,
        '{"format": 1e999}',
        "NaN",
    ):
        raw(path, text)
        refused(path)
    for kind in ("BF16", "F8_E4M3", "F4"):
        raw(
            path,
            '{"format": 1, "kind": "network"}',
            {"a": {"dtype": kind, "shape": [2], "data_offsets": [0, 4]}},
            b"1234",
        )
        refused(path)
    for whole in (b"", b"1234567", struct.pack("<Q", 2**63) + b"{}", struct.pack("<Q", 2) + b"{}", save({})[:9]):
        path.write_bytes(whole)
        refused(path)
    path.unlink()
    path.mkdir()
    refused(path)


def test_training_with_an_advisor_that_no_file_may_name(trap: Path, capsys: pytest.CaptureFixture[str]) -> None:
    line = ["train", "--config", "ppo-tiny", "--net.advisor", "trap:Tidy", "--out", "run"]
    assert main(line) == 2
    assert "net.advisor: 'trap:Tidy' may not be named by a file" in capsys.readouterr().err
    assert not Path("run").exists()
