"""An agent that breaks one rule on purpose, where it seems to pay (SANCTION)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal

import numpy as np

from agents.base import Agent
from agents.burako.sanctions.lawful import Lawful
from agents.spec import AgentName
from burako_env.batch import Bools, Ints
from burako_env.burako.rules import burako_rules
from burako_env.burako.sanctions.actions import table_of
from burako_env.burako.sanctions.facts import penalties
from burako_env.burako.turn.actions import Kind
from burako_env.cards import JOKER, type_values
from burako_env.errors import UserError
from burako_env.kit.rng import U64
from burako_env.layout import View

# An opponent with so few cards may go out in his next turn.
NEAR = 2


class CunningAgent(Agent):
    """In sanctions play: another agent that breaks one rule, SANCTION-4 or 12, where that seems to pay.

    It does so with an opponent near going out and no burako to come, in the place of a discard. `rule` = 4: discards a
    wild, its dearest card. `rule` = 12: opens a wrong run with its dearest card, which gets rid of two in one turn.
    """

    knows_sanctions = True

    def __init__(self, agent: AgentName = "heuristic", rule: Literal["4", "12"] = "4") -> None:
        self.agent, self.rule = agent, int(rule)

    def bind(self, game: str, config: Mapping[str, Any] | None = None) -> None:
        from agents.registry import load

        self.rules = burako_rules(game, config)
        if not self.rules.sanctions:
            raise UserError("cunning breaks a rule, which only sanctions play knows: --rules enforcement=sanctions")
        inner = load(self.agent)
        self.inner = inner if inner.knows_sanctions else Lawful(inner)
        self.inner.bind(game, config)
        self.kinds = table_of(self.rules).rows["kind"]
        values = type_values(self.rules.rank_values, self.rules.joker_value)
        # A foul names its card by the lowest bits of its word, all of them card types; sets and the like are worth 0.
        self.worth = np.resize(np.concatenate([values, np.zeros(63 - JOKER, dtype=values.dtype)]), 64)

    def act(self, view: View, legal: Bools, keys: U64) -> Ints:
        actions: Ints = self.inner.act(view, legal, keys)
        found = penalties(view, self.rules, legal) == self.rule
        instead = self.kinds[actions] == Kind.DISCARD
        rows = np.flatnonzero(found.any(axis=1) & instead & self._hurries(view))
        worth = np.resize(self.worth, found.shape[1])
        actions[rows] = np.where(found[rows], worth, -1).argmax(axis=1)
        return actions

    def _hurries(self, view: View) -> Bools:
        """An opponent may be out in a turn, and no burako waits for an empty hand."""
        near = view.hand_sizes[:, 1::2].min(axis=1) <= NEAR
        pays: Bools = near & (view.burakos_left == 0).all(axis=1)
        return pays
