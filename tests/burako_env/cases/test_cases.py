"""Case files: the rules in words run through the core, and the reader itself (positions, steps, errors, reports)."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import numpy as np
import pytest

from burako_env.burako.game import BurakoGame
from burako_env.burako.notation import parse_cards
from burako_env.burako.position import Position
from burako_env.burako.rules import PRESETS, Rules
from burako_env.cards import JOKER, is_wild
from burako_env.cases import ReadingError, read_cases, run_case
from burako_env.cases.burako.expect import EXPECTATIONS
from burako_env.cases.burako.groups import group_kind
from burako_env.cases.burako.keys import format_position
from burako_env.cases.burako.position import read_position
from burako_env.cases.nodes import nodes_of_text
from experiments.commands.check import check
from tests.tools.places import CASES, TESTS

CASE_FILES = sorted(CASES.rglob("*.yaml"))
BAD_FILES = sorted((TESTS / "cases_bad").rglob("*.yaml"))
EXPECT_MARK = "# expect:"

HANDS = 'hands: ["8S 7D", "3C", "3D", "3H"]'


@pytest.mark.parametrize("path", CASE_FILES, ids=lambda path: path.stem)
def test_cases_hold(path: Path) -> None:
    failures = [str(failure) for failure in map(run_case, read_cases(path)) if failure is not None]
    assert not failures, "\n".join(failures)


@pytest.mark.parametrize("path", BAD_FILES, ids=lambda path: path.stem)
def test_bad_files_are_refused(path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The first line of such a file is `# expect: PHRASE`; the error names file and line and contains the phrase."""
    first = path.read_text(encoding="utf-8").splitlines()[0]
    assert first.startswith(EXPECT_MARK), f"{path} begins with '{EXPECT_MARK} PHRASE'"
    assert check([path]) == 2
    error = capsys.readouterr().err
    assert error.startswith(f"{path}:")
    assert error.count("\n") == 1
    assert first.removeprefix(EXPECT_MARK).strip() in error


# positions


def position_of(text: str, rules: Rules = PRESETS["burako-4"]) -> Position:
    """The position of a YAML text."""
    node = nodes_of_text(text, Path("text.yaml"))
    assert node is not None
    return read_position(node, rules)


def all_cards(position: Position) -> Counter[int]:
    """Every card of a position."""
    zones = [*position.hands, position.pile, position.stock]
    for groups in (*position.tables, *position.closed, *position.burakos):
        zones += groups
    return Counter(card for zone in zones for card in zone)


def test_defaults() -> None:
    position = position_of(f"{{turn: 3, phase: lay, {HANDS}}}")
    assert position.tables == position.closed == [[], []]
    assert position.pile == []
    assert [[len(burako) for burako in team] for team in position.burakos] == [[11], [11]]
    assert len(position.stock) == 108 - 5 - 22
    assert all(count == (4 if card == JOKER else 2) for card, count in all_cards(position).items())
    assert (position.final_turns, position.answer, position.first_draw) == (None, "none", False)
    assert position.cutter == 1


@pytest.mark.parametrize(("phase", "final"), [("draw", 3), ("lay", 4)])
def test_final_turns_with_an_empty_stock(phase: str, final: int) -> None:
    assert position_of(f"{{turn: 0, phase: {phase}, {HANDS}, stock: ''}}").final_turns == final


def test_stars_fill_hands_pile_stock_burakos_in_this_order() -> None:
    text = '{turn: 0, phase: lay, hands: ["8S *2", "*2", "*1", "*1"], pile: "*2 5D", stock: "KH *3 KD", SEED}'
    order = position_of(
        '{turn: 0, phase: lay, hands: ["8S", "*99", "5D", "KH KD"], burakos_taken_by: [[0], [1]], seed: 7}'
    )
    rest = [*order.hands[1], *order.stock]
    filled = position_of(text.replace("SEED", "seed: 7"))
    assert [card for hand in filled.hands for card in hand] == [*parse_cards("8S"), *rest[:6]]
    naturals = [card for card in rest[6:] if not is_wild(card)]
    assert filled.pile == [*naturals[:2], *parse_cards("5D")]
    left = rest[6:]
    for card in naturals[:2]:
        left.remove(card)
    assert filled.stock == [*parse_cards("KH"), *left[:3], *parse_cards("KD")]
    assert [card for team in filled.burakos for burako in team for card in burako] == left[3:25]
    assert position_of(text.replace("SEED", "seed: 7")) == filled
    assert position_of(text.replace("SEED", "seed: 8")) != filled
    assert position_of(text.replace(", SEED", "")) == position_of(text.replace("SEED", "seed: 0"))


