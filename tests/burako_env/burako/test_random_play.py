"""What whole hands look like: their length under random play, and every way to end."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest

from burako_env.burako.game import BurakoGame
from burako_env.burako.turn.actions import Kind
from tests.tools.core_play import dealt, eager_actions, random_actions

RULES = {
    "OUT-1": ["test_every_reason_is_reached"],
    "OUT-2": ["test_every_reason_is_reached"],
    "END-1": ["test_every_reason_is_reached", "test_the_last_round"],
    "END-2": ["test_the_last_round"],
    "END-3": ["test_every_reason_is_reached", "test_truncation"],
}
HANDS = 2048


def played_out(game: BurakoGame, eager: bool = False) -> np.ndarray:
    """Plays every hand to its end; the kind of the last action of each."""
    last = np.zeros(game.size, dtype=int)
    while not game.done.all():
        actions = eager_actions(game) if eager else random_actions(game)
        last = np.where(game.done, last, game.table.rows["kind"][actions])
        game.step(actions)
    return last


def test_length_of_random_hands() -> None:
    """Four random players: 220 to 235 decisions and about 80 turns a hand.

    The share that ends by going out is the reference's: 188 of 1,600 hands of its own random play, 11.8% +- 0.8%.
    """
    game = dealt("burako-4", HANDS)
    played_out(game)
    assert 220 <= game.decisions.mean() <= 235
    assert 78 <= game.turns.mean() <= 83
    reasons = Counter(game.position(index).reason for index in range(HANDS))
    assert 0.095 <= reasons["out"] / HANDS <= 0.15
    assert reasons["truncated"] < 0.01 * HANDS


def ending(game: BurakoGame, index: int, last: int) -> str:
    """How a hand ended, in words."""
    position = game.position(index)
    if position.reason == "out":
        assert position.out_seat is not None
        assert not position.hands[position.out_seat]
        assert not position.burakos[position.out_seat % 2]
        justified = position.closed[position.out_seat % 2]
        return "out justified" if justified else "out unjustified"
    assert all(position.hands), "nobody waits without cards (BURAKO-1, OUT-1)"
    if position.reason == "exhausted":
        assert not position.stock
        return "exhausted by choice" if last == Kind.END_HAND else "exhausted by the last round"
    assert position.reason == "truncated"
    assert position.turns == game.rules.max_turns
    return "truncated"


def test_every_reason_is_reached() -> None:
    found: Counter[str] = Counter()
    for eager, turns in ((False, 400), (True, 400), (False, 60)):
        game = dealt("burako-4", 256, {"max_turns": turns})
        last = played_out(game, eager)
        found.update(ending(game, index, int(last[index])) for index in range(game.size))
        assert np.array_equal(
            game.truncated, [game.position(index).reason == "truncated" for index in range(game.size)]
        )
    ends = ["exhausted by choice", "exhausted by the last round", "out justified", "out unjustified", "truncated"]
    assert sorted(found) == ends
    assert min(found.values()) >= 5


@pytest.mark.parametrize("name", ["burako-4", "burako-6", "burako-8"])
def test_the_last_round(name: str) -> None:
    """From the end of the turn that took the last stock card every seat has at most one more turn; burakos stay."""
    game = dealt(name, 128, {"max_turns": 10_000})
    empty_at = np.full(game.size, -1)
    left = np.zeros((game.size, 2), dtype=int)
    while not game.done.all():
        game.step(random_actions(game))
        view = game.view(seats=0)
        now = (view.stock_size == 0) & (empty_at < 0)
        empty_at[now] = game.turns[now]
        left[now] = view.burakos_left[now]
        assert np.all(view.stock_size[empty_at >= 0] == 0)
    ended = (empty_at >= 0) & np.array([game.position(index).reason == "exhausted" for index in range(game.size)])
    # The turn of the last card itself is the first to be completed.
    more = game.turns[ended] - empty_at[ended] - 1
    assert more.max() == game.seats
    assert more.min() >= 0
    # No burako has become stock: each is where it was, or in a hand.
    at_end = game.view(seats=0).burakos_left
    assert np.all(at_end[ended] <= left[ended])
    assert (at_end[ended] > 0).any()


@pytest.mark.parametrize("turns", [1, 2, 7, 40])
def test_truncation(turns: int) -> None:
    """The hand is over at the end of turn `max_turns`, as truncation, and nobody gets the bonus of going out."""
    game = dealt("burako-4", 64, {"max_turns": turns})
    played_out(game)
    truncated = game.truncated
    assert truncated.mean() > 0.9
    assert np.all(game.turns[truncated] == turns)
    assert np.all(game.turns <= turns)
    assert all(game.position(index).out_seat is None for index in np.flatnonzero(truncated))
