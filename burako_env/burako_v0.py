"""
# Burako

| Creation           | `burako_v0.env(players=4)`                                              |
|--------------------|-------------------------------------------------------------------------|
| Actions            | Discrete                                                                |
| Parallel API       | No                                                                      |
| Manual Control     | No                                                                      |
| Agents             | `agents = ['player_0', 'player_1', 'player_2', 'player_3']`             |
| Agents             | 4, 6 or 8                                                               |
| Action Shape       | Discrete(512); Discrete(640) with 6 and 8 players                       |
| Action Values      | [0, 511]; [0, 639]                                                      |
| Observation Shape  | (F,), F = `observation_space(agent)["observation"].shape[0]`            |
| Observation Values | [-128, 127]                                                             |
| State Shape        | (F + 55 (players - 1),)                                                 |
| State Values       | [-128, 127]                                                             |

Burako is a rummy game of two teams. Seats alternate between the teams: player s plays for team s mod 2. In a turn a
player draws a card from the stock or takes the whole pile, lays sets and runs on the team's table or adds to them,
and discards one card. A group of seven cards is closed and counts as a baza. Every team has reserve hands, the
burakos; a hand ends when a player without cards finds no burako left, or when the stock is used up. `burako rules
burako-4` prints the rules with their ids.

One step is one decision: draw, lay one card, ..., discard one card. A group is opened by laying its first card; until
it has three cards only lays that complete it are legal. The same seat is therefore selected several times in a row,
and a team-mate may be selected in between to answer whether the player may go out.

### Arguments

```python
from burako_env import burako_v0

env = burako_v0.env(players=4, rules={"target": 3000}, episode="match", render_mode="ansi", root_seed=0)
```

`players`: 4, 6 or 8.

`rules`: rule keys that differ from the preset of that number of players.

`enforcement`: `strict`, or `sanctions`: infractions are actions and have their price; both spaces are larger then.

`episode`: `"hand"`, one hand; or `"match"`, hands until a team's total reaches the rule key `target`.

`render_mode`: what `render()` returns, with every hand open: `"ansi"`, the table as text; `"html"`, a page of it that
needs nothing else; `"rgb_array"`, an image, uint8 `[840, 1120, 3]`. `"human"`: the text is printed after every step.
None.

`root_seed`: which deals there are, until `reset` is given a seed; an integer from 0 to 2**128 - 1.

`illegal_reward` (only `env`): what an illegal action costs the side that played it.

### Reset

Every deal is a function of a root seed and a deal id. `reset(seed=s)` makes s the root seed and deals its deal 0,
`reset()` the next deal; nothing else is random. `options` are for one episode: `rules` (further rule keys; `players`
and `run_slots` belong to the spaces and cannot change), `swap_sides` (True: the same cards with the teams' seats
exchanged, for duplicate play), `deal_id` (from 0 to 2**63 - 1). A seed or an option that is none is refused in one
sentence, before anything has changed.

### Observation Space

The observation is a dictionary with `'observation'`, the View of the agent, and `'action_mask'`.

The View holds everything public and the agent's own hand as int8, seats counted from the agent and teams from its own.
Its fields, their columns and meanings are a table: `env.unwrapped.game.layout` lists them, and
`burako_env.View(observation[None], layout)` gives each by name. Any agent can be observed at any time.

#### Legal Actions Mask

`action_mask` has a 1 for every legal action of the agent to act, and is all 0 for every other agent and once the
episode has ended. Playing an illegal action ends the episode in `env`: the offender's team gets `illegal_reward`
(-1000), the other its opposite. `raw_env` raises `IllegalAction`, which says who did what, and leaves the game as it
was.

### Action Space

An action is an id of the game's action table, `env.unwrapped.game.table`;
`env.unwrapped.game.action_text(action)` puts it into words: `draw stock`, `lay 9S run S1`, `discard 4H`.

### Rewards

| Own team                                   | Other team   |
| :----------------------------------------: | :----------: |
| own points minus the other team's          | the opposite |

Paid once, when the episode ends, the same to all players of a team, in points of the game: of the hand, or of the
match's totals. All other rewards are 0.

An episode terminates when the hand or the match is over. It is truncated when a hand reaches `max_turns` turns (rule
END-3) or a match `max_hands` hands without a winner (MATCH-1); it is paid all the same. In a match a hand that
reaches `max_turns` counts with its points and ends nothing else.

### Infos

The info of each agent holds the same keys in every step, and numbers only: the episode's `deal_id` and `swap_sides`;
`side`, the agent's team; and of the hand that ended last in this episode `scores` (points by team), `winners` (1 for
each team with the most), `decisions`, and the `reason` of its end. These are 0 until a hand has ended. In a match there
are also its `totals`, `hands_played` and `winner` (-1: none). `offender` is the seat whose illegal action ended the
episode, or -1.

| `reason` | in words | |
|---|---|---|
| 0 | | no hand of this episode has ended |
| 1 | `out` | a player went out |
| 2 | `exhausted` | the stock was used up |
| 3 | `truncated` | the hand reached `max_turns` |
| 8 | `illegal action` | an illegal action ended the episode |

`burako_env.REASONS[info["reason"]]` is the word.

### State

`state()` is everything any player knows: the View of player_0, then for every other player in order its hand (53
counts), the card it has just drawn and the card it saw at the bottom of the stock, as in its own View.

### Version History

* v0: Initial version

"""

from collections.abc import Mapping
from functools import partial
from typing import Any, Literal

from pettingzoo import AECEnv

from burako_env.batch import BatchGame
from burako_env.burako.rules import PRESETS
from burako_env.envs.aec import ILLEGAL_REWARD, BatchGameEnv, wrapped
from burako_env.errors import UserError
from burako_env.families import Episode, make_episodes
from burako_env.render.modes import RENDER_MODES


def env(*, illegal_reward: float = ILLEGAL_REWARD, **kwargs: Any) -> AECEnv:
    """The environment in its wrappers; arguments as `raw_env`, and `illegal_reward`."""
    return wrapped(raw_env(**kwargs), illegal_reward)


class raw_env(BatchGameEnv):
    """The environment without wrappers; the module's page describes it."""

    metadata: dict[str, Any] = {  # noqa: RUF012  PettingZoo's own attribute, read by its tools
        "render_modes": list(RENDER_MODES),
        "name": "burako_v0",
        "is_parallelizable": False,
        "render_fps": 1,
    }

    def __init__(
        self,
        players: int = 4,
        rules: Mapping[str, Any] | None = None,
        episode: Episode = "hand",
        render_mode: str | None = None,
        root_seed: int = 0,
        enforcement: Literal["strict", "sanctions"] = "strict",
    ) -> None:
        name = f"burako-{players}"
        if name not in PRESETS:
            raise UserError(f"players = {players!r}: there are games for 4, 6 and 8 players")
        super().__init__(
            partial(_make, name, episode),
            root_seed=root_seed,
            rules={"enforcement": enforcement, **(rules or {})} if enforcement != "strict" else rules,
            render_mode=render_mode,
        )


def _make(name: str, episode: Episode, root_seed: int, rules: Mapping[str, Any]) -> BatchGame:
    """The game of one episode."""
    if rules.get("players", PRESETS[name].players) != PRESETS[name].players:
        raise UserError(f"rules of {name}: players = {rules['players']!r} is not a rule to change but an argument")
    return make_episodes(episode, name, 1, root_seed, rules)


__all__ = ["env", "raw_env"]
