"""
# Ruibal, second level

| Creation           | `ruibal_level2_v0.env(players=4)`                                        |
|--------------------|----------------------------------------------------------------------------|
| Actions            | Discrete                                                                   |
| Parallel API       | No                                                                         |
| Manual Control     | No                                                                         |
| Agents             | `agents = ['player_0', 'player_1', 'player_2', 'player_3']`                |
| Agents             | 2, 3 or 4                                                                  |
| Action Shape       | Discrete(256), the first 205 used                                          |
| Observation Shape  | (F,), F = `observation_space(agent)["observation"].shape[0]`               |
| Observation Values | [-128, 127]                                                                |

The second of three games that prepare a child for Burako: collections on a board of five numbers by four characters.
In a turn a player places tiles on the board, plays a forfeit, or draws a tile; they gain a crown for each line of three
or more that their tiles lie in, and more where a new line crosses others. docs/ruibal.md has the rules.

One step is one turn, but for a release of a joker, which one more placement or the end of the turn follows.

Arguments, reset, rewards and infos are those of `ruibal_level1_v0`; here the reasons of an end are 1 (`out`), 4
(`forfeits`) and 5 (`passes`).

```python
from burako_env import ruibal_level2_v0

env = ruibal_level2_v0.env(players=3, render_mode="ansi", root_seed=0)
```

### Observation Space

As in `ruibal_level1_v0`; racks and the pool are hidden.

### Action Space

An action is an id of the game's action table, `env.unwrapped.game.table`;
`env.unwrapped.game.action_text(action)` puts it into words: `place C1 JK=C2 C3`, `release C2`,
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

    metadata = metadata("ruibal_level2_v0")
    game_name = "ruibal-2"


__all__ = ["env", "raw_env"]
