"""The PettingZoo environments of the children's levels: the official tests, and that they are the batched games."""

from __future__ import annotations

import importlib
from typing import Any

import numpy as np
import pytest
from pettingzoo.test import api_test, parallel_api_test, parallel_seed_test, render_test, seed_test, state_test
from pettingzoo.utils.conversions import turn_based_aec_to_parallel

import burako_env
from burako_env import ruibal_level1_v0
from burako_env.chance.rng import mix
from burako_env.ruibal.level1 import SIT

RULES = {"TILE-3": ["test_players_are_paid_against_the_others"], "L1-2": ["test_a_parallel_step_is_a_call"]}
LEVELS = [(level, players) for level in (1, 2, 3) for players in (2, 3, 4)]
# What the official tests warn of in every game whose observation is a dictionary with a mask.
pytestmark = [
    pytest.mark.filterwarnings("ignore:Observation is not a NumPy array"),
    pytest.mark.filterwarnings("ignore:Observation space for each agent probably"),
    pytest.mark.filterwarnings("ignore:Action mask numpy array is all zeros"),
    pytest.mark.filterwarnings("ignore:reset ignores an unknown option 'options'"),
]


def module(level: int) -> Any:
    return importlib.import_module(f"burako_env.ruibal_level{level}_v0")


@pytest.mark.parametrize(("level", "players"), LEVELS)
class TestOfficial:
    def test_api(self, level, players):
        api_test(module(level).env(players=players))
        api_test(module(level).raw_env(players=players), num_cycles=20)

    def test_seed(self, level, players):
        seed_test(lambda: module(level).env(players=players), num_cycles=50)

    def test_render(self, level, players, capsys):
        render_test(lambda render_mode: module(level).env(players=players, render_mode=render_mode))
        assert f"player_{players - 1}" in capsys.readouterr().out

    def test_state(self, level, players):
        state_test(module(level).env(players=players), turn_based_aec_to_parallel(module(level).env(players=players)))


@pytest.mark.parametrize("players", [2, 3, 4])
def test_parallel(players):
    parallel_api_test(ruibal_level1_v0.parallel_env(players=players), num_cycles=200)
    parallel_seed_test(lambda: ruibal_level1_v0.parallel_env(players=players))


@pytest.mark.parametrize(("level", "players"), LEVELS)
def test_players_are_paid_against_the_others(level, players):
    env = module(level).env(players=players)
    env.reset(seed=5)
    game = burako_env.make(f"ruibal-{level}", 1, 5, {"players": players})
    game.reset([0])
    number = 0
    while not game.done[0]:
        agent = env.agent_selection
        observation = env.last()[0]
        assert agent == f"player_{game.to_act[0]}"
        assert np.array_equal(observation["action_mask"], game.legal()[0])
        assert observation["observation"].tobytes() == game.view().buffer.tobytes()
        legal = np.flatnonzero(observation["action_mask"])
        action = int(legal[int(mix(np.array([number], dtype=np.uint64))[0]) % len(legal)])
        env.step(action)
        game.step([action])
        number += 1
    crowns = game.scores[0].tolist()
    infos = dict(env.infos)
    for seat, agent in enumerate(env.possible_agents):
        others = [crown for other, crown in enumerate(crowns) if other != seat]
        assert env.rewards[agent] == crowns[seat] - sum(others) / len(others)
        assert infos[agent]["scores"] == crowns
        assert infos[agent]["winners"] == [int(crown == max(crowns)) for crown in crowns]
        assert infos[agent]["side"] == seat
        assert burako_env.REASONS[infos[agent]["reason"]] in ("out", "forfeits", "passes", "calls")


def test_a_parallel_step_is_a_call():
    env = ruibal_level1_v0.parallel_env(players=3)
    seen, _ = env.reset(seed=2)
    layout = env._env.game.layout
    for calls in range(1, 100):
        view = burako_env.View(seen["player_1"]["observation"][None], layout)
        right = int(view.match[0].argmax())
        others = np.flatnonzero((view.spread[0] > 0) & (view.match[0] == 0))
        wrong = int(others[0]) if others.size else right
        actions = {
            agent: SIT if seen[agent]["action_mask"][SIT] else wrong if agent == "player_1" else right
            for agent in env.agents
        }
        seen, rewards, over, _, infos = env.step(actions)
        if not env.agents:
            break
        assert env._env.game.turns[0] == calls
        assert seen["player_1"]["action_mask"][SIT] == (actions["player_1"] == wrong)
        assert not seen["player_0"]["action_mask"][SIT]
    assert calls == 20
    assert all(over.values())
    # Only the last call, with one tile left, could be right.
    assert infos["player_0"]["scores"][1] <= 1
    assert sum(rewards.values()) == 0


def test_illegal_pointing_costs_the_player():
    env = ruibal_level1_v0.parallel_env(players=2)
    env.reset(seed=2)
    _, rewards, over, _, infos = env.step({"player_0": 3, "player_1": SIT})
    assert rewards == {"player_0": 50.0, "player_1": -50.0}
    assert all(over.values())
    assert burako_env.REASONS[infos["player_0"]["reason"]] == "illegal action"
    assert infos["player_0"]["offender"] == 1
    assert env.agents == []
    assert env._env.game.decisions[0] == 0


@pytest.mark.parametrize("action", [3.0, "3", True, None])
def test_what_is_no_integer_is_no_action(action):
    env = ruibal_level1_v0.parallel_env(players=2)
    env.reset(seed=2)
    _, rewards, *_ = env.step({"player_0": 3, "player_1": action})
    assert rewards == {"player_0": 50.0, "player_1": -50.0}


def test_turned_tables():
    env = module(2).env(players=3)
    env.reset(seed=4)
    layout = env.unwrapped.game.layout
    racks = [burako_env.View(env.observe(a)["observation"][None], layout).rack[0] for a in env.agents]
    for turned in (1, 2):
        env.reset(seed=4, options={"swap_sides": turned})
        assert env.agent_selection == f"player_{turned}"
        for seat in range(3):
            seen = env.observe(f"player_{(seat + turned) % 3}")["observation"][None]
            assert np.array_equal(burako_env.View(seen, layout).rack[0], racks[seat])
    with pytest.raises(burako_env.UserError, match="an integer from 0 to 2"):
        env.reset(seed=4, options={"swap_sides": 3})


@pytest.mark.parametrize(
    ("arguments", "message"),
    [({"players": 5}, "games for 2, 3 and 4 players"), ({"render_mode": "anse"}, "did you mean ansi")],
)
def test_bad_arguments(arguments, message):
    with pytest.raises(burako_env.UserError, match=message):
        module(2).env(**arguments)


def test_players_are_an_argument():
    env = module(3).env(players=2)
    with pytest.raises(burako_env.UserError, match="players = 3 is not a rule"):
        env.reset(options={"rules": {"players": 3}})
