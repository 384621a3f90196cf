"""The same deals and the same key-driven agent give the same play, however it is cut, stored, copied or turned."""

from __future__ import annotations

import hashlib
import os
import subprocess
import sys
from collections import Counter
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from burako_env.burako.game import BurakoGame
from burako_env.families import make
from tests.tools.core_play import (
    GAMES,
    dealt,
    eager_actions,
    expect_same,
    mixed_actions,
    played,
    random_actions,
    reset_done,
    stage_states,
    stages,
)
from tests.tools.places import ROOT

RULES = {"SETUP-1": ["test_swapped_sides"], "SETUP-2": ["test_cutters_are_uniform"]}
ALL = pytest.mark.parametrize("name", GAMES)
Course = tuple[list[int], list[int]]
Chooser = Callable[[BurakoGame], np.ndarray]


def courses(game: BurakoGame, choose: Chooser = mixed_actions) -> dict[int, Course]:
    """Plays the batch to its end; by deal the actions taken and the final scores."""
    taken: list[np.ndarray] = []
    while not game.done.all():
        actions = np.where(game.done, -1, choose(game))
        game.step(actions)
        taken.append(actions)
    table = np.array(taken)
    rows = {deal: table[table[:, index] >= 0, index].tolist() for index, deal in enumerate(game.deal_ids.tolist())}
    return {deal: (rows[deal], game.scores[index].tolist()) for index, deal in enumerate(game.deal_ids.tolist())}


def digest(name: str, games: int) -> str:
    """A fingerprint of the courses of the first deals."""
    return hashlib.sha256(repr(sorted(courses(dealt(name, games)).items())).encode()).hexdigest()


def of_deals(name: str, deals: list[int]) -> BurakoGame:
    """A batch of given deals."""
    game = make(name, len(deals))
    assert isinstance(game, BurakoGame)
    game.reset(deals)
    return game


def test_batch_sizes_1_7_1024() -> None:
    many = courses(dealt("burako-4", 1024), random_actions)
    assert len({tuple(actions) for actions, _ in many.values()}) == 1024
    for start in range(0, 35, 7):
        deals = list(range(start, start + 7))
        assert courses(of_deals("burako-4", deals), random_actions) == {deal: many[deal] for deal in deals}
    for deal in (0, 1, 511, 1023):
        assert courses(of_deals("burako-4", [deal]), random_actions) == {deal: many[deal]}


@pytest.mark.slow
@pytest.mark.parametrize("name", GAMES[1:])
def test_batch_sizes_with_more_players(name: str) -> None:
    many = courses(dealt(name, 1024))
    for start in range(0, 70, 7):
        deals = list(range(start, start + 7))
        assert courses(of_deals(name, deals)) == {deal: many[deal] for deal in deals}
    for deal in (0, 1, 511, 1023):
        assert courses(of_deals(name, [deal])) == {deal: many[deal]}


@ALL
def test_order_and_repeated_dealing(name: str) -> None:
    """The place in the batch, the deals beside it and what a slot held before do not matter."""
    deals = list(range(8))
    straight = courses(of_deals(name, deals))
    shuffled = [7, 3, 0, 5, 2, 1, 4, 6]
    assert courses(of_deals(name, shuffled)) == straight
    used = played(name, 8, 90, first=500)
    used.reset(shuffled)
    assert courses(used) == straight


def test_dealing_some_games_does_not_disturb_the_others() -> None:
    """Slots are dealt anew as their hands end; every hand goes as it goes alone."""
    alone = courses(dealt("burako-4", 60))
    game = dealt("burako-4", 10)
    taken: dict[int, list[int]] = {deal: [] for deal in range(60)}
    found: dict[int, Course] = {}
    following = 10
    while len(found) < 40:
        actions = mixed_actions(game)
        for deal, action in zip(game.deal_ids.tolist(), actions.tolist()):
            if deal < 60:
                taken[deal].append(action)
        game.step(actions)
        for index in np.flatnonzero(game.done):
            deal = int(game.deal_ids[index])
            found[deal] = taken.get(deal, []), game.scores[index].tolist()
        following = reset_done(game, following)
    assert all(found[deal] == alone[deal] for deal in found if deal < 60)
    assert sum(deal < 60 for deal in found) >= 40


@pytest.mark.parametrize("seed", ["0", "4242"])
def test_other_processes(seed: str) -> None:
    """Nothing depends on the hashes of a process."""
    code = "from tests.burako_env.burako.test_determinism import digest; print(digest('burako-4', 10))"
    environment = {**os.environ, "PYTHONHASHSEED": seed, "PYTHONPATH": str(ROOT)}
    run = subprocess.run(
        [sys.executable, "-c", code], cwd=ROOT, env=environment, capture_output=True, text=True, check=True
    )
    assert run.stdout.strip() == digest("burako-4", 10)


