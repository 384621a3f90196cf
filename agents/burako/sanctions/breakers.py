"""Agents that break rules (SANCTION): another agent, which breaks none, and what they do in its place."""

from collections.abc import Mapping
from typing import Any, Final, Literal

import numpy as np

from agents.base import Agent
from agents.burako.sanctions.lawful import Lawful
from agents.registry import load
from agents.spec import AgentName
from burako_env.batch import Bools, Ints
from burako_env.burako.rules import burako_rules
from burako_env.burako.sanctions.actions import table_of
from burako_env.burako.sanctions.facts import PENALTIES, penalties
from burako_env.burako.turn.actions import Kind
from burako_env.cards import JOKER, type_values
from burako_env.chance.rng import U64, combine, mix
from burako_env.choice import random_legal
from burako_env.errors import UserError
from burako_env.inputs.checked import Share
from burako_env.layout import View

# An opponent with so few cards may go out in their next turn.
NEAR: Final = 2


class _Breaker(Agent):
    """What both have in common: `lawful` is the agent of the spec `agent`, `inner` the same as it plays here."""

    knows_sanctions = True
    agent: str

    def bind(self, game: str, config: Mapping[str, Any] | None = None) -> None:
        self.rules = burako_rules(game, config)
        if not self.rules.sanctions:
            raise UserError(
                f"{type(self).name} breaks rules, which only sanctions play knows: --rules enforcement=sanctions"
            )
        self.lawful = load(self.agent)
        self.inner = self.lawful if self.lawful.knows_sanctions else Lawful(self.lawful)
        self.inner.bind(game, config)
        self.kinds = table_of(self.rules).rows["kind"]


class ClumsyAgent(_Breaker):
    """In sanctions play: another agent that breaks each rule it can at a given rate, s4=0.1 for SANCTION-4.

    `s10` is how often it goes on when it could close a group.
    """

    name = "clumsy"

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
        rates = zip(PENALTIES, (s2, s3, s4, s5, s7, s11, s12, s18), strict=True)
        self.rates = {number: rate for number, rate in rates if rate}
        self.agent, self.careless = agent, s10

    def bind(self, game: str, config: Mapping[str, Any] | None = None) -> None:
        super().bind(game, config)
        self.open_handed = Lawful(self.lawful, closes=False)
        self.open_handed.bind(game, config)

    def act(self, view: View, legal: Bools, keys: U64) -> Ints:
        actions: Ints = self.inner.act(view, legal, keys)
        rows = np.flatnonzero((self.kinds[actions] == Kind.CLOSE) & _slips(keys, 10, self.careless))
        if rows.size:
            actions[rows] = self.open_handed.act(view.take(rows), legal[rows], keys[rows])
        found = penalties(view, self.rules, legal)
        for number, rate in self.rates.items():
            rows = np.flatnonzero((found == number).any(axis=1) & _slips(keys, number, rate))
            if rows.size:
                words = np.packbits(found[rows] == number, axis=1, bitorder="little").view(np.uint64)
                actions[rows] = random_legal(words, mix(mix(combine(keys[rows], number))))
        return actions


def _slips(keys: U64, number: int, rate: float) -> Bools:
    """Decisions at which an infraction is committed if it can be, bool `[n]`."""
    slips: Bools = (mix(combine(keys, number)) >> np.uint64(11)).astype(np.float64) / 2**53 < rate
    return slips


class CunningAgent(_Breaker):
    """In sanctions play: another agent that breaks one rule, SANCTION-4 or 12, where that seems to pay.

    It does so with an opponent near going out and no burako to come, in the place of a discard. `rule` = 4: discards a
    wild, its dearest card. `rule` = 12: opens a wrong run with its dearest card, which gets rid of two in one turn.
    """

    name = "cunning"

    def __init__(self, agent: AgentName = "heuristic", rule: Literal["4", "12"] = "4") -> None:
        self.agent, self.rule = agent, int(rule)

    def bind(self, game: str, config: Mapping[str, Any] | None = None) -> None:
        super().bind(game, config)
        values = type_values(self.rules.rank_values, self.rules.joker_value)
        # A foul names its card by the lowest bits of its word, all of them card types; sets and the like are worth 0.
        self.worth = np.resize(np.concatenate([values, np.zeros(63 - JOKER, dtype=values.dtype)]), 64)

    def act(self, view: View, legal: Bools, keys: U64) -> Ints:
        actions: Ints = self.inner.act(view, legal, keys)
        found = penalties(view, self.rules, legal) == self.rule
        # An opponent may be out in a turn, and no burako waits for an empty hand.
        hurries = (view.hand_sizes[:, 1::2].min(axis=1) <= NEAR) & (view.burakos_left == 0).all(axis=1)
        rows = np.flatnonzero(found.any(axis=1) & (self.kinds[actions] == Kind.DISCARD) & hurries)
        worth = np.resize(self.worth, found.shape[1])
        actions[rows] = np.where(found[rows], worth, -1).argmax(axis=1)
        return actions
