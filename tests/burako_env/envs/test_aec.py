"""The PettingZoo environment: the official tests, and that it is the batched game and nothing else."""

from __future__ import annotations

import copy
import pickle
import warnings
from typing import Any

import numpy as np
import pytest
from pettingzoo.test import api_test, render_test, seed_test, state_test
from pettingzoo.utils.conversions import turn_based_aec_to_parallel

import burako_env
from burako_env import burako_v0
from burako_env.families import make_match
from burako_env.match import MatchGame
from tests.tools.aec_play import SHORT, finish, play, short_env

RULES = {"END-3": ["test_end_3_truncates_and_still_pays"], "MATCH-1": ["test_a_won_match_terminates"]}

EVERY = [(players, episode) for players in (4, 6, 8) for episode in ("hand", "match")]

# What the official tests warn of in every game whose observation is a dictionary with a mask.
pytestmark = [
    pytest.mark.filterwarnings("ignore:Observation is not a NumPy array"),
    pytest.mark.filterwarnings("ignore:Observation space for each agent probably"),
    pytest.mark.filterwarnings("ignore:Action mask numpy array is all zeros"),
    pytest.mark.filterwarnings("ignore:reset ignores an unknown option 'options'"),
]


@pytest.mark.parametrize(("players", "episode"), EVERY)
class TestOfficial:
    def test_api(self, players, episode):
        api_test(short_env(players, episode))

    def test_api_without_wrappers(self, players, episode):
        api_test(burako_v0.raw_env(players=players, episode=episode, rules=SHORT[episode]), num_cycles=20)

    def test_seed(self, players, episode):
        seed_test(lambda: short_env(players, episode), num_cycles=50)

    def test_render(self, players, episode, capsys):
        render_test(lambda render_mode: short_env(players, episode, render_mode=render_mode))
        assert "player_0" in capsys.readouterr().out

    def test_state(self, players, episode):
        state_test(short_env(players, episode), turn_based_aec_to_parallel(short_env(players, episode)))


@pytest.mark.parametrize(("players", "episode"), EVERY)
def test_an_episode_is_the_game(players, episode):
    env = burako_v0.env(players=players, episode=episode, rules=SHORT[episode])
    env.reset(seed=5)
    make = make_match if episode == "match" else burako_env.make
    game = make(f"burako-{players}", 1, 5, SHORT[episode])
    game.reset([0])
    number, hands = 0, 0
    for agent, observation, action in play(env):
        assert agent == f"player_{game.to_act[0]}"
        assert np.array_equal(observation["action_mask"], game.legal()[0])
        assert observation["observation"].tobytes() == game.view().buffer.tobytes()
        assert env.observation_space(agent).contains(observation)
        if number % 20 == 0:
            for seat, other in enumerate(env.possible_agents):
                seen = env.observe(other)
                assert np.array_equal(seen["observation"], game.view(seats=seat).buffer[0])
                assert seen["action_mask"].any() == (other == agent)
        assert set(env.rewards.values()) == {0.0}
        assert not any(env.terminations.values())
        assert not any(env.truncations.values())
        if isinstance(game, MatchGame) and game.finished.size:
            hands += 1
            assert env.infos[agent]["totals"] == game.totals[0].tolist()
            assert env.infos[agent]["scores"] == game.last_scores[0].tolist()
            assert env.infos[agent]["hands_played"] == hands
        elif not hands:
            assert env.infos[agent]["reason"] == 0
            assert env.infos[agent]["scores"] == [0, 0]
        game.step([action])
        number += 1
    assert game.done[0]
    assert number == game.decisions[0]

    # Every seat is paid once: own minus other, the same to team-mates.
    own, other = game.scores[0].tolist()
    infos = dict(env.infos)
    for seat, agent in enumerate(env.possible_agents):
        observation = env.observe(agent)
        assert np.array_equal(observation["observation"], game.view(seats=seat).buffer[0])
        assert not observation["action_mask"].any()
        assert infos[agent]["side"] == seat % 2
    assert set(env.truncations.values()) == {bool(game.truncated[0])}
    assert set(env.terminations.values()) == {not game.truncated[0]}
    paid = finish(env)
    assert paid == {f"player_{seat}": float(own - other if seat % 2 == 0 else other - own) for seat in range(players)}
    if episode == "match":
        assert infos["player_0"]["totals"] == [own, other]
        assert infos["player_0"]["winner"] == -1
        assert game.truncated[0]
    else:
        assert infos["player_0"]["scores"] == [own, other]
        assert burako_env.REASONS[infos["player_0"]["reason"]] in ("out", "exhausted")
        assert infos["player_0"]["decisions"] == number


def test_end_3_truncates_and_still_pays():
    env = burako_v0.env(rules={"max_turns": 20})
    env.reset()
    for _ in play(env):
        pass
    assert set(env.truncations.values()) == {True}
    assert set(env.terminations.values()) == {False}
    assert burako_env.REASONS[env.infos["player_1"]["reason"]] == "truncated"
    scores = env.infos["player_1"]["scores"]
    assert finish(env)["player_1"] == scores[1] - scores[0] != 0


def test_a_won_match_terminates():
    env = burako_v0.env(episode="match", rules={"max_turns": 2, "max_hands": 10})
    env.reset()
    game = env.unwrapped.game
    state = game.state_dict()
    state["match.totals"] = np.array([[9000, 100]], dtype=np.int32)
    game.load_state_dict(state)
    for _ in play(env):
        pass
    assert set(env.truncations.values()) == {False}
    assert set(env.terminations.values()) == {True}
    assert env.infos["player_3"]["winner"] == 0
    assert env.infos["player_3"]["hands_played"] == 1
    assert finish(env)["player_3"] < -8000


