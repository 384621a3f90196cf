"""Gymnasium environments: the checkers pass, one table is a row of many, and the learner's hands are played right."""

from __future__ import annotations

import warnings
from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env
from gymnasium.vector import AutoresetMode
from gymnasium.wrappers.vector import RecordEpisodeStatistics

import agents
from burako_env.batch import Bools, Ints
from burako_env.chance.rng import U64
from burako_env.errors import UserError
from burako_env.families import make
from burako_env.layout import View
from burako_env.vector import GameEnv, GameVectorEnv, env_id


def first(view: View, legal: Bools, keys: U64) -> Ints:
    """The first legal action."""
    return legal.argmax(axis=1)


def played(envs: Any, steps: int) -> list[tuple[Any, ...]]:
    """Steps of a learner that takes the first legal action, after a reset."""
    observation, _ = envs.reset(seed=3)
    found: list[tuple[Any, ...]] = []
    for _ in range(steps):
        found.append(envs.step(observation["action_mask"].argmax(axis=-1)))
        observation = found[-1][0]
    return found


@pytest.mark.parametrize("game", ["burako-4", "burako-6"])
def test_gymnasiums_checker_passes(game: str) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        env = gymnasium.make(env_id(game), opponents=agents.load("heuristic", game))
        check_env(env.unwrapped)


def test_sanctions_play() -> None:
    """Infractions are among the actions; a table of them is as sound."""
    config = {"enforcement": "sanctions"}
    rival = agents.load("heuristic", "burako-4", config)
    env = gymnasium.make(env_id("burako-4"), opponents=rival, **config)
    assert env.action_space.n == make("burako-4", config=config).num_actions
    check_env(env.unwrapped)
    envs = gymnasium.make_vec(env_id("burako-4"), num_envs=3, opponents=rival, **config)
    legal = envs.reset(seed=1)[0]["action_mask"]
    assert legal[:, make("burako-4").num_actions :].any(axis=1).all()


def test_ids() -> None:
    assert env_id("burako-4") == "burako_env/Burako4-v0"
    assert {env_id(name) for name in ("burako-4", "burako-6", "burako-8")} <= set(gymnasium.registry)


def test_many_tables_by_make_vec() -> None:
    envs = gymnasium.make_vec("burako_env/Burako4-v0", num_envs=5, opponents=first)
    assert isinstance(envs, GameVectorEnv)
    assert envs.metadata["autoreset_mode"] is AutoresetMode.NEXT_STEP
    observation, info = envs.reset(seed=1)
    assert observation in envs.observation_space
    assert envs.action_space.shape == (5,)
    assert np.array_equal(info["action_mask"], observation["action_mask"])
    assert info["deal_id"].tolist() == [0, 1, 2, 3, 4]


def test_one_table_is_a_row_of_many() -> None:
    """Deal 0 of a seed, alone and beside others, against a player with chance of its own."""
    one, many = GameEnv(), GameVectorEnv(3)
    alone, beside = played(one, 200), played(many, 200)
    for single, batch in zip(alone, beside):
        assert np.array_equal(single[0]["observation"], batch[0]["observation"][0])
        assert single[1:4] == (batch[1][0], batch[2][0], batch[3][0])
        if single[2] or single[3]:
            break  # the next deals differ: 1 and 3
    else:
        raise AssertionError("the hand did not end")


def test_a_hand_is_that_of_the_core() -> None:
    """All four seats play the first legal action: result and length come from stepping the batch itself."""
    game = make("burako-4", 4, 3)
    game.reset(np.arange(4))
    choices = np.zeros(4, dtype=np.int64)
    while not game.done.all():
        legal = game.legal()
        choices += ~game.done & (game.to_act % 2 == 1) & (legal.sum(axis=1) > 1)
        game.step(legal.argmax(axis=1))
    envs = GameVectorEnv(4, opponents=first, side=1)
    steps = played(envs, int(choices.max()))
    for slot in range(4):
        last = steps[choices[slot] - 1]
        over = last[3] if game.truncated[slot] else last[2]
        assert over[slot]
        assert not any(step[2][slot] or step[3][slot] or step[1][slot] for step in steps[: choices[slot] - 1])
        assert last[4]["scores"][slot].tolist() == game.scores[slot].tolist()
        assert last[1][slot] == game.scores[slot, 1] - game.scores[slot, 0]
        assert not last[0]["action_mask"][slot].any()


