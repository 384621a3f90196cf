"""No View holds what its seat may not know (INFO-2, INFO-4).

Everything hidden from a seat is dealt anew, in real states of every stage and for every seat; then its View, its legal
actions and what agents answer must be the same, byte for byte. The same for which copy of a card lies where.
"""

from __future__ import annotations

import numpy as np
import pytest

from agents import load
from burako_env.burako.game import BurakoGame
from tests.tools.core_play import GAMES, mixed_actions, reset_done, stage_states, stages, state_of, with_state
from tests.tools.physical import exchange_copies, hidden_places, redeal_hidden

RULES = {
    "INFO-2": ["test_hidden_cards_do_not_show", "test_the_draw_is_the_drawers", "test_the_bottom_is_the_cutters"],
    "INFO-4": ["test_hidden_cards_do_not_show", "test_copies_of_a_card_are_alike"],
}
ALL = pytest.mark.parametrize("name", GAMES)
OFFSETS = [pytest.param(name, offset, id=f"{name}-{offset}") for name in GAMES for offset in range(int(name[-1]))]


def redealt(game: BurakoGame, observers: np.ndarray, seed: int) -> BurakoGame:
    """The same games with everything hidden from `observers` (a seat each) dealt anew."""
    state, generator = state_of(game), np.random.default_rng(seed)
    for index, observer in enumerate(observers.tolist()):
        redeal_hidden(state, index, observer, generator)
    return with_state(game, state)


@pytest.mark.parametrize(("name", "offset"), OFFSETS)
def test_hidden_cards_do_not_show(name: str, offset: int) -> None:
    """The seat `offset` places after the one to act sees the same, whatever the others hold."""
    game = stage_states(name, 10)
    observers = (game.to_act + offset) % game.seats
    views = game.view(seats=observers)
    for seed in range(3):
        other = redealt(game, observers, seed)
        seen = other.view(seats=observers)
        wrong = np.flatnonzero((seen.buffer != views.buffer).any(axis=1))
        fields = {
            field.name for field in game.layout if not np.array_equal(seen.field(field.name), views.field(field.name))
        }
        assert not wrong.size, f"games {wrong.tolist()} show {sorted(fields)}"
        if offset == 0:
            assert np.array_equal(game.legal_packed(), other.legal_packed())


@ALL
@pytest.mark.parametrize("spec", ["random", "heuristic"])
def test_agents_answer_the_same(name: str, spec: str) -> None:
    game = stage_states(name, 10)
    agent = load(spec, name)
    answers = agent.act(game.view(), game.legal(), game.keys())
    for seed in range(3):
        other = redealt(game, game.to_act, seed)
        assert np.array_equal(answers, agent.act(other.view(), other.legal(), other.keys()))


@ALL
def test_the_edits_are_real(name: str) -> None:
    """Dealing anew changes the hands and the stock in every stage, so the tests above compare different games."""
    game = stage_states(name, 10)
    other = redealt(game, game.to_act, 0)
    before, after = game.state_dict(), other.state_dict()
    moved = (before["hands"] != after["hands"]).any(axis=0)
    assert moved.mean() > 0.9
    assert [stage for stage, there in stages(game).items() if not moved[there].any()] == []
    somebody_sees = np.zeros(game.size, dtype=bool)
    for seat in range(game.seats):
        somebody_sees |= (game.view(seats=seat).buffer != other.view(seats=seat).buffer).any(axis=1)
    assert somebody_sees.mean() > 0.9
    state = state_of(game)
    hands, rows = hidden_places(state, 0, int(game.to_act[0]))
    # Own hand and what is public are all the rest.
    seen = sum(len(hand) for hand in hands.values()) + len(rows)
    view = game.view([0])
    public = int(view.pile_size[0]) + int(view.hand_sizes[0, 0]) + int(view.known[0, 1:].sum())
    table = np.bitwise_count(np.concatenate([state.sets, state.runs, state.closed]))[:, 0].sum()
    assert seen + public + table == game.rules.card_count - (view.bottom[0] > 0)


@ALL
def test_the_draw_is_the_drawers(name: str) -> None:
    """The card drawn from the stock, in the look phase too, is in no other View."""
    game = stage_states(name, 10)
    drew = (game.view().drawn > 0) & ~stages(game)["answer"]
    assert drew[stages(game)["look"]].all()
    for offset in range(1, game.seats):
        assert not game.view(seats=(game.to_act + offset) % game.seats).drawn[drew].any()


@ALL
def test_the_bottom_is_the_cutters(name: str) -> None:
    """He sees the natural he left at the deal for as long as it lies there; the others never do."""
    game = stage_states(name, 10)
    start = game.clone()
    start.reset(game.deal_ids)
    cutters = start.view(seats=0).cutter.astype(int)
    at_deal = start.view(seats=cutters).bottom
    for index, seat in enumerate(cutters.tolist()):
        position = start.position(index)
        # With two wilds kept he may not look at a third card (SETUP-3).
        assert at_deal[index] == (0 if len(position.shown[seat]) == 2 else position.stock[-1] + 1)
    there = game.view().stock_size > 0
    assert 0 < there.sum() < game.size
    assert np.array_equal(game.view(seats=cutters).bottom, np.where(there, at_deal, 0))
    for offset in range(1, game.seats):
        assert not game.view(seats=(cutters + offset) % game.seats).bottom.any()


@ALL
def test_copies_of_a_card_are_alike(name: str) -> None:
    """Which deck a card comes from changes neither Views nor legal actions nor the course of play."""
    game = stage_states(name)
    state, generator = state_of(game), np.random.default_rng(1)
    for index in range(game.size):
        exchange_copies(state, index, generator)
    other = with_state(game, state)
    assert np.any(game.state_dict()["hands"] != other.state_dict()["hands"], axis=0).all()
    following = 10_000
    for step in range(80):
        assert np.array_equal(game.legal_packed(), other.legal_packed()), step
        assert np.array_equal(game.scores, other.scores), step
        for seat in range(game.seats):
            assert np.array_equal(game.view(seats=seat).buffer, other.view(seats=seat).buffer), (step, seat)
        actions = mixed_actions(game)
        game.step(actions)
        other.step(actions)
        assert np.array_equal(game.done, other.done)
        following = max(reset_done(game, following), reset_done(other, following))
