"""PettingZoo's turn-by-turn interface (AEC) over any `BatchGame`, as a batch of one.

`BatchGameEnv` is the environment, `wrapped` puts PettingZoo's usual wrappers around it. A game's own module
(`burako_v0`, ...) says which game and documents spaces, rewards and infos.
"""

import warnings
from collections.abc import Mapping
from typing import Any, Final, Protocol

import numpy as np
import numpy.typing as npt
from gymnasium import spaces
from pettingzoo import AECEnv
from pettingzoo.utils import wrappers
from pettingzoo.utils.env_logger import EnvLogger

from burako_env.batch import REASONS, BatchGame
from burako_env.envs.options import as_mapping, deals_of, rules_of, turns_of
from burako_env.errors import UserError, unknown
from burako_env.kit import checks
from burako_env.layout import I8
from burako_env.render.modes import RENDER_MODES, checked_mode, shown

Observation = dict[str, I8]

OPTIONS: Final = ("rules", "swap_sides", "deal_id")
# What an illegal action costs its side in env(): about the standard deviation of a hand, so that it never pays.
ILLEGAL_REWARD: Final = -1000.0
# The code of an episode's end that is no end of a game (see `infos`).
ILLEGAL: Final = REASONS.index("illegal action")


class MakeGame(Protocol):
    """Builds the game of an episode: a batch of one."""

    def __call__(self, root_seed: int, rules: Mapping[str, Any]) -> BatchGame: ...


