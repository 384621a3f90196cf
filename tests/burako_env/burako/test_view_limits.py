"""Counts of a View are bytes: rules that deal more cards than one holds are refused, and samples lose no card."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product
from typing import Any

import numpy as np
import pytest

from burako_env.burako.game import BurakoGame
from burako_env.burako.position import Position
from burako_env.burako.rules import PRESETS, burako_rules
from burako_env.burako.sanctions.game import game_class
from burako_env.errors import UserError
from burako_env.families import make
from tests.burako_env.burako.test_conservation import expect_all_cards
from tests.burako_env.burako.test_sampling import expect_agreement
from tests.burako_env.burako.test_sanctions import breaking_actions
from tests.tools.core_play import dealt, mixed_actions

RULES = {"DECK-3": ["test_a_stock_beyond_the_limit_is_refused"]}
# The largest number in a byte with a sign.
MOST = 127
TURNS = pytest.mark.parametrize("enforcement", ["strict", "sanctions"])


def stock_of(name: str, config: dict[str, Any]) -> int:
    """SETUP-4, DECK-1: cards left by hands and burakos, worked out from the keys."""
    keys = {**PRESETS[name].model_dump(), **config}
    reserve = 2 * keys["burakos_per_team"] * keys["burako_size"]
    return int(keys["decks"] * (52 + keys["jokers_per_deck"]) - int(name[-1]) * keys["hand_size"] - reserve)


def configurations() -> Iterator[tuple[str, dict[str, Any]]]:
    """Decks, jokers, hands and burakos in all their values."""
    for name, decks, jokers, hand, burakos, size in product(
        PRESETS, (2, 3, 4), (0, 1, 2), range(1, 12), range(4), (1, 6, 11)
    ):
        yield (
            name,
            {
                "decks": decks,
                "jokers_per_deck": jokers,
                "hand_size": hand,
                "burakos_per_team": burakos,
                "burako_size": size,
                "cut_look_max": 1,
            },
        )


def test_a_stock_beyond_the_limit_is_refused() -> None:
    """Of all sizes exactly those whose stock a View can count; the error names the number, the limit and the keys."""
    for name, config in configurations():
        if stock_of(name, config) <= MOST:
            continue
        with pytest.raises(UserError) as refusal:
            burako_rules(name, config)
        message = str(refusal.value)
        assert f"{stock_of(name, config)} cards" in message
        assert str(MOST) in message
        for key in ("decks", "jokers_per_deck", "hand_size", "burakos_per_team", "burako_size"):
            assert key in message
        assert "\n" not in message


def test_all_other_sizes_are_rules() -> None:
    for name, config in configurations():
        if int(name[-1]) <= stock_of(name, config) <= MOST:
            assert burako_rules(name, config).stock_size == stock_of(name, config)


def largest() -> list[tuple[str, dict[str, Any]]]:
    """By players and decks, the allowed rules with the largest stock, and of those the ones with the largest hands."""
    found: dict[tuple[str, int], tuple[tuple[int, int, int], dict[str, Any]]] = {}
    for name, config in configurations():
        rank = (stock_of(name, config), config["hand_size"], config["burakos_per_team"] * config["burako_size"])
        key = (name, config["decks"])
        if rank[0] <= MOST and (key not in found or rank > found[key][0]):
            found[key] = (rank, config)
    return [(name, config) for (name, _), (_, config) in found.items()]


def expect_counts(game: BurakoGame) -> None:
    """The View's counts are the true ones, at most 127, for every seat."""
    for seat in range(game.seats):
        view = game.view(seats=seat)
        for index in range(0, game.size, 5):
            there = game.position(index)
            hands = [len(there.hands[(seat + place) % game.seats]) for place in range(game.seats)]
            assert view.hand_sizes[index].tolist() == [min(size, MOST) for size in hands]
            assert view.stock_size[index] == min(len(there.stock), MOST)
            assert view.pile_size[index] == min(len(there.pile), MOST)
            assert view.hand[index].sum() == len(there.hands[seat])
            if game.rules.sanctions:
                assert view.stock_unknown[index] == min(len(there.stock) - there.annulled, MOST)


