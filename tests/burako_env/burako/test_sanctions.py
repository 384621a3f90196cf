"""Sanctions play as a whole: cards are conserved, hands end, samples agree with Views, and no View leaks.

The sanctions one by one are cases (`cases/sanctions_*.yaml`); the fuzz compares the play with the reference.
"""

from __future__ import annotations

from functools import cache

import numpy as np
import pytest

from burako_env.burako.game import BurakoGame
from burako_env.burako.notation import format_action, parse_action
from burako_env.burako.position import Position
from burako_env.burako.rules import PRESETS, Rules, burako_rules
from burako_env.burako.sanctions.actions import FOULS, sanction_table
from burako_env.burako.sanctions.game import game_class
from burako_env.burako.turn.actions import Kind, action_table
from burako_env.burako.view.layout import view_layout
from burako_env.chance.rng import mix
from burako_env.errors import UserError
from burako_env.families import make
from tests.burako_env.burako.test_conservation import expect_actions, expect_all_cards, expect_cards_in_words
from tests.tools.core_play import GAMES, dealt, expect_same, joined, reset_done, sampled, state_of, with_state
from tests.tools.physical import exchange_copies, expect_partition, redeal_hidden

RULES = {
    "DECK-1": ["test_cards_are_conserved"],
    "INFO-2": ["test_hidden_cards_do_not_show"],
    "INFO-3": ["test_samples_agree_with_the_view"],
    "SANCTION-4": ["test_every_infraction_comes_up"],
    "END-3": ["test_every_hand_ends"],
}
ALL = pytest.mark.parametrize("name", GAMES)
SANCTIONS = {"enforcement": "sanctions"}
# How likely an action is chosen, compared with others: infractions are many, and most of them end the turn.
WEIGHTS = {Kind.LAY: 8.0, Kind.CLOSE: 4.0, Kind.FOUL_EARLY: 0.02, Kind.FOUL_LAY: 0.1, Kind.FOUL_RUN: 0.1}
RARE = {Kind.FOUL_DISCARD: 0.05, Kind.FOUL_SET: 20.0, Kind.TAKE_WILD: 3.0}


@cache
def _weights(run_slots: int) -> np.ndarray:
    kinds = sanction_table(run_slots).rows["kind"].tolist()
    return np.array([{**WEIGHTS, **RARE}.get(Kind(kind), 1.0) for kind in kinds])


def breaking_actions(game: BurakoGame) -> np.ndarray:
    """An action for each game by its key, infractions among them."""
    sums = (game.legal() * _weights(game.rules.run_slots)).cumsum(axis=1)
    drawn = (mix(game.keys()) >> np.uint64(11)).astype(np.float64) / 2**53 * sums[:, -1]
    return np.minimum((sums <= drawn[:, None]).sum(axis=1), game.num_actions - 1)


@cache
def _states(name: str) -> BurakoGame:
    game = dealt(name, 60, SANCTIONS)
    parts, following = [], 60
    for step in range(400):
        game.step(breaking_actions(game))
        following = reset_done(game, following)
        if step % 25 == 24:
            view = game.view()
            told = (view.annulled[:, 0] > 0) | (view.offer > 0) | view.must_pass.any(axis=1) | view.apart.any(axis=1)
            parts.append(game.select(np.flatnonzero(told)[:8]))
    return joined(parts)


def states(name: str) -> BurakoGame:
    """Games in the middle of hands in which rules have been broken."""
    return _states(name).clone()


# The table and the View.


@ALL
def test_strict_play_comes_first(name: str) -> None:
    """Sanctions play has the ids and columns of strict play in their places, whole words and other columns behind."""
    strict, game = make(name), make(name, config=SANCTIONS)
    slots = PRESETS[name].run_slots
    table = sanction_table(slots)
    assert game.num_actions == table.size
    assert table.size % 64 == 0
    assert np.array_equal(table.rows[: strict.num_actions], action_table(slots).rows)
    assert game.layout.fields[: len(strict.layout.fields)] == strict.layout.fields
    names = [field.name for field in game.layout.fields[len(strict.layout.fields) :]]
    assert names == ["apart", "offer", "must_pass", "stock_unknown", "annulled"]
    assert view_layout(PRESETS[name]).digest() == strict.layout.digest()


