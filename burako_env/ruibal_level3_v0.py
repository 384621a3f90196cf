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

Arguments, reset, rewards and infos are those of `ruibal_level1_v0`; here the reasons of an end are 1 (`out`), 4
(`forfeits`) and 5 (`passes`).

```python
from burako_env import ruibal_level3_v0

env = ruibal_level3_v0.env(players=3, render_mode="ansi", root_seed=0)
```

### Observation Space

As in `ruibal_level1_v0`; racks and the pool are hidden.

### Action Space

An action is an id of the game's action table, `env.unwrapped.game.table`;
`env.unwrapped.game.action_text(action)` puts it into words: `make T3 T4 T5`, `release C2`,
`play ROBA`, `draw`, `pass`, `end`.

### State

`state()` is everything any player knows: the View of player_0, then the rack of every other player in order, and what
of it was stolen and is known.

### Version History

* v0: Initial version

"""

from typing import Any

from pettingzoo import AECEnv

from burako_env.envs.aec import wrapped
from burako_env.envs.ruibal import ILLEGAL_REWARD, RuibalEnv, metadata


def env(*, illegal_reward: float = ILLEGAL_REWARD, **kwargs: Any) -> AECEnv:
    """The environment in its wrappers; arguments as `raw_env`, and `illegal_reward`."""
    return wrapped(raw_env(**kwargs), illegal_reward)


class raw_env(RuibalEnv):
    """The environment without wrappers; the module's page describes it."""

    metadata = metadata("ruibal_level3_v0")
    game_name = "ruibal-3"


__all__ = ["env", "raw_env"]
