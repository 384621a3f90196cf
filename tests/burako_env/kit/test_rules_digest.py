"""The names of rules: a rule that comes later, with a default, renames nothing that was made before it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from pydantic import Field

import agents
from agents.learned.checkpoint import load_network
from burako_env.burako import rules
from burako_env.burako.rules import Rules, burako_rules
from burako_env.errors import UserError
from burako_env.families import make
from burako_env.records.format import read
from burako_env.records.replay import verify
from burako_env.ruibal import rules as levels
from burako_env.ruibal.rules import RuibalRules
from experiments.discards.store import read_suite, write_suite
from experiments.discards.suite import Source, sample
from tests.tools.places import ROOT

RECORDS = sorted((ROOT / "tests" / "golden").glob("*.jsonl"))
BOTS = sorted((ROOT / "agents" / "bots").glob("*.safetensors"))
SANCTIONS = {"enforcement": "sanctions"}


class LaterRules(Rules):
    """The rules of a version to come."""

    bonus_ranks: tuple[int, ...] = Field((), description="ranks that count double")
    wild_threes: bool = Field(False, description="whether black threes are wild")


class LaterLevel(RuibalRules):
    """A level of a version to come."""

    first_move: int = Field(0, description="who begins")


@pytest.fixture
def later(monkeypatch: pytest.MonkeyPatch) -> None:
    """Every game has one more rule key."""
    monkeypatch.setattr(rules, "Rules", LaterRules)
    for name, level in levels.PRESETS.items():
        monkeypatch.setitem(levels.PRESETS, name, LaterLevel(**level.model_dump()))


@pytest.mark.parametrize(
    ("game", "config", "digest"),
    # As files made by version 0.1.0 have them.
    [
        ("burako-4", {}, "befaa9eec54fe5aa"),
        ("burako-6", {}, "109486cbc875d558"),
        ("burako-8", {}, "3ad831524b1f1f26"),
        ("burako-4", {"ace": "low"}, "8400613bf79ffa37"),
        ("burako-6", SANCTIONS, "009aa4f3677445d8"),
        ("burako-4", {**SANCTIONS, "manual_close": False}, "554b470be38a66c0"),
        ("ruibal-1", {}, "2b6457fe5162010a"),
        ("ruibal-2", {}, "f2becef2b0df4da0"),
        ("ruibal-3", {"players": 2}, "a386025570c56947"),
    ],
)
def test_a_later_key_at_its_default_renames_nothing(later: None, game: str, config: dict, digest: str) -> None:
    found = make(game, config=config)
    assert isinstance(found.rules, LaterRules | LaterLevel)
    assert found.rules_digest == digest


def test_a_later_key_that_differs_gives_another_name(later: None) -> None:
    rules = [burako_rules("burako-4", changes) for changes in ({}, {"wild_threes": True}, {"bonus_ranks": (3,)})]
    assert len({some.digest() for some in rules}) == 3
    level = levels.PRESETS["ruibal-2"]
    assert level.model_copy(update={"first_move": 1}).digest() != level.digest()


def test_a_later_key_that_a_preset_sets_renames_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    """Black threes are wild in burako-6 only, as (let us say) they have always been."""
    monkeypatch.setattr(rules, "Rules", LaterRules)
    six = rules.PRESETS["burako-6"].model_dump(exclude_unset=True)
    monkeypatch.setitem(rules.PRESETS, "burako-6", LaterRules(**six, wild_threes=True))
    assert burako_rules("burako-6").wild_threes
    assert burako_rules("burako-6").digest() == "109486cbc875d558"
    assert burako_rules("burako-6", {"wild_threes": False}).digest() != "109486cbc875d558"


@pytest.mark.parametrize("path", RECORDS, ids=lambda path: path.stem)
def test_records_hold_under_a_later_key(later: None, path: Path) -> None:
    records = [record for _, record in read(path)]
    assert records
    assert verify(records) == [None] * len(records)


def test_a_record_under_another_value_of_a_later_key_is_refused(later: None) -> None:
    (_, record), *_ = read(ROOT / "tests" / "golden" / "burako-4.jsonl")
    (failure,) = verify([record.model_copy(update={"rules": {"wild_threes": True}})])
    assert failure is not None
    assert failure.endswith("the record was made under other rules")


def test_a_record_of_a_later_version_is_refused_by_this_one(tmp_path: Path) -> None:
    (_, record), *_ = read(ROOT / "tests" / "golden" / "burako-4.jsonl")
    values = record.model_dump(mode="json", exclude_none=True)
    path = tmp_path / "later.jsonl"
    path.write_text(json.dumps({**values, "rules": {"wild_threes": True}}))
    with pytest.raises(UserError, match="unknown rule key 'wild_threes'"):
        list(read(path))


@pytest.mark.parametrize("path", BOTS, ids=lambda path: path.stem)
def test_bots_play_under_a_later_key(later: None, path: Path) -> None:
    header, _ = load_network(path)
    agents.load(str(path), header.game, header.config)
    if header.rules:
        assert header.rules == make(header.game, config=header.config).rules_digest


def test_a_suite_is_read_under_a_later_key(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    path = tmp_path / "suite.parquet"
    suite = sample(Source("burako-4", (), "random", seed=1, hands=8, positions=4), "discards")
    write_suite(suite, path)
    monkeypatch.setattr(rules, "Rules", LaterRules)
    assert len(read_suite(path, "burako-4", burako_rules("burako-4"))) == 4
    with pytest.raises(UserError, match="with rules befaa9eec54fe5aa, not of burako-4 with rules"):
        read_suite(path, "burako-4", burako_rules("burako-4", {"wild_threes": True}))


@pytest.mark.parametrize(("key", "value"), rules.FORMER_KEYS.items())
def test_a_key_of_one_value_that_is_gone(key: str, value: object) -> None:
    """An old file may name it with the value that it had, and its digest stays; another value is refused."""
    assert key not in Rules.model_fields
    assert burako_rules("burako-4", {key: value}).digest() == "befaa9eec54fe5aa"
    with pytest.raises(UserError, match=f"rules of burako-4: {key} = 0: the only value is {value!r}"):
        burako_rules("burako-4", {key: 0})
