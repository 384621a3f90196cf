"""One table as a Gymnasium environment: a vector environment of one."""

from collections.abc import Mapping
from typing import Any

import gymnasium
import numpy as np

from burako_env.batch import Bools
from burako_env.envs.aec import Observation
from burako_env.envs.options import as_mapping
from burako_env.envs.vector_env import OPTIONS, GameVectorEnv
from burako_env.errors import UserError, unknown
from burako_env.kit import checks
from burako_env.render.modes import RENDER_MODES, checked_mode, shown


class GameEnv(gymnasium.Env[Observation, np.int64]):
    """One table of `GameVectorEnv`: the same arguments, spaces, rewards and infos without the axis of games.

    After the end of an episode `reset` deals the next one, as does `step`, whose action is then ignored. `render_mode`
    may be `human`, too, which prints every observed position. `action_masks()` is what sb3-contrib's MaskablePPO asks
    for.
    """

    metadata: dict[str, Any] = {"render_modes": list(RENDER_MODES), "render_fps": 1}  # noqa: RUF012  Gymnasium's own

    def __init__(self, game: str = "burako-4", render_mode: str | None = None, **kwargs: Any) -> None:
        self.render_mode = checked_mode(render_mode, RENDER_MODES)
        self._many = GameVectorEnv(1, game, **kwargs)
        self.observation_space = self._many.single_observation_space
        self.action_space = self._many.single_action_space

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Observation, dict[str, Any]]:
        """Deal the next episode; with a seed the first one of that root seed. `options` as in `GameVectorEnv.reset`:
        `deal_id`, `swap_sides`.
        """
        if "reset_mask" in as_mapping(options):
            raise unknown("option", "reset_mask", OPTIONS[:2])
        observation, info = self._many.reset(seed=seed, options=options)
        super().reset(seed=None if seed is None else int(seed))
        self._show()
        return _first(observation), _plain(info)

    def step(self, action: np.int64 | int) -> tuple[Observation, float, bool, bool, dict[str, Any]]:
        """One choice of the learner, and all that follows up to its next one."""
        number = checks.integer(action)
        if number is None:
            raise UserError(f"action = {checks.words(action)}: expected an integer")
        inside = 0 <= number < self._many.seated.game.num_actions
        observation, rewards, terminated, truncated, info = self._many.step(np.array([number if inside else -1]))
        self._show()
        return _first(observation), float(rewards[0]), bool(terminated[0]), bool(truncated[0]), _plain(info)

    def render(self) -> Any:
        """The table with all hands open, in the render mode; `human` prints it."""
        if self.render_mode is None:
            gymnasium.logger.warn("render() does nothing without a render_mode")
            return None
        return shown(self._many.seated.game, self.render_mode)

    def action_masks(self) -> Bools:
        """Legal actions, bool `[A]`."""
        mask: Bools = self._many.seated.observations()["action_mask"][0].view(np.bool_)
        return mask

    def _show(self) -> None:
        if self.render_mode == "human":
            self.render()


def _first(observation: Observation) -> Observation:
    return {name: array[0] for name, array in observation.items()}


def _plain(info: Mapping[str, Any]) -> dict[str, Any]:
    """An info of one game without the axis of games and the marks."""
    return {name: array[0] for name, array in info.items() if not name.startswith("_")}


__all__ = ["GameEnv"]
