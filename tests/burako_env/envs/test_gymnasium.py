"""What clients of Gymnasium expect of an environment: ids, render modes, options, matches, autoreset, infos."""

from __future__ import annotations

import subprocess
import sys
import warnings
from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env
from gymnasium.vector import AutoresetMode, SyncVectorEnv
from gymnasium.wrappers.vector import RecordEpisodeStatistics

import agents
import burako_env
from burako_env.families import make_match
from burako_env.vector import GameEnv, GameVectorEnv, env_id
from tests.tools.hidden import differences

MODES = list(AutoresetMode)
SHORT = {"max_turns": 12}


def acting(mask: np.ndarray) -> np.ndarray:
    """The last legal action of each row."""
    return mask.shape[-1] - 1 - mask[..., ::-1].argmax(axis=-1)


@pytest.mark.parametrize("make", ["make('burako_env/Burako4-v0')", "make_vec('burako_env/Ruibal2-v0', num_envs=2)"])
def test_importing_the_package_is_enough(make: str) -> None:
    code = f"""
import sys, gymnasium, burako_env
assert not {{"torch", "pettingzoo", "burako_env.vector"}} & set(sys.modules)
gymnasium.register_envs(burako_env)
env = gymnasium.{make}
print(env.reset(seed=1)[1]["deal_id"])
"""
    done = subprocess.run([sys.executable, "-W", "error", "-c", code], capture_output=True, text=True, check=False)
    assert done.stderr == ""
    assert done.stdout.strip() in ("0", "[0 1]")


@pytest.mark.parametrize("game", burako_env.game_names())
@pytest.mark.parametrize("mode", ["human", "ansi", "html", "rgb_array"])
def test_render_modes(game: str, mode: str, capsys: pytest.CaptureFixture[str]) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        env = gymnasium.make(env_id(game), render_mode=mode)
        observation, _ = env.reset(seed=1)
        frame = env.render()
        env.step(acting(observation["action_mask"]))
        if mode == "human":
            assert frame is None
            assert game in capsys.readouterr().out
            return
        assert _is_frame(frame, mode, game)
        assert _is_frame(env.render(), mode, game)
        envs = gymnasium.make_vec(env_id(game), num_envs=2, render_mode=mode)
        envs.reset(seed=1)
        frames = envs.render()
    assert len(frames) == 2
    # The first table is that of the single environment; the second has another deal.
    assert np.array_equal(frames[0], frame)
    assert not np.array_equal(frames[0], frames[1])


def _is_frame(frame: Any, mode: str, game: str) -> bool:
    if mode == "rgb_array":
        return frame.dtype == np.uint8 and frame.shape == (840, 1120, 3)
    return isinstance(frame, str) and (game in frame or "<html" in frame)


@pytest.mark.parametrize("arguments", [{"render_mode": "rgb"}, {"render_mode": 3}])
def test_unknown_render_modes(arguments: dict[str, Any]) -> None:
    for make in (GameEnv, GameVectorEnv):
        with pytest.raises(burako_env.UserError, match="unknown render mode"):
            make(**arguments)
    with pytest.raises(burako_env.UserError, match="unknown render mode 'human'"):
        GameVectorEnv(2, render_mode="human")


def test_a_deal_and_its_seating_can_be_chosen() -> None:
    """The cards are those of the core; both ways to seat them are one duplicate board."""
    game = burako_env.make("burako-4", 2, 6)
    game.reset([17, 17], swap_sides=[False, True])
    hands = [game.view(seats=seat).hand for seat in range(4)]
    env, envs = GameEnv(), GameVectorEnv(3)
    env.reset(seed=6)
    for swapped in (False, True, np.True_):
        observation, info = env.reset(seed=6, options={"deal_id": 17, "swap_sides": swapped})
        assert info["deal_id"] == 17
        held = env._many.seated.game
        assert held.swapped.tolist() == [bool(swapped)]
        for seat in range(4):
            # Nobody has drawn or laid yet but those that the learner's side waited for.
            if held.decisions[0] == 0:
                assert np.array_equal(held.view(seats=seat).hand[0], hands[seat][int(swapped)])
        many, infos = envs.reset(
            seed=6, options={"deal_id": np.array([3, 17, 5]), "swap_sides": np.array([False, bool(swapped), True])}
        )
        assert infos["deal_id"].tolist() == [3, 17, 5]
        assert np.array_equal(many["observation"][1], observation["observation"])
    assert envs.reset()[1]["deal_id"].tolist() == [6, 20, 8]
    assert not envs.seated.game.swapped.any()
    assert env.reset()[1]["deal_id"] == 18
    assert envs.reset(options={"deal_id": 4})[1]["deal_id"].tolist() == [4, 4, 4]
    assert envs.reset(seed=6)[1]["deal_id"].tolist() == [0, 1, 2]


