"""The command line: help, presets, and one sentence with exit code 2 for every mistake."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest
import yaml

import burako_env
from burako_env.burako.rules import Rules
from burako_env.errors import UserError
from experiments.cli import COMMANDS, main
from experiments.commands.evaluate import EvaluateSettings
from experiments.commands.throughput import ThroughputSettings
from experiments.commands.tournament import TournamentSettings
from experiments.runs import settings as presets

MEASURING = {"tournament": TournamentSettings, "evaluate": EvaluateSettings, "throughput": ThroughputSettings}


def mistake(capsys, *arguments: str) -> str:
    """The sentence that a bad command line gets."""
    assert main(arguments) == 2
    shown = capsys.readouterr()
    assert shown.out == ""
    assert shown.err.startswith("error: ")
    assert shown.err.count("\n") == 1
    assert "Traceback" not in shown.err
    return shown.err


def test_usage_lists_every_command(capsys):
    assert main([]) == 0
    shown = capsys.readouterr().out
    assert all(f"  {name} " in shown for name in COMMANDS)


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_has_help(command, capsys):
    with pytest.raises(SystemExit) as stop:
        main([command, "--help"])
    assert stop.value.code == 0
    shown = capsys.readouterr().out
    assert f"usage: burako {command}" in shown


def test_version(capsys):
    assert main(["--version"]) == 0
    assert capsys.readouterr().out.startswith("burako-selfplay ")


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("tornament", "did you mean tournament"),
        ("evaluate random random --bords 3", "unknown option '--bords': did you mean --boards"),
        ("evaluate random random --boards many", "--boards"),
        ("evaluate random random --boards 0", "boards = 0"),
        ("evaluate random random --boards", "--boards"),
        ("evaluate random", "missing B"),
        ("evaluate random random third", "third"),
        ("evaluate random randum", "unknown agent 'randum': did you mean random?"),
        ("evaluate random random --game burako-5", "unknown game 'burako-5': did you mean"),
        ("evaluate random random --rules consul=false", "unknown rule key 'consul': did you mean consult?"),
        ("evaluate random random --rules consult", "written key=value"),
        ("evaluate random random --rules max_turns=0", "max_turns"),
        ("evaluate random random --rules decks=9", "decks"),
        ("tournament --agents random", "at least two"),
        ("tournament --agents random random", "named twice"),
        ("tournament --agents random heuristic --anchor heuristik", "did you mean heuristic"),
        ("tournament --config defalt", "did you mean default"),
        ("tournament --config nowhere.yaml", "nowhere.yaml:1: cannot be opened"),
        ("throughput --games burako4", "did you mean burako-4"),
        ("throughput --batch 0", "batch.0 = 0"),
        ("throughput --modes fast", "fast"),
        ("rules burako-44", "did you mean burako-4"),
        ("check", "case files"),
    ],
)
def test_mistakes_get_one_sentence(line, expected, capsys):
    assert expected in mistake(capsys, *line.split())


def test_mistakes_exit_with_2_without_a_traceback():
    call = [sys.executable, "-m", "experiments.cli", "rules", "burako-44"]
    found = subprocess.run(call, capture_output=True, text=True, check=False)
    assert found.returncode == 2
    assert found.stderr.startswith("error: unknown game 'burako-44'")
    assert found.stderr.count("\n") == 1


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("bords: 3", "unknown key 'bords': did you mean boards"),
        ("out: here", "unknown key 'out'"),
        ("boards: many", "boards = 'many'"),
        ("boards: 0", "boards = 0"),
        ("agents: [1, 2]", "agents"),
        ("- a\n- b", "mine.yaml:1: a preset is a mapping"),
        ("boards: [1", "mine.yaml:1: not YAML"),
    ],
)
def test_mistakes_in_a_preset_name_the_file(text, expected, tmp_path, capsys):
    path = tmp_path / "mine.yaml"
    path.write_text(text)
    found = mistake(capsys, "tournament", "--config", str(path))
    assert expected in found
    assert "mine.yaml" in found


def test_a_mistake_in_a_group_of_a_preset_has_its_line_and_a_suggestion(tmp_path, capsys):
    path = tmp_path / "mine.yaml"
    path.write_text("slots: 1\nppo:\n  epoch: 3\n")
    assert "mine.yaml:3: unknown key 'epoch': did you mean epochs?" in mistake(capsys, "train", "--config", str(path))


def test_used_or_impossible_folder_is_refused(tmp_path, capsys):
    (tmp_path / "file").write_text("x")
    line = ("evaluate", "random", "random", "--boards", "1", "--out")
    assert "not empty" in mistake(capsys, *line, str(tmp_path))
    assert "file" in mistake(capsys, *line, str(tmp_path / "file"))
    assert "no run that could be resumed" in mistake(capsys, *line, str(tmp_path), "--resume")


def test_flags_override_the_preset_field_by_field(tmp_path):
    path = tmp_path / "mine.yaml"
    path.write_text("boards: 7\nagents: [a, b, c]\nrules: {consult: false, max_turns: 90}\nseed: 4\n")
    plain = presets.parse("tournament", TournamentSettings, ["--config", str(path)])
    assert (plain.boards, plain.agents, plain.seed, plain.game) == (7, ("a", "b", "c"), 4, "burako-4")
    assert presets.rule_changes(plain.rules) == {"consult": False, "max_turns": 90}
    changed = presets.parse(
        "tournament",
        TournamentSettings,
        ["--seed", "5", f"--config={path}", "--agents", "d", "e", "--rules", "decks=3"],
    )
    assert (changed.boards, changed.agents, changed.seed, changed.rules) == (7, ("d", "e"), 5, ("decks=3",))


def test_positional_agents_override_the_preset(tmp_path):
    path = tmp_path / "mine.yaml"
    path.write_text("a: one\nb: two\n")
    assert presets.parse("evaluate", EvaluateSettings, ["--config", str(path)]).b == "two"
    found = presets.parse("evaluate", EvaluateSettings, ["three", "four", "--config", str(path)])
    assert (found.a, found.b) == ("three", "four")
    path.write_text("a: one\n")
    with pytest.raises(UserError, match="missing B"):
        presets.parse("evaluate", EvaluateSettings, ["--config", str(path)])


def test_saved_settings_are_taken_again(tmp_path):
    line = [
        "--agents",
        "x",
        "y:pile=never",
        "--boards",
        "9",
        "--rules",
        "rank_values=[20,20,5,5,5,5,5,10,10,10,10,10,9]",
    ]
    first = presets.parse("tournament", TournamentSettings, [*line, "--out", str(tmp_path), "--resume"])
    path = tmp_path / "config.yaml"
    presets.save_preset("tournament", first, path)
    second = presets.parse("tournament", TournamentSettings, ["--config", str(path)])
    assert second.saved() == first.saved()
    assert second.out is None
    assert not second.resume
    rules = burako_env.burako.rules.burako_rules("burako-4", presets.rule_changes(second.rules))
    assert rules.rank_values[-1] == 9


@pytest.mark.parametrize(
    ("command", "path"),
    [(command, path) for command in MEASURING for path in sorted(presets.preset_folder(command).glob("*.yaml"))],
    ids=lambda value: value if isinstance(value, str) else value.stem,
)
def test_shipped_presets_are_valid(command, path):
    found = presets.parse(command, MEASURING[command], ["--config", path.stem])
    for key, value in yaml.safe_load(path.read_text()).items():
        assert found.saved()[key] == value


def test_games_and_agents_are_listed(capsys):
    assert main(["games"]) == 0
    shown = capsys.readouterr().out
    assert all(name in shown for name in burako_env.game_names())
    assert main(["agents"]) == 0
    shown = capsys.readouterr().out
    assert "random" in shown
    assert "pile=" in shown


@pytest.mark.parametrize("name", ["burako-4", "burako-6", "burako-8"])
def test_rules_prints_every_key_with_its_value(name, capsys):
    assert main(["rules", name]) == 0
    shown = capsys.readouterr().out
    rules = burako_env.burako.rules.burako_rules(name)
    for key in Rules.model_fields:
        row = next(line for line in shown.splitlines() if f" {key} " in line)
        value = getattr(rules, key)
        if isinstance(value, int) and not isinstance(value, bool):
            assert str(value) in row.split()


def test_check_runs_case_files(tmp_path, capsys):
    good = tmp_path / "good.yaml"
    good.write_text("- name: first\n  game: burako-4\n  steps:\n    - expect: {phase: draw}\n")
    assert main(["check", str(good)]) == 0
    bad = tmp_path / "bad.yaml"
    bad.write_text("- name: first\n  game: burako-4\n  steps:\n    - expect: {phase: lay}\n")
    assert main(["check", str(good), str(bad)]) == 1
    assert main(["check", str(tmp_path / "absent.yaml")]) == 2
    capsys.readouterr()


def test_libraries_get_one_thread():
    environment = {key: value for key, value in os.environ.items() if not key.endswith("_THREADS")}
    code = "import experiments, os; print(os.environ['OMP_NUM_THREADS'], os.environ['OPENBLAS_NUM_THREADS'])"
    call = [sys.executable, "-c", code]
    found = subprocess.run(call, capture_output=True, text=True, check=True, env=environment)
    assert found.stdout.split() == ["1", "1"]
    found = subprocess.run(call, capture_output=True, text=True, check=True, env=environment | {"OMP_NUM_THREADS": "3"})
    assert found.stdout.split()[0] == "3"