def test_no_star_of_the_pile_is_a_wild() -> None:
    for seed in range(30):
        text = f'{{turn: 0, phase: lay, hands: ["8S", "3C", "3D", "3H"], pile: "*20", seed: {seed}}}'
        assert not any(map(is_wild, position_of(text).pile))


def test_the_only_team_mate_is_the_asker() -> None:
    text = f"{{turn: 2, phase: answer, {HANDS}, burakos_taken_by: [[2], []]}}"
    assert (position_of(text).asker, position_of(text).answer) == (0, "asked")


def test_an_answer_means_that_the_question_was_asked() -> None:
    for word, answer in (("yes", "yes"), ("no", "no"), ("'no'", "no"), ("true", "yes")):
        assert position_of(f"{{turn: 0, phase: lay, {HANDS}, answer: {word}}}").answer == answer


@pytest.mark.parametrize("name", ["burako-4", "burako-6", "burako-8"])
def test_positions_round_trip(name: str) -> None:
    """Positions met in random play, written as a case file, read and put back into a game, are the same positions."""
    rng = np.random.default_rng(5)
    game = BurakoGame(PRESETS[name], 4, 0, name=name)
    game.reset(np.arange(4))
    for decision in range(200):
        legal = game.legal()
        game.step((legal * rng.random(legal.shape)).argmax(axis=1))
        written = game.position(decision % 4)
        if written.phase != "over" and decision % 3 == 0:
            read = position_of(format_position(written), PRESETS[name])
            again = BurakoGame.from_positions([read]).position(0)
            # What a case file has no place for.
            again.cutter, again.bottom, again.drawn = written.cutter, written.bottom, written.drawn
            assert again == written


@pytest.mark.parametrize(
    ("cards", "words"),
    [
        ("9C 9D 9H", "clean set"),
        ("9C 9C JK", "dirty set"),
        ("AC AD AH AS", "clean aces"),
        ("AC AD 2D", "dirty aces"),
        ("2C 2C JK", "wilds"),
        ("3H 2H 5H 6H 7H", "dirty run"),
        ("3H 2H 4H 5H 6H 7H", "clean run"),
        ("2S 3S 4S 5S 6S JK 8S", "dirty run"),
        ("AS 2S 2S", "dirty run"),
        ("QS KS AS", "clean run"),
        ("2S 3S JK", "dirty run"),
        ("JS QS KS 2S", "dirty run"),
        ("AS 2S 3S KS", None),
        ("KS AS 2S", "dirty run"),
        ("9C JK JK", None),
        ("9C 9D JK 2S", None),
        ("9S 10S QS KS", None),
        ("9S 9H 10S", None),
        ("2C 2D 9S", None),
        ("9S 9S 10S 8S", None),
        ("9S 10S", None),
        ("2H 3H 4H 5H 6H 7H 8H 9H", None),
    ],
)
def test_groups(cards: str, words: str | None) -> None:
    kind = group_kind(parse_cards(cards), PRESETS["burako-4"])
    assert (kind.words if kind else None) == words


# expectations

SCENE = """
- name: scene
  game: burako-4
  position:
    turn: 0
    phase: draw
    hands: ["4S 2C", "3C", "3D", "9H 3H"]
    tables: [["9C 9D 9S", "5S 6S 7S"], []]
    closed: [["KC KC KD KH KH KS JK"], []]
    pile: "QC JC"
    stock: "KD 8D 8H"
    burakos_taken_by: [[2], []]
    shown: ["2C", "", "", ""]
    known: ["", "", "", "9H"]
  steps:
    - play: draw stock
    - expect: {%s}
"""