@pytest.mark.parametrize("options", [{"deal": 3}, {"rules": {}}, {3: 1}, {"deal_id": 1, "swap_side": True}])
def test_unknown_options_are_refused(options: dict[str, Any]) -> None:
    for env in (GameEnv(), GameVectorEnv(2)):
        env.reset(seed=1)
        with pytest.raises(burako_env.UserError, match="unknown option"):
            env.reset(seed=2, options=options)
        assert np.max(env.reset()[1]["deal_id"]) == (1 if isinstance(env, GameEnv) else 3)
    with pytest.raises(burako_env.UserError, match="unknown option 'reset_mask'"):
        GameEnv().reset(options={"reset_mask": np.ones(1, dtype=bool)})


def test_matches() -> None:
    """A match is an episode: its reward is the difference of the totals, as stepping the batch itself has it."""
    rules = {"target": 200, "max_hands": 3, "max_turns": 30}

    def last(view: Any, legal: np.ndarray, keys: Any) -> np.ndarray:
        return acting(legal)

    game = make_match("burako-4", 2, 5, rules)
    game.reset([0, 1])
    while not game.done.all():
        game.step(acting(game.legal()))
    envs = gymnasium.make_vec(
        env_id("burako-4"), num_envs=2, episode="match", rules=rules, opponents=last, autoreset_mode="Disabled"
    )
    observation, info = envs.reset(seed=5)
    rewards, scores, reasons = np.zeros(2), np.zeros((2, 2)), [""] * 2
    over = np.zeros(2, dtype=bool)
    for _ in range(20_000):
        observation, reward, terminated, truncated, info = envs.step(acting(observation["action_mask"]))
        ended = terminated | truncated
        for table in np.flatnonzero(ended):
            rewards[table], scores[table] = reward[table], info["scores"][table]
            reasons[table] = burako_env.REASONS[info["reason"][table]]
            assert truncated[table] == game.truncated[table]
        over |= ended
        if over.all():
            break
        if ended.any():
            observation, _ = envs.reset(options={"reset_mask": ended})
    assert scores.tolist() == game.totals.tolist()
    assert rewards.tolist() == (game.totals[:, 0] - game.totals[:, 1]).tolist()
    assert reasons == ["truncated" if cut else "won" for cut in game.truncated]
    assert game.hands_played.min() > 1
    with pytest.raises(burako_env.UserError, match="ruibal-2 is not played in matches"):
        GameEnv("ruibal-2", episode="match")
    with pytest.raises(burako_env.UserError, match="unknown episode 'math': did you mean match"):
        GameEnv(episode="math")  # type: ignore[arg-type]
    check_env(gymnasium.make(env_id("burako-4"), episode="match").unwrapped)


def test_what_is_no_opponent() -> None:
    message = r"'heuristic' is a name and no agent: load it first, agents.load\('heuristic', 'burako-4'\)"
    for opponents in ("heuristic", ["heuristic"], ("random", "heuristic")):
        with pytest.raises(burako_env.UserError, match=message if "random" not in opponents else "'random' is a name"):
            gymnasium.make(env_id("burako-4"), opponents=opponents)
    with pytest.raises(burako_env.UserError, match="expected at least one"):
        GameVectorEnv(2, opponents=[])
    for opponent in (3, type(agents.load("random")), b"random", object()):
        with pytest.raises(burako_env.UserError, match=r"neither an agent nor a function|is a name"):
            GameVectorEnv(2, opponents=opponent)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"num_envs": 0}, "num_envs = 0: expected an integer from 1"),
        ({"num_envs": 2.0}, "num_envs = 2.0"),
        ({"num_envs": True}, "num_envs = True"),
        ({"num_envs": 10**12}, "num_envs = 1000000000000"),
        ({"side": "0"}, "side = '0': expected an integer from 0 to 1"),
        ({"side": -1}, "side = -1"),
        ({"points": 0}, "points = 0: expected a number above 0"),
        ({"points": float("nan")}, "points = nan: expected a finite number"),
        ({"illegal_reward": float("-inf")}, "illegal_reward = -inf"),
        ({"autoreset_mode": "Same"}, "unknown autoreset_mode 'Same': did you mean SameStep"),
    ],
)
def test_bad_arguments(arguments: dict[str, Any], message: str) -> None:
    with pytest.raises(burako_env.UserError, match=message):
        GameVectorEnv(**arguments)


