"""An agent that breaks one rule on purpose, where it seems to pay (SANCTION)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal

import numpy as np

from agents.base import Agent
from agents.lawful import Lawful
from agents.spec import AgentName
from burako_env.batch import Bools, Ints
from burako_env.burako.sanctions.facts import penalties
from burako_env.cards import JOKER, TWO, type_values
from burako_env.errors import UserError
from burako_env.layout import View
from burako_env.registry import burako_rules
from burako_env.rng import U64

# An opponent with so few cards may go out in his next turn.
NEAR = 2


class CunningAgent(Agent):
    """In sanctions play: another agent that breaks one rule, SANCTION-4 or 12, where that seems to pay.

    `rule` = 4: discards a last wild and is out, where that is justified. `rule` = 12: with an opponent near going out
    and no burako to come, opens a wrong run with its dearest card, which gets rid of two cards in one turn.
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
        values = type_values(self.rules.rank_values, self.rules.joker_value)
        # A foul names its card by the lowest bits of its word, all of them card types; sets and the like are worth 0.
        self.worth = np.resize(np.concatenate([values, np.zeros(63 - JOKER, dtype=values.dtype)]), 64)

    def act(self, view: View, legal: Bools, keys: U64) -> Ints:
        actions: Ints = self.inner.act(view, legal, keys)
        found = penalties(view, self.rules, legal) == self.rule
        rows = np.flatnonzero(found.any(axis=1) & (self._goes_out(view) if self.rule == 4 else self._hurries(view)))
        worth = np.resize(self.worth, found.shape[1])
        actions[rows] = np.where(found[rows], worth, -1).argmax(axis=1)
        return actions

    def _goes_out(self, view: View) -> Bools:
        """The last card, no burako left, a baza closed."""
        justified = (view.closed_kinds[:, 0].sum(axis=1) + view.closed_sets[:, 0, TWO]) > 0
        pays: Bools = (view.hand_sizes[:, 0] == 1) & (view.burakos_left[:, 0] == 0) & justified
        return pays

    def _hurries(self, view: View) -> Bools:
        """An opponent may be out in a turn, and no burako waits for an empty hand."""
        near = view.hand_sizes[:, 1::2].min(axis=1) <= NEAR
        pays: Bools = near & (view.burakos_left == 0).all(axis=1)
        return pays
