"""The score sheet: its items add up to the scores, and each is what the rules page says, worked out by hand."""

from __future__ import annotations

import numpy as np
import pytest

from burako_env.burako.game import BurakoGame
from burako_env.burako.sheet import Item, score_sheet
from burako_env.chance.rng import mix
from burako_env.choice import random_legal
from burako_env.families import make
from tests.burako_env.burako.test_scores import CLEAN_RUN, at
from tests.tools.core_play import GAMES, dealt, mixed_actions

RULES = {
    "SCORE-1": ["test_example_b_item_by_item"],
    "SCORE-2": ["test_example_b_item_by_item"],
    "SCORE-3": ["test_example_b_item_by_item"],
    "SCORE-4": ["test_example_a_item_by_item"],
    "SCORE-5": ["test_example_c_item_by_item"],
    "SCORE-6": ["test_sums_over_random_hands"],
    "SANCTION-10": ["test_sums_in_sanctions_play"],
}


def expect_sums(game: BurakoGame) -> set[tuple[str, str]]:
    """The items of every game add up to its scores; the keys and rules that occurred."""
    seen = set()
    for index, scores in enumerate(game.scores.tolist()):
        sheets = score_sheet(game, index)
        assert [sum(item.points for item in sheet) for sheet in sheets] == scores
        seen |= {(item.key, item.rule) for sheet in sheets for item in sheet}
        for sheet in sheets:
            assert len({item.key for item in sheet}) == len(sheet)
            assert all(item.count > 0 for item in sheet)
    return seen


@pytest.mark.parametrize("name", GAMES)
def test_sums_over_random_hands(name: str) -> None:
    """Whole hands of a random and a mixed player, live on the way and at their end, all ways to end."""
    seen = set[tuple[str, str]]()
    for actions in (mixed_actions, lambda game: random_legal(game.legal_packed(), mix(game.keys()))):
        game = dealt(name, 60, config={"max_turns": 80})
        for step in range(900):
            if step % 150 == 0:
                seen |= expect_sums(game)
            if game.done.all():
                break
            game.step(actions(game))
        seen |= expect_sums(game)
    assert {("laid", "SCORE-2"), ("laid", "SCORE-6"), ("held", "SCORE-3"), ("left", "SCORE-3")} <= seen
    assert any(rule == "SCORE-1" for _, rule in seen)


@pytest.mark.parametrize("unjustified", ["negative", "normal"])
def test_sums_whatever_an_unjustified_team_gets(unjustified: str) -> None:
    game = dealt("burako-4", 60, config={"max_turns": 30, "unjustified_on_exhaustion": unjustified})
    while not game.done.all():
        game.step(mixed_actions(game))
    rules = {rule for key, rule in expect_sums(game) if key == "laid"}
    assert ("SCORE-6" in rules) == (unjustified == "negative")


def test_sums_in_sanctions_play() -> None:
    game = make("burako-4", 60, 4, {"enforcement": "sanctions", "max_turns": 60})
    assert isinstance(game, BurakoGame)
    game.reset(np.arange(60))
    seen = set[tuple[str, str]]()
    for step in range(700):
        game.step(random_legal(game.legal_packed(), mix(game.keys())))
        if step % 100 == 99:
            seen |= expect_sums(game)
    assert seen


def test_example_a_item_by_item() -> None:
    """Unjustified, the others went out: 9 9 9 joker are 50, hands 75, the burako left 100: -225; taken: -25."""
    for taken, burako in ((False, Item("left", "SCORE-3", 1, -100)), (True, Item("taken", "SCORE-3", 1, 100))):
        game = at(
            ["AS AD AC 8H 5C", "JS", "", "3C"], (["9C 9D 9S JK"], []), ([], [CLEAN_RUN]), taken=(taken, True), turn=1
        )
        hands = game.position(0).hands
        game.step([game.table.discard(hands[1][0])])
        ours, theirs = score_sheet(game)
        assert ours == (Item("laid", "SCORE-4", 4, -50), Item("held", "SCORE-4", 5, -75), burako)
        assert theirs == (
            Item("clean run", "SCORE-1", 1, 200),
            Item("held", "SCORE-3", 1, -5),
            Item("taken", "SCORE-3", 1, 100),
            Item("out", "SCORE-3", 1, 100),
        )
        assert game.scores[0].tolist() == [-25 if taken else -225, 395]


def test_example_b_item_by_item() -> None:
    """A clean run closed, K K K open, burako taken, went out, partner holds 2C and 5D: 200+30-25+100+100 = 405."""
    game = at(["9S", "3C", "2C 5D", "4C"], (["KS KH KD"], []), ([CLEAN_RUN], []), taken=(True, False))
    game.step([game.table.discard(game.position(0).hands[0][0])])
    ours, _ = score_sheet(game)
    assert ours == (
        Item("clean run", "SCORE-1", 1, 200),
        Item("laid", "SCORE-2", 3, 30),
        Item("held", "SCORE-3", 2, -25),
        Item("taken", "SCORE-3", 1, 100),
        Item("out", "SCORE-3", 1, 100),
    )
    assert game.scores[0, 0] == 405


def test_example_c_item_by_item() -> None:
    """Went out unjustified, table 45, partner's hand 60, burako taken: 95; the others keep all they hold: 25."""
    game = at(["9S", "AS AD AC 3C", "AH 2C JK", "8C"], (["5C 5S 5H", "KS KH KD"], ["JC QC KC 2D"]), taken=(True, False))
    game.step([game.table.discard(game.position(0).hands[0][0])])
    ours, theirs = score_sheet(game)
    assert ours == (
        Item("laid", "SCORE-5", 6, -45),
        Item("held", "SCORE-5", 3, -60),
        Item("taken", "SCORE-3", 1, 100),
        Item("out", "SCORE-5", 1, 100),
    )
    assert theirs == (Item("laid", "SCORE-5", 4, 50), Item("held", "SCORE-5", 5, 75), Item("left", "SCORE-3", 1, -100))
    assert game.scores[0].tolist() == [95, 25]
