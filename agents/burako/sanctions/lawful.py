"""How agents that know nothing of sanctions play it: they break no rule, close their groups, take what is offered."""

from collections.abc import Mapping
from typing import Any

import numpy as np

from agents.base import Agent
from burako_env.batch import Bools, Ints
from burako_env.burako.melds.groups import MAX_CARDS
from burako_env.burako.rules import Rules, burako_rules
from burako_env.burako.sanctions.actions import sanction_table
from burako_env.burako.sanctions.facts import group_lengths
from burako_env.burako.turn.actions import Kind
from burako_env.burako.view.layout import view_layout
from burako_env.chance.rng import U64
from burako_env.layout import View

_KEYS = ("enforcement", "manual_close")


class Lawful(Agent):
    """An agent of strict play at a table where rules can be broken (`seated`).

    `closes` = False: it leaves its complete groups as they are (SANCTION-10).
    """

    knows_sanctions = True

    def __init__(self, inner: Agent, closes: bool = True) -> None:
        self.inner, self.closes = inner, closes
        self.name = inner.name

    def bind(self, game: str, config: Mapping[str, Any] | None = None) -> None:
        strict = {key: value for key, value in (config or {}).items() if key not in _KEYS}
        self.inner.bind(game, strict)
        self.rules = burako_rules(game, config)
        self.strict_layout = view_layout(burako_rules(game, strict))
        self.table = sanction_table(self.rules.run_slots)

    def act(self, view: View, legal: Bools, keys: U64) -> Ints:
        strict = 64 * self.table.strict_words
        allowed = legal[:, :strict]
        closing, take = self.table.close(0), self.table.take_wild
        groups = legal[:, closing : closing + self.table.groups]
        late = _last_lays(view, self.rules, self.table.rows[:strict], allowed)
        plain = View(np.ascontiguousarray(view.buffer[:, : self.strict_layout.width]), self.strict_layout)
        actions = self.inner.act(plain, allowed & ~late if late.any() else allowed, keys)
        actions = np.where(groups.any(axis=1) & self.closes, closing + groups.argmax(axis=1), actions)
        chosen: Ints = np.where(legal[:, take], take, actions)
        return chosen


def seated(agent: Agent, game: str, config: Mapping[str, Any] | None) -> Agent:
    """The agent as it plays under the rules of a game: lawfully, where it does not know that they can be broken."""
    lawful = burako_rules(game, config).sanctions and not agent.knows_sanctions
    return Lawful(agent) if lawful else agent


def _last_lays(view: View, rules: Rules, rows: np.ndarray, legal: Bools) -> Bools:
    """Lays of a last card that end the hand with a complete group nobody can close any more (SANCTION-10), `[n, A]`;
    none where nothing else is legal.
    """
    late = np.zeros_like(legal)
    last = np.flatnonzero((view.hand_sizes[:, 0] == 1) & (view.burakos_left[:, 0] == 0) & (view.phase[:, 2] > 0))
    if not (last.size and rules.manual_close):
        return late
    short = group_lengths(view.take(last), rules) == MAX_CARDS - 1
    groups = np.where(rows["kind"] == Kind.LAY, rows["group"], 0)
    found = legal[last] & (rows["kind"] == Kind.LAY) & short[:, groups]
    late[last] = found & (legal[last] & ~found).any(axis=1)[:, None]
    return late
