"""`sample_states`: whole games that agree with a View; how likely each is, `test_sampling_odds` asks."""

from __future__ import annotations

from collections import Counter
from typing import Any

import numpy as np
import pytest

from burako_env.burako.game import BurakoGame
from burako_env.cards import CARD_NAMES
from burako_env.chance.rng import mix
from tests.reference.cards import VALUE
from tests.tools.core_play import GAMES, dealt, joined, mixed_actions, played, sampled, stage_states, stages, state_of
from tests.tools.physical import expect_partition

RULES = {"INFO-2": ["test_the_seen_bottom_stays"], "INFO-3": ["test_known_cards_stay"]}
ALL = pytest.mark.parametrize("name", GAMES)
CONFIGS: list[dict[str, Any]] = [
    {"cut_look_max": 11, "ace": "high", "rediscard_single_pile": True},
    {"burakos_per_team": 0, "jokers_per_deck": 0, "ace": "low"},
    {"one_set_per_rank_ever": True, "burako_wilds_max": 11, "run_slots": 6, "burakos_per_team": 2, "burako_size": 5},
]


def expect_agreement(game: BurakoGame, k: int) -> BurakoGame:
    """What the observer sees and may do is the same in all its samples, and no card is lost or made."""
    other = sampled(game, k)
    assert other.size == game.size * k
    assert np.array_equal(other.view(seats=0).buffer, np.repeat(game.view().buffer, k, axis=0))
    assert not other.to_act.any()
    assert np.array_equal(other.legal_packed(), np.repeat(game.legal_packed(), k, axis=0))
    expect_partition(state_of(other))
    return other


@ALL
def test_samples_agree_with_the_view(name: str) -> None:
    """In every stage; the order is view-major."""
    game = stage_states(name, 10)
    assert all(there.any() for there in stages(game).values())
    expect_agreement(game, 3)


@pytest.mark.parametrize("config", CONFIGS)
def test_samples_agree_under_other_rules(config: dict[str, Any]) -> None:
    for steps in (0, 1, 40, 120, 200):
        game = played("burako-4", 40, steps, config)
        if not game.done.all():
            expect_agreement(game.select(np.flatnonzero(~game.done)), 2)


def test_samples_in_a_match() -> None:
    """MATCH-1: totals, negative ones too, and the target are in the View, so in the sample."""
    game = played("burako-4", 6, 30)
    game.set_match(np.arange(6), [[1995, -340, 0, 5, -5, 1200], [-2000, 640, 0, -99, 100, 1999]], 2000)
    expect_agreement(game, 2)


@ALL
def test_samples_score_as_the_view_says(name: str) -> None:
    """Bazas, tables and burakos count as they did; only the cards in the hands are others (SCORE-3)."""
    game = stage_states(name)
    other, values = sampled(game, 2), np.array([VALUE[card] for card in CARD_NAMES])

    def without_hands(batch: BurakoGame) -> np.ndarray:
        points = batch.scores.astype(int)
        for seat in range(batch.seats):
            points[:, seat % 2] += batch.view(seats=seat).hand.astype(int) @ values
        return points

    truth = without_hands(game)
    own = game.to_act[:, None].astype(int) % 2
    assert np.array_equal(without_hands(other), np.repeat(np.where(own, truth[:, ::-1], truth), 2, axis=0))
    assert np.unique(truth).size > 20


@ALL
def test_samples_can_be_played(name: str) -> None:
    """They are whole games: every action is checked, no card is lost, and every hand ends."""
    game = stage_states(name)
    game = sampled(game.select(np.arange(0, game.size, 2)), 1)
    while not game.done.all():
        assert np.array_equal(game.legal().any(axis=1), ~game.done)
        game.step(mixed_actions(game))
        expect_partition(state_of(game))


@ALL
def test_known_cards_stay(name: str) -> None:
    """A card known to be in a hand is there in every sample."""
    game = stage_states(name)
    known = np.repeat(game.view().known[:, 1:], 3, axis=0)
    other = sampled(game, 3)
    assert known.any()
    for seat in range(1, game.seats):
        assert np.all(other.view(seats=seat).hand >= known[:, seat - 1])


@ALL
def test_the_seen_bottom_stays(name: str) -> None:
    """The cutter knows the last card of the stock; to the others it is as unknown as the rest."""
    game = dealt(name, 60)
    parts: list[BurakoGame] = []
    while sum(part.size for part in parts) < 12:
        game.step(mixed_actions(game))
        parts.append(game.select(np.flatnonzero(game.view().bottom > 0)[:4]))
    cutters = joined(parts)
    for index in range(cutters.size):
        bottom = cutters.position(index).stock[-1]
        other = sampled(cutters.select([index]), 40)
        bottoms = Counter(other.position(row).stock[-1] for row in range(40))
        assert bottoms == {bottom: 40}
        assert np.array_equal(other.view(seats=0).bottom, np.full(40, bottom + 1))
        assert len({tuple(other.position(row).stock[:-1]) for row in range(40)}) == 40
    index = int(np.flatnonzero((game.view().bottom == 0) & ~game.done)[0])
    other = sampled(game.select([index]), 40)
    assert len({other.position(row).stock[-1] for row in range(40)}) > 10


@ALL
def test_keys_decide(name: str) -> None:
    """The same View and key give the same samples, in whatever company; another key gives others."""
    game = stage_states(name)
    view, keys = game.view(), game.keys()
    first, again = game.sample_states(view, 3, keys), game.sample_states(view, 3, keys)
    assert np.array_equal(first.state_dict()["hands"], again.state_dict()["hands"])
    assert np.array_equal(first.state_dict()["deck"], again.state_dict()["deck"])
    rows = np.array([9, 2, 30])
    some = game.sample_states(view.take(rows), 3, keys[rows])
    of = (rows[:, None] * 3 + np.arange(3)).ravel()
    for field in ("hands", "deck", "known"):
        assert np.array_equal(some.state_dict()[field], first.state_dict()[field][:, of])
    other = game.sample_states(view, 3, mix(keys))
    assert (other.state_dict()["hands"] != first.state_dict()["hands"]).any(axis=0).mean() > 0.8
    hands = first.state_dict()["hands"].reshape(-1, game.size, 3)
    assert (hands[..., 0] != hands[..., 1]).any(axis=0).mean() > 0.8


# What it refuses.


def test_views_of_others_are_refused() -> None:
    game = dealt("burako-4", 4)
    keys = game.keys()
    with pytest.raises(ValueError, match="seat to act"):
        game.sample_states(game.view(seats=(game.to_act + 1) % 4), 2, keys)
    over = dealt("burako-4", 4, {"max_turns": 1})
    while not over.done.all():
        over.step(mixed_actions(over))
    with pytest.raises(ValueError, match="live game"):
        over.sample_states(over.view(), 2, keys)


@pytest.mark.parametrize("foreign", ["burako-6", "burako-8"])
def test_views_of_other_games_are_refused(foreign: str) -> None:
    """A View of another layout is refused with the width that was expected."""
    game, other = dealt("burako-4", 2), dealt(foreign, 2)
    with pytest.raises(ValueError, match=str(game.layout.width)):
        game.sample_states(other.view(), 2, other.keys())
