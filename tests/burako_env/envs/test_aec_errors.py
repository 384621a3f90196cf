"""The PettingZoo environment refuses: bad options, bad arguments, illegal actions, calls out of order."""

from __future__ import annotations

import numpy as np
import pytest

import burako_env
from burako_env import burako_v0
from burako_env.envs.aec import ILLEGAL_REWARD
from tests.tools.aec_play import finish, play

# What the official tests warn of in every game whose observation is a dictionary with a mask.
pytestmark = [
    pytest.mark.filterwarnings("ignore:Observation is not a NumPy array"),
    pytest.mark.filterwarnings("ignore:Observation space for each agent probably"),
    pytest.mark.filterwarnings("ignore:Action mask numpy array is all zeros"),
    pytest.mark.filterwarnings("ignore:reset ignores an unknown option 'options'"),
]


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


@pytest.mark.parametrize("wrong", ["illegal", "padding", "beyond", "negative", "float", "none", "truth"])
def test_raw_env_refuses_and_keeps_the_game(wrong):
    env = burako_v0.raw_env()
    env.reset(seed=2)
    for _ in play(env, 40):
        pass
    before, state = env.state(), env.game.state_dict()
    mask = env.observe(env.agent_selection)["action_mask"]
    illegal = int(np.flatnonzero(mask == 0)[0])
    actions = {
        "illegal": illegal,
        "padding": 63,
        "beyond": len(mask),
        "negative": -1,
        "float": 3.0,
        "none": None,
        "truth": True,
    }
    action = actions[wrong]
    expected = ValueError if wrong in ("float", "none", "truth") else burako_env.IllegalAction
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
    assert burako_env.REASONS[env.infos[offender]["reason"]] == "illegal action"
    assert env.possible_agents[env.infos[offender]["offender"]] == offender
    assert env.infos[offender]["scores"] == [0, 0]
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
