"""Many tables side by side as one Gymnasium vector environment, stepped as one batch."""

import math
from collections.abc import Mapping, Sequence
from typing import Any, Final, Literal

import gymnasium
import numpy as np
import numpy.typing as npt
from gymnasium import spaces
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.vector.utils import batch_space

from burako_env.batch import Bools, Ints
from burako_env.envs.aec import ILLEGAL, ILLEGAL_REWARD, Observation, observation_space
from burako_env.envs.options import as_mapping, deals_of, mask_of, turns_of
from burako_env.envs.seated import Index, Opponent, SeatedGames
from burako_env.errors import UserError, unknown
from burako_env.families import make_episodes
from burako_env.kit import checks
from burako_env.layout import I8
from burako_env.render.modes import MODES, checked_mode, draw

Opponents = Opponent | Sequence[Opponent]
# Options of `reset`; one table has no mask.
OPTIONS: Final = ("deal_id", "swap_sides", "reset_mask")
# More tables than memory holds.
MOST_TABLES: Final = 2**20


class GameVectorEnv(VectorEnv[Observation, npt.NDArray[Any], npt.NDArray[Any]]):
    """Many games side by side, stepped as one batch.

    Observation: `{"observation": View of the learner's seat to act, int8 [n, F], "action_mask": int8 [n, A]}`. Action:
    an id of the game's action table for each game, integers `[n]`. Reward: own points minus the mean of the others',
    divided by `points`, when the episode ends; with `dense` the change of what everybody can see of them since the
    last observation, and at the end the rest. An illegal action ends the episode with `illegal_reward` points.

    Info, the same keys after every reset and step: `action_mask` again; `deal_id` int64 `[n]`; and of episodes that
    ended in this step (marked by `_scores`, `_reason`, `_illegal`; 0 elsewhere) the `scores`, int32 `[n, sides]`, the
    `reason`, uint8 `[n]`, a place in `burako_env.REASONS`, and whether an `illegal` action was why, bool `[n]`.

    Autoreset, as Gymnasium defines it: `NextStep`, the step after an episode's last one ignores its action, and returns
    the next deal's first observation with reward 0; `SameStep`, that observation is returned at once, and the last one
    and its info are `final_obs` and `final_info` in the info; `Disabled`, ended games wait for
    `reset(options={"reset_mask": ...})`.

    Args:
        num_envs: n.
        game: name of the game. rules: rule keys that differ from its preset.
        enforcement: `sanctions`: infractions are actions and have their price (the card game).
        episode: `hand`, or `match`: hands until a side's total reaches the rule key `target` (the card game).
        opponents: agents bound to the game, functions of (view, legal, keys), or None for random play; of several each
            episode meets the next one.
        side: the learner's. points: points of the game that count 1. dense, illegal_reward: see above.
        root_seed: of the deals, until `reset` is given a seed: an integer from 0 to 2**128 - 1.
        autoreset_mode: a `gymnasium.vector.AutoresetMode` or its value.
        render_mode: `ansi`, `html` or `rgb_array`: `render` returns a text, a page or an image of every table.
    """

    metadata: dict[str, Any] = {  # noqa: RUF012  Gymnasium's own attribute, read by its tools
        "render_modes": list(MODES),
        "render_fps": 1,
        "autoreset_mode": AutoresetMode.NEXT_STEP,
    }

    def __init__(
        self,
        num_envs: int = 1,
        game: str = "burako-4",
        *,
        rules: Mapping[str, Any] | None = None,
        enforcement: str = "strict",
        episode: Literal["hand", "match"] = "hand",
        opponents: Opponents = None,
        side: int = 0,
        points: float = 1.0,
        dense: bool = False,
        illegal_reward: float = ILLEGAL_REWARD,
        root_seed: int = 0,
        autoreset_mode: AutoresetMode | str = AutoresetMode.NEXT_STEP,
        render_mode: str | None = None,
    ) -> None:
        self.num_envs = checks.whole("num_envs", num_envs, 1, MOST_TABLES)
        self.autoreset_mode = _checked_autoreset(autoreset_mode)
        self.metadata = {**self.metadata, "autoreset_mode": self.autoreset_mode}
        self.render_mode = checked_mode(render_mode, MODES)
        self._points, self._dense = _number("points", points), dense
        if self._points <= 0:
            raise UserError(f"points = {checks.words(points)}: expected a number above 0")
        self._illegal_reward = _number("illegal_reward", illegal_reward)
        if enforcement != "strict":
            rules = {"enforcement": enforcement, **(rules or {})}
        batch = make_episodes(episode, game, self.num_envs, root_seed, rules)
        self.seated = SeatedGames(batch, opponents, side)
        self.single_observation_space = observation_space(batch)
        self.single_action_space = spaces.Discrete(batch.num_actions)
        self.observation_space = batch_space(self.single_observation_space, self.num_envs)
        self.action_space = batch_space(self.single_action_space, self.num_envs)
        self._nobody = np.zeros(self.num_envs, dtype=np.bool_)
        self._before = np.zeros(self.num_envs)

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Observation, dict[str, Any]]:
        """Deal all tables, or some.

        Args:
            seed: the root seed from now on, an integer from 0 to 2**128 - 1: table i plays its deals i, i + n, ...
                Without one the next deals follow.
            options: `deal_id`, an integer from 0 to 2**63 - 1 for all tables or `[n]`: these deals, and later ones n
                further on each; `swap_sides`, True or `[n]`, in these deals: the same cards with the sides' seats
                exchanged (with more than two sides integers: by how many seats the table is turned); `reset_mask`,
                bool `[n]`: only these tables, the others stay as they are.

        Raises `UserError` for what is none of these, before anything has changed.
        """
        given = as_mapping(options)
        for name in given:
            if name not in OPTIONS:
                raise unknown("option", str(name), OPTIONS)
        mask = mask_of(given, self.num_envs)
        slots = np.arange(self.num_envs) if mask is None else np.flatnonzero(mask)
        deals = deals_of(given, self.num_envs)
        turned = turns_of(given, self.seated.game.sides, self.num_envs)
        if seed is not None:
            seed = checks.root_seed(seed, "seed")
            if len(slots) < self.num_envs:
                raise UserError("a seed is that of all tables: reset them without a reset_mask, or without a seed")
            self.seated.use_seed(seed)
        super().reset(seed=seed)
        self.seated.deal(slots, None if deals is None else deals[slots], turned[slots])
        if self._dense:
            self._before = self.seated.points()
        found = self.seated.observations()
        return found, self._info(found["action_mask"], self._nobody)

    def step(
        self, actions: npt.ArrayLike
    ) -> tuple[Observation, npt.NDArray[Any], npt.NDArray[Any], npt.NDArray[Any], dict[str, Any]]:
        """One choice of the learner in every game, and all that follows up to its next one."""
        seated, chosen = self.seated, self._checked_actions(actions)
        fresh = np.flatnonzero(seated.over)
        if fresh.size and self.autoreset_mode is AutoresetMode.DISABLED:
            raise UserError(f"games {fresh.tolist()} have ended: call reset, with their reset_mask if others go on")
        slots = np.flatnonzero(~seated.over)
        legal = seated.legal_rows(chosen[slots], slots)
        illegal = np.zeros(self.num_envs, dtype=np.bool_)
        illegal[slots[~legal]] = True
        seated.step(chosen[slots[legal]], slots[legal])
        seated.over[illegal] = True
        ended = seated.over.copy()
        ended[fresh] = False
        truncated = ended & ~illegal & seated.game.truncated
        rewards = self._rewards(ended, illegal)
        extra: dict[str, Any] = {}
        deal = fresh
        if self.autoreset_mode is AutoresetMode.SAME_STEP and ended.any():
            deal = np.flatnonzero(ended)
            extra = self._final(deal, ended, illegal)
        if deal.size:
            seated.deal(deal)
        rewards[fresh] = 0
        if self._dense:
            self._before = seated.points() if deal.size else self._before
        found = seated.observations()
        info = self._info(found["action_mask"], self._nobody if extra else ended, illegal)
        return found, rewards, ended & ~truncated, truncated, info | extra

    def render(self) -> tuple[Any, ...] | None:
        """Every table with all hands open, in the render mode."""
        if self.render_mode is None:
            gymnasium.logger.warn("render() does nothing without a render_mode")
            return None
        return tuple(draw(self.seated.game, self.render_mode, number) for number in range(self.num_envs))

    # Inner helpers.

    def _checked_actions(self, actions: npt.ArrayLike) -> Ints:
        chosen = checks.as_array("actions", actions)
        if chosen.shape != (self.num_envs,) or chosen.dtype.kind not in "iu":
            raise UserError(
                f"actions has shape {list(chosen.shape)} and dtype {chosen.dtype}, "
                f"expected integers [{self.num_envs}], one for each table"
            )
        return chosen.astype(np.int64, copy=False)

    def _rewards(self, ended: Bools, illegal: Bools) -> npt.NDArray[np.float64]:
        """Rewards of a step, before anything new is dealt."""
        rewards = np.zeros(self.num_envs)
        if self._dense:
            now = self.seated.points()
            rewards, self._before = (now - self._before) / self._points, now
        elif ended.any():
            rewards[ended] = self.seated.points()[ended] / self._points
        rewards[illegal] = self._illegal_reward / self._points
        return rewards

    def _info(self, mask: I8, ended: Bools, illegal: Bools | None = None, known: Bools | None = None) -> dict[str, Any]:
        """The info of the tables `known` (all of them), with the figures of the episodes that have `ended`.

        The scores of a live game count concealed cards: only those of games that were played to their end are shown.
        """
        game, known = self.seated.game, ~self._nobody if known is None else known
        scores = np.zeros((self.num_envs, game.sides), dtype=np.int32)
        reason = np.zeros(self.num_envs, dtype=np.uint8)
        illegal = self._nobody if illegal is None else illegal & ended
        played = ended & ~illegal
        if ended.any():
            scores[played] = game.scores[played]
            reason[played] = game.reason_codes[played]
            reason[illegal] = ILLEGAL
        values = {
            "action_mask": (mask.copy(), known),
            "deal_id": (game.deal_ids * known, known),
            "scores": (scores, played),
            "reason": (reason, ended),
            "illegal": (illegal.copy(), ended),
        }
        return {
            key: array for name, (value, there) in values.items() for key, array in ((name, value), (f"_{name}", there))
        }

    def _final(self, slots: Index, ended: Bools, illegal: Bools) -> dict[str, Any]:
        """SameStep: the last observations and infos of episodes that have ended, in the form Gymnasium gives them."""
        found = self.seated.observations(slots)
        last = np.full(self.num_envs, None, dtype=object)
        for row, slot in enumerate(slots.tolist()):
            last[slot] = {name: array[row] for name, array in found.items()}
        mask = np.zeros((self.num_envs, self.seated.game.num_actions), dtype=np.int8)
        info = self._info(mask, ended, illegal, known=ended)
        return {"final_obs": last, "_final_obs": ended, "final_info": info, "_final_info": ended}


def _number(what: str, value: Any) -> float:
    """`value` as a float; what is no finite number is refused."""
    if (
        isinstance(value, bool)
        or not isinstance(value, int | float | np.integer | np.floating)
        or not math.isfinite(value)
    ):
        raise UserError(f"{what} = {checks.words(value)}: expected a finite number")
    return float(value)


def _checked_autoreset(mode: Any) -> AutoresetMode:
    try:
        return AutoresetMode(mode)
    except ValueError:
        raise unknown("autoreset_mode", str(mode), [known.value for known in AutoresetMode]) from None


__all__ = ["OPTIONS", "GameVectorEnv"]
