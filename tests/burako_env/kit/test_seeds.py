"""Seeds and deal ids are integers of their range or refused in one sentence, and a refused reset changes nothing."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import burako_env
from burako_env import burako_v0, ruibal_level1_v0, ruibal_level3_v0
from burako_env.families import make_match
from burako_env.vector import GameEnv, GameVectorEnv

NO_NUMBERS: list[Any] = [
    1.7,
    1.0,
    "7",
    "",
    b"7",
    True,
    np.True_,
    -1,
    np.float64(3),
    float("nan"),
    1j,
    {},
    2**128,
    10**5000,
]
NO_SEEDS: list[Any] = [*NO_NUMBERS, [1], np.array([1])]
NO_DEALS: list[Any] = [*NO_NUMBERS, 2**63, 2**64, np.uint64(2**63)]
AEC = {
    "burako": lambda **given: burako_v0.env(**given),
    "raw": lambda **given: burako_v0.raw_env(**given),
    "match": lambda **given: burako_v0.env(episode="match", **given),
    "level 1": lambda **given: ruibal_level1_v0.env(**given),
    "parallel": lambda **given: ruibal_level1_v0.parallel_env(**given),
    "level 3": lambda **given: ruibal_level3_v0.env(**given),
}
TABLES = {
    "table": lambda **given: GameEnv(**given),
    "match": lambda **given: GameEnv(episode="match", **given),
    "tables": lambda **given: GameVectorEnv(3, **given),
    "levels": lambda **given: GameVectorEnv(2, "ruibal-2", **given),
}
every_env = pytest.mark.parametrize(
    "make", [*AEC.values(), *TABLES.values()], ids=[*AEC, *(f"{name} " for name in TABLES)]
)


def state_of(env: Any) -> dict[str, np.ndarray]:
    if isinstance(env, GameEnv):
        env = env._many
    if isinstance(env, GameVectorEnv):
        return {**env.seated.game.state_dict(), "over": env.seated.over.copy()}
    return getattr(env, "_env", env).unwrapped.game.state_dict()


def course(env: Any) -> list[dict[str, np.ndarray]]:
    """The next deals of an environment."""
    states = []
    for _ in range(2):
        env.reset()
        states.append(state_of(env))
    return states


def same(one: dict[str, np.ndarray], two: dict[str, np.ndarray]) -> bool:
    return one.keys() == two.keys() and all(np.array_equal(one[name], two[name]) for name in one)


NO_OPTIONS = ({"swap_sides": 9}, {"swap_sides": "yes"}, {"swap_sides": 0.5}, {"swap_sides": None}, 3, [("deal_id", 1)])


@every_env
@pytest.mark.parametrize(
    ("resets", "sentence"),
    [
        ([{"seed": seed} for seed in NO_SEEDS], r"^seed = .*: expected an integer from 0 to 2\*\*128 - 1$"),
        (
            [{"seed": 9, "options": {"deal_id": deal}} for deal in NO_DEALS],
            r"^option deal_id = .*: expected an integer from 0 to 2\*\*63 - 1$",
        ),
        ([{"seed": 9, "options": options} for options in NO_OPTIONS], "option"),
    ],
    ids=["seeds", "deals", "options"],
)
def test_what_is_refused_changes_nothing(make: Any, resets: list[dict[str, Any]], sentence: str) -> None:
    env, other = make(), make()
    env.reset(seed=4)
    other.reset(seed=4)
    before = state_of(env)
    for given in resets:
        with pytest.raises(burako_env.UserError, match=sentence):
            env.reset(**given)
        assert same(state_of(env), before), given
    assert all(same(one, two) for one, two in zip(course(env), course(other)))


@every_env
def test_a_root_seed_is_one(make: Any) -> None:
    for seed in NO_SEEDS:
        with pytest.raises(burako_env.UserError, match=r"^root_seed = .*: expected an integer from 0 to 2\*\*128 - 1$"):
            make(root_seed=seed)


@every_env
def test_integers_of_every_kind_are_the_same(make: Any) -> None:
    env = make()
    env.reset(seed=7)
    first = state_of(env)
    for seed in (np.int64(7), np.uint8(7), np.array(7)):
        env.reset(seed=seed)
        assert same(state_of(env), first)
    env.reset(seed=0, options={"deal_id": np.int32(5)})
    fifth = state_of(env)
    env.reset(seed=np.uint64(0), options={"deal_id": 5})
    assert same(state_of(env), fifth)
    # The ends of the ranges are seeds and deals as others are, and after the last deal comes the first.
    env.reset(seed=2**128 - 1, options={"deal_id": 2**63 - 1})
    env.reset()
    made = make(root_seed=2**128 - 1)
    made.reset(options={"deal_id": 2**63 - 1})


@pytest.mark.parametrize("name", ["burako-4", "ruibal-1", "ruibal-2"])
def test_batches_check_seeds_and_deals(name: str) -> None:
    for seed in NO_SEEDS:
        with pytest.raises(burako_env.UserError, match=r"^root_seed = .*: expected an integer from 0"):
            burako_env.make(name, 2, root_seed=seed)
    games = [burako_env.make(name, 2)]
    if name == "burako-4":
        games.append(make_match(name, 2))
        with pytest.raises(burako_env.UserError, match=r"^root_seed = '7'"):
            make_match(name, 2, root_seed="7")  # type: ignore[arg-type]
    for game in games:
        game.reset([3, 4])
        before = game.state_dict()
        for deals in [*NO_DEALS, *([deal] * 2 for deal in NO_DEALS), [1, None], [1, 2, 3], [[1], [2, 3]], [1, 2**63]]:
            with pytest.raises(burako_env.UserError, match=r"^deal_ids "):
                game.reset(deals)
            assert same(game.state_dict(), before), deals
        for deals in (np.array([5, 6]), np.array([5, 6], dtype=np.uint64), [5, 6], (np.int8(5), 6)):
            game.reset(deals)
            assert game.deal_ids.tolist() == [5, 6]
        game.reset(2**63 - 1)
        assert game.deal_ids.tolist() == [2**63 - 1] * 2
