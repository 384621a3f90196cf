"""The one reader of YAML: it guesses nothing, and ends at once whatever it is given."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from burako_env.errors import ReadingError
from burako_env.inputs import yaml_text
from experiments.runs.settings import rule_changes

HERE = Path("file.yaml")


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("10", 10),
        ("-3", -3),
        ("+3", 3),
        ("0", 0),
        ("0.5", 0.5),
        (".5", 0.5),
        ("1e-3", 0.001),
        ("1.5E+2", 150.0),
        ("-.inf", float("-inf")),
        ("yes", True),
        ("off", False),
        ("~", None),
        ("", None),
        ("'010'", "010"),
        ("2020-01-01", "2020-01-01"),
        ("9S", "9S"),
        ("<<", "<<"),
        ("[1, [2, a]]", (1, (2, "a"))),
        ("{1: a, b: [c]}", {1: "a", "b": ("c",)}),
    ],
)
def test_plain_values(text, value):
    found = yaml_text.load(text, HERE)
    assert found == value
    assert type(found) is type(value)


@pytest.mark.parametrize(
    ("text", "line", "reason"),
    [
        ("seed: 010", 1, "010 is no plain decimal number"),
        ("a: 1\nseed: 0x10", 2, "0x10"),
        ("seed: 0o17", 1, "0o17"),
        ("seed: 0b11", 1, "0b11"),
        ("seed: 1_000", 1, "1_000"),
        ("seed: 1:30", 1, "1:30"),
        ("seed: 190:20:30.15", 1, "190:20:30.15"),
        ("seed: 01.5", 1, "01.5"),
        ("seed: 1_0.5", 1, "1_0.5"),
        ("a: 1\nb: {c: 2, d: 3,\n c: 4}", 3, "the key 'c' stands twice"),
        ("a: 1\nb: 2\na: 1", 3, "the key 'a' stands twice"),
        ("1: 1\n'1': 2", 2, "the key '1' stands twice"),
        ("[a, b]: 1", 1, "a key is a word or a number"),
        ("a: &x 1\nb: *x", 2, "the alias *x is not read"),
        ("&x [*x]", 1, "the alias *x is not read"),
        ("a: !!python/object/apply:os.system [ls]", 1, "the tag !!python/object/apply:os.system is not read"),
        ("a: !!int '010'", 1, "the tag !!int is not read"),
        ("[" * 5000, 1, "nested more than 30 deep"),
        ("{a: " * 5000, 1, "nested more than 30 deep"),
        ("- " * 5000 + "a", 1, "nested more than 30 deep"),
        ("\n".join(" " * depth + "a:" for depth in range(100)), 30, "nested more than 30 deep"),
        ("a: [1", 1, "not YAML"),
        ("a: 1\n---\nb: 2", 2, "not YAML"),
        ("a: \x07", 1, "not YAML"),
    ],
)
def test_what_is_refused_names_the_line(text, line, reason):
    with pytest.raises(ReadingError) as error:
        yaml_text.load(text, HERE)
    assert str(error.value).startswith(f"file.yaml:{line}: ")
    assert reason in str(error.value)
    assert "\n" not in str(error.value)


@pytest.mark.parametrize(
    "value",
    ["010", "1_000", "0x1f", "1e-3", "yes", "null", "", "1:30", "2020-01-01", "a: b", "é\n", 7, 1e-5, -0.5, True, None],
)
def test_what_is_written_is_read_as_it_was(value):
    assert yaml_text.load(yaml_text.dump({"key": (value, {"k": value})}), HERE) == {"key": (value, {"k": value})}
    assert yaml_text.load(yaml_text.dump_value(value), HERE) == value


def test_only_files_of_a_sane_size_are_read(tmp_path):
    os.mkfifo(tmp_path / "pipe")
    (tmp_path / "huge").write_bytes(b"#" * (yaml_text.MAX_BYTES + 1))
    (tmp_path / "latin").write_bytes(b"a: 1\nb: \xe9")
    for name, line, reason in (
        ("pipe", 1, "a device or a pipe"),
        (".", 1, "is a folder"),
        ("absent", 1, "cannot be opened: No such file"),
        ("no\0name", 1, "cannot be opened"),
        ("huge", 1, "larger than 4 MiB"),
        ("latin", 2, "not UTF-8"),
    ):
        with pytest.raises(ReadingError) as error:
            yaml_text.read_text(tmp_path / name)
        assert str(error.value).startswith(f"{tmp_path / name}:{line}: ")
        assert reason in str(error.value)
    with pytest.raises(ReadingError, match="a device or a pipe"):
        yaml_text.read_text(Path("/dev/zero"))


def test_places_have_lines():
    node = yaml_text.compose("a: 1\nb:\n  c:\n    - 2\n    - 3\n", HERE)
    places = {(): 1, ("a",): 1, ("b",): 2, ("b", "c"): 3, ("b", "c", 1): 5, ("b", "x"): 2, ("b", "c", 9): 3}
    assert {place: yaml_text.line_of(node, place) for place in places} == places


def test_rule_changes_are_read_alike():
    assert rule_changes(["decks=3", "consult=no", "rank_values=[1, 2]"]) == {
        "decks": 3,
        "consult": False,
        "rank_values": (1, 2),
    }
    with pytest.raises(ValueError, match="'010' is no value for rule decks: 010 is no plain decimal number"):
        rule_changes(["decks=010"])