# For every key the value that holds in the scene, and some that do not.
EXPECTED = {
    "annulled": ('""', '"9S"'),
    "apart": ('""', "JK"),
    "offer": ("null", "JK"),
    "must_pass": ("[]", "[1]"),
    "turn": ("0", "1"),
    "phase": ("lay", "draw", "over"),
    "hand": ("KD 2C 4S", "KD 4S", "KD 2C 4S 4S", '""'),
    "hands": (
        '["4S 2C KD", "3C", "3D", "3H 9H"]',
        '["4S 2C", "3C", "3D", "3H 9H"]',
        '["4S 2C KD", "3D", "3C", "3H 9H"]',
    ),
    "hand_sizes": ("[3, 1, 1, 2]", "[3, 1, 1, 1]"),
    "tables": ('[["7S 6S 5S", "9C 9D 9S"], []]', '[["7S 6S 5S"], []]', '[[], ["7S 6S 5S", "9C 9D 9S"]]'),
    "closed": ("[[dirty set], []]", "[[clean set], []]", "[[], [dirty set]]", "[[dirty set, dirty set], []]"),
    "pile": ("QC JC", "JC QC", '""'),
    "stock_size": ("2", "3"),
    "burakos_left": ("[0, 1]", "[1, 0]"),
    "over": ("no", "yes"),
    "reason": ("null", "out"),
    "scores": ("[205, -120]", "[205, -119]", "[-120, 205]"),
    "shown": ('["2C", "", "", ""]', '["", "", "", ""]'),
    "known": ('["", "", "", "9H"]', '["", "", "9H", ""]'),
    "drawn": ("KD", "null", "4S"),
    "legal_count": ("6", "5"),
}


def run_text(text: str, folder: Path) -> list[str]:
    """Failures of the cases of a text."""
    path = folder / "text.yaml"
    path.write_text(text, encoding="utf-8")
    return [str(failure) for failure in map(run_case, read_cases(path)) if failure is not None]


def test_every_key_is_tried() -> None:
    assert set(EXPECTED) == set(EXPECTATIONS)


@pytest.mark.parametrize("key", EXPECTED)
def test_expectations_hold_and_fail(key: str, tmp_path: Path) -> None:
    holds, *wrong = EXPECTED[key]
    assert run_text(SCENE % f"{key}: {holds}", tmp_path) == []
    for value in wrong:
        (failure,) = run_text(SCENE % f"{key}: {value}", tmp_path)
        assert f"scene: step 2 (expect): expected {key} " in failure
        assert f"; found {key} " in failure


STEPS = """
- name: steps
  game: burako-4
  position: {turn: 0, phase: lay, hands: ["8S 7D", "3C", "3D", "3H"], tables: [["5S 6S 7S"], []]}
  steps:
    - %s
"""


@pytest.mark.parametrize(
    ("step", "found"),
    [
        ("legal: [discard 8S, lay 7D set]", "expected lay 7D set to be legal; found legal now: lay 8S run S1, discard"),
        ("illegal: [discard 8S, discard 9S]", "expected discard 8S to be illegal; found"),
        ("play: [discard 8S, discard 7D]", "expected 'discard 7D' to be legal; found legal now: draw stock, draw pile"),
        ("play: lay 7D wild", "expected 'lay 7D wild' to be legal"),
        ("only: [lay 8S run S1, discard 8S]", "found legal too: discard 7D"),
        ("only: [lay 8S run S1, discard 8S, discard 7D, lay 8S run new]", "found not legal: lay 8S run new"),
        ("only: []", "expected only nothing to be legal; found legal too: lay 8S run S1"),
    ],
)
def test_steps_that_fail(step: str, found: str, tmp_path: Path) -> None:
    (failure,) = run_text(STEPS % step, tmp_path)
    assert failure.startswith(f"{tmp_path / 'text.yaml'}:6: steps: step 1 (")
    assert found in failure


