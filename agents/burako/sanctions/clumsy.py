"""An agent that breaks rules: any other one, and how often it commits each infraction (SANCTION)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from agents.base import Agent
from agents.burako.sanctions.lawful import Lawful
from agents.spec import AgentName
from burako_env.batch import Bools, Ints
from burako_env.burako.rules import burako_rules
from burako_env.burako.sanctions.actions import table_of
from burako_env.burako.sanctions.facts import PENALTIES, penalties
from burako_env.burako.turn.actions import Kind
from burako_env.choice import random_legal
from burako_env.errors import UserError
from burako_env.inputs.checked import Share
from burako_env.kit.rng import U64, combine, mix
from burako_env.layout import View


class ClumsyAgent(Agent):
    """In sanctions play: another agent that breaks each rule it can at a given rate, s4=0.1 for SANCTION-4.

    `s10` is how often it goes on when it could close a group.
    """

    knows_sanctions = True

    def __init__(
        self,
        agent: AgentName = "heuristic",
        s2: Share = 0.0,
        s3: Share = 0.0,
        s4: Share = 0.0,
        s5: Share = 0.0,
        s7: Share = 0.0,
        s11: Share = 0.0,
        s12: Share = 0.0,
        s18: Share = 0.0,
        s10: Share = 0.0,
    ) -> None:
        self.rates = dict(zip(PENALTIES, (s2, s3, s4, s5, s7, s11, s12, s18), strict=True))
        self.careless = s10
        self.agent = agent

    def bind(self, game: str, config: Mapping[str, Any] | None = None) -> None:
        from agents.registry import load

        self.rules = burako_rules(game, config)
        if not self.rules.sanctions:
            raise UserError("clumsy breaks rules, which only sanctions play knows: --rules enforcement=sanctions")
        inner = load(self.agent)
        self.inner = inner if inner.knows_sanctions else Lawful(inner)
        self.inner.bind(game, config)
        self.open_handed = Lawful(inner.inner if isinstance(inner, Lawful) else inner, closes=False)
        self.open_handed.bind(game, config)
        self.kinds = table_of(self.rules).rows["kind"]

    def act(self, view: View, legal: Bools, keys: U64) -> Ints:
        actions: Ints = self.inner.act(view, legal, keys)
        rows = np.flatnonzero((self.kinds[actions] == Kind.CLOSE) & _slips(keys, 10, self.careless))
        if rows.size:
            actions[rows] = self.open_handed.act(view.take(rows), legal[rows], keys[rows])
        found = penalties(view, self.rules, legal)
        for number, rate in self.rates.items():
            if not rate:
                continue
            rows = np.flatnonzero((found == number).any(axis=1) & _slips(keys, number, rate))
            if rows.size:
                words = np.packbits(found[rows] == number, axis=1, bitorder="little").view(np.uint64)
                actions[rows] = random_legal(words, mix(mix(combine(keys[rows], number))))
        return actions


def _slips(keys: U64, number: int, rate: float) -> Bools:
    """Decisions at which an infraction is committed if it can be, bool `[n]`."""
    slips: Bools = (mix(combine(keys, number)) >> np.uint64(11)).astype(np.float64) / 2**53 < rate
    return slips