@pytest.mark.parametrize("slots", [4, 6])
def test_every_action_once(slots: int) -> None:
    """53 types on each of 13 + 4 S groups; 53 early lays, 53 wrong discards, 48 runs, 12 sets; closings, a taking."""
    table = sanction_table(slots)
    rows = [row for row in table.rows[64 * table.strict_words :].tolist() if row[0] != Kind.UNUSED]
    groups = 13 + 4 * slots
    assert len(set(rows)) == len(rows) == 53 * groups + 53 + 53 + 48 + 12 + groups + 1


@pytest.mark.parametrize("slots", [4, 6])
def test_texts_lead_back(slots: int) -> None:
    table, runs = sanction_table(slots), [slots] * 4
    for action in range(64 * table.strict_words, table.size):
        if table.rows["kind"][action] != Kind.UNUSED:
            assert parse_action(table, format_action(table, action, runs), runs) == action
            assert parse_action(action_table(slots), format_action(table, action, runs), runs) is None


@pytest.mark.parametrize(
    "text", ["close", "close 9", "foul", "foul lay", "foul keep", "foul open run S", "close run 1"]
)
def test_malformed_texts_are_refused(text: str) -> None:
    with pytest.raises(UserError, match="action"):
        parse_action(sanction_table(4), text, [0] * 4)


def test_manual_closing_is_of_sanctions_play() -> None:
    assert burako_rules("burako-4", SANCTIONS).manual_close
    assert not burako_rules("burako-4").manual_close
    assert not burako_rules("burako-4", {**SANCTIONS, "manual_close": False}).manual_close
    with pytest.raises(UserError, match="only sanctions play"):
        burako_rules("burako-4", {"manual_close": True})


def test_strict_rules_keep_their_name() -> None:
    """The digests that records and checkpoints made before sanctions play hold."""
    names = [PRESETS[name].digest() for name in GAMES]
    assert names == ["befaa9eec54fe5aa", "109486cbc875d558", "3ad831524b1f1f26"]


# Play.


@ALL
def test_cards_are_conserved(name: str) -> None:
    game = dealt(name, 64, SANCTIONS)
    following = 64
    for step in range(400):
        expect_actions(game)
        game.step(breaking_actions(game))
        expect_all_cards(game)
        expect_cards_in_words(game, step % 64)
        following = reset_done(game, following)
    assert following > 64, "no hand ended"


@ALL
def test_every_infraction_comes_up(name: str) -> None:
    game = dealt(name, 128, SANCTIONS)
    found, following = set[int](), 128
    for _ in range(300):
        actions = breaking_actions(game)
        found.update(game.table.rows["kind"][actions].tolist())
        game.step(actions)
        following = reset_done(game, following)
    assert {*FOULS, Kind.CLOSE, Kind.TAKE_WILD} <= found


def test_every_hand_ends() -> None:
    """Nothing but infractions from the first turn on: no hand goes beyond `max_turns`."""
    game = dealt("burako-4", 24, {**SANCTIONS, "max_turns": 60})
    foul = np.isin(game.table.rows["kind"], FOULS)
    while not game.done.all():
        legal = game.legal()
        wanted = np.where((legal & foul).any(axis=1)[:, None], legal & foul, legal)
        game.step(
            (wanted * (1 + mix(game.keys())[:, None] * np.arange(game.num_actions, dtype=np.uint64) % 97)).argmax(1)
        )
        assert np.all(game.turns <= 60)
        expect_partition(state_of(game))


