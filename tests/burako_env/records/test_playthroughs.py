"""Every game has a golden playthrough, and playing it again gives the same text, word for word."""

from __future__ import annotations

import difflib

import pytest

from burako_env.families import game_names
from burako_env.records.replay import verify
from tests.tools.playthrough import GOLDEN, TEXTS, recorded


def test_every_game_has_a_playthrough() -> None:
    assert set(TEXTS) == set(game_names())
    assert {path.stem for path in GOLDEN.glob("*.txt")} == set(game_names())
    assert {path.stem for path in GOLDEN.glob("*.jsonl")} == set(game_names())


@pytest.mark.parametrize("name", game_names())
def test_playthrough_is_the_same(name: str) -> None:
    """A difference is a change of the rules or of their words; if it is meant: `python -m tests.tools.playthrough`."""
    record = recorded(name)
    assert record.game == name
    assert verify([record]) == [None]
    golden = (GOLDEN / f"{name}.txt").read_text(encoding="utf-8")
    found = TEXTS[name](record)
    changes = difflib.unified_diff(golden.splitlines(), found.splitlines(), "golden", "found", lineterm="", n=1)
    assert found == golden, "\n".join(list(changes)[:40])
