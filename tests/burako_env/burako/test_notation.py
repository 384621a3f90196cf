"""Cards, actions and positions as text: round trips, canonical words, malformed texts."""

from __future__ import annotations

import pytest

from burako_env.burako.notation import format_action, format_cards, parse_action, parse_cards
from burako_env.burako.position import Position
from burako_env.burako.rules import PRESETS
from burako_env.burako.turn.actions import FIRST_RUN, NONE, ActionTable, Kind, action_table
from burako_env.cards import CARD_NAMES, JOKER, RANK_COUNT, card_type
from burako_env.cases.burako.keys import format_position
from burako_env.errors import UserError

NO_RUNS = [0, 0, 0, 0]


def test_cards_round_trip() -> None:
    text = " ".join(CARD_NAMES)
    assert parse_cards(text) == list(range(53))
    assert format_cards(parse_cards(text)) == text
    assert parse_cards("") == []


@pytest.mark.parametrize("text", ["1S", "9s", "S9", "JKS", "11C", "9S,8S", "*3", "T9"])
def test_no_card(text: str) -> None:
    with pytest.raises(UserError, match="is not a card: a rank"):
        parse_cards(text)


def _has_words(table: ActionTable, action: int, run_counts: list[int]) -> bool:
    """Whether the action has words of its own: its run is open, or its card may open one of its suit."""
    row = table.rows[action]
    card, group = int(row["card"]), int(row["group"])
    if row["kind"] == Kind.UNUSED:
        return False
    if group == NONE or group < FIRST_RUN:
        return True
    suit, slot = divmod(group - FIRST_RUN, table.run_slots)
    return slot < run_counts[suit] or (slot == run_counts[suit] and card != JOKER and card // RANK_COUNT == suit)


@pytest.mark.parametrize("run_slots", [4, 6])
def test_every_action_round_trips(run_slots: int) -> None:
    """Every id of the table comes back from its text, for every number of open runs; no two actions share a text."""
    table = action_table(run_slots)
    for open_runs in range(run_slots + 1):
        run_counts = [open_runs, (open_runs + 1) % (run_slots + 1), run_slots - open_runs, open_runs]
        texts = [format_action(table, action, run_counts) for action in range(table.size)]
        assert len(set(texts)) == table.size
        for action, text in enumerate(texts):
            if _has_words(table, action, run_counts):
                assert parse_action(table, text, run_counts) == action, text


@pytest.mark.parametrize("run_slots", [4, 6])
def test_runs_that_are_not_there_have_no_action(run_slots: int) -> None:
    table = action_table(run_slots)
    for action in range(table.size):
        if table.rows[action]["kind"] != Kind.UNUSED and not _has_words(table, action, NO_RUNS):
            assert parse_action(table, format_action(table, action, NO_RUNS), NO_RUNS) is None


@pytest.mark.parametrize(
    ("card", "group", "run_counts", "text"),
    [
        ("7D", 6, NO_RUNS, "lay 7D set"),
        ("JK", 7, NO_RUNS, "lay JK set 8"),
        ("2H", 0, NO_RUNS, "lay 2H set A"),
        ("2C", 1, NO_RUNS, "lay 2C wild"),
        ("9S", 13 + 3 * 4, [0, 0, 0, 0], "lay 9S run new"),
        ("9S", 13 + 3 * 4, [0, 0, 0, 1], "lay 9S run S1"),
        ("9S", 13 + 3 * 4 + 1, [0, 0, 0, 1], "lay 9S run new"),
        ("2S", 13 + 3 * 4 + 1, [0, 0, 0, 1], "lay 2S run new"),
        ("2C", 13 + 3 * 4, [0, 0, 0, 1], "lay 2C run S1"),
        ("JK", 13 + 3 * 4 + 3, [0, 0, 0, 4], "lay JK run S4"),
    ],
)
def test_canonical_words(card: str, group: int, run_counts: list[int], text: str) -> None:
    table = action_table(4)
    action = table.lay(card_type(card), group)
    assert format_action(table, action, run_counts) == text
    assert parse_action(table, f"  {text.replace(' ', '   ')} ", run_counts) == action


@pytest.mark.parametrize(
    "text",
    [
        "lay JK run new",
        "lay 7D wild",
        "lay JK run S2",
        "lay 9S run S2",
        "lay 9H run S1",
        "lay JK set 2",
        "lay 2S set 2",
        "lay JK run H1",
        "lay 9S run S1000",
        "lay 9C run new",
    ],
)
def test_well_formed_but_never_legal(text: str) -> None:
    """An absent group, or one no rule allows; clubs have no slot left (GROUP-8)."""
    assert parse_action(action_table(4), text, [4, 0, 0, 1]) is None


@pytest.mark.parametrize(
    ("text", "phrase"),
    [
        ("", "unknown action"),
        ("drawstock", "did you mean draw stock"),
        ("discrad 7D", "did you mean discard CARD"),
        ("draw", "unknown action"),
        ("end", "unknown action"),
        ("Ask", "did you mean ask"),
        ("discard", "unknown action"),
        ("discard 7D 8D", "unknown action"),
        ("discard 1D", "is not a card"),
        ("lay", "a lay is"),
        ("lay 7D", "a lay is"),
        ("lay 7D group", "a lay is"),
        ("lay 7X set", "is not a card"),
        ("lay 7D set 7", "names its rank itself, write 'lay 7D set'"),
        ("lay JK set", "names the rank of its set"),
        ("lay 2C set", "names the rank of its set"),
        ("lay JK set 1", "names the rank of its set"),
        ("lay JK set 8 9", "names the rank of its set"),
        ("lay 9S run", "a lay is"),
        ("lay 9S run 1", "a run is new, or a suit and a number"),
        ("lay 9S run S", "a run is new, or a suit and a number"),
        ("lay 9S run S0", "a run is new, or a suit and a number"),
        ("lay 9S run s1", "a run is new, or a suit and a number"),
        ("lay 9S run new 1", "a lay is"),
        ("lay JK wild 8", "a lay is"),
        ("lay 9S 8S run new", "a lay is"),
    ],
)
def test_malformed_actions(text: str, phrase: str) -> None:
    with pytest.raises(UserError, match=phrase):
        parse_action(action_table(4), text, NO_RUNS)


def test_a_hand_that_is_over_is_no_start_of_a_case() -> None:
    position = Position(rules=PRESETS["burako-4"], turn=0, phase="over", hands=[[], [1], [2], [3]], reason="out")
    with pytest.raises(UserError, match="a case file starts from a live one"):
        format_position(position)