def test_the_learner_sees_its_own_seats_and_is_asked_for_choices_only() -> None:
    envs = GameVectorEnv(16, opponents=agents.load("heuristic", "burako-4"))
    observation, _ = envs.reset(seed=2)
    for _ in range(150):
        over = envs.seated.over
        view = View(observation["observation"], envs.seated.game.layout)
        assert (envs.seated.game.to_act[~over] % 2 == 0).all()
        assert (view.actor[~over] == 0).all()
        assert (observation["action_mask"][~over].sum(axis=1) > 1).all()
        # Its own hand, also where an opponent ended the game.
        assert np.array_equal(view.hand.sum(axis=1), view.hand_sizes[:, 0])
        observation, *_ = envs.step(observation["action_mask"].argmax(axis=1))


def test_the_next_hand_begins_in_the_step_after_the_last() -> None:
    envs = RecordEpisodeStatistics(GameVectorEnv(8, opponents=first))
    observation, info = envs.reset(seed=3)
    returns, ended = np.zeros(8), np.zeros(8, dtype=bool)
    hands = 0
    for _ in range(400):
        deals = info["deal_id"]
        # What is played in a game that is over is ignored, whatever it is.
        actions = np.where(ended, 0, observation["action_mask"].argmax(axis=1))
        observation, rewards, terminated, truncated, info = envs.step(actions)
        assert np.array_equal(info["deal_id"], np.where(ended, deals + 8, deals))
        assert not rewards[ended].any()
        returns += rewards
        ended = terminated | truncated
        if ended.any():
            assert np.array_equal(info["episode"]["r"][ended], returns[ended])
            hands += int(ended.sum())
        returns[ended] = 0
    assert hands >= 8


def test_dense_rewards_add_up_to_the_result() -> None:
    """From the change of points before the learner's first choice on."""
    sparse, dense = (GameVectorEnv(6, opponents=first, dense=dense, points=500.0) for dense in (False, True))
    ends, parts = np.zeros(6), np.zeros(6)
    dense.reset(seed=3)
    begun = dense.seated.points() / 500
    open_games = np.ones(6, dtype=bool)
    for (_, reward, over, cut, _), (_, change, *_) in zip(played(sparse, 300), played(dense, 300)):
        ends += reward * open_games
        parts += change * open_games
        open_games &= ~(over | cut)
    assert not open_games.any()
    assert np.allclose(begun + parts, ends)


def test_an_illegal_action_ends_the_hand() -> None:
    envs = GameVectorEnv(2, opponents=first, points=500.0)
    observation, _ = envs.reset(seed=3)
    wrong, right = observation["action_mask"].argmin(axis=1), observation["action_mask"].argmax(axis=1)
    observation, rewards, terminated, truncated, info = envs.step(np.array([wrong[0], right[1]]))
    assert rewards.tolist() == [-2.0, 0.0]
    assert terminated.tolist() == [True, False]
    assert not truncated.any()
    assert info["illegal"].tolist() == [True, False]
    observation, *_, info = envs.step(observation["action_mask"].argmax(axis=1))
    assert info["deal_id"].tolist() == [2, 1]
    assert observation["action_mask"].any(axis=1).all()


def test_opponents_take_turns() -> None:
    asked: list[set[int]] = [set(), set()]

    def opponent(number: int) -> Any:
        def act(view: View, legal: Bools, keys: U64) -> Ints:
            asked[number] |= set(keys.tolist())
            return legal.argmax(axis=1)

        return act

    envs = GameVectorEnv(4, opponents=[opponent(0), opponent(1)])
    played(envs, 20)
    assert asked[0]
    assert asked[1]
    assert not asked[0] & asked[1]


def test_what_is_no_opponent_or_side_is_refused() -> None:
    with pytest.raises(UserError, match="neither an agent nor a function"):
        GameVectorEnv(2, opponents=3)  # type: ignore[arg-type]
    with pytest.raises(UserError, match="side = 2"):
        GameVectorEnv(2, side=2)
    with pytest.raises(UserError, match="rule key"):
        gymnasium.make(env_id("burako-4"), rules={"targt": 1})


def test_masks_for_maskable_ppo() -> None:
    env = gymnasium.make(env_id("burako-4"))
    observation, _ = env.reset(seed=1)
    masks = env.get_wrapper_attr("action_masks")()
    assert masks.dtype == np.bool_
    assert np.array_equal(masks, observation["action_mask"] > 0)
