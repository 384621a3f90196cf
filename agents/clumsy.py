"""An agent that breaks rules: any other one, and how often it commits each infraction (SANCTION)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from agents.base import Agent
from agents.lawful import Lawful
from burako_env.batch import Bools, Ints
from burako_env.burako.sanctions.facts import PENALTIES, penalties
from burako_env.choice import random_legal
from burako_env.errors import UserError
from burako_env.layout import View
from burako_env.registry import burako_rules
from burako_env.rng import U64, combine, mix


class ClumsyAgent(Agent):
    """In sanctions play: another agent that breaks each rule it can at a given rate, s4=0.1 for SANCTION-4."""

    knows_sanctions = True

    def __init__(
        self,
        agent: str = "heuristic",
        s2: float = 0.0,
        s3: float = 0.0,
        s4: float = 0.0,
        s5: float = 0.0,
        s7: float = 0.0,
        s11: float = 0.0,
        s12: float = 0.0,
        s18: float = 0.0,
    ) -> None:
        self.rates = dict(zip(PENALTIES, (s2, s3, s4, s5, s7, s11, s12, s18), strict=True))
        for number, rate in self.rates.items():
            if not 0 <= rate <= 1:
                raise UserError(f"s{number}={rate:g} is no rate: it is a probability from 0 to 1")
        self.agent = agent

    def bind(self, game: str, config: Mapping[str, Any] | None = None) -> None:
        from agents.registry import load

        self.rules = burako_rules(game, config)
        if not self.rules.sanctions:
            raise UserError("clumsy breaks rules, which only sanctions play knows: --rules enforcement=sanctions")
        inner = load(self.agent)
        self.inner = inner if inner.knows_sanctions else Lawful(inner)
        self.inner.bind(game, config)

    def act(self, view: View, legal: Bools, keys: U64) -> Ints:
        actions: Ints = self.inner.act(view, legal, keys)
        found = penalties(view, self.rules, legal)
        for number, rate in self.rates.items():
            if not rate:
                continue
            word = mix(combine(keys, number))
            slips = (found == number).any(axis=1) & ((word >> np.uint64(11)).astype(np.float64) / 2**53 < rate)
            rows = np.flatnonzero(slips)
            if rows.size:
                words = np.packbits(found[rows] == number, axis=1, bitorder="little").view(np.uint64)
                actions[rows] = random_legal(words, mix(word[rows]))
        return actions