def test_yes_and_no_may_be_booleans(tmp_path: Path) -> None:
    text = """
- name: answers
  game: burako-4
  position:
    {turn: 0, phase: lay, hands: ["8S 7D", "3C", "3D", "3H"], burakos_taken_by: [[2], []]}
  steps:
    - play: ask
    - only: [yes, no]
    - only: ["yes", "no"]
    - play: no
    - expect: {turn: 0, phase: lay, over: false}
"""
    assert run_text(text, tmp_path) == []


# reading errors

GOOD = """- name: good
  game: burako-4
  position:
    turn: 0
    phase: lay
    hands: ["8S 7D", "3C", "3D", "3H"]
  steps:
    - legal: discard 8S
"""


@pytest.mark.parametrize(
    ("old", "new", "line", "phrase"),
    [
        ("- name: good", "- nam: good", 1, "unknown case key 'nam': did you mean name"),
        ("- name: good", "- name: [good]", 1, "name is a text, not a list"),
        ("  game: burako-4\n", "", 1, "case needs game"),
        ("burako-4", "burako-5", 2, "unknown game 'burako-5': did you mean"),
        ("burako-4", "ruibal-4", 2, "unknown game 'ruibal-4': did you mean"),
        ("burako-4", "ruibal-2", 6, "unknown position key 'hands'"),
        ("burako-4", "burako-4\n  config: {consul: no}", 3, "unknown config key 'consul': did you mean consult"),
        ("burako-4", "burako-4\n  config: {ace: middle}", 3, "ace = 'middle'"),
        ("burako-4", "burako-4\n  config: {decks: two}", 3, "decks = 'two'"),
        ("    phase: lay\n", "", 4, "position needs phase"),
        ("phase: lay", "phase: laid", 5, "unknown phase 'laid': did you mean lay?"),
        ("phase: lay", "phase: over", 5, "unknown phase 'over'"),
        ("turn: 0", "turn: 4", 4, "turn is a whole number from 0 to 3, not '4'"),
        ("turn: 0", "turn: 0\n    turn: 1", 5, "the key 'turn' stands twice"),
        ('"3D", "3H"', '"3D"', 6, "hands has 3 entries, expected 4: one for each seat"),
        ('"3D"', '""', 6, "the hand of seat 2 is empty"),
        ('"3D"', '"30D"', 6, "'30D' is not a card"),
        ('"3D"', '"*110"', 6, "ask for more cards than are left"),
        ('"3D"', '"8S 8S"', 6, "8S is placed more than 2 times"),
        ("phase: lay", "phase: lay\n    drawn: 9H", 6, "9H is drawn, but the hand does not hold it"),
        ("phase: lay", "phase: look", 4, "position needs drawn in the look phase"),
        ("phase: lay", "phase: lay\n    first_draw: yes", 6, "first_draw has no meaning in phase lay"),
        ("phase: lay", "phase: lay\n    asker: 2", 6, "asker has no meaning in phase lay"),
        ("phase: lay", "phase: lay\n    single_laid: yes", 6, "single_laid needs single"),
        ("phase: lay", "phase: lay\n    single: 2H", 6, "a wild in the pile"),
        ("phase: lay", "phase: lay\n    final_turns: 2", 6, "final_turns counts only when the stock is empty"),
        ("phase: lay", "phase: lay\n    asked: no\n    answer: no", 6, "asked is no, but there is an answer"),
        ("phase: lay", "phase: lay\n    known: ['9H', '', '', '']", 6, "the hand of seat 0 does not hold"),
        ("phase: lay", "phase: lay\n    shown: ['8S', '', '', '']", 6, "shown holds the wilds and known the others"),
        ("phase: lay", "phase: lay\n    opening: [run S, '4S 3S']", 6, "cannot be completed"),
        ("phase: lay", "phase: lay\n    opening: [run S, '5S 6S']", 6, "cannot be completed"),
        ("phase: lay", "phase: lay\n    opening: [set 9, '9D 2H']", 6, "cannot be completed"),
        ("phase: lay", "phase: lay\n    opening: [set 2, '2H']", 6, "the group of opening is"),
        ("phase: lay", "phase: lay\n    burakos_taken_by: [[1], []]", 6, "seat 1 does not play for team 0"),
        ("phase: lay", "phase: lay\n    burakos_taken_by: [[0, 2], []]", 6, "together they must be 1"),
        ("phase: lay", "phase: lay\n    burakos: [['*11'], ['*11', '*11']]", 6, "2 burakos left and 0 taken"),
        ("phase: lay", "phase: lay\n    burakos: [['*11'], ['*12']]", 6, "a burako has 11 cards, not 12"),
        ("phase: lay", "phase: burako", 5, "there is no burako to choose"),
        ("phase: lay", "phase: lay\n    closed: [['9C 9D 9H'], []]", 6, "a closed baza has 7 cards, not 3"),
        ("phase: lay", "phase: lay\n    pile: *9", 6, "the alias *9 is not read"),
        ("- legal: discard 8S", "- lega: discard 8S", 8, "unknown step key 'lega': did you mean legal"),
        ("- legal: discard 8S", "- legal: discard 8S\n      play: discard 8S", 8, "this one has 2 keys"),
        ("discard 8S", "discad 8S", 8, "unknown action 'discad 8S': did you mean discard CARD?"),
        ("- legal: discard 8S", "- expect: {hands: [8S]}", 8, "hands has 1 entries, expected 4"),
        ("- legal: discard 8S", "- expect: {hand: 8S, hnd: 8S}", 8, "unknown expect key 'hnd'"),
        ("- legal: discard 8S", "- expect: {closed: [[clean aces], [clan run]]}", 8, "unknown baza 'clan run'"),
        ("- legal: discard 8S", "- expect: {over: maybe}", 8, "over is yes or no, not 'maybe'"),
        ("    - legal: discard 8S", "    []", 8, "steps is empty"),
        (GOOD, "", 1, "holds no cases"),
        (GOOD, "name: good", 1, "a case file is a list, not a mapping"),
        ("good", "good\x07", 1, "not YAML"),
    ],
)
def test_reading_errors(old: str, new: str, line: int, phrase: str, tmp_path: Path) -> None:
    assert old in GOOD
    path = tmp_path / "text.yaml"
    path.write_text(GOOD.replace(old, new, 1), encoding="utf-8")
    with pytest.raises(ReadingError) as error:
        read_cases(path)
    assert str(error.value).startswith(f"{path}:{line}: ")
    assert phrase in str(error.value)


