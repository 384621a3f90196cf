"""The curriculum: what carries over from one game to the next, and the comparison of its arms at toy size."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
import yaml

from agents.learned.encoder import slices_of
from agents.ruibal.network.ranks import NUMBER_OF_RANK
from burako_env.errors import UserError
from experiments.runs.settings import find_preset
from experiments.studies.curriculum.__main__ import main
from experiments.studies.curriculum.plan import read_plan
from experiments.studies.curriculum.report import interval, verdict
from experiments.train import setup
from experiments.train.context import TrainerContext
from experiments.train.process_group import ProcessGroup
from experiments.train.settings import NetSettings
from tests.tools.train_runs import tiny

SUITS = NetSettings(kind="suits", widths=(24, 16), block_widths=(12, 8), value_widths=(16,), value_block_widths=(8,))
TOY: dict[str, Any] = {
    "seeds": [1, 2],
    "opponents": ["random"],
    "boards": 4,
    "base": {
        "start": "scratch",
        "processes": 1,
        "slots": 16,
        "net": SUITS.model_dump(),
        "ppo": {"steps": 16, "minibatch": 64},
        "league": {"past": 0.0, "anchor": 0.0},
        "evaluation": {"anchors": ["random"], "boards": 1, "every": 200, "final_boards": 0},
    },
    "stages": [{"game": "ruibal-2", "ppo": {"decisions": 250}}, {"game": "burako-4", "ppo": {"decisions": 350}}],
}


def context_of(game: str, seed: int, net: NetSettings = SUITS) -> TrainerContext:
    return setup.build(tiny(game=game, seed=seed, net=net, slots=2), ProcessGroup())


def saved(found: TrainerContext, path: Path) -> Path:
    setup.save(found, path, {})
    return path


def test_numbers_lie_along_the_ranks_and_neighbours_stay_neighbours() -> None:
    numbers = NUMBER_OF_RANK
    # By rank, ace first; the two is wild and has no number.
    assert [numbers.get(rank) for rank in range(13)] == [3, None, 0, 1, 2, 3, 4, 3, 2, 1, 0, 1, 2]
    assert all(abs(numbers[rank] - numbers[rank + 1]) == 1 for rank in range(2, 12))
    assert abs(numbers[12] - numbers[0]) == 1


def test_columns_go_by_their_names(tmp_path: Path) -> None:
    """From a level to the card game: common features, deeper layers; heads and all other columns are fresh."""
    level, card, fresh = context_of("ruibal-3", 1), context_of("burako-4", 2), context_of("burako-4", 2)
    setup.start_from(card, saved(level, tmp_path / "level.safetensors"))
    old, new, before = (w.learner.policy.net.state_dict() for w in (level, card, fresh))
    for name in ("block_own.1.weight", "rest_own.1.bias", "block_own.0.bias", "rest_blocks.1.weight"):
        assert torch.equal(new[f"trunk.{name}"], old[f"trunk.{name}"]), name
    for name in ("block_own.weight", "rest_own.weight", "habit"):
        assert torch.equal(new[name], before[name]), name
    at, to = (slices_of(w.learner.encoder.block_features) for w in (level, card))
    weights = {
        key: state["trunk.block_own.0.weight"] for key, state in (("old", old), ("new", new), ("before", before))
    }
    for feature in ("hand", "own takes", "unseen"):
        new_columns, old_columns = weights["new"][:, to[feature]], weights["old"][:, at[feature]]
        for number in range(5):
            ranks = [rank for rank in range(13) if NUMBER_OF_RANK.get(rank) == number]
            # The ranks of a number have equal parts of its weights.
            assert torch.equal(new_columns[:, ranks[0]], new_columns[:, ranks[-1]])
            assert torch.allclose(new_columns[:, ranks].sum(dim=1), old_columns[:, number], atol=1e-6), (
                feature,
                number,
            )
        assert torch.equal(weights["new"][:, to[feature].start + 1], weights["before"][:, to[feature].start + 1])
    for feature in ("pile", "known", "run wild"):
        assert torch.equal(weights["new"][:, to[feature]], weights["before"][:, to[feature]])
    rest_at, rest_to = (slices_of(w.learner.encoder.rest_features) for w in (level, card))
    outer = "trunk.rest_own.0.weight"
    assert torch.equal(new[outer][:, rest_to["stock"]], old[outer][:, rest_at["stock"]])
    assert torch.equal(new[outer][:, rest_to["points"]], before[outer][:, rest_to["points"]])
    value, other = card.learner.value.state_dict(), level.learner.value.state_dict()
    assert torch.equal(value["trunk.block_own.0.bias"], other["trunk.block_own.0.bias"])
    assert torch.equal(value["head_rest.weight"], fresh.learner.value.state_dict()["head_rest.weight"])


def test_what_cannot_carry_over_is_refused(tmp_path: Path) -> None:
    card = context_of("burako-4", 2)
    wide = SUITS.model_copy(update={"block_widths": (14, 8)})
    for net, text in (
        (NetSettings(kind="mlp", widths=(8,), value_widths=(8,)), "its policy has kind mlp"),
        (wide, r"its policy has block_widths \(14, 8\)"),
    ):
        path = saved(context_of("ruibal-2", 1, net), tmp_path / "level.safetensors")
        with pytest.raises(UserError, match=text) as found:
            setup.start_from(card, path)
        assert "\n" not in str(found.value)


def test_a_toy_curriculum(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file, out = tmp_path / "toy.yaml", tmp_path / "out"
    file.write_text(yaml.safe_dump(TOY))
    assert main([str(file), "--out", str(out)]) == 0
    shown = capsys.readouterr().out
    summary = json.loads((out / "summary.json").read_text())
    assert summary["decisions"] == {
        "curriculum": {"1-ruibal-2": 250, "2-burako-4": 350},
        "alone": {"burako-4": 600},
        "short": {"burako-4": 350},
    }
    assert all(sentence in shown for sentence in summary["verdict"])
    difference, short = summary["differences"]
    assert (difference["than"], short["than"]) == ("alone", "short")
    by_arm = {row["arm"]: row for row in summary["results"]}
    apart = np.subtract(by_arm["curriculum"]["seeds"], by_arm["alone"]["seeds"])
    assert difference["seeds"] == pytest.approx(apart.tolist())
    low, high = difference["ci_seeds"]
    assert low < difference["points"] < high
    header, *lines = (out / "curves.csv").read_text().splitlines()
    assert header == "arm,seed,game,decisions,opponent,points"
    cells = [line.split(",") for line in lines]
    ends = {(arm, seed): int(at) for arm, seed, _, at, _, _ in cells}
    assert set(ends) == {(arm, str(seed)) for arm in ("curriculum", "alone", "short") for seed in (1, 2)}
    # A round may go a little beyond its budget.
    assert all(0 <= at - (350 if arm == "short" else 600) < 600 for (arm, _), at in ends.items())
    assert (out / "curves.png").stat().st_size > 1000
    # The second stage began with the first one's weights.
    network = next((out / "curriculum-s1" / "2-burako-4" / "checkpoints").glob("update-*.safetensors"))
    from agents.learned.checkpoint import load_network

    assert load_network(network)[0].training["settings"]["start"].endswith(".safetensors")
    # The same command again trains nothing.
    before = {path: path.stat().st_mtime_ns for path in out.glob("*/*/result.json")}
    assert len(before) == 8
    assert main([str(file), "--out", str(out)]) == 0
    assert before == {path: path.stat().st_mtime_ns for path in out.glob("*/*/result.json")}
    capsys.readouterr()
    file.write_text(yaml.safe_dump(TOY | {"boards": 5}))
    assert main([str(file), "--out", str(out)]) == 2
    assert "another plan" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"stages": [{"game": "ruibal-2"}]}, "stages"),
        ({"arms": 3}, "arms"),
        ({"base": {"algorithm": "sarsa"}}, "algorithm"),
        ({"base": {**TOY["base"], "start": "clone"}}, "start scratch"),
    ],
)
def test_a_bad_plan_is_one_sentence(
    changes: dict[str, Any], message: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "bad.yaml"
    file.write_text(yaml.safe_dump(TOY | changes))
    assert main([str(file), "--out", str(tmp_path / "out")]) == 2
    error = capsys.readouterr().err
    assert message in error
    assert error.count("\n") == 1
    assert not (tmp_path / "out").exists()


def test_the_shipped_plan() -> None:
    plan = read_plan(find_preset("curriculum", "default"))
    assert [stage["game"] for stage in plan.stages] == ["ruibal-1", "ruibal-2", "ruibal-3", "burako-4"]


def test_the_verdict_follows_the_seeds() -> None:
    """Student's interval of 1, 2, 3: 2 with 4.303 standard errors of 1 / sqrt(3) to either side."""
    assert interval([1, 2, 3]) == pytest.approx([2 - 2.484, 2 + 2.484], abs=1e-3)
    assert interval([1]) == [None, None]
    for span, word in (([1, 3], "helps"), ([-3, -1], "hurts"), ([-1, 1], "no difference"), ([None, None], "one seed")):
        assert word in verdict({"than": "alone", "opponent": "x", "points": 1.0, "ci_seeds": span})
