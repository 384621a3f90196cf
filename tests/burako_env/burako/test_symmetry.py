"""Suits are alike and seats are alike: a deal with its suits exchanged, or turned round the table, plays as before.

The deals are edited in the saved state. Then both games take the same actions, in the words of the one and of the
other, and after every decision legal actions, scores and Views must be those of the first with the same exchange made
in them.
"""

from __future__ import annotations

from itertools import permutations

import numpy as np
import pytest

from burako_env.burako.game import BurakoGame
from burako_env.burako.turn.actions import FIRST_RUN, NONE
from burako_env.layout import View
from tests.tools.core_play import GAMES, dealt, joined, mixed_actions, state_of, with_state
from tests.tools.physical import JOKER, PER_DECK, map_cards, type_of

RULES = {"SETUP-1": ["test_seats_are_alike"], "SETUP-2": ["test_seats_are_alike"]}
ALL = pytest.mark.parametrize("name", GAMES)
SUIT_ORDERS = list(permutations(range(4)))
Order = tuple[int, ...]


def new_type(card: int, order: Order) -> int:
    """A card type with its suit exchanged: suit s becomes `order[s]`."""
    return card if card == JOKER else order[card // 13] * 13 + card % 13


def new_action(game: BurakoGame, action: int, order: Order) -> int:
    """An action with its suits exchanged, by what it does: its card, and the suit of its run."""
    _, card, group = game.table.rows[action].tolist()
    if card == NONE:
        return action
    card = new_type(card, order)
    if group == NONE:
        return game.table.discard(card)
    if group >= FIRST_RUN:
        suit, slot = divmod(group - FIRST_RUN, game.rules.run_slots)
        group = game.table.run_group(order[suit], slot)
    return game.table.lay(card, group)


def new_view(view: View, order: Order) -> np.ndarray:
    """A View's buffer with its suits exchanged, field by field as the layout says."""
    other = View(view.buffer.copy(), view.layout)
    types = np.array([new_type(card, order) for card in range(JOKER + 1)])
    suits = np.array(order)
    codes = np.concatenate([[0], types + 1])
    wild_codes = np.concatenate([[0], suits + 1, [5]])
    for name in ("hand", "known", "pile", "sets", "closed"):
        other.field(name)[..., types] = view.field(name)
    for name in ("pile_top", "single", "drawn", "bottom"):
        other.field(name)[...] = codes[view.field(name)]
    other.set_wild[...] = wild_codes[view.set_wild]
    other.runs[:, :, suits] = view.runs
    other.runs[..., 4] = wild_codes[other.runs[..., 4]]
    return other.buffer


def exchanged(game: BurakoGame, orders: list[Order]) -> BurakoGame:
    """The deals with the suits exchanged, another order for each game."""
    state = state_of(game)
    for index, order in enumerate(orders):

        def new(card: int, order: Order = order) -> int:
            return card if type_of(card) == JOKER else card // PER_DECK * PER_DECK + new_type(card % PER_DECK, order)

        map_cards(state, index, new)
        if state.bottom[index] != NONE:
            state.bottom[index] = new_type(int(state.bottom[index]), order)
    return with_state(game, state)


@ALL
def test_suits_are_alike(name: str) -> None:
    """All 24 exchanges of the suits, over whole hands."""
    game = dealt(name, 24)
    other = exchanged(game, SUIT_ORDERS)
    maps = np.array([[new_action(game, action, order) for action in range(game.num_actions)] for order in SUIT_ORDERS])
    assert np.all(np.sort(maps, axis=1) == np.arange(game.num_actions))
    rows = np.arange(len(SUIT_ORDERS))
    step = 0
    while not game.done.all():
        assert np.array_equal(game.legal(), other.legal()[rows[:, None], maps]), step
        assert np.array_equal(game.scores, other.scores), step
        assert np.array_equal(game.done, other.done), step
        if step % 3 == 0:
            seat = step // 3 % game.seats
            view, seen = game.view(seats=seat), other.view(seats=seat)
            for index, order in enumerate(SUIT_ORDERS):
                assert np.array_equal(new_view(view.take([index]), order)[0], seen.buffer[index]), (step, order)
        actions = mixed_actions(game)
        game.step(actions)
        other.step(maps[rows, actions])
        step += 1
    assert np.array_equal(game.scores, other.scores)
    assert np.array_equal(game.bound_hits, other.bound_hits)


def turned(game: BurakoGame, by: int) -> BurakoGame:
    """The deals with everybody `by` seats on, cutter and burakos too."""
    state = state_of(game)
    rows = by * game.rules.decks
    state.hands[:] = np.roll(state.hands, rows, axis=0)
    state.known[:] = np.roll(state.known, rows, axis=0)
    for seat in (state.cutter, state.turn, state.actor):
        seat[:] = (seat + by) % game.seats
    if by % 2:
        half = game.rules.burakos_per_team * game.rules.burako_size
        state.deck[: 2 * half] = np.roll(state.deck[: 2 * half], half, axis=0)
    return with_state(game, state)


@ALL
def test_seats_are_alike(name: str) -> None:
    """Every turn of the table, over whole hands: who sits where shows in nothing but the numbers of the seats."""
    game = dealt(name, 12, first=100)
    turns = np.arange(1, game.seats)
    others = joined([turned(game, by) for by in turns.tolist()])
    # Row by row of `others`: the game it comes from, and how far it is turned.
    of, by = np.tile(np.arange(game.size), len(turns)), np.repeat(turns, game.size)
    step = 0
    while not game.done.all():
        actions, seat = mixed_actions(game), step % game.seats
        assert np.array_equal(game.legal_packed()[of], others.legal_packed()), step
        seen = others.view(seats=(seat + by) % game.seats)
        assert np.array_equal(game.view(seats=seat).buffer[of], seen.buffer), step
        game.step(actions)
        others.step(actions[of])
        odd = (by % 2 == 1)[:, None]
        assert np.array_equal(game.scores[of], np.where(odd, others.scores[:, ::-1], others.scores)), step
        assert np.array_equal((game.to_act[of] + by) % game.seats, others.to_act), step
        assert np.array_equal(game.done[of], others.done), step
        step += 1