def first_view(env: Any) -> bytes:
    buffer: bytes = env.observe("player_0")["observation"].tobytes()
    return buffer


def test_seeds_and_deals():
    env, other = burako_v0.env(), burako_v0.env()
    env.reset(seed=1)
    one = first_view(env)
    env.reset()
    two = first_view(env)
    env.reset()
    three = first_view(env)
    assert len({one, two, three}) == 3
    other.reset(seed=1, options={"deal_id": 1})
    assert first_view(other) == two
    other.reset()
    assert first_view(other) == three
    other.reset(seed=1)
    assert first_view(other) == one
    other.reset(seed=2)
    assert first_view(other) != one
    other.reset(seed=np.int64(1), options={})
    assert first_view(other) == one
    # The root seed of the start, and the first deal of it.
    started = burako_v0.env(root_seed=1)
    started.reset()
    assert first_view(started) == one


def test_swapped_seats():
    env, swapped = burako_v0.env(), burako_v0.env()
    env.reset(seed=3)
    swapped.reset(seed=3, options={"swap_sides": True})
    for seat in range(4):
        ours = env.observe(f"player_{seat}")["observation"]
        assert np.array_equal(swapped.observe(f"player_{(seat + 1) % 4}")["observation"], ours)
    swapped.reset(seed=3)
    assert first_view(swapped) == first_view(env)


def test_rules_of_one_episode():
    env = burako_v0.env(rules={"max_turns": 8})
    env.reset(options={"rules": {"max_turns": 2, "ace": "low"}})
    assert (env.unwrapped.game.rules.max_turns, env.unwrapped.game.rules.ace) == (2, "low")
    env.reset(options={"rules": {"ace": "low"}})
    assert (env.unwrapped.game.rules.max_turns, env.unwrapped.game.rules.ace) == (8, "low")
    env.reset()
    assert (env.unwrapped.game.rules.max_turns, env.unwrapped.game.rules.ace) == (8, "both")
    match = burako_v0.env(episode="match", rules={"max_hands": 1})
    match.reset(options={"rules": {"target": 77}})
    assert (match.unwrapped.game.target, match.unwrapped.game.max_hands) == (77, 1)


def test_a_reset_in_the_middle_of_the_ended_agents_steps():
    env = burako_v0.env(rules={"max_turns": 1})
    env.reset(seed=0)
    for _ in play(env):
        pass
    env.step(None)
    env.step(None)
    env.reset(seed=0)
    assert env.agents == env.possible_agents
    for _ in play(env):
        pass
    assert len(finish(env)) == 4


@pytest.mark.parametrize("players", [4, 8])
def test_state_is_what_all_seats_know(players):
    env = burako_v0.raw_env(players=players)
    env.reset(seed=6)
    layout = env.game.layout
    seen_private = 0
    for number, _ in enumerate(play(env, 200)):
        if number % 10:
            continue
        state = env.state()
        assert state.dtype == np.int8
        assert env.state_space.contains(state)
        assert np.array_equal(state[: layout.width], env.game.view(seats=0).buffer[0])
        rest = state[layout.width :].reshape(players - 1, 55)
        for seat in range(1, players):
            view = env.game.view(seats=seat)
            assert np.array_equal(rest[seat - 1, :53], view.hand[0])
            assert rest[seat - 1, 53:].tolist() == [view.drawn[0], view.bottom[0]]
            seen_private += bool(view.drawn[0]) + bool(view.bottom[0])
    assert seen_private


@pytest.mark.parametrize("episode", ["hand", "match"])
def test_copies_play_on_alike(episode):
    env = short_env(4, episode)
    env.reset(seed=8)
    for _ in play(env, 120):
        pass
    copies = [copy.deepcopy(env), pickle.loads(pickle.dumps(env))]
    ends = []
    for one in [env, *copies]:
        actions = [action for _, _, action in play(one)]
        ends.append((actions, one.infos, one.state().tobytes(), finish(one)))
    assert ends[0] == ends[1] == ends[2]
    assert ends[0][0]


def test_one_view_and_one_legal_set_a_decision(monkeypatch):
    env = burako_v0.env()
    env.reset(seed=1)
    game = env.unwrapped.game
    calls = {"view": 0, "legal": 0}
    view, legal = game.view, game.legal

    def counted(name: str, function: Any) -> Any:
        def call(*args: Any, **kwargs: Any) -> Any:
            calls[name] += 1
            return function(*args, **kwargs)

        return call

    monkeypatch.setattr(game, "view", counted("view", view))
    monkeypatch.setattr(game, "legal", counted("legal", legal))
    for agent, _, _ in play(env, 50):
        env.observe(agent), env.last(), env.last(observe=False)
    assert calls == {"view": 50, "legal": 50}
    # Nothing is computed that nobody asks for.
    action = int(np.flatnonzero(legal()[0])[0])
    env.unwrapped.step(action)
    assert calls == {"view": 50, "legal": 51}


def test_observations_are_the_callers_own():
    env = burako_v0.env()
    env.reset(seed=1)
    agent = env.agent_selection
    first = env.observe(agent)
    kept = {name: array.copy() for name, array in first.items()}
    for array in first.values():
        array[:] = 1
    for name, array in env.observe(agent).items():
        assert np.array_equal(array, kept[name])


def test_no_warnings_in_plain_play():
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        env = short_env(4, "match")
        env.reset(seed=0)
        for _ in play(env):
            pass
        finish(env)
