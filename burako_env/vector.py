"""Gymnasium environments: a learner's side of a game against given opponents, one table or many side by side.

    import agents, burako_env.vector, gymnasium

    rival = agents.load("heuristic", "burako-4")
    envs = gymnasium.make_vec("burako_env/Burako4-v0", num_envs=256, opponents=rival)
    env = gymnasium.make("burako_env/Burako4-v0", opponents=rival)

Importing this module registers one id a game (`env_id`). The learner plays all seats of its side, and an observation is
that of the seat to act. `docs/vector.md` says the rest.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

import gymnasium
import numpy as np
import numpy.typing as npt
from gymnasium import spaces
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.vector.utils import batch_space

from burako_env.aec import ILLEGAL_REWARD
from burako_env.batch import BatchGame, Bools
from burako_env.layout import I8
from burako_env.registry import game_names, make
from burako_env.seated import Opponent, SeatedGames

Observation = dict[str, I8]
Opponents = Opponent | Sequence[Opponent]


def env_id(game: str) -> str:
    """The Gymnasium id of a game: `burako-4` is `burako_env/Burako4-v0`."""
    return f"burako_env/{''.join(part.capitalize() for part in game.split('-'))}-v0"


class GameVectorEnv(VectorEnv[Observation, npt.NDArray[Any], npt.NDArray[Any]]):
    """Many games side by side, stepped as one batch.

    Observation: `{"observation": View of the learner's seat to act, int8 [n, F], "action_mask": int8 [n, A]}`. Action:
    an id of the game's action table for each game, int64 `[n]`. Reward: own points minus the mean of the others',
    divided by `points`, when the hand ends; with `dense` the change since the last observation instead. An illegal
    action ends the hand with `illegal_reward` points.

    Info: `action_mask` again; `deal_id` int64 `[n]`; and of hands that ended in this step (marked by `_scores`) the
    `scores`, int32 `[n, sides]`, and whether an `illegal` action was why, bool `[n]`.

    Autoreset is NEXT_STEP: the step after a hand's last one ignores its action, and returns the next hand's first
    observation with reward 0.

    Args:
        num_envs: n.
        game: name of the game. rules: rule keys that differ from its preset.
        enforcement: `sanctions`: infractions are actions and have their price (the card game).
        opponents: agents bound to the game, functions of (view, legal, keys), or None for random play; of several each
            hand meets the next one.
        side: the learner's. points: points of the game that count 1. dense, illegal_reward: see above.
        root_seed: of the deals, until `reset` is given a seed.
    """

    metadata: dict[str, Any] = {  # noqa: RUF012  Gymnasium's own attribute, read by its tools
        "render_modes": [],
        "autoreset_mode": AutoresetMode.NEXT_STEP,
    }

    def __init__(
        self,
        num_envs: int = 1,
        game: str = "burako-4",
        *,
        rules: Mapping[str, Any] | None = None,
        enforcement: str = "strict",
        opponents: Opponents = None,
        side: int = 0,
        points: float = 1.0,
        dense: bool = False,
        illegal_reward: float = ILLEGAL_REWARD,
        root_seed: int = 0,
        render_mode: None = None,
    ) -> None:
        if enforcement != "strict":
            rules = {"enforcement": enforcement, **(rules or {})}
        batch = make(game, num_envs, root_seed, rules)
        several = isinstance(opponents, Sequence)
        self.seated = SeatedGames(batch, opponents if several else [opponents], side)  # type: ignore[list-item,arg-type]
        self.num_envs = num_envs
        self.single_observation_space = observation_space(batch)
        self.single_action_space = spaces.Discrete(batch.num_actions)
        self.observation_space = batch_space(self.single_observation_space, num_envs)
        self.action_space = batch_space(self.single_action_space, num_envs)
        self._points, self._dense, self._illegal_reward = points, dense, illegal_reward
        self._before = np.zeros(num_envs)

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Observation, dict[str, Any]]:
        """Deal all hands: with a seed it is the root seed from now on, without one the next deals follow."""
        super().reset(seed=seed)
        self.seated.restart(seed)
        self._before = self.seated.points()
        return self._observe(np.zeros(self.num_envs, dtype=np.bool_), np.zeros(self.num_envs, dtype=np.bool_))

    def step(
        self, actions: npt.NDArray[Any]
    ) -> tuple[Observation, npt.NDArray[Any], npt.NDArray[Any], npt.NDArray[Any], dict[str, Any]]:
        """One choice of the learner in every game, and all that follows up to its next one."""
        seated, chosen = self.seated, np.asarray(actions)
        fresh = np.flatnonzero(seated.over)
        slots = np.flatnonzero(~seated.over)
        legal = seated.legal_rows(chosen[slots], slots)
        illegal = np.zeros(self.num_envs, dtype=np.bool_)
        illegal[slots[~legal]] = True
        seated.step(chosen[slots[legal]], slots[legal])
        seated.over[illegal] = True
        ended = seated.over.copy()
        ended[fresh] = False
        now = seated.points()
        rewards = (now - self._before if self._dense else now * ended) / self._points
        rewards[illegal] = self._illegal_reward / self._points
        scores = seated.game.scores.copy()
        truncated = ended & ~illegal & seated.game.truncated
        if fresh.size:
            seated.deal(fresh)
            rewards[fresh] = 0
            now = seated.points()
        self._before = now
        observation, info = self._observe(ended, illegal, scores)
        return observation, rewards, ended & ~truncated, truncated, info

    def _observe(
        self, ended: Bools, illegal: Bools, scores: npt.NDArray[Any] | None = None
    ) -> tuple[Observation, dict[str, Any]]:
        found = self.seated.observations()
        every = np.ones(self.num_envs, dtype=np.bool_)
        info: dict[str, Any] = {"action_mask": found["action_mask"].copy(), "_action_mask": every}
        info |= {"deal_id": self.seated.game.deal_ids.copy(), "_deal_id": every}
        if scores is not None and ended.any():
            info |= {"scores": scores, "_scores": ended, "illegal": illegal, "_illegal": ended}
        return found, info


class GameEnv(gymnasium.Env[Observation, np.int64]):
    """One table of `GameVectorEnv`: the same arguments, spaces, rewards and infos without the axis of games.

    `action_masks()` is what sb3-contrib's MaskablePPO asks for.
    """

    metadata: dict[str, Any] = {"render_modes": []}  # noqa: RUF012  Gymnasium's own attribute

    def __init__(self, game: str = "burako-4", render_mode: None = None, **kwargs: Any) -> None:
        self._many = GameVectorEnv(1, game, **kwargs)
        self.observation_space = self._many.single_observation_space
        self.action_space = self._many.single_action_space
        self.render_mode = render_mode

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Observation, dict[str, Any]]:
        """Deal the next hand; with a seed the first one of that root seed."""
        super().reset(seed=seed)
        observation, info = self._many.reset(seed=seed)
        return _first(observation), _plain(info)

    def step(self, action: np.int64 | int) -> tuple[Observation, float, bool, bool, dict[str, Any]]:
        """One choice of the learner, and all that follows up to its next one."""
        observation, rewards, terminated, truncated, info = self._many.step(np.array([action], dtype=np.int64))
        return _first(observation), float(rewards[0]), bool(terminated[0]), bool(truncated[0]), _plain(info)

    def action_masks(self) -> Bools:
        """Legal actions, bool `[A]`."""
        mask: Bools = self._many.seated.observations()["action_mask"][0].view(np.bool_)
        return mask


def observation_space(game: BatchGame) -> spaces.Dict:
    """The space of one observation."""
    return spaces.Dict(
        {
            "observation": spaces.Box(-128, 127, (game.layout.width,), np.int8),
            "action_mask": spaces.Box(0, 1, (game.num_actions,), np.int8),
        }
    )


def _first(observation: Observation) -> Observation:
    return {name: array[0] for name, array in observation.items()}


def _plain(info: Mapping[str, Any]) -> dict[str, Any]:
    """An info of one game without the axis of games and the marks."""
    return {name: array[0] for name, array in info.items() if not name.startswith("_")}


def _register() -> None:
    """Make every game known to `gymnasium.make` and `gymnasium.make_vec`."""
    for name in game_names():
        if make(name).sides > 1:
            gymnasium.register(
                env_id(name),
                entry_point="burako_env.vector:GameEnv",
                vector_entry_point="burako_env.vector:GameVectorEnv",
                kwargs={"game": name},
            )


_register()

__all__: Final = ["GameEnv", "GameVectorEnv", "env_id", "observation_space"]