@TURNS
@pytest.mark.parametrize(("name", "config"), largest(), ids=lambda value: value if isinstance(value, str) else None)
def test_the_largest_rules_are_played(name: str, config: dict[str, Any], enforcement: str) -> None:
    """From the deal on: no card is lost, the Views count right, the samples agree with them."""
    game = dealt(name, 10, {**config, "enforcement": enforcement})
    assert game.rules.stock_size == game.view().stock_size[0] == stock_of(name, config)
    for step in range(240):
        if step % 60 == 0:
            expect_counts(game)
            expect_all_cards(game)
            live = np.flatnonzero(~game.done)
            if live.size:
                expect_agreement(game.select(live[:4]), 2)
        game.step(breaking_actions(game) if game.rules.sanctions else mixed_actions(game))


def play_first(game: BurakoGame, *wanted: str) -> None:
    """Play the first legal action whose text begins with one of these words."""
    texts = {game.action_text(int(action)): int(action) for action in np.flatnonzero(game.legal()[0])}
    game.step([next(texts[text] for start in wanted for text in texts if text.startswith(start))])


def test_a_hand_beyond_the_limit() -> None:
    """Everyone draws from the stock and discards; then one player takes the whole pile, in sight of all."""
    game = dealt("burako-8", 1, {"burakos_per_team": 1, "burako_size": 1})
    assert game.rules.stock_size == 126
    while game.view().stock_size[0] > 1 or not game.view().phase[0, 0]:
        play_first(game, "draw stock", "keep", "discard")
    play_first(game, "draw pile")
    expect_all_cards(game)
    assert game.view().hand.sum() > MOST
    expect_agreement(game, 2)
    play_first(game, "discard")
    assert game.view().hand_sizes.max() == MOST
    expect_counts(game)
    other, there = expect_agreement(game, 3), game.position()
    sizes = [len(there.hands[(there.turn + place) % 8]) for place in range(8)]
    for index in range(3):
        assert [len(hand) for hand in other.position(index).hands] == sizes


@TURNS
@pytest.mark.parametrize("where", ["stock", "pile", "own hand", "other hand"])
def test_positions_beyond_the_limit(where: str, enforcement: str) -> None:
    """A position may pile up more cards than a View counts; its samples have as many of them in the same place."""
    rules = burako_rules("burako-8", {"enforcement": enforcement})
    cards = np.random.default_rng(2).permutation([card for card in range(52) for _ in range(4)] + [52] * 8).tolist()
    burakos = [[[cards.pop() for _ in range(11)] for _ in range(3)] for _ in range(2)]
    hands = [[cards.pop()] for _ in range(8)]
    stock, pile = [cards.pop()], list[int]()
    if where == "pile":
        # TURN-4: no wild lies in the pile.
        pile, stock = [card for card in cards if card < 52 and card % 13 != 1], stock
        pile, rest = pile[:110], [*pile[110:], *(card for card in cards if card >= 52 or card % 13 == 1)]
        hands[3] += rest
    else:
        {"stock": stock, "own hand": hands[0], "other hand": hands[5]}[where].extend(cards)
    position = Position(rules, 0, "draw", hands, stock=stock, pile=pile, burakos=burakos)
    game = game_class(rules).from_positions([position])
    expect_counts(game)
    other = expect_agreement(game, 4)
    expect_all_cards(game)
    for index in range(4):
        found = other.position(index)
        assert [len(hand) for hand in found.hands] == [len(hand) for hand in hands]
        assert (len(found.stock), len(found.pile)) == (len(stock), len(pile))


def test_a_view_that_hides_too_many_cards_is_refused() -> None:
    game = make("burako-4", 2)
    game.reset([0, 1])
    view = game.view()
    view.stock_size[1] += 3
    with pytest.raises(ValueError, match="3 cards"):
        game.sample_states(view, 2, game.keys())
