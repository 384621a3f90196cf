"""Every physical card lies in exactly one place after every decision, and a live game always has a legal action.

The cards are counted twice: in the saved state, word by word, for every game after every decision; and in words,
through `position`, for some games after every decision.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from burako_env.burako.game import BurakoGame
from burako_env.burako.rules import Rules
from burako_env.burako.turn.actions import Kind
from burako_env.cards import card_name
from tests.reference.cards import full_pack
from tests.tools.core_play import (
    GAMES,
    dealt,
    eager_actions,
    expect_same,
    mixed_actions,
    random_actions,
    reset_done,
    state_of,
)
from tests.tools.physical import expect_partition

RULES = {
    "DECK-1": ["test_cards_are_conserved", "test_any_configuration"],
    "SETUP-1": ["test_teams_alternate"],
    "SETUP-4": ["test_sizes_after_the_deal"],
    "SETUP-5": ["test_sizes_after_the_deal"],
    "DECK-3": ["test_too_few_cards_are_refused"],
    "END-3": ["test_any_configuration"],
}
DECKS = {"burako-4": 2, "burako-6": 3, "burako-8": 4}
DECISIONS = 50_000
BATCH = 128
Chooser = Callable[[BurakoGame], np.ndarray]


def expect_all_cards(game: BurakoGame) -> None:
    """The zones partition the decks; so do the bazas one by one the closed cards."""
    state = state_of(game)
    expect_partition(state)
    bazas = state.bazas.reshape(-1, game.rules.decks, state.size)
    assert np.array_equal(
        np.bitwise_or.reduce(bazas), state.closed[: game.rules.decks] | state.closed[game.rules.decks :]
    )
    assert np.all(np.isin(np.bitwise_count(bazas).sum(axis=1), (0, 7)))


def expect_cards_in_words(game: BurakoGame, index: int) -> None:
    """The same through `position`: as many cards of each name as the decks hold."""
    position = game.position(index)
    cards = [*position.pile, *position.stock, *position.apart]
    for hand in position.hands:
        cards += hand
    for groups in (*position.tables, *position.closed, *position.burakos):
        for group in groups:
            cards += group
    pack = Counter(full_pack(game.rules.decks))
    pack["JK"] = game.rules.jokers_per_deck * game.rules.decks
    assert Counter(card_name(card) for card in cards) == +pack, f"game {index}: {position}"
    sizes = game.view([index], seats=0).hand_sizes[0].tolist()
    assert sizes == [len(hand) for hand in position.hands]


def expect_actions(game: BurakoGame) -> None:
    """A live game has an action, a done one has none, an id that stands for nothing is never legal."""
    legal = game.legal()
    assert np.array_equal(legal.any(axis=1), ~game.done)
    assert not legal[:, game.table.rows["kind"] == Kind.UNUSED].any()
    hands = np.bitwise_count(state_of(game).hands).reshape(game.seats, game.rules.decks, -1).sum(axis=1)
    assert np.all((hands > 0) | game.done), "a live seat without cards"


def check_play(game: BurakoGame, choose: Chooser, decisions: int) -> int:
    """Play on with new deals for hands that end, everything checked after every decision; how many hands ended."""
    taken, step, ended, following = 0, 0, 0, int(game.deal_ids.max()) + 1
    expect_all_cards(game)
    while taken < decisions:
        expect_actions(game)
        taken += int((~game.done).sum())
        game.step(choose(game))
        expect_all_cards(game)
        for index in (step % game.size, (7 * step + 3) % game.size):
            expect_cards_in_words(game, index)
        step += 1
        if step % 8 == 0:
            ended += int(game.done.sum())
            following = reset_done(game, following)
    return ended


@pytest.mark.parametrize("name", GAMES)
def test_cards_are_conserved(name: str) -> None:
    game = dealt(name, BATCH)
    assert (game.rules.decks, game.rules.jokers_per_deck) == (DECKS[name], 2)
    assert check_play(game, mixed_actions, DECISIONS) > 20


@pytest.mark.slow
@pytest.mark.parametrize("choose", [random_actions, eager_actions], ids=["random", "eager"])
@pytest.mark.parametrize("name", GAMES)
def test_cards_are_conserved_for_long(name: str, choose: Chooser) -> None:
    assert check_play(dealt(name, 512, first=10_000), choose, 5 * DECISIONS) > 300


@pytest.mark.parametrize(("name", "stock"), [("burako-4", 42), ("burako-6", 52), ("burako-8", 62)])
def test_sizes_after_the_deal(name: str, stock: int) -> None:
    game = dealt(name, 64)
    burakos = {"burako-4": 1, "burako-6": 2, "burako-8": 3}[name]
    view = game.view()
    assert np.all(view.hand_sizes == 11)
    assert np.all(view.stock_size == stock)
    assert np.all(view.burakos_left == burakos)
    assert not view.pile.any()
    for index in range(game.size):
        position = game.position(index)
        assert [[len(burako) for burako in team] for team in position.burakos] == [[11] * burakos] * 2
        assert [len(hand) for hand in position.hands] == [11] * game.seats
        assert len(position.stock) == stock


@pytest.mark.parametrize(("name", "players"), [("burako-4", 4), ("burako-6", 6), ("burako-8", 8)])
def test_teams_alternate(name: str, players: int) -> None:
    game = dealt(name, 1)
    assert (game.seats, game.sides) == (players, 2)
    assert game.side_of.tolist() == [0, 1] * (players // 2)


@pytest.mark.parametrize("name", GAMES)
def test_an_ended_hand_stays_as_it_is(name: str) -> None:
    """`legal` is all False, `step` ignores the action, whatever it is, and `view` is the last one."""
    game = dealt(name, 8, {"max_turns": 12})
    for _ in range(400):
        game.step(random_actions(game))
    assert game.done.all()
    assert not game.legal().any()
    assert not game.legal_packed().any()
    before, views = game.state_dict(), [game.view(seats=seat).buffer for seat in range(game.seats)]
    last = game.view().buffer
    game.step(np.full(8, 17))
    game.step(np.full(8, -5))
    game.step(0, games=[3])
    expect_same(before, game.state_dict())
    assert np.array_equal(last, game.view().buffer)
    assert all(np.array_equal(views[seat], game.view(seats=seat).buffer) for seat in range(game.seats))
    assert not game.view().phase.any()


def test_done_games_among_live_ones() -> None:
    """Nothing but the live games moves in one step of both."""
    game = dealt("burako-4", 40)
    while not game.done.any():
        game.step(eager_actions(game))
    done = game.done.copy()
    assert not done.all()
    before = game.state_dict()
    game.step(eager_actions(game))
    after = game.state_dict()
    expect_same(
        {key: value[:, done] for key, value in before.items()}, {key: value[:, done] for key, value in after.items()}
    )
    assert np.array_equal(after["decisions"][0] - before["decisions"][0], ~done)


def test_too_few_cards_are_refused() -> None:
    """Hands, burakos and one card a player must be there; the error names the numbers, exactly enough will do."""
    with pytest.raises(ValueError, match=r"108 cards .*8 hands of 11, 6 burakos of 11 .*: 54 cards are missing"):
        dealt("burako-8", 1, {"decks": 2})
    # 4 * 11 + 6 * 10 + 4 = 108.
    config = {"burakos_per_team": 3, "burako_size": 10}
    with pytest.raises(ValueError, match=r"106 cards .*4 hands of 11, 6 burakos of 10 .*: 2 cards are missing"):
        dealt("burako-4", 1, {**config, "jokers_per_deck": 1})
    game = dealt("burako-4", 8, config)
    assert np.all(game.view().stock_size == 4)
    expect_all_cards(game)


configurations = st.fixed_dictionaries(
    {
        "decks": st.sampled_from([2, 3, 4]),
        "jokers_per_deck": st.integers(0, 2),
        "hand_size": st.integers(1, 11),
        "burako_size": st.integers(1, 11),
        "burakos_per_team": st.integers(0, 3),
        "cut_look_max": st.integers(0, 11),
        "ace": st.sampled_from(["both", "low", "high"]),
        "rediscard_single_pile": st.booleans(),
        "one_set_per_rank_ever": st.booleans(),
        "run_slots": st.integers(4, 6),
        "burako_wilds_max": st.integers(0, 11),
        "consult": st.booleans(),
        "exhaustion": st.sampled_from(["pile_or_end", "end"]),
        "max_turns": st.integers(1, 40),
        "unjustified_on_exhaustion": st.sampled_from(["negative", "normal"]),
    }
)


@settings(max_examples=15, deadline=None, derandomize=True)
@given(name=st.sampled_from(GAMES), config=configurations, first=st.integers(0, 10**6))
def test_any_configuration(name: str, config: dict[str, Any], first: int) -> None:
    """Whatever the keys: no card is lost, no live game is stuck, every hand ends by `max_turns`."""
    players = int(name[-1])
    config["cut_look_max"] = min(config["cut_look_max"], config["hand_size"])
    cards = config["decks"] * (52 + config["jokers_per_deck"])
    if cards < players * (config["hand_size"] + 1) + 2 * config["burakos_per_team"] * config["burako_size"]:
        with pytest.raises(ValueError, match=f"{cards} cards do not cover"):
            dealt(name, 1, config)
        return
    stock = cards - players * config["hand_size"] - 2 * config["burakos_per_team"] * config["burako_size"]
    if stock > 127:
        with pytest.raises(ValueError, match=f"{stock} cards are left in the stock"):
            dealt(name, 1, config)
        return
    game = dealt(name, 12, config, first=first)
    assert isinstance(game.rules, Rules)
    while not game.done.all():
        expect_all_cards(game)
        expect_actions(game)
        expect_cards_in_words(game, int(game.decisions.max()) % 12)
        game.step(mixed_actions(game))
        assert np.all(game.turns <= config["max_turns"])
    expect_all_cards(game)
    assert np.all(game.turns[game.truncated] == config["max_turns"])
