"""The rule-based player: meld planner, pile policy, choices and discard strategy put together."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from agents.base import Agent
from agents.burako.facts import Facts
from agents.burako.frozen.heuristic_v0.choices import Choices
from agents.burako.frozen.heuristic_v0.pile import UsefulPile
from agents.burako.frozen.heuristic_v0.planner import Planner
from agents.burako.frozen.heuristic_v0.safe import SafeDiscard
from agents.burako.heuristic.moves import Moves
from agents.burako.lookup import Lookups, lookups
from burako_env.batch import Bools, Ints
from burako_env.burako.rules import burako_rules
from burako_env.burako.turn.actions import Kind
from burako_env.cards import TYPE_COUNT
from burako_env.kit.rng import U64, mix
from burako_env.layout import View


class FirstHeuristic(Agent):
    """The first sound heuristic: lays naturals, saves wilds for bazas, goes out justified."""

    name = "heuristic-v0"

    def __init__(self) -> None:
        self.discard = SafeDiscard()
        self.pile = UsefulPile()
        self.planner = Planner()
        self.choices = Choices()
        self._lookups: Lookups | None = None

    def bind(self, game: str, config: Mapping[str, Any] | None = None) -> None:
        self._lookups = lookups(burako_rules(game, config))

    def act(self, view: View, legal: Bools, keys: U64) -> Ints:
        if self._lookups is None:
            self.bind(f"burako-{view.layout.shapes['hand_sizes'][0]}")
        assert self._lookups is not None
        facts = Facts(view, self._lookups)
        moves = Moves(legal, self._lookups)
        lays = self.planner.scores(facts, moves)
        others = self.choices.scores(facts, moves, self.pile.scores(facts))
        action = moves.best(np.where(moves.kind == Kind.LAY, lays, others))
        discards = np.flatnonzero(self._lookups.kind.take(action) == Kind.DISCARD)
        if len(discards):
            action[discards] = self._discard(view.take(discards), legal[discards], keys[discards])
        return action

    def _discard(self, view: View, legal: Bools, keys: U64) -> Ints:
        """Best legal discard of each row by the strategy."""
        assert self._lookups is not None
        first = self._lookups.actions.discards * 64
        scores = self.discard.scores(Facts(view, self._lookups), mix(keys))
        chosen: Ints = first + np.where(legal[:, first : first + TYPE_COUNT], scores, -np.inf).argmax(axis=1)
        return chosen