@pytest.mark.parametrize(
    "actions",
    [
        [1, 2, 3],
        [1],
        1,
        [[1, 2]],
        [1.0, 2.0],
        ["1", "2"],
        [True, False],
        [None, 1],
        [[1], [1, 2]],
        [2**70, 1],
        None,
        [],
    ],
)
def test_a_wrong_number_or_kind_of_actions_is_refused(actions: Any) -> None:
    envs = GameVectorEnv(2)
    envs.reset(seed=1)
    before = envs.seated.game.state_dict()
    with pytest.raises(burako_env.UserError, match="actions has"):
        envs.step(actions)
    assert not differences(before, envs.seated.game.state_dict())


@pytest.mark.parametrize("action", [1.0, "1", True, None, [1], np.array([1]), 1 + 0j])
def test_one_action_is_an_integer(action: Any) -> None:
    env = GameEnv()
    env.reset(seed=1)
    with pytest.raises(burako_env.UserError, match=r"action = .*: expected an integer"):
        env.step(action)


@pytest.mark.parametrize("action", [-1, 512, 2**70, -(2**70)])
def test_an_action_outside_the_table_is_illegal(action: int) -> None:
    env = GameEnv()
    env.reset(seed=1)
    _, reward, terminated, truncated, info = env.step(action)
    assert (reward, terminated, truncated, info["illegal"]) == (-1000.0, True, False, True)
    assert burako_env.REASONS[info["reason"]] == "illegal action"
    # The hand was not played to its end: its points would speak of concealed cards.
    assert info["scores"].tolist() == [0, 0]


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("dense", [False, True])
def test_autoreset_is_gymnasiums(mode: AutoresetMode, dense: bool) -> None:
    """One table in each mode against Gymnasium's own vector environment over the single one, byte for byte."""
    arguments: dict[str, Any] = {"rules": SHORT, "dense": dense, "points": 100.0}
    theirs = SyncVectorEnv([lambda: GameEnv(**arguments)], autoreset_mode=mode)
    ours = GameVectorEnv(1, autoreset_mode=mode.value, **arguments)
    assert ours.autoreset_mode is ours.metadata["autoreset_mode"] is mode
    assert GameVectorEnv.metadata["autoreset_mode"] is AutoresetMode.NEXT_STEP
    one, two = theirs.reset(seed=3), ours.reset(seed=3)
    ends = 0
    for _ in range(150):
        assert not differences(_values(one), _values(two))
        actions = acting(two[0]["action_mask"])
        one, two = theirs.step(actions), ours.step(actions)
        if (two[2] | two[3]).any():
            ends += 1
            assert ("final_obs" in two[4]) == (mode is AutoresetMode.SAME_STEP)
            if mode is AutoresetMode.DISABLED:
                assert not differences(_values(one), _values(two))
                with pytest.raises(burako_env.UserError, match=r"games \[0\] have ended: call reset"):
                    ours.step(actions)
                mask = np.ones(1, dtype=bool)
                one = theirs.reset(options={"reset_mask": mask.copy()})
                two = ours.reset(options={"reset_mask": mask.copy()})
    assert ends > 2


def _values(result: tuple[Any, ...]) -> tuple[Any, ...]:
    """A result without the marks: where ours are False and Gymnasium's True, the values are 0."""

    def plain(value: Any) -> Any:
        if not isinstance(value, dict):
            return np.asarray(value)
        return {name: plain(one) for name, one in value.items() if not name.startswith("_")}

    return tuple(plain(part) if not isinstance(part, np.ndarray) else part for part in result)


def test_same_step_gives_the_last_observation_beside_the_next() -> None:
    """The same play in two modes: what NextStep shows a step apart, SameStep shows in one."""
    later, at_once = (GameVectorEnv(4, rules=SHORT, autoreset_mode=mode) for mode in ("NextStep", "SameStep"))
    seen, _ = later.reset(seed=2)
    now, _ = at_once.reset(seed=2)
    ended = np.zeros(4, dtype=bool)
    ends = 0
    for _ in range(40):
        result = at_once.step(acting(now["action_mask"]))
        now, rewards, terminated, truncated, info = result
        over = terminated | truncated
        expected = later.step(acting(seen["action_mask"]))
        seen = expected[0]
        assert not differences(expected[1:4], (rewards, terminated, truncated))
        assert info["_final_obs"].tolist() == over.tolist() if over.any() else "final_obs" not in info
        for table in range(4):
            last = info["final_obs"][table] if over[table] else {name: array[table] for name, array in now.items()}
            assert not differences(last, {name: array[table] for name, array in seen.items()})
            if over[table]:
                assert info["final_info"]["scores"][table].tolist() == expected[4]["scores"][table].tolist()
                assert info["final_info"]["deal_id"][table] == expected[4]["deal_id"][table]
                assert info["deal_id"][table] == expected[4]["deal_id"][table] + 4
                assert not info["scores"][table].any()
        if over.any():
            # The tables that go on wait for those that NextStep deals anew.
            ends += int(over.sum())
            ended = over
            mask = np.zeros(4, dtype=bool)
            mask[ended] = True
            seen, _ = later.reset(options={"reset_mask": mask})
            assert not differences(seen, now)
    assert ends > 3


