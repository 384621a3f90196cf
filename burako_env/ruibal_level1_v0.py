"""
# Ruibal, first level

| Creation           | `ruibal_level1_v0.env(players=4)`                                        |
|--------------------|----------------------------------------------------------------------------|
| Actions            | Discrete                                                                   |
| Parallel API       | Yes: `ruibal_level1_v0.parallel_env(players=4)`                            |
| Manual Control     | No                                                                         |
| Agents             | `agents = ['player_0', 'player_1', 'player_2', 'player_3']`                |
| Agents             | 2, 3 or 4                                                                  |
| Action Shape       | Discrete(64), the first 21 used                                            |
| Observation Shape  | (F,), F = `observation_space(agent)["observation"].shape[0]`               |
| Observation Values | [-128, 127]                                                                |

The first of three games that prepare a child for Burako: find the match. A set of 20 tiles lies spread, those of the
other set are called one by one, and of the players who point at the right place one, drawn from the seed, was fastest
and gets a crown. It is a warm-up in perception and a lottery between players who all see it; docs/ruibal.md has the
rules.

All players point at once. In the AEC environment they do so in seat order, and nothing of a call is to be seen before
the last has pointed; in the parallel environment a step is a call.

### Arguments

```python
from burako_env import ruibal_level1_v0

env = ruibal_level1_v0.env(players=3, render_mode="ansi", root_seed=0)
```

`players`: 2, 3 or 4, each playing alone.

`render_mode`: `"ansi"`, `render()` returns the table as text; `"human"`, it is printed after every
step; `"html"`, it is an HTML page that needs nothing else; `"rgb_array"`, an image, uint8 [840, 1120, 3]; None.

`root_seed`: which deals there are, until `reset` is given a seed; an integer from 0 to 2**128 - 1.

`illegal_reward` (only `env`): what an illegal action costs the player.

### Reset

Every deal is a function of a root seed and a deal id. `reset(seed=s)` makes s the root seed and deals its deal 0,
`reset()` the next deal; nothing else is random. `options` are for one episode: `swap_sides` (by how many seats the
table is turned: the same deal for the same players on other seats), `deal_id` (from 0 to 2**63 - 1).

### Observation Space

The observation is a dictionary with `'observation'`, the View of the agent, and `'action_mask'`: a 1 for every legal
action of the agent to act, all 0 for every other agent and once the episode has ended. docs/environments.md lists the
fields of the View; seats are counted from the agent to the left. Where the others have pointed is not in it.

### Action Space

0 to 19 point at a place; 20 sits out, the only action of a player who was wrong in the call before.

### Rewards

Paid once, when the episode ends: the player's crowns minus the mean of the others'. All other rewards are 0.

### Infos

The info of each agent holds the same keys in every step, and numbers only: `deal_id`, `swap_sides`, `side` (its seat),
and of the game when it has ended, 0 before: `scores` (crowns by seat), `winners` (1 for each seat with the most: equal
top crowns share the win), `decisions` and the `reason`, 6 (`calls`: `burako_env.REASONS[6]`). `offender` is the seat
whose illegal action ended the episode (the reason is then 8), or -1.

### State

`state()` is everything any player knows: the View of player_0, as all players see the same.

### Version History

* v0: Initial version

"""

from typing import Any

from pettingzoo import AECEnv, ParallelEnv

from burako_env.envs.aec import Observation, wrapped
from burako_env.envs.ruibal import ILLEGAL_REWARD, RuibalEnv, metadata
from burako_env.kit import checks
from burako_env.layout import I8, View
from burako_env.ruibal.level1 import PLACES, SIT


def env(*, illegal_reward: float = ILLEGAL_REWARD, **kwargs: Any) -> AECEnv:
    """The environment in its wrappers; arguments as `raw_env`, and `illegal_reward`."""
    return wrapped(raw_env(**kwargs), illegal_reward)


class raw_env(RuibalEnv):
    """The environment without wrappers; the module's page describes it."""

    metadata = metadata("ruibal_level1_v0")
    game_name = "ruibal-1"


class parallel_env(ParallelEnv):
    """All players point at once: a step is a call. Arguments as `env`."""

    metadata: dict[str, Any] = {**raw_env.metadata, "is_parallelizable": True}  # noqa: RUF012  as above

    def __init__(self, *, illegal_reward: float = ILLEGAL_REWARD, **kwargs: Any) -> None:
        self._env, self._illegal_reward = raw_env(**kwargs), illegal_reward
        self.possible_agents = self._env.possible_agents
        self.agents: list[str] = []
        self.observation_spaces, self.action_spaces = self._env.observation_spaces, self._env.action_spaces
        self.render_mode, self.state_space = self._env.render_mode, self._env.state_space

    def observation_space(self, agent: str) -> Any:
        """The agent's observation space, always the same object."""
        return self._env.observation_space(agent)

    def action_space(self, agent: str) -> Any:
        """The agent's action space, always the same object."""
        return self._env.action_space(agent)

    def reset(
        self, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[dict[str, Observation], dict[str, dict[str, Any]]]:
        """Deal a new episode; arguments as in the AEC environment."""
        self._env.reset(seed, options)
        self.agents = self.possible_agents[:]
        return self._observations(), dict(self._env.infos)

    def step(self, actions: dict[str, int]) -> tuple[dict[str, Any], ...]:
        """One call: an action of every player. The first who plays an illegal one ends the episode, as in `env`."""
        if not self.agents:
            return {}, {}, {}, {}, {}
        env, agents = self._env, self.agents
        masks = {agent: seen["action_mask"] for agent, seen in self._observations().items()}
        offender = next((agent for agent in agents if not _allows(masks[agent], actions[agent])), None)
        if offender is not None:
            env.forfeit(offender, self._illegal_reward)
        else:
            for agent in agents:
                env.step(int(actions[agent]))
        over = offender is not None or bool(env.game.done[0])
        found = (
            self._observations(),
            {agent: env.rewards[agent] for agent in agents},
            dict.fromkeys(agents, over),
            dict.fromkeys(agents, False),
            {agent: env.infos[agent] for agent in agents},
        )
        if over:
            self.agents = []
        return found

    def state(self) -> Any:
        """Everything any player knows."""
        return self._env.state()

    def render(self) -> Any:
        """The position: text, returned (`ansi`) or printed (`human`), or a drawing."""
        return self._env.render()

    def _observations(self) -> dict[str, Observation]:
        """What every player sees; unlike in the AEC environment each has its mask, as all are to act."""
        found = {}
        for agent in self.agents:
            seen = self._env.observe(agent)
            if not self._env.game.done[0]:
                view = View(seen["observation"][None], self._env.game.layout)
                seen["action_mask"][:PLACES] = (view.spread[0] > 0) & (not view.sitting[0, 0])
                seen["action_mask"][SIT] = view.sitting[0, 0]
            found[agent] = seen
        return found


def _allows(mask: I8, action: Any) -> bool:
    """Whether a mask has a 1 at an action."""
    number = checks.integer(action)
    return number is not None and 0 <= number < len(mask) and bool(mask[number])


__all__ = ["env", "parallel_env", "raw_env"]
