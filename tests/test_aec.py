"""The PettingZoo environment: the official tests, and that it is the batched game and nothing else."""

from __future__ import annotations

import copy
import pickle
import warnings
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest
from pettingzoo.test import api_test, render_test, seed_test, state_test
from pettingzoo.utils.conversions import turn_based_aec_to_parallel

import burako_env
from burako_env import burako_v0
from burako_env.aec import ILLEGAL_REWARD
from burako_env.match import MatchGame, make_match
from burako_env.rng import mix

RULES = {
    "END-3": ["test_end_3_truncates_and_still_pays"],
    "MATCH-1": ["test_a_won_match_terminates"],
}

EVERY = [(players, episode) for players in (4, 6, 8) for episode in ("hand", "match")]
SHORT: dict[str, dict[str, Any]] = {"hand": {}, "match": {"max_hands": 2, "max_turns": 30}}

# What the official tests warn of in every game whose observation is a dictionary with a mask.
pytestmark = [
    pytest.mark.filterwarnings("ignore:Observation is not a NumPy array"),
    pytest.mark.filterwarnings("ignore:Observation space for each agent probably"),
    pytest.mark.filterwarnings("ignore:Action mask numpy array is all zeros"),
    pytest.mark.filterwarnings("ignore:reset ignores an unknown option 'options'"),
]


def short_env(players: int = 4, episode: str = "hand", **kwargs: Any) -> Any:
    return burako_v0.env(players=players, episode=episode, rules=SHORT[episode], **kwargs)


def choose(env: Any, observation: dict[str, Any], number: int) -> int:
    """A random legal action, the same for equal positions and numbers."""
    legal = observation["action_mask"].nonzero()[0]
    return int(legal[int(mix(np.array([number], dtype=np.uint64))[0]) % len(legal)])


def play(env: Any, decisions: int = 10**6) -> Iterator[tuple[str, dict[str, Any], int]]:
    """Random play without the steps of ended agents: agent, observation and action, before each step."""
    for number in range(decisions):
        agent = env.agent_selection
        observation, _, termination, truncation, _ = env.last()
        if termination or truncation:
            return
        action = choose(env, observation, number)
        yield agent, observation, action
        env.step(action)


def finish(env: Any) -> dict[str, float]:
    """The steps of ended agents; what each was paid, as `last` says it."""
    paid = {}
    while env.agents:
        agent = env.agent_selection
        _, reward, termination, truncation, _ = env.last()
        assert termination or truncation
        assert agent not in paid
        paid[agent] = reward
        env.step(None)
    return paid


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
            assert env.infos[agent] == {}
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
        assert infos["player_0"]["reason"] in ("out", "exhausted")
        assert infos["player_0"]["decisions"] == number


def test_end_3_truncates_and_still_pays():
    env = burako_v0.env(rules={"max_turns": 20})
    env.reset()
    for _ in play(env):
        pass
    assert set(env.truncations.values()) == {True}
    assert set(env.terminations.values()) == {False}
    assert env.infos["player_1"]["reason"] == "truncated"
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


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"rules": {"max_turn": 3}}, "did you mean max_turns"),
        ({"rules": {"ace": "middle"}}, "ace = 'middle'"),
        ({"rules": 3}, "expected a dict"),
        ({"rules": {"run_slots": 5}}, "change the spaces"),
        ({"rules": {"players": 6, "decks": 3}}, "players = 6 is not a rule"),
        ({"deal_id": "7"}, "deal_id = '7'"),
        ({"deal_id": -1}, "expected an integer from 0"),
        ({"swap_sides": 2}, "expected True or False"),
    ],
)
def test_bad_options_change_nothing(options, message):
    env = burako_v0.env()
    env.reset(seed=4)
    before = env.state()
    with pytest.raises(burako_env.UserError, match=message):
        env.reset(seed=9, options=options)
    assert np.array_equal(env.state(), before)
    env.reset()
    other = burako_v0.env()
    other.reset(seed=4, options={"deal_id": 1})
    assert np.array_equal(env.state(), other.state())


def test_unknown_options_are_named():
    env = burako_v0.env()
    with pytest.warns(UserWarning, match="unknown option 'deal': did you mean deal_id"):
        env.reset(options={"deal": 4})


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"players": 5}, "4, 6 and 8 players"),
        ({"episode": "math"}, "did you mean match"),
        ({"render_mode": "anse"}, "did you mean ansi"),
        ({"rules": {"target": 0}}, "target = 0"),
        ({"rules": {"players": 6}}, "players = 6 is not a rule"),
    ],
)
def test_bad_arguments(arguments, message):
    with pytest.raises(burako_env.UserError, match=message):
        burako_v0.env(**arguments)


@pytest.mark.parametrize("wrong", ["illegal", "padding", "beyond", "negative", "float", "none"])
def test_raw_env_refuses_and_keeps_the_game(wrong):
    env = burako_v0.raw_env()
    env.reset(seed=2)
    for _ in play(env, 40):
        pass
    before, state = env.state(), env.game.state_dict()
    mask = env.observe(env.agent_selection)["action_mask"]
    illegal = int(np.flatnonzero(mask == 0)[0])
    actions = {"illegal": illegal, "padding": 63, "beyond": len(mask), "negative": -1, "float": 3.0, "none": None}
    action = actions[wrong]
    expected = ValueError if wrong in ("float", "none") else burako_env.IllegalAction
    with pytest.raises(expected) as raised:
        env.step(action)
    if expected is burako_env.IllegalAction:
        assert f"seat {env.agent_selection[-1]}, phase" in str(raised.value)
        assert f"action {action} (" in str(raised.value)
    assert np.array_equal(env.state(), before)
    assert all(np.array_equal(array, state[name]) for name, array in env.game.state_dict().items())
    assert env.rewards == dict.fromkeys(env.possible_agents, 0.0)
    for _ in play(env):
        pass
    assert len(finish(env)) == 4


@pytest.mark.parametrize("reward", [ILLEGAL_REWARD, -1.0])
def test_an_illegal_action_in_env_costs_the_side(reward):
    env = burako_v0.env(**({} if reward == ILLEGAL_REWARD else {"illegal_reward": reward}))
    env.reset(seed=2)
    for _ in play(env, 25):
        pass
    offender = env.agent_selection
    illegal = int(np.flatnonzero(env.observe(offender)["action_mask"] == 0)[0])
    env.step(illegal)
    assert set(env.terminations.values()) == {True}
    assert set(env.truncations.values()) == {False}
    assert env.infos[offender] == {"reason": "illegal action", "offender": offender}
    assert not env.observe(offender)["action_mask"].any()
    side = int(offender[-1]) % 2
    assert finish(env) == {f"player_{seat}": reward if seat % 2 == side else -reward for seat in range(4)}
    env.reset(seed=2)
    assert not any(env.terminations.values())
    for _ in play(env):
        pass
    assert len(finish(env)) == 4


def test_wrappers_keep_order_and_bounds():
    env = burako_v0.env()
    for name in ("agents", "agent_selection", "rewards", "terminations", "infos"):
        with pytest.raises(AttributeError, match="before reset"):
            getattr(env, name)
    for call in (env.last, env.state, env.agent_iter, lambda: env.step(0), lambda: env.observe("player_0")):
        with pytest.raises(AssertionError, match="before"):
            call()
    env.reset()
    with pytest.raises(AssertionError, match="action space"):
        env.step(100_000)
    assert str(env) == "burako_v0"
    assert env.possible_agents == ["player_0", "player_1", "player_2", "player_3"]


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