@ALL
def test_save_and_load(name: str) -> None:
    game = states(name)
    other = make(name, config=SANCTIONS)
    other.load_state_dict(game.state_dict())
    actions = breaking_actions(game)
    game.step(actions)
    other.step(actions)
    expect_same(game.state_dict(), other.state_dict())
    again = type(game).from_positions([game.position(index) for index in range(0, game.size, 7)])
    assert np.array_equal(again.legal_packed(), game.legal_packed(np.arange(0, game.size, 7)))


# What a View tells.


@ALL
def test_samples_agree_with_the_view(name: str) -> None:
    """The annulled cards lie in their order, those apart and the passes are there; the rest is redrawn."""
    game = states(name)
    assert game.view().annulled[:, 0].any()
    other = sampled(game, 3)
    assert np.array_equal(other.view(seats=0).buffer, np.repeat(game.view().buffer, 3, axis=0))
    assert np.array_equal(other.legal_packed(), np.repeat(game.legal_packed(), 3, axis=0))
    expect_partition(state_of(other))
    for index in range(0, game.size, 5):
        there = game.position(index)
        for row in range(3 * index, 3 * index + 3):
            found = other.position(row)
            assert found.annulled == there.annulled
            assert found.stock[len(found.stock) - found.annulled :] == there.stock[len(there.stock) - there.annulled :]
            assert found.apart == there.apart
    for _ in range(40):
        other.step(breaking_actions(other))
    expect_partition(state_of(other))


def test_a_large_stock() -> None:
    """With 8 players annulments can make a stock of more cards than a column of the View counts."""
    rules = burako_rules("burako-8", SANCTIONS)
    game = game_class(rules).from_positions([large_stock(rules)])
    view = game.view()
    assert (view.stock_size[0], view.stock_unknown[0]) == (127, 10)
    other = sampled(game, 2)
    expect_partition(state_of(other))
    assert [len(other.position(row).stock) for row in range(2)] == [140, 140]


def large_stock(rules: Rules) -> Position:
    """Eight hands of a card, six burakos of eleven, 140 cards in the stock, of which 130 are annulled."""
    cards = [card for card in range(52) for _ in range(4)] + [52] * 8
    take = iter(np.random.default_rng(0).permutation(cards).tolist())
    hands = [[next(take)] for _ in range(8)]
    burakos = [[[next(take) for _ in range(11)] for _ in range(3)] for _ in range(2)]
    stock = [next(take) for _ in range(140)]
    rest = list(take)
    assert len(rest) == 2
    hands[0] += rest
    return Position(rules, 0, "draw", hands, stock=stock, burakos=burakos, annulled=130)


@ALL
def test_hidden_cards_do_not_show(name: str) -> None:
    """Dealing anew all that a seat cannot see changes nothing in its View, nor in its legal actions."""
    game = states(name)
    generator = np.random.default_rng(3)
    for offset in range(game.seats):
        observers = (game.to_act + offset) % game.seats
        state = state_of(game)
        for index, observer in enumerate(observers.tolist()):
            redeal_hidden(state, index, observer, generator)
        other = with_state(game, state)
        assert np.array_equal(game.view(seats=observers).buffer, other.view(seats=observers).buffer)
        if offset == 0:
            assert np.array_equal(game.legal_packed(), other.legal_packed())


def test_copies_of_a_card_are_alike() -> None:
    game = states("burako-4")
    state, generator = state_of(game), np.random.default_rng(1)
    for index in range(game.size):
        exchange_copies(state, index, generator)
    other = with_state(game, state)
    for step in range(60):
        assert np.array_equal(game.legal_packed(), other.legal_packed()), step
        assert np.array_equal(game.scores, other.scores), step
        for seat in range(game.seats):
            assert np.array_equal(game.view(seats=seat).buffer, other.view(seats=seat).buffer), (step, seat)
        actions = breaking_actions(game)
        game.step(actions)
        other.step(actions)
