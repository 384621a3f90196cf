"""Matches: MATCH-1, SETUP-2 from hand to hand, and everything a batch of games promises."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

import burako_env
from burako_env.burako.game import BurakoGame
from burako_env.chance.rng import mix
from burako_env.choice import random_legal
from burako_env.families import make_match
from burako_env.match import MatchGame, hand_deal_ids

RULES = {
    "MATCH-1": [
        "test_totals_are_the_sums_of_the_hands",
        "test_target_tie_and_a_lower_total",
        "test_the_last_hand_may_still_win",
        "test_a_truncated_hand_is_not_a_truncated_match",
        "test_view_tells_both_teams_of_the_match",
    ],
    "SETUP-2": ["test_the_cutter_moves_on_by_one_seat"],
}

SHORT = {"max_turns": 12, "max_hands": 3}


def match_of(batch: int = 1, players: int = 4, root_seed: int = 0, **rules: object) -> MatchGame:
    return make_match(f"burako-{players}", batch, root_seed, {**SHORT, **rules})


def play_random(match: MatchGame, after_step: Callable[[], None] | None = None, decisions: int = 10**6) -> int:
    """Random play from the keys until all matches are over; the number of steps."""
    steps = 0
    while not match.done.all() and steps < decisions:
        match.step(random_legal(match.legal_packed(), mix(match.keys())))
        steps += 1
        if after_step is not None:
            after_step()
    return steps


def points(halves: np.ndarray) -> np.ndarray:
    """Hundreds and rest, last axis, as one number."""
    return halves[..., 0].astype(int) * 100 + halves[..., 1]


def same_state(one: burako_env.BatchGame, other: burako_env.BatchGame) -> bool:
    ours, theirs = one.state_dict(), other.state_dict()
    return ours.keys() == theirs.keys() and all(np.array_equal(ours[name], theirs[name]) for name in ours)


@pytest.mark.parametrize("players", [4, 6, 8])
def test_totals_are_the_sums_of_the_hands(players):
    match = match_of(5, players)
    match.reset(np.arange(5))
    sums = np.zeros((5, 2), dtype=int)
    hands = np.zeros(5, dtype=int)

    def count() -> None:
        if match.finished.size:
            assert match.finished_hands is not None
            assert match.finished_hands.done.all()
            sums[match.finished] += match.finished_hands.scores
            hands[match.finished] += 1
            assert np.array_equal(match.last_scores[match.finished], match.finished_hands.scores)
            assert np.array_equal(match.last_truncated[match.finished], match.finished_hands.truncated)
            assert np.array_equal(match.last_deal_ids[match.finished], match.finished_hands.deal_ids)
        else:
            assert match.finished_hands is None
        assert np.array_equal(match.totals, sums)
        assert np.array_equal(match.hands_played, hands)
        live = ~match.done
        assert np.array_equal(match.scores[live], (match.totals + match.hand.scores)[live])
        assert np.array_equal(match.scores[~live], match.totals[~live])

    play_random(match, count)
    assert (hands == SHORT["max_hands"]).all()
    assert match.truncated.all()
    assert (match.winner == -1).all()
    assert match.last_truncated.any()


def test_the_cutter_moves_on_by_one_seat():
    match = match_of(40, cut_look_max=0)
    match.reset(np.arange(40))
    first = match.cutter
    assert set(first.tolist()) == {0, 1, 2, 3}

    def check() -> None:
        live = ~match.done
        assert np.array_equal(match.cutter[live], ((first + match.hands_played) % 4)[live])
        assert np.array_equal(match.view(seats=0).cutter[live], match.cutter[live])
        fresh = match.finished[live[match.finished]]
        assert np.array_equal(match.to_act[fresh], (match.cutter[fresh] + 2) % 4)

    play_random(match, check)
    assert (match.hands_played == 3).all()


def test_swapped_matches_turn_every_hand_by_one_seat():
    plain, swapped = match_of(20), match_of(20)
    plain.reset(np.arange(20))
    swapped.reset(np.arange(20), swap_sides=True)
    for _ in range(2):
        assert np.array_equal((plain.to_act + 1) % 4, swapped.to_act)
        for seat in range(4):
            ours, theirs = plain.view(seats=seat), swapped.view(seats=(seat + 1) % 4)
            assert np.array_equal(ours.hand, theirs.hand)
            assert np.array_equal(ours.cutter, theirs.cutter)
        # One hand further, the same actions on both sides.
        hands = plain.hands_played + 1
        while (plain.hands_played < hands).any():
            games = np.flatnonzero(plain.hands_played < hands)
            actions = random_legal(plain.legal_packed(games), mix(plain.keys(games)))
            plain.step(actions, games)
            swapped.step(actions, games)
        assert np.array_equal(plain.totals, swapped.totals[:, ::-1])
        assert swapped.swapped.all()
        assert not plain.swapped.any()


def with_totals(match: MatchGame, totals: list[list[int]]) -> None:
    """Put a match somewhere in the middle."""
    state = match.state_dict()
    state["match.totals"] = np.array(totals, dtype=np.int32)
    match.load_state_dict(state)


def last_points(match: MatchGame, seed: int = 0) -> np.ndarray:
    """What the hand in play will give both sides in the random play of the tests, `[B, 2]`."""
    trial = match.clone()
    ends = np.zeros((match.size, 2), dtype=int)
    done = np.zeros(match.size, dtype=bool)

    def note() -> None:
        new = trial.finished[~done[trial.finished]]
        ends[new] = trial.last_scores[new]
        done[new] = True

    while not done.all():
        play_random(trial, note, decisions=1)
    return ends


def test_target_tie_and_a_lower_total():
    rules = {"max_hands": 50, "target": 1000}
    match = match_of(5, **rules)
    match.reset(np.arange(5))
    coming = last_points(match)
    # After the hand: won by 0; won by 1; a tie at the target; nobody there; both there, the higher one wins.
    ends = np.array([[1000, 900], [-500, 2000], [1200, 1200], [999, 999], [1500, 1499]])
    with_totals(match, (ends - coming).tolist())
    play_random(match, decisions=1)
    while (match.hands_played == 0).any():
        games = np.flatnonzero(match.hands_played == 0)
        match.step(random_legal(match.legal_packed(games), mix(match.keys(games))), games)
    assert np.array_equal(match.totals, ends)
    assert match.done.tolist() == [True, True, False, False, True]
    assert match.winner.tolist() == [0, 1, -1, -1, 0]
    assert not match.truncated.any()
    assert match.legal([0, 1, 4]).sum() == 0
    assert match.legal([2, 3]).any(axis=1).all()


def test_the_last_hand_may_still_win():
    match = match_of(2, target=1000, max_hands=1)
    match.reset([0, 1])
    with_totals(match, (np.array([[1000, 0], [999, 0]]) - last_points(match)).tolist())
    play_random(match)
    assert match.done.tolist() == [True, True]
    assert match.winner.tolist() == [0, -1]
    assert match.truncated.tolist() == [False, True]


def test_a_truncated_hand_is_not_a_truncated_match():
    match = match_of(1, max_turns=5, max_hands=2)
    match.reset([0])
    while match.hands_played[0] == 0:
        play_random(match, decisions=1)
    assert match.last_truncated[0]
    assert not match.truncated[0]
    assert not match.done[0]


def test_view_tells_both_teams_of_the_match():
    match = match_of(4, target=3000)
    match.reset(np.arange(4))
    seen = 0

    def check() -> None:
        nonlocal seen
        if not match.finished.size or match.done.any():
            return
        for seat in range(4):
            view = match.view(seats=seat)
            own = seat % 2
            assert (points(view.target) == 3000).all()
            assert np.array_equal(points(view.totals), match.totals[:, [own, 1 - own]])
        seen += 1

    play_random(match, check)
    assert seen > 0


def test_view_of_an_ended_match_is_its_last_one():
    match = match_of(1, max_hands=2)
    match.reset([7])
    while match.hands_played[0] == 0:
        play_random(match, decisions=1)
    before = match.totals[0].tolist()
    play_random(match)
    view = match.view(seats=0)
    assert match.done[0]
    assert not view.phase.any()
    assert points(view.totals)[0].tolist() == before
    match.step([0])
    assert np.array_equal(match.view(seats=0).buffer, view.buffer)


def test_hands_of_a_match_are_other_deals():
    ids = hand_deal_ids(np.repeat(np.arange(200), 50), np.tile(np.arange(50), 200))
    assert len(np.unique(ids)) == 10_000
    assert (ids >= 0).all()
    match = match_of(3, root_seed=11)
    match.reset([5, 6, 5])
    hand = burako_env.make("burako-4", 3, 11, SHORT)
    assert isinstance(hand, BurakoGame)
    hand.deal_hands(hand_deal_ids([5, 6, 5], 0), np.arange(3), np.zeros(3, dtype=bool), match.cutter.astype(np.intp))
    hand.set_match(np.arange(3), 0, 2000)
    assert same_state(hand, match.hand)


def test_keys_never_repeat_and_decisions_run_on():
    match = match_of(6)
    match.reset(np.arange(6))
    seen: set[int] = set()
    taken = np.zeros(6, dtype=int)
    steps = 0
    while not match.done.all():
        live = np.flatnonzero(~match.done)
        seen |= set(match.keys(live).tolist())
        steps += len(live)
        assert np.array_equal(match.decisions, taken)
        play_random(match, decisions=1)
        taken[live] += 1
    assert np.array_equal(match.decisions, taken)
    assert len(seen) == steps


def test_play_does_not_depend_on_the_batch():
    wide = match_of(7)
    wide.reset(np.arange(7))
    play_random(wide)
    for deal in range(7):
        alone = match_of(1)
        alone.reset([deal])
        play_random(alone)
        assert same_state(alone, wide.select([deal]))
    # Out of step: half of the matches start late and move only every other time.
    late = match_of(7)
    late.reset([0, 1, 2], games=[4, 5, 6])
    play_random(late, decisions=30)
    late.reset([3, 4, 5, 6], games=[0, 1, 2, 3])
    turn = 0
    while not late.done.all():
        games = np.flatnonzero(~late.done)[turn % 2 :: 2]
        turn += 1
        late.step(random_legal(late.legal_packed(games), mix(late.keys(games))), games, validate=False)
    assert same_state(late.select([4, 5, 6, 0, 1, 2, 3]), wide)


def test_clone_select_save_and_load_in_the_middle():
    match = match_of(5)
    match.reset(np.arange(5))
    play_random(match, decisions=70)
    assert match.hands_played.any()
    assert not match.done.all()
    saved = match.state_dict()
    copy, picked = match.clone(), match.select([3, 3, 0])
    loaded = match_of(1)
    loaded.load_state_dict(saved)
    assert loaded.size == 5
    play_random(match)
    assert not np.array_equal(match.state_dict()["match.totals"], saved["match.totals"])
    for other in (copy, loaded):
        play_random(other)
        assert same_state(other, match)
    play_random(picked)
    assert same_state(picked, match.select([3, 3, 0]))


def test_damaged_states_are_refused_and_change_nothing():
    match = match_of(2)
    match.reset([0, 1])
    play_random(match, decisions=10)
    before = match.state_dict()
    for name, value in [
        ("match.totals", None),
        ("match.totals", np.zeros((2, 3), dtype=np.int32)),
        ("match.hands_played", np.zeros(2, dtype=np.int64)),
        ("hands", None),
    ]:
        state = match.state_dict()
        del state[name]
        if value is not None:
            state[name] = value
        with pytest.raises(ValueError, match=name):
            match.load_state_dict(state)
        assert all(np.array_equal(array, before[key]) for key, array in match.state_dict().items())


def test_queries_change_nothing():
    match = match_of(3)
    match.reset(np.arange(3))
    play_random(match, decisions=60)
    before = match.state_dict()
    (
        match.legal(),
        match.legal([1]),
        match.legal_packed(),
        match.view(),
        match.view([2], seats=1),
        match.keys(),
        match.scores,
    )
    match.totals[:], match.hands_played[:], match.cutter[:], match.truncated[:], match.deal_ids[:] = 9, 9, 9, True, 9
    match.last_scores[:], match.last_truncated[:], match.last_deal_ids[:], match.decisions[:] = 9, True, 9, 9
    match.winner, match.clone(), match.select([0]), match.sample_states(match.view(), 2, match.keys())
    assert all(np.array_equal(array, before[key]) for key, array in match.state_dict().items())


def test_illegal_action_speaks_and_changes_nothing():
    match = match_of(2)
    match.reset([0, 1])
    before = match.state_dict()
    illegal = int(np.flatnonzero(~match.legal()[1])[0])
    with pytest.raises(burako_env.IllegalAction, match=f"game 1, seat {match.to_act[1]}, phase draw"):
        match.step([int(np.flatnonzero(match.legal()[0])[0]), illegal])
    assert all(np.array_equal(array, before[key]) for key, array in match.state_dict().items())


@pytest.mark.parametrize("players", [4, 8])
def test_sampled_matches_are_in_the_same_situation(players):
    match = match_of(4, players, max_hands=4)
    match.reset(np.arange(4), swap_sides=[False, True, False, True])
    while (match.hands_played == 0).any():
        play_random(match, decisions=1)
    play_random(match, decisions=25)
    assert not match.done.any()
    view, keys = match.view(), match.keys()
    sampled = match.sample_states(view, 3, keys)
    assert sampled.size == 12
    assert (sampled.target, sampled.max_hands) == (match.target, match.max_hands)
    assert np.array_equal(sampled.view().buffer, view.take(np.repeat(np.arange(4), 3)).buffer)
    own = np.repeat(match.to_act % 2, 3).astype(bool)
    totals = np.repeat(match.totals, 3, axis=0)
    assert np.array_equal(sampled.totals, np.where(own[:, None], totals[:, ::-1], totals))
    assert np.array_equal(match.sample_states(view, 3, keys).state_dict()["hands"], sampled.state_dict()["hands"])
    # They go on as matches, each with later hands of its own, cut by the next seat.
    assert len(set(sampled.deal_ids.tolist())) == 12
    cutter = sampled.cutter
    assert np.array_equal(cutter, np.repeat(view.cutter, 3))
    while (sampled.hands_played == 0).any():
        games = np.flatnonzero(sampled.hands_played == 0)
        sampled.step(random_legal(sampled.legal_packed(games), mix(sampled.keys(games))), games)
    assert np.array_equal(sampled.cutter, (cutter + 1) % players)
    assert len(np.unique(sampled.hand.deal_ids)) == 12


def test_what_a_match_cannot_be_made_of():
    with pytest.raises(ValueError, match="target"):
        MatchGame(burako_env.make("burako-4"), 0, 5)
    with pytest.raises(TypeError, match="burako-4 cannot be played in matches"):
        MatchGame(without_deal_hands(), 2000, 5)
    with pytest.raises(burako_env.UserError, match="did you mean target"):
        make_match("burako-4", config={"targte": 5})


def without_deal_hands() -> burako_env.BatchGame:
    """A game whose hands cannot be dealt with a given cutter."""
    inner = burako_env.make("burako-4")
    hidden = {"deal_hands", "set_match"}

    class Plain:
        def __getattr__(self, name: str) -> object:
            if name in hidden:
                raise AttributeError(name)
            return getattr(inner, name)

    return Plain()  # type: ignore[return-value]


def test_an_undealt_match_is_over():
    match = match_of(2)
    assert match.done.all()
    assert (match.winner == -1).all()
    assert (match.totals == 0).all()
