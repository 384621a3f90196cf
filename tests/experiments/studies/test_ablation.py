"""An ablation at toy size: every variant with every seed, finished runs are kept, mistakes are one sentence."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
import yaml

from experiments.runs.settings import find_preset
from experiments.studies.ablation import main, merged, read

TOY = {
    "seeds": [1, 2],
    "base": {
        "start": "scratch",
        "processes": 1,
        "slots": 16,
        "net": {"widths": [8], "block_widths": [8], "value_widths": [8], "value_block_widths": [8]},
        "ppo": {"decisions": 400, "steps": 16, "minibatch": 64},
        "league": {"past": 0.0, "anchor": 0.0},
        "evaluation": {"anchors": ["random"], "boards": 1, "every": 200, "final_boards": 2},
    },
    "variants": {"recipe": {}, "terminal reward": {"ppo": {"rewards": "terminal"}}},
}


def test_changes_go_deep_and_leave_the_base_alone() -> None:
    base = {"a": {"b": 1, "c": 2}, "d": 3}
    assert merged(base, {"a": {"b": 5}, "e": 6}) == {"a": {"b": 5, "c": 2}, "d": 3, "e": 6}
    assert base == {"a": {"b": 1, "c": 2}, "d": 3}


@pytest.mark.parametrize("name", ["default", "configs/ablation/default.yaml"])
def test_the_shipped_ablation_is_found_from_anywhere(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    runs = read(find_preset("ablation", name))
    assert len(runs) == 9
    assert {len(own) for own in runs.values()} == {3}


@pytest.mark.parametrize(
    ("name", "phrase"),
    [
        ("defalt", "unknown ablation preset 'defalt': did you mean default?"),
        ("nowhere.yaml", "nowhere.yaml:1: cannot be opened: No such file"),
        ("configs/ablation/nowhere.yaml", "nowhere.yaml:1: cannot be opened: No such file"),
    ],
)
def test_an_ablation_that_is_not_there_is_one_sentence(
    name: str, phrase: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main([name, "--out", str(tmp_path / "out")]) == 2
    shown = capsys.readouterr().err
    assert phrase in shown
    assert shown.count("\n") == 1


def test_a_toy_ablation(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file, out = tmp_path / "toy.yaml", tmp_path / "out"
    file.write_text(yaml.safe_dump(TOY))
    assert main([str(file), "--out", str(out), "--workers", "1"]) == 0
    rows = json.loads((out / "summary.json").read_text())["rows"]
    assert {row["variant"] for row in rows} == {"recipe", "terminal reward"}
    for row in rows:
        assert row["points"] == pytest.approx(sum(row["seeds"]) / 2)
        assert row["ci"][0] < row["points"] < row["ci"][1]
    assert (out / "curves.png").stat().st_size > 1000
    header, *lines = (out / "curves.csv").read_text().splitlines()
    assert header == "variant,seed_number,decisions,points"
    assert len(lines) == sum(len(curve) for row in rows for curve in row["curves"])
    kept = (out / "recipe-s1" / "result.json").stat().st_mtime_ns
    assert main([str(file), "--out", str(out), "--workers", "1"]) == 0
    assert (out / "recipe-s1" / "result.json").stat().st_mtime_ns == kept
    capsys.readouterr()
    file.write_text(yaml.safe_dump(TOY | {"base": {"algorithm": "sarsa"}}))
    assert main([str(file), "--out", str(out)]) == 2
    assert "algorithm" in capsys.readouterr().err
    file.write_text("seeds: [1]")
    assert main([str(file), "--out", str(out)]) == 2
    assert "toy.yaml:1: base is missing" in capsys.readouterr().err
