"""
# Ruibal, third level

| Creation           | `ruibal_level3_v0.env(players=4)`                                        |
|--------------------|----------------------------------------------------------------------------|
| Actions            | Discrete                                                                   |
| Parallel API       | No                                                                         |
| Manual Control     | No                                                                         |
| Agents             | `agents = ['player_0', 'player_1', 'player_2', 'player_3']`                |
| Agents             | 2, 3 or 4                                                                  |
| Action Shape       | Discrete(128), the first 75 used                                           |
| Observation Shape  | (F,), F = `observation_space(agent)["observation"].shape[0]`               |
| Observation Values | [-128, 127]                                                                |

The third of three games that prepare a child for Burako: collections on the table, which may be taken apart for new
ones. A turn is a forfeit, a draw, or any number of makes and releases closed by END; each make and each release gains
a crown. docs/ruibal.md has the rules.

One step is one move, so the same player is selected several times in a row.

### Arguments

```python
from burako_env import ruibal_level3_v0

env = ruibal_level3_v0.env(players=3, render_mode="ansi", root_seed=0)
```

`players`: 2, 3 or 4, each for himself.

`render_mode`: `"ansi"`, `render()` returns the table as text with every rack open; `"human"`, it is printed after every
step; `"html"`, it is an HTML page that needs nothing else; `"rgb_array"`, an image, uint8 [840, 1120, 3]; None.

`root_seed`: which deals there are, until `reset` is given a seed.

`illegal_reward` (only `env`): what an illegal action costs the player.

### Reset

Every deal is a function of a root seed and a deal id. `reset(seed=s)` makes s the root seed and deals its deal 0,
`reset()` the next deal; nothing else is random. `options` are for one episode: `swap_sides` (by how many seats the
table is turned: the same deal for the same players on other seats), `deal_id`.

### Observation Space

The observation is a dictionary with `'observation'`, the View of the agent, and `'action_mask'`: a 1 for every legal
action of the agent to act, all 0 for every other agent and once the episode has ended. docs/environments.md lists the
fields of the View; seats are counted from the agent to the left. Racks and the pool are hidden.

### Action Space

An action is an id of the game's action table, `env.unwrapped.game.table`;
`env.unwrapped.game.action_text(action)` puts it into words: `make T3 T4 T5`, `release C2`,
`play ROBA`, `draw`, `pass`, `end`.

### Rewards

Paid once, when the episode ends: the player's crowns minus the mean of the others'. All other rewards are 0.

### Infos

Empty at first. When the episode ends, the info of each agent holds `scores` (crowns by seat), `winners` (equal top
crowns share the win), the `reason` (`out`, `forfeits`, `passes`), `decisions`, `deal_id`, `swap_sides` and `side`.

### State

`state()` is everything any player knows: the View of player_0, then the rack of every other player in order, and what
of it was stolen and is known.

### Version History

* v0: Initial version

"""

from __future__ import annotations

from typing import Any

from pettingzoo import AECEnv

from burako_env.aec import wrapped
from burako_env.ruibal_aec import ILLEGAL_REWARD, LEVEL_RENDER_MODES, RuibalEnv


def env(*, illegal_reward: float = ILLEGAL_REWARD, **kwargs: Any) -> AECEnv:
    """The environment in its wrappers; arguments as `raw_env`, and `illegal_reward`."""
    return wrapped(raw_env(**kwargs), illegal_reward)


class raw_env(RuibalEnv):
    """The environment without wrappers; the module's page describes it."""

    metadata: dict[str, Any] = {  # noqa: RUF012  PettingZoo's own attribute, read by its tools
        "render_modes": list(LEVEL_RENDER_MODES),
        "name": "ruibal_level3_v0",
        "is_parallelizable": False,
        "render_fps": 1,
    }

    def __init__(self, players: int = 4, render_mode: str | None = None, root_seed: int = 0) -> None:
        super().__init__(
            "ruibal-3", players, private_fields=("rack", "stolen", "lost"), render_mode=render_mode, root_seed=root_seed
        )


__all__ = ["env", "raw_env"]
