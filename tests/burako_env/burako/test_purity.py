"""Queries change nothing, refused actions change nothing, and a part of the batch says what the whole batch says."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any

import numpy as np
import pytest

from burako_env.batch import IllegalAction
from burako_env.burako.game import BurakoGame
from burako_env.burako.notation import parse_cards
from burako_env.burako.position import Position
from burako_env.burako.rules import PRESETS
from burako_env.burako.view.layout import PHASES
from burako_env.cards import RANK_NAMES, card_type
from burako_env.layout import View
from tests.tools.core_play import GAMES, STAGES, dealt, expect_same, joined, mixed_actions, played, stage_states, stages

ALL = pytest.mark.parametrize("name", GAMES)


def all_texts(game: BurakoGame) -> list[str]:
    """The text of every id, legal or not, in some games."""
    return [game.action_text(action, index) for index in (0, game.size - 1) for action in range(game.num_actions)]


QUERIES: dict[str, Callable[[BurakoGame], Any]] = {
    "legal": lambda game: game.legal(),
    "legal of a part": lambda game: game.legal([2, 0]),
    "legal_packed": lambda game: game.legal_packed(),
    "view": lambda game: game.view(),
    "view of all seats": lambda game: [game.view(seats=seat) for seat in range(game.seats)],
    "view of a part": lambda game: game.view([1], seats=3),
    "scores": lambda game: game.scores,
    "position": lambda game: [game.position(index) for index in range(game.size)],
    "action_text": all_texts,
    "phase_text": lambda game: [game.phase_text(index) for index in range(game.size)],
    "keys": lambda game: (game.keys(), game.seat_keys()),
    "clone": lambda game: game.clone(),
    "select": lambda game: game.select([0, 0, 1]),
    "state_dict": lambda game: game.state_dict(),
    "sample_states": lambda game: game.sample_states(game.view(), 2, game.keys()),
    "what is read": lambda game: (game.to_act, game.done, game.truncated, game.turns, game.decisions, game.bound_hits),
}


@ALL
@pytest.mark.parametrize("query", QUERIES)
def test_queries_change_nothing(name: str, query: str) -> None:
    game = stage_states(name)
    fresh = game.clone()
    before = game.state_dict()
    QUERIES[query](game)
    expect_same(before, game.state_dict())
    # Nor anything that is kept beside the state: the games go on as copies that were never asked.
    assert np.array_equal(game.legal_packed(), fresh.legal_packed())
    for _ in range(3):
        actions = mixed_actions(fresh)
        game.step(actions)
        fresh.step(actions)
        if query != "sample_states" or not game.done.any():
            QUERIES[query](game)
        assert np.array_equal(game.legal_packed(), fresh.legal_packed())
    expect_same(fresh.state_dict(), game.state_dict())


@pytest.mark.parametrize("games", [1, 5])
def test_answers_belong_to_the_caller(games: int) -> None:
    """Writing into what a query returned does not change the game, whatever the batch size."""
    game = dealt("burako-4", games)
    game.step(mixed_actions(game))
    before, legal = game.state_dict(), game.legal().copy()
    for answer in (game.legal(), game.legal_packed(), game.view().buffer, game.scores, game.keys()):
        answer[:] = 1
    for saved in game.state_dict().values():
        saved[:] = 1
    expect_same(before, game.state_dict())
    assert np.array_equal(legal, game.legal())


@ALL
def test_packed_words_are_the_legal_actions(name: str) -> None:
    """Action a is bit a % 64 of word a // 64."""
    game = stage_states(name)
    words, legal = game.legal_packed(), game.legal()
    assert words.shape == (game.size, game.num_actions // 64)
    assert words.dtype == np.uint64
    assert legal.shape == (game.size, game.num_actions)
    assert legal.dtype == np.bool_
    for row, word in zip(legal, words.tolist()):
        assert [bool(word[action // 64] >> action % 64 & 1) for action in range(game.num_actions)] == row.tolist()


@cache
def large(name: str) -> BurakoGame:
    """About two hundred games of every stage, some of them over; to be asked only."""
    stood = stage_states(name)
    game = joined([stood, stood, played(name, 80, 220)])
    assert game.size > 192
    assert 0 < game.done.sum() < game.size // 2
    return game


@ALL
@pytest.mark.parametrize("count", [1, 2, 63, 64, 150])
def test_a_part_says_what_the_whole_says(name: str, count: int) -> None:
    """`games=idx`, in any order, few or many, or as a mask: the same rows; asked before the whole batch or after it."""
    whole = large(name)
    rows = np.random.default_rng(count).permutation(whole.size)[:count]
    mask = np.isin(np.arange(whole.size), rows)
    for part, which in ((rows, rows), (rows.tolist(), rows), (mask, np.sort(rows))):
        game = whole.clone()
        first = game.legal(part), game.legal_packed(part), game.view(part).buffer, game.keys(part)
        every = game.legal(), game.legal_packed(), game.view().buffer, game.keys()
        for of_part, of_all in zip(first, every, strict=True):
            assert np.array_equal(of_part, of_all[which])
    chosen = whole.select(rows)
    for seat in range(whole.seats):
        views = whole.view(seats=seat).buffer[rows]
        assert np.array_equal(views, whole.view(rows, seats=seat).buffer)
        assert np.array_equal(views, chosen.view(seats=seat).buffer)
    seats = np.arange(count) % whole.seats
    mixed = whole.view(rows, seats=seats).buffer
    for row, seat in list(enumerate(seats.tolist()))[:20]:
        assert np.array_equal(mixed[row], chosen.view([row], seats=seat).buffer[0])


@ALL
def test_a_part_of_no_games(name: str) -> None:
    game = dealt(name, 3)
    before = game.state_dict()
    assert game.legal([]).shape == (0, game.num_actions)
    assert game.legal_packed([]).shape == (0, game.num_actions // 64)
    assert game.keys([]).shape == (0,)
    assert game.view([]).buffer.shape == (0, game.layout.width)
    nothing = np.zeros(0, dtype=int)
    game.step(nothing, [])
    game.reset(nothing, [])
    expect_same(before, game.state_dict())


@ALL
def test_stepping_and_dealing_a_part(name: str) -> None:
    """`step` and `reset` with `games` do to these what they do in the whole batch, and to the others nothing."""
    whole = stage_states(name)
    rows = np.array([9, 1, 30])
    others = np.setdiff1d(np.arange(whole.size), rows)
    actions = mixed_actions(whole)
    for change in ("step", "reset"):
        game, full = whole.clone(), whole.clone()
        game.legal()  # so that something is known of every game that could be left stale
        if change == "step":
            game.step(actions[rows], rows)
            full.step(actions)
        else:
            game.reset([50, 51, 52], rows)
            deals = np.full(whole.size, 99)
            deals[rows] = [50, 51, 52]
            full.reset(deals)
        expect_same(full.select(rows).state_dict(), game.select(rows).state_dict())
        expect_same(whole.select(others).state_dict(), game.select(others).state_dict())
        assert np.array_equal(game.legal_packed(), game.clone().legal_packed())


def test_unvalidated_steps_are_the_same() -> None:
    """`validate=False` skips the check and nothing else."""
    game, other = dealt("burako-4", 30), dealt("burako-4", 30)
    for _ in range(60):
        actions = mixed_actions(game)
        game.step(actions)
        other.step(actions, validate=False)
    expect_same(game.state_dict(), other.state_dict())


# Refusals.


@ALL
@pytest.mark.parametrize("stage", STAGES)
def test_illegal_actions_change_nothing(name: str, stage: str) -> None:
    """One illegal action among legal ones: the message names game, seat, phase and action; no game has moved."""
    game = stage_states(name)
    legal, actions = game.legal(), mixed_actions(game)
    before = game.state_dict()
    for index in np.flatnonzero(stages(game)[stage])[:3].tolist():
        for action in np.flatnonzero(~legal[index])[:: game.num_actions // 16].tolist():
            wrong = actions.copy()
            wrong[index] = action
            with pytest.raises(IllegalAction) as caught:
                game.step(wrong)
            expect_same(before, game.state_dict())
            phase = (*PHASES, "over")[int(game.view([index]).phase[0].argmax())]
            text = game.action_text(action, index)
            for part in (f"game {index},", f"seat {game.to_act[index]},", f"phase {phase}:", f"({text})"):
                assert part in str(caught.value), f"'{part}' is not in '{caught.value}'"
    assert np.array_equal(legal, game.legal())


def test_the_words_of_a_refusal() -> None:
    """Written out for one position: seat 2 of game 1 may neither lay the joker alone nor discard it."""
    rules = PRESETS["burako-4"]
    hands = [parse_cards(text) for text in ("3C", "3D", "JK 8S 7D", "3S")]
    burakos = [[parse_cards("4C 5C 6C 7C 8C 9C 10C JC QC KC AC")], [parse_cards("4D 5D 6D 7D 8D 9D 10D JD QD KD AD")]]
    position = Position(
        rules, 2, "lay", hands, tables=[[parse_cards("9C 9D 9H")], []], stock=parse_cards("KH KS"), burakos=burakos
    )
    game = BurakoGame.from_positions([position, position])
    discard = game.table.discard
    with pytest.raises(IllegalAction, match=r"game 1, seat 2, phase lay: .*discard JK"):
        game.step([discard(card_type("7D")), discard(card_type("JK"))])
    with pytest.raises(IllegalAction, match=r"game 0, seat 2, phase lay: .*lay 8S set"):
        game.step(game.table.lay(card_type("8S"), RANK_NAMES.index("8")))
    for action in (-1, game.num_actions, 10**12):
        with pytest.raises(IllegalAction, match=rf"game 0, seat 2, phase lay: action {action} .*0 to 511"):
            game.step(action, [0])
    assert game.position(1).hands[2] == sorted(hands[2])


DEALT = 6
SHAPES: dict[str, tuple[Callable[[BurakoGame], Any], str]] = {
    "too few actions": (lambda game: game.step([0, 1]), r"actions .*\[2\].*expected \[6\]"),
    "actions in rows": (lambda game: game.step(np.zeros((6, 1), dtype=int)), r"actions .*\[6, 1\].*expected \[6\]"),
    "actions of a part": (lambda game: game.step([0] * 6, [1, 2]), r"actions .*\[6\].*expected \[2\]"),
    "fractions": (lambda game: game.step(np.zeros(6)), r"actions .*float64, expected integers"),
    "deals": (lambda game: game.reset([1, 2]), r"deal_ids .*\[2\].*expected \[6\]"),
    "swaps": (lambda game: game.reset(1, swap_sides=[True] * 3), r"swap_sides .*\[3\].*expected \[6\]"),
    "seats": (lambda game: game.view(seats=[0, 1]), r"seats .*\[2\].*expected \[6\]"),
    "a game beyond": (lambda game: game.legal([0, 6]), r"games .*0 to 5"),
    "a negative game": (lambda game: game.view([-1]), r"games .*0 to 5"),
    "a short mask": (lambda game: game.legal(np.ones(4, dtype=bool)), r"games .*\[4\].*expected .*\[6\]"),
    "games in rows": (lambda game: game.legal([[0, 1]]), r"games .*\[1, 2\].*expected"),
    "a game twice": (lambda game: game.step(mixed_actions(game)[[1, 1]], [1, 1]), r"games .*(twice|distinct)"),
    "a buffer": (lambda game: View(np.zeros((2, 5), dtype=np.int8), game.layout), rf"\[n, {800}\].*not \[2, 5\]"),
    "keys": (lambda game: game.sample_states(game.view(), 2, game.keys()[:3]), r"keys .*\[3\], expected \[6\]"),
    "no states": (lambda game: game.sample_states(game.view(), 0, game.keys()), r"k is 0, at least 1"),
    "a saved field": (
        lambda game: game.load_state_dict(_cut(game, rows=1)),
        r"'pile' is .*\[1, 6\], expected .*\[2, 6\]",
    ),
    "a saved kind": (lambda game: game.load_state_dict(_cut(game, kind="i8")), r"'pile' is int64.*expected uint64"),
    "a missing field": (lambda game: game.load_state_dict(_cut(game, rows=0)), r"lacks 'pile'"),
    "no games": (lambda game: dealt("burako-4", 0), r"at least 1 game, not 0"),
}


def _cut(game: BurakoGame, rows: int = 2, kind: str = "u8") -> dict[str, np.ndarray]:
    """A saved state with a damaged pile."""
    saved = game.state_dict()
    pile = saved.pop("pile")
    return saved | ({"pile": pile[:rows].astype(kind)} if rows else {})


@pytest.mark.parametrize("what", SHAPES)
def test_shapes_that_do_not_fit(what: str) -> None:
    """A `ValueError` says what came and what was expected; nothing has changed."""
    game = dealt("burako-4", DEALT)
    before = game.state_dict()
    call, message = SHAPES[what]
    with pytest.raises(ValueError, match=message):
        call(game)
    expect_same(before, game.state_dict())
