"""Records: written while play goes on, read back, played again, and refused with place and reason if damaged."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from burako_env.batch import BatchGame
from burako_env.cases import ReadingError
from burako_env.chance.rng import mix
from burako_env.choice import random_legal
from burako_env.errors import UserError
from burako_env.families import make, make_match
from burako_env.records.format import HandRecord, MatchRecord, Record, append, format_record, parse_record, read
from burako_env.records.recorder import Recorder
from burako_env.records.replay import verify
from experiments.commands.check import check

SHORT = {"max_turns": 6}
AGENTS = {4: ("a", "b", "a", "b"), 6: tuple("ababab"), 8: tuple("abababab")}


def record_all(game: BatchGame, config: dict[str, Any], deal_ids: list[int], swapped: bool = False) -> list[Record]:
    """Records of random play of these deals, by slot."""
    recorder = Recorder(game, config)
    game.reset(deal_ids, swap_sides=swapped)
    recorder.begin(AGENTS[game.seats])
    found: dict[int, Record] = {}
    while not game.done.all():
        actions = random_legal(game.legal_packed(), mix(game.keys()))
        recorder.note(actions)
        game.step(actions)
        found.update(recorder.collect())
    return [found[slot] for slot in range(game.size)]


def hands(
    config: dict[str, Any] | None = None, name: str = "burako-4", deals: tuple[int, ...] = (0, 1, 2)
) -> list[Record]:
    config = SHORT if config is None else config
    return record_all(make(name, len(deals), 5, config), config, list(deals))


def matches(deals: tuple[int, ...] = (3, 4)) -> list[Record]:
    config = {**SHORT, "max_hands": 3}
    return record_all(make_match("burako-4", len(deals), 5, config), config, list(deals))


def changed(record: Record, **changes: Any) -> Record:
    return record.model_copy(update=changes)


@pytest.mark.parametrize("name", ["burako-4", "burako-6", "burako-8"])
def test_hands_are_written_read_and_verified(name: str, tmp_path: Path) -> None:
    path = tmp_path / "some" / "hands.jsonl"
    config = {"ace": "low", "max_turns": 60, "rank_values": tuple(range(13))}
    records = hands(config, name)
    append(path, records[:1])
    append(path, records[1:])
    back = list(read(path))
    assert [record for _, record in back] == records
    assert [line for line, _ in back] == [1, 2, 3]
    assert verify([record for _, record in back]) == [None, None, None]
    assert [record.result.reason for record in records] == ["truncated"] * 3 or name != "burako-8"
    assert records[0].agents == AGENTS[int(name[-1])]
    assert check([path]) == 0


def test_the_line_is_as_the_module_says() -> None:
    (record,) = hands(deals=(7,))
    values = json.loads(format_record(record))
    assert list(values) == [
        *("format", "kind", "game", "rules", "rules_digest", "root_seed", "deal_id", "swapped", "agents", "actions"),
        "result",
    ]
    assert values["rules"] == SHORT
    assert values["deal_id"] == 7
    assert values["root_seed"] == 5
    assert values["actions"][0] == "draw stock"
    assert set(values["result"]) == {"scores", "reason", "turns"}
    assert parse_record(format_record(record)) == record


def test_whole_hands_to_their_natural_end() -> None:
    records = hands({}, deals=tuple(range(8)))
    assert {record.result.reason for record in records} == {"out", "exhausted"}
    assert verify(records) == [None] * 8


def test_swapped_deals() -> None:
    records = record_all(make("burako-4", 2, 0, SHORT), SHORT, [0, 1], swapped=True)
    assert all(record.swapped for record in records)
    assert verify(records) == [None, None]
    failures = verify([changed(record, swapped=False) for record in records])
    assert all(failure is not None for failure in failures)


def test_matches_are_written_read_and_verified(tmp_path: Path) -> None:
    records = matches()
    path = tmp_path / "matches.jsonl"
    append(path, records)
    assert [record for _, record in read(path)] == records
    assert verify(records) == [None, None]
    for record in records:
        assert isinstance(record, MatchRecord)
        assert len(record.hands) == 3
        assert record.result.reason == "truncated"
        points = np.array([hand.result.scores for hand in record.hands])
        assert record.result.scores == tuple(points.sum(axis=0).tolist())
        assert len({hand.deal_id for hand in record.hands} | {record.deal_id}) == 4


def test_hands_and_matches_of_several_games_are_verified_together() -> None:
    records = [*hands(), *matches(), *hands({"ace": "low", **SHORT}), *hands(name="burako-6")]
    wrong = changed(records[4], root_seed=6)
    found = verify([*records, wrong])
    assert found[:-1] == [None] * len(records)
    assert found[-1] is not None


def test_a_slot_is_recorded_alone() -> None:
    """`begin` and `note` with slots; a slot without `begin` is not recorded."""
    game = make("burako-4", 3, 0, SHORT)
    recorder = Recorder(game, SHORT)
    game.reset([4, 5, 6])
    recorder.begin(slots=[1])
    found: list[tuple[int, Record]] = []
    while not game.done.all():
        live = np.flatnonzero(~game.done)
        actions = random_legal(game.legal_packed(live), mix(game.keys(live)))
        recorder.note(actions, live)
        game.step(actions, live)
        found += recorder.collect()
    ((slot, record),) = found
    assert (slot, record.deal_id, record.agents) == (1, 5, ())
    assert verify([record]) == [None]


@pytest.mark.parametrize("maker", [make, make_match])
def test_play_that_is_broken_off(maker: Callable[..., BatchGame]) -> None:
    config = {"max_turns": 3}
    game = maker("burako-4", 1, 0, config)
    recorder = Recorder(game, config)
    game.reset([0])
    recorder.begin()
    for _ in range(40):
        actions = random_legal(game.legal_packed(), mix(game.keys()))
        recorder.note(actions)
        game.step(actions)
        record = recorder.collect()
        if record or game.decisions[0] == 14:
            break
    stopped = recorder.stop(0) if not record else record[0][1]
    assert verify([stopped]) == [None]
    if maker is make_match:
        assert stopped.result.reason == "unfinished"
        assert stopped.parts[-1].result.reason == "unfinished"


def test_a_recorder_knows_its_rules() -> None:
    with pytest.raises(ValueError, match="not the rules of the game"):
        Recorder(make("burako-4", 1, 0, {"ace": "low"}))
    with pytest.raises(ValueError, match="3 agents for 4 seats"):
        Recorder(make("burako-4")).begin(["a", "b", "c"])


# records that do not replay


def with_action(record: Record, place: int, text: str) -> Record:
    assert isinstance(record, HandRecord)
    actions = list(record.actions)
    actions[place - 1] = text
    return changed(record, actions=tuple(actions))


def test_a_record_that_does_not_replay_says_where_and_why() -> None:
    (record,) = hands(deals=(0,))
    assert isinstance(record, HandRecord)
    last = len(record.actions)
    points = record.result.scores
    for wrong, phrase in [
        (with_action(record, 1, "draw pile"), "action 1 'draw pile' is not legal for seat"),
        (with_action(record, 1, "draw pile"), "in phase draw: legal are draw stock"),
        (with_action(record, 2, "discard JK"), "action 2 'discard JK' is not legal for seat"),
        (changed(record, actions=record.actions[:-1]), f"action {last - 1} is the last, but the hand is not over"),
        (
            changed(record, actions=(*record.actions, "draw stock")),
            f"action {last + 1} 'draw stock': the hand was over",
        ),
        (changed(record, deal_id=1), "action"),
        (changed(record, rules_digest="0" * 16), "rules_digest is '0000000000000000', these rules have '"),
        (changed(record, rules={}), "the record was made under other rules"),
        (
            changed(record, result=record.result.model_copy(update={"scores": (0, 1)})),
            f"result: scores is [0, 1], playing again gives {list(points)}",
        ),
        (
            changed(record, result=record.result.model_copy(update={"reason": "out"})),
            "result: reason is out, playing again gives truncated",
        ),
        (changed(record, result=record.result.model_copy(update={"turns": 5})), "turns is 5, playing again gives 6"),
    ]:
        (failure,) = verify([wrong])
        assert failure is not None
        assert phrase in failure


def test_a_match_that_does_not_replay_says_in_which_hand() -> None:
    record = matches((3,))[0]
    assert isinstance(record, MatchRecord)
    first, second, third = record.hands

    def second_with(**changes: Any) -> Record:
        return changed(record, hands=(first, second.model_copy(update=changes), third))

    for wrong, phrase in [
        (second_with(actions=("draw pile", *second.actions[1:])), "hand 2, action 1 'draw pile' is not legal"),
        (second_with(deal_id=1), f"hand 2: deal_id is 1, of this match it is {second.deal_id}"),
        (second_with(actions=second.actions[:-1]), "hand 2, action"),
        (second_with(actions=(*second.actions, "keep")), "'keep': the hand was over before it"),
        (second_with(result=first.result), "hand 2: result: scores is"),
        (changed(record, hands=(first, second)), "result: reason is truncated, playing again gives unfinished"),
        (changed(record, hands=(*record.hands, third)), "hand 4, action 1 'draw stock': the match was over before it"),
        (changed(record, result=first.result), "result: scores is"),
    ]:
        (failure,) = verify([wrong])
        assert failure is not None
        assert phrase in failure


# damaged files


@pytest.fixture
def line() -> str:
    return format_record(hands(deals=(0,))[0])


@pytest.mark.parametrize(
    ("old", "new", "phrase"),
    [
        ('"format":1', '"format":2', "record format 2: this version reads format 1"),
        ('"format":1,', "", "record format null: this version reads format 1"),
        ('"kind":"hand"', '"kind":"game"', 'kind "game": a record is of a hand or a match'),
        ('"kind":"hand"', '"kind":"match"', "is missing"),
        ("burako-4", "burako-5", "unknown game 'burako-5': did you mean"),
        ('"max_turns":6', '"max_turn":6', "unknown rule key 'max_turn': did you mean max_turns"),
        ('"max_turns":6', '"max_turns":0', "max_turns = 0"),
        ('"swapped":false', '"swaped":false', "unknown record key 'swaped': did you mean swapped?"),
        ('"swapped":false', '"swapped":0', "swapped is 0: input should be a valid boolean"),
        ('"swapped":false', '"swapped":false,"swapped":true', "the key 'swapped' stands twice"),
        ('"deal_id":0', '"deal_id":"0"', 'deal_id is "0": input should be a valid integer'),
        ('"deal_id":0', '"deal_id":9999999999999999999999', "deal_id is 9999999999999999999999"),
        ('"deal_id":0', '"deal_id":NaN', "not JSON: NaN is no value"),
        ('"deal_id":0,', "", "deal_id is missing"),
        ('["a","b","a","b"]', '["a","b"]', "agents has 2 names: burako-4 has 4 seats"),
        ('"draw stock"', '"draw stok"', "action 1: unknown action 'draw stok': did you mean draw stock"),
        ('"draw stock"', '"discard 9X"', "action 1: '9X' is not a card"),
        ('"draw stock"', "7", "actions.0 is 7: input should be a valid string"),
        ('"reason":"truncated",', "", "result.reason is missing"),
        ('"reason"', '"raeson"', "is missing"),
        ('"turns":6', '"turns":6,"turn":6', "unknown record key 'turn': did you mean turns"),
        ('{"format"', '["format"', "not JSON"),
    ],
)
def test_damaged_records(old: str, new: str, phrase: str, line: str, tmp_path: Path) -> None:
    assert old in line
    path = tmp_path / "damaged.jsonl"
    path.write_text(f"{line}\n\n{line.replace(old, new, 1)}\n{line}\n")
    with pytest.raises(ReadingError) as error:
        list(read(path))
    assert str(error.value).startswith(f"{path}:3: ")
    assert phrase in str(error.value)
    assert check([path]) == 2


def test_every_cut_of_a_line_is_named(line: str, tmp_path: Path) -> None:
    """A write that was broken off anywhere: the message names the line, and the next append does not join it."""
    path = tmp_path / "cut.jsonl"
    whole = parse_record(line)
    for length in range(1, len(line), 97):
        path.write_text(f"{line}\n{line[:length]}")
        with pytest.raises(ReadingError, match=r"cut\.jsonl:2: not JSON.*broken off, delete it"):
            list(read(path))
        append(path, [whole])
        assert path.read_text() == f"{line}\n{line[:length]}\n{line}\n"
        with pytest.raises(ReadingError, match=r"cut\.jsonl:2: not JSON"):
            list(read(path))


def test_other_files(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(ReadingError, match=r"absent\.jsonl:1: cannot be opened"):
        list(read(tmp_path / "absent.jsonl"))
    latin = tmp_path / "latin.jsonl"
    latin.write_bytes(b'{"format":1}\n'.replace(b"1", b"\xf1"))
    with pytest.raises(ReadingError, match=r"latin\.jsonl:1: is not UTF-8"):
        list(read(latin))
    for text in ("[1]", "7", '"text"', "null"):
        with pytest.raises(UserError, match="a record is a JSON object"):
            parse_record(text)
    (tmp_path / "empty.jsonl").write_text("")
    assert check([tmp_path / "empty.jsonl"]) == 2
    assert "empty.jsonl:1: holds no records" in capsys.readouterr().err
    with pytest.raises(UserError, match="cannot write"):
        append(latin / "below.jsonl", hands(deals=(0,)))


def test_check_reports_records(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "two.jsonl"
    good, other = hands(deals=(0, 1))
    append(path, [good, with_action(other, 3, "draw pile")])
    assert check([path]) == 1
    first, summary = capsys.readouterr().out.splitlines()
    assert first.startswith(f"{path}:2: hand 1 of burako-4: action 3 'draw pile' is not legal for seat")
    assert summary == "2 records, 1 passed, 1 failed"
    case = tmp_path / "case.yaml"
    case.write_text("- name: first\n  game: burako-4\n  steps:\n    - expect: {phase: draw}\n")
    assert check([case, path]) == 1
    assert capsys.readouterr().out.splitlines()[-1] == "1 cases and 2 records, 2 passed, 1 failed"