@pytest.mark.parametrize("mode", MODES)
def test_some_tables_can_be_reset(mode: AutoresetMode) -> None:
    envs = GameVectorEnv(4, autoreset_mode=mode)
    observation, info = envs.reset(seed=1)
    for _ in range(5):
        observation, *_, info = envs.step(acting(observation["action_mask"]))
    assert info["deal_id"].tolist() == [0, 1, 2, 3]
    mask = np.array([True, False, False, True])
    options = {"reset_mask": mask, "deal_id": np.array([40, 41, 42, 43]), "swap_sides": True}
    after, info = envs.reset(options=options)
    assert "reset_mask" in options
    assert info["deal_id"].tolist() == [40, 1, 2, 43]
    assert envs.seated.game.swapped.tolist() == mask.tolist()
    assert not differences(after, observation, np.flatnonzero(~mask))
    with pytest.raises(burako_env.UserError, match="a seed is that of all tables"):
        envs.reset(seed=1, options={"reset_mask": mask})
    fresh, _ = envs.reset(seed=1, options={"reset_mask": np.ones(4, dtype=bool)})
    assert not differences(fresh, GameVectorEnv(4).reset(seed=1)[0])
    for bad in (
        [True] * 4,
        np.ones(3, dtype=bool),
        np.ones(4),
        np.zeros(4, dtype=bool),
        "all",
        np.ones((4, 1), dtype=bool),
    ):
        with pytest.raises(burako_env.UserError, match=r"reset_mask = .*expected a NumPy array, bool \[4\]"):
            envs.reset(options={"reset_mask": bad})


@pytest.mark.parametrize("mode", MODES)
def test_episode_statistics(mode: AutoresetMode) -> None:
    """Gymnasium's own wrapper counts the returns of hands in every mode."""
    plain = GameVectorEnv(3, rules=SHORT, autoreset_mode=mode)
    envs = RecordEpisodeStatistics(plain)
    observation, _ = envs.reset(seed=4)
    found = []
    for _ in range(60):
        observation, rewards, terminated, truncated, info = envs.step(acting(observation["action_mask"]))
        over = terminated | truncated
        if over.any():
            found += list(zip(info["episode"]["r"][over].tolist(), rewards[over].tolist()))
            if mode is AutoresetMode.DISABLED:
                observation, _ = envs.reset(options={"reset_mask": over})
    assert len(found) > 3
    assert all(total == reward for total, reward in found)


@pytest.mark.parametrize("game", ["burako-4", "ruibal-2"])
@pytest.mark.parametrize("mode", MODES)
def test_infos_are_numbers_under_the_same_keys(game: str, mode: AutoresetMode) -> None:
    envs = GameVectorEnv(3, game, autoreset_mode=mode)
    observation, info = envs.reset(seed=1)
    keys, kinds = set(info), {name: (value.dtype, value.shape) for name, value in info.items()}
    ended = 0
    for number in range(60):
        actions = acting(observation["action_mask"])
        if number % 7 == 6:
            actions[0] = -1
        observation, _, terminated, truncated, info = envs.step(actions)
        over = terminated | truncated
        ended += int(over.sum())
        final = {"final_obs", "_final_obs", "final_info", "_final_info"}
        assert set(info) - final == keys
        assert bool(final & set(info)) == (mode is AutoresetMode.SAME_STEP and over.any())
        for name in keys:
            assert (info[name].dtype, info[name].shape) == kinds[name]
            assert info[name].dtype.kind in "biuf"
            if not name.startswith("_") and name in ("scores", "reason", "illegal"):
                assert not info[name][~info["_" + name]].any()
                assert not info["_" + name][~over].any()
        if over.any() and mode is AutoresetMode.DISABLED:
            observation, info = envs.reset(options={"reset_mask": over})
            assert set(info) == keys
    assert ended > 3