class BatchGameEnv(AECEnv):
    """One game of a `BatchGame`, one action of one seat at a time.

    Observation: `{"observation": View of the seat, int8 [F], "action_mask": int8 [A]}`; the mask is all 0 for a seat
    that is not to act. Action: an id of the game's action table. Reward: 0 until the episode ends, then the score of
    the own side minus the mean of the others', once for every seat: with two sides own minus other. State: see
    `state`.

    Infos: numbers, under the same keys in every step. `deal_id` and `swap_sides` are those of the episode, `side` is
    the agent's. Of the hand that ended last in this episode: `reason`, its place in `burako_env.REASONS`; `scores` by
    side; `winners`, 1 for each side with the most of them; `decisions`. They are 0 before one has ended, as the points
    of a hand in play tell of concealed cards. `offender` is the seat whose illegal action ended the episode, or -1. In
    a match also its `totals` by side, `hands_played` and `winner` (a side, or -1).

    `step` raises `IllegalAction` for an illegal action and leaves the game as it was. Legal actions and Views are
    computed when first asked for and once a decision.

    Args:
        make_game: builds a game from a root seed and rule keys.
        root_seed, rules: of every episode for which `reset` does not say otherwise; a root seed is an integer from 0
            to 2**128 - 1.
        render_mode: `human` prints every position; `ansi` makes `render` return it as text, `html` as a page,
            `rgb_array` as an image; None leaves it out.
    """

    metadata: dict[str, Any] = {  # noqa: RUF012  PettingZoo's own attribute, read by its tools
        "render_modes": list(RENDER_MODES),
        "name": "batch_game_v0",
        "is_parallelizable": False,
        "render_fps": 1,
    }

    def __init__(
        self,
        make_game: MakeGame,
        *,
        root_seed: int = 0,
        rules: Mapping[str, Any] | None = None,
        render_mode: str | None = None,
    ) -> None:
        super().__init__()
        self.render_mode = checked_mode(render_mode, RENDER_MODES)
        self._make_game = make_game
        self._rules = dict(rules or {})
        self._root_seed, self._next_deal = checks.root_seed(root_seed), 0
        self._made_of: tuple[int, dict[str, Any]] = (self._root_seed, self._rules)
        self._use(make_game(*self._made_of))

        self.possible_agents = [f"player_{seat}" for seat in range(self.game.seats)]
        self.agents: list[str] = []
        self._seat_of = {agent: seat for seat, agent in enumerate(self.possible_agents)}
        layout = self.game.layout
        self.action_spaces = {agent: spaces.Discrete(self.game.num_actions) for agent in self.possible_agents}
        self.observation_spaces = {agent: observation_space(self.game) for agent in self.possible_agents}
        self._private = np.concatenate(
            [np.arange(layout.width)[layout[name]] for name in self.game.private_fields] or [np.zeros(0, dtype=np.intp)]
        )
        width = layout.width + (self.game.seats - 1) * len(self._private)
        self.state_space = spaces.Box(-128, 127, (width,), np.int8)
        self._action = np.zeros(1, dtype=np.int64)
        self._forget()

    def observation_space(self, agent: str) -> spaces.Dict:
        """The agent's observation space, always the same object."""
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> spaces.Discrete:
        """The agent's action space, always the same object."""
        return self.action_spaces[agent]

    def reset(self, seed: int | None = None, options: Mapping[str, Any] | None = None) -> None:
        """Deal a new episode.

        Args:
            seed: the root seed from now on, an integer from 0 to 2**128 - 1, and its first deal; without it the next
                deal of the present one.
            options: for this episode only: `rules` (rule keys that change those given at the start; neither space may
                change), `swap_sides` (True: the same cards with the sides' seats exchanged; with more than two sides an
                integer: by how many seats the table is turned), `deal_id` (which deal of the root seed, from 0 to
                2**63 - 1; later resets go on from it). Unknown options are ignored with a warning.

        Raises `UserError` for a seed or an option that is none of these, before anything has changed.
        """
        given = as_mapping(options)
        for name in given:
            if name not in OPTIONS:
                warnings.warn(f"reset ignores an {unknown('option', str(name), OPTIONS)}", stacklevel=2)
        rules, turned, chosen = rules_of(given), turns_of(given, self.game.sides, 1), deals_of(given, 1)
        root_seed, deal = self._root_seed, self._next_deal
        if seed is not None:
            root_seed, deal = checks.root_seed(seed, "seed"), 0
        deal = deal if chosen is None else int(chosen[0])
        self._remake((root_seed, {**self._rules, **rules}))
        self._root_seed, self._next_deal = root_seed, checks.following(deal)
        self.game.reset([deal], swap_sides=turned)

        self.agents = self.possible_agents[:]
        self.rewards: dict[str, float] = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards: dict[str, float] = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self._inform()
        self._skip_agent_selection: str | None = None
        self._over = False
        self._forget()
        self._select()
        if self.render_mode == "human":
            self.render()

    def observe(self, agent: str) -> Observation:
        """What the agent knows now, and its legal actions if it is to act; fresh arrays."""
        seat = self._seat_of[agent]
        view = self._views.get(seat)
        if view is None:
            game = self.game
            view = self._views[seat] = (game.view() if seat == self._seat else game.view(seats=seat)).buffer[0]
        live = seat == self._seat and not self._over
        mask = self._mask().copy() if live else np.zeros(self.game.num_actions, dtype=np.int8)
        return {"observation": view.copy(), "action_mask": mask}

    def step(self, action: Any) -> None:
        """Play one action (int) of `agent_selection`; None for an agent whose episode has ended."""
        if self._over:
            self._was_dead_step(action)
            return
        game = self.game
        if not self.is_legal(action):
            if checks.integer(action) is None:
                raise UserError(f"action = {checks.words(action)}: expected an integer")
            game.step([action])
            raise AssertionError(f"{game.name} plays action {action}, which its legal set does not hold")
        self._action[0] = action
        game.step(self._action, validate=False)
        self._forget()
        self._select()
        if game.done[0]:
            self._finish()
        elif self._match is not None and self._match.finished.size:
            self._inform(self._match.finished_hands)
        if self.render_mode == "human":
            self.render()

    def is_legal(self, action: Any) -> bool:
        """Whether `agent_selection` may play the action now."""
        if self._over:
            return False
        number = checks.integer(action)
        return number is not None and 0 <= number < self.game.num_actions and bool(self._mask()[number])

    def forfeit(self, agent: str, reward: float) -> None:
        """End the episode because of the agent: its side gets `reward`, the others share the opposite."""
        sides, lost = self.game.sides, int(self.game.side_of[self._seat_of[agent]])
        points = np.full(sides, -reward / (sides - 1))
        points[lost] = reward
        self._end(points, truncated=False)
        for info in self.infos.values():
            info.update(reason=ILLEGAL, offender=self._seat_of[agent])

    def state(self) -> I8:
        """Everything any seat knows, int8, for a central critic.

        The View of player_0, in which seats are counted from player_0, then for every other seat in order the fields
        of its own View that only it sees (`BatchGame.private_fields`).
        """
        seats = np.arange(self.game.seats)
        views = self.game.select(np.zeros_like(seats)).view(seats=seats).buffer
        return np.concatenate([views[0], views[1:, self._private].ravel()])

    def render(self) -> Any:
        """The position with every hand open: text, returned (`ansi`) or printed (`human`), or a drawing."""
        if self.render_mode is None:
            warnings.warn("render() does nothing without a render_mode", stacklevel=2)
            return None
        return shown(self.game, self.render_mode)

    def close(self) -> None:
        """Nothing is held open."""

    # Copies (copy.deepcopy, pickle) go through the game's own arrays.

    def __getstate__(self) -> dict[str, Any]:
        return {**self.__dict__, "game": self.game.state_dict(), "_match": None}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state)
        self._use(self._make_game(*self._made_of))
        self.game.load_state_dict(state["game"])

    # Inner helpers.

    def _remake(self, made_of: tuple[int, dict[str, Any]]) -> None:
        """A game of that root seed and those rules, the present one if it is that already."""
        if made_of == self._made_of:
            return
        game = self._make_game(*made_of)
        same = game.num_actions == self.game.num_actions and game.layout.digest() == self.game.layout.digest()
        if not same or game.seats != self.game.seats:
            raise UserError("the rules in reset's options change the spaces: give them when the environment is made")
        self._use(game)
        self._made_of = made_of

    def _use(self, game: BatchGame) -> None:
        self.game = game
        self._match = game.match

    def _forget(self) -> None:
        """Nothing is known yet of the position."""
        self._views: dict[int, I8] = {}
        self._legal: I8 | None = None

    def _mask(self) -> I8:
        """Legal actions of the seat to act, int8 `[A]`."""
        if self._legal is None:
            self._legal = self.game.legal()[0].view(np.int8)
        return self._legal

    def _select(self) -> None:
        self._seat = int(self.game.to_act[0])
        self.agent_selection = self.possible_agents[self._seat]

    def _inform(self, hand: BatchGame | None = None) -> None:
        """Tell every agent of the hand that has just ended, or that none has; see the class."""
        game, match, nobody = self.game, self._match, [0] * self.game.sides
        scores = nobody if hand is None else hand.scores[0].tolist()
        self.infos: dict[str, dict[str, Any]] = {}
        for agent in self.agents:
            self.infos[agent] = {
                "reason": 0 if hand is None else int(hand.reason_codes[0]),
                "scores": list(scores),
                "winners": list(nobody) if hand is None else [int(points == max(scores)) for points in scores],
                "decisions": 0 if hand is None else int(hand.decisions[0]),
                "offender": -1,
                "deal_id": int(game.deal_ids[0]),
                "swap_sides": int(game.swapped[0]),
                "side": int(game.side_of[self._seat_of[agent]]),
            }
            if match is not None:
                self.infos[agent] |= {
                    "totals": match.totals[0].tolist(),
                    "hands_played": int(match.hands_played[0]),
                    "winner": int(match.winner[0]),
                }

    def _finish(self) -> None:
        """Pay every seat, once."""
        scores = self.game.scores[0].astype(np.float64)
        others = (scores.sum() - scores) / (len(scores) - 1)
        self._end(scores - others, truncated=bool(self.game.truncated[0]))
        self._inform(self.game if self._match is None else self._match.finished_hands)

    def _end(self, points: npt.NDArray[np.float64], *, truncated: bool) -> None:
        """End the episode with `points` for each side."""
        self._over = True
        self._legal = None
        for agent in self.agents:
            reward = float(points[self.game.side_of[self._seat_of[agent]]])
            self.rewards[agent] = reward
            self._cumulative_rewards[agent] += reward
        self.terminations = dict.fromkeys(self.agents, not truncated)
        self.truncations = dict.fromkeys(self.agents, truncated)


