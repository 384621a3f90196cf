"""No environment tells its client anything of what is hidden in a live game (INFO-2): not by an observation, a reward,
an info, or the order of its agents.
"""

from __future__ import annotations

import copy
from typing import Any

import numpy as np
import pytest

from burako_env import burako_v0, ruibal_level1_v0, ruibal_level2_v0, ruibal_level3_v0
from burako_env.chance.rng import mix
from burako_env.vector import GameVectorEnv
from tests.tools.hidden import differences, in_world, redrawn

RULES = {"INFO-2": ["test_a_vector_environment_tells_nothing", "test_a_pettingzoo_environment_tells_nothing"]}
GAMES: list[tuple[str, dict[str, Any]]] = [
    ("burako-4", {}),
    ("burako-6", {}),
    ("burako-8", {}),
    ("burako-4", {"enforcement": "sanctions"}),
    ("burako-4", {"episode": "match", "rules": {"max_turns": 40, "max_hands": 3}}),
    ("ruibal-1", {}),
    ("ruibal-2", {}),
    ("ruibal-3", {}),
]


def choices(masks: np.ndarray, number: int) -> np.ndarray:
    """A random legal action for each row, 0 where there is none."""
    drawn = mix(np.arange(masks.size, dtype=np.uint64) + np.uint64(number * masks.size)).reshape(masks.shape)
    return np.where(masks > 0, drawn | np.uint64(1), np.uint64(0)).argmax(axis=1)


@pytest.mark.parametrize(("game", "arguments"), GAMES)
@pytest.mark.parametrize("more", [{}, {"dense": True, "autoreset_mode": "SameStep"}], ids=["sparse", "dense"])
def test_a_vector_environment_tells_nothing(game: str, arguments: dict[str, Any], more: dict[str, Any]) -> None:
    envs = GameVectorEnv(5, game, **arguments, **more)
    observation, _ = envs.reset(seed=4)
    compared = ends_beside = 0
    for number in range(120 if game == "burako-8" else 40):
        world, rows = redrawn(envs.seated.game, number)
        other = in_world(envs, world)
        assert not differences(envs.seated.observations(), other.seated.observations())
        actions = choices(observation["action_mask"], number)
        if number % 5 == 4:
            actions[-1] = -1  # no action: the hand ends, and its info must not speak of the others
        one, two = envs.step(actions), other.step(actions)
        observation = one[0]
        # A hand that has ended may tell what was hidden in it, and what comes after it depends on when it ended.
        over = np.zeros(5, dtype=bool)
        for result in (one, two):
            over |= result[2] | result[3]
        alike = np.flatnonzero((one[0]["observation"] == two[0]["observation"]).all(axis=1) & ~over)
        untouched = np.setdiff1d(np.arange(5), rows)
        live = np.intersect1d(alike, rows)
        assert not differences(_rows(one), _rows(two), live), number
        assert not differences(_rows(one), _rows(two), untouched), number
        compared += len(live)
        ends_beside += len(live) * bool(over.any())
    assert compared > 5
    assert ends_beside


def _rows(result: tuple[Any, ...]) -> tuple[Any, ...]:
    """A step's result as what is there in every step: the last observations of SameStep are those of ended hands."""
    info = {name: value for name, value in result[4].items() if "final" not in name}
    return (*result[:4], info)


AEC = [
    ("burako-4", lambda: burako_v0.env()),
    ("burako-8", lambda: burako_v0.env(players=8)),
    ("sanctions", lambda: burako_v0.env(enforcement="sanctions")),
    ("match", lambda: burako_v0.env(episode="match", rules={"max_turns": 20, "max_hands": 3})),
    ("ruibal-1", lambda: ruibal_level1_v0.env()),
    ("ruibal-2", lambda: ruibal_level2_v0.env()),
    ("ruibal-3", lambda: ruibal_level3_v0.env()),
]


def told(env: Any, agent: str) -> tuple[Any, ...]:
    """Everything an AEC environment tells while `agent` looks at it."""
    return (
        *(env.observe(agent), env.agent_selection, list(env.agents)),
        *(dict(env.rewards), dict(env.terminations), dict(env.truncations), dict(env.infos)),
        *((env.last(),) if env.agent_selection == agent else ()),
    )


@pytest.mark.parametrize("make", [make for _, make in AEC], ids=[name for name, _ in AEC])
def test_a_pettingzoo_environment_tells_nothing(make: Any) -> None:
    env = make()
    compared = after = 0
    for deal in range(6):
        env.reset(seed=5, options={"deal_id": deal})
        for number in range(60):
            _, _, termination, truncation, _ = env.last()
            if termination or truncation:
                break
            raw = env.unwrapped
            action = int(choices(env.observe(env.agent_selection)["action_mask"][None], number)[0])
            world, rows = redrawn(raw.game, number)
            if not rows.size or number % 3:
                env.step(action)
                continue
            other = copy.deepcopy(env)
            other.unwrapped.game.load_state_dict(world.state_dict())
            other.unwrapped._forget()
            assert not differences(told(env, "player_0"), told(other, "player_0"))
            compared += 1
            env.step(action)
            other.step(action)
            views = [one.observe("player_0")["observation"].tobytes() for one in (env, other)]
            if views[0] == views[1] and not env.terminations["player_0"] | other.terminations["player_0"]:
                assert not differences(told(env, "player_0"), told(other, "player_0"))
                after += 1
    assert compared > 10
    assert after