def test_text_that_is_not_utf8(tmp_path: Path) -> None:
    path = tmp_path / "latin.yaml"
    path.write_bytes(b"- name: ok\n  game: ma\xf1ana\n")
    with pytest.raises(ReadingError, match=r"latin\.yaml:2: is not UTF-8 text"):
        read_cases(path)


# reports


def test_exit_codes(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    good, wrong, bad = tmp_path / "good.yaml", tmp_path / "wrong.yaml", tmp_path / "bad.yaml"
    good.write_text(GOOD)
    wrong.write_text(GOOD.replace("legal", "illegal") + GOOD)
    bad.write_text(GOOD.replace("good", "good\n  gam: 1"))
    assert check([good]) == 0
    assert capsys.readouterr().out == "1 cases, 1 passed, 0 failed\n"
    assert check([good, wrong]) == 1
    lines = capsys.readouterr().out.splitlines()
    assert lines[0].startswith(
        f"{wrong}:8: good: step 1 (illegal): expected discard 8S to be illegal; found legal now: "
    )
    assert lines[1:] == ["3 cases, 2 passed, 1 failed"]
    assert check([bad, wrong]) == check([wrong, bad]) == check([tmp_path]) == 2
    assert capsys.readouterr().out.splitlines()[-1] == "3 cases, 2 passed, 1 failed, 1 file not read"
    assert check([tmp_path / "absent.yaml"]) == 2
    assert "absent.yaml:1: cannot be opened" in capsys.readouterr().err
    (tmp_path / "empty").mkdir()
    assert check([tmp_path / "empty"]) == 2
    assert "there is no *.yaml below this folder" in capsys.readouterr().err