def observation_space(game: BatchGame) -> spaces.Dict:
    """The space of one observation."""
    return spaces.Dict(
        {
            "observation": spaces.Box(-128, 127, (game.layout.width,), np.int8),
            "action_mask": spaces.Box(0, 1, (game.num_actions,), np.int8),
        }
    )


class ForfeitWrapper(wrappers.TerminateIllegalWrapper):
    """PettingZoo's `TerminateIllegalWrapper` for games with sides: an illegal action ends the episode and costs.

    The offender's whole side gets `illegal_reward`, the others share the opposite (PettingZoo's own pays the offender
    alone and calls the end a truncation as well), so that rewards stay zero-sum and equal within a side.
    """

    def observe(self, agent: str) -> Observation:
        """What the agent knows now."""
        observation: Observation = self.env.observe(agent)
        return observation

    def step(self, action: Any) -> None:
        """Play one action; an illegal one ends the episode."""
        raw = self.unwrapped
        if raw._over or raw.is_legal(action):
            self.env.step(action)
            return
        EnvLogger.warn_on_illegal_move()
        raw.forfeit(self.agent_selection, float(self._illegal_value))


class OrderWrapper(wrappers.OrderEnforcingWrapper):
    """PettingZoo's `OrderEnforcingWrapper` with a short way to what its loop reads in every step.

    The wrappers in between look up every attribute one after the other, which costs more than a fifth of a decision.
    """

    def __init__(self, env: AECEnv) -> None:
        super().__init__(env)
        self._raw: BatchGameEnv = env.unwrapped

    @property
    def agents(self) -> list[str]:
        """Agents that have not ended; as every attribute, only after `reset`."""
        if not self._has_reset:
            raise AttributeError("agents cannot be accessed before reset")
        return self._raw.agents

    @property
    def agent_selection(self) -> str:
        """Agent to act; as every attribute, only after `reset`."""
        if not self._has_reset:
            raise AttributeError("agent_selection cannot be accessed before reset")
        return self._raw.agent_selection

    def last(self, observe: bool = True) -> tuple[Observation | None, float, bool, bool, dict[str, Any]]:
        """Observation, reward since its last step, termination, truncation and info of the agent to act."""
        if not self._has_reset:
            EnvLogger.error_observe_before_reset()
        last: tuple[Observation | None, float, bool, bool, dict[str, Any]] = self._raw.last(observe)
        return last

    def __str__(self) -> str:
        """The environment's name."""
        return str(self.env)


def wrapped(env: BatchGameEnv, illegal_reward: float = ILLEGAL_REWARD) -> AECEnv:
    """The environment in PettingZoo's usual wrappers: illegal actions, action bounds, order of calls."""
    return OrderWrapper(wrappers.AssertOutOfBoundsWrapper(ForfeitWrapper(env, illegal_reward=illegal_reward)))


__all__ = [
    "ILLEGAL",
    "ILLEGAL_REWARD",
    "BatchGameEnv",
    "ForfeitWrapper",
    "MakeGame",
    "Observation",
    "observation_space",
    "wrapped",
]