@ALL
def test_saved_and_loaded_states_play_on(name: str, tmp_path: Path) -> None:
    """In the middle of turns, openings and questions, through a file and into a batch of another size."""
    game, met = dealt(name, 200), Counter[str]()
    for step in range(200):
        game.step(mixed_actions(game))
        if step % 40 != 39:
            continue
        np.savez(tmp_path / "state.npz", **game.state_dict())
        with np.load(tmp_path / "state.npz") as saved:
            loaded = make(name, 1)
            assert isinstance(loaded, BurakoGame)
            loaded.load_state_dict(dict(saved))
        played_on = game.clone()
        met.update({stage: int(there.sum()) for stage, there in stages(played_on).items()})
        for _ in range(4):
            assert np.array_equal(played_on.legal_packed(), loaded.legal_packed())
            assert np.array_equal(played_on.view().buffer, loaded.view().buffer)
            assert np.array_equal(played_on.scores, loaded.scores)
            actions = mixed_actions(played_on)
            assert np.array_equal(actions, mixed_actions(loaded))
            played_on.step(actions)
            loaded.step(actions)
        expect_same(played_on.state_dict(), loaded.state_dict())
    assert min(met[stage] for stage in ("draw", "lay", "first card", "second card", "answer")) > 0


@ALL
def test_copies_are_independent(name: str) -> None:
    """Playing the original leaves clone and selection alone, and the other way round."""
    game = stage_states(name)
    rows = [5, 5, 0, 40]
    clone, some = game.clone(), game.select(rows)
    before, chosen = game.state_dict(), some.state_dict()
    expect_same({key: value[:, rows] for key, value in before.items()}, chosen)
    game.reset(np.arange(game.size))
    game.set_match(np.arange(game.size), np.full((2, game.size), 700), 2000)
    game.step(mixed_actions(game))
    expect_same(before, clone.state_dict())
    expect_same(chosen, some.state_dict())
    after = game.state_dict()
    clone.step(mixed_actions(clone))
    some.step(mixed_actions(some))
    expect_same(after, game.state_dict())
    # The two copies of game 5 and the clone have gone the same way; a fourth copy may go another.
    expect_same(some.select([0]).state_dict(), some.select([1]).state_dict())
    expect_same(some.select([0]).state_dict(), clone.select([5]).state_dict())
    kept = clone.state_dict()
    loaded = dealt(name, 1)
    loaded.load_state_dict(kept)
    loaded.step(eager_actions(loaded))
    expect_same(kept, clone.state_dict())


@ALL
def test_deals_depend_on_root_seed_and_deal_alone(name: str) -> None:
    one, other = dealt(name, 40, root_seed=5), dealt(name, 90, root_seed=5)
    expect_same(one.state_dict(), other.select(np.arange(40)).state_dict())
    stocks = {tuple(one.position(index).stock) for index in range(40)}
    assert len(stocks) == 40
    assert one.position(3).hands != dealt(name, 40, root_seed=6).position(3).hands
    single = dealt(name, 1, root_seed=5, first=17)
    assert single.position(0) == one.position(17)
    large = dealt(name, 1, root_seed=5, first=2**40)
    assert large.deal_ids[0] == 2**40
    assert large.position(0).hands != dealt(name, 1, root_seed=5, first=0).position(0).hands


@ALL
def test_cutters_are_uniform(name: str) -> None:
    """Who draws the highest card is a matter of the deal; the seat after the next one plays first."""
    game = dealt(name, 4096)
    view = game.view(seats=0)
    counts = np.bincount(view.cutter, minlength=game.seats)
    expected = game.size / game.seats
    assert np.all(np.abs(counts - expected) < 5 * expected**0.5)
    assert np.array_equal(game.to_act, (view.cutter + 2) % game.seats)
    assert np.array_equal(view.actor, game.to_act)


@ALL
def test_swapped_sides(name: str) -> None:
    """The same cards one seat on: hands, burakos and cutter; mirrored play gives the mirrored course and scores."""
    plain, turned = dealt(name, 12), dealt(name, 12)
    turned.reset(np.arange(12), swap_sides=True)
    assert turned.swapped.all()
    assert not plain.swapped.any()
    for index in range(12):
        here, there = plain.position(index), turned.position(index)
        assert there.hands == here.hands[-1:] + here.hands[:-1]
        assert there.shown == here.shown[-1:] + here.shown[:-1]
        assert there.burakos == here.burakos[::-1]
        assert there.stock == here.stock
        assert (there.cutter, there.turn) == ((here.cutter + 1) % plain.seats, (here.turn + 1) % plain.seats)
        assert there.bottom == here.bottom
    # Agents draw their chance anew in the other orientation.
    assert not np.any(plain.seat_keys() == turned.seat_keys())
    while not plain.done.all():
        assert np.array_equal(plain.legal_packed(), turned.legal_packed())
        actions = mixed_actions(plain)
        plain.step(actions)
        turned.step(actions)
        assert np.array_equal(plain.scores, turned.scores[:, ::-1])
        assert np.array_equal(plain.done, turned.done)
        seat = int(plain.decisions.max()) % plain.seats
        there = turned.view(seats=(seat + 1) % plain.seats)
        assert np.array_equal(plain.view(seats=seat).buffer, there.buffer)
    assert np.array_equal((plain.to_act + 1) % plain.seats, turned.to_act)


def test_swap_of_some_games() -> None:
    """Each game has its own orientation."""
    game = dealt("burako-4", 4)
    game.reset([1, 1, 2, 2], swap_sides=[False, True, False, True])
    assert game.swapped.tolist() == [False, True, False, True]
    for index in (0, 2):
        assert game.position(index + 1).hands[1:] == game.position(index).hands[:3]
    game.reset([1, 1], [3, 0])
    assert game.swapped.tolist() == [False, True, False, False]
    assert game.position(0).hands == game.position(3).hands
