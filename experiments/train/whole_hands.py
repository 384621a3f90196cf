"""Decisions with the results of their hands: what Monte-Carlo learning wants instead of advantages.

A decision waits until its hand is over, over as many rounds as that takes. Waiting decisions are part of the
collector's state, so a resumed run learns from them too.
"""

from __future__ import annotations

import dataclasses
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from agents.learned.checkpoint import Arrays
from agents.learned.encoder import U8
from burako_env.batch import Ints
from experiments.train.returns import F32
from experiments.train.rollout import Choice, Collector, Player, Rollout, Seating, Situation

# What waits, by name: arrays `[N, ...]` of a rollout, and the deal, side and points at the decision.
_KEPT: Final = ("features", "words", "hidden", "actions", "slots", "logp")
_OWN: Final = ("deals", "sides", "before")


class WholeHands(Collector):
    """A collector whose rollouts hold the decisions of hands that have ended.

    `returns` (and `advantages`; `values` are 0) are points still to come at the decision: the result of the hand for
    the side that decided, minus what it had by then, in units of the scale.
    """

    def __init__(self, *arguments: Any, **named: Any) -> None:
        super().__init__(*arguments, **named)
        self.waiting: Arrays = {}

    def collect(self, steps: int, player: Player, seating: Seating, lam: float) -> Rollout:
        """Take `steps` decisions in every slot; `lam` does not matter, results are not estimated."""
        ledger = _Ledger(self, player, seating)
        rollout = super().collect(steps, ledger, ledger, lam)
        found = {name: getattr(rollout, name) for name in _KEPT} | ledger.rows()
        if self.waiting:
            found = {name: np.concatenate([self.waiting[name], array]) for name, array in found.items()}
        over, target = ledger.results(found["deals"], found["sides"], found["before"])
        self.waiting = {name: array[~over] for name, array in found.items()}
        kept = {name: found[name][over] for name in _KEPT}
        nothing = np.zeros(len(target), dtype=np.float32)
        return dataclasses.replace(rollout, **kept, values=nothing, advantages=target, returns=target)

    def points_now(self) -> F32:
        """Points of each side minus the mean of the others', `[B, sides]`; a hand begins with 0."""
        return self._points() * (self.game.decisions > 0)[:, None]

    def state(self) -> Arrays:
        return super().state() | {f"waiting.{name}": array for name, array in self.waiting.items()}

    def load_state(self, state: Arrays) -> None:
        super().load_state({name: array for name, array in state.items() if not name.startswith("waiting.")})
        self.waiting = {
            name.removeprefix("waiting."): array for name, array in state.items() if name.startswith("waiting.")
        }


class _Ledger:
    """Stands between the collector and its player and seating, and notes what results need."""

    def __init__(self, collector: WholeHands, player: Player, seating: Seating) -> None:
        self.collector, self.player, self.seating = collector, player, seating
        self._rows: list[tuple[npt.NDArray[Any], ...]] = []
        self._ended: list[tuple[Ints, F32]] = []

    def choose(self, situation: Situation) -> Choice:
        game, slots = self.collector.game, situation.slots
        sides = game.side_of[game.to_act[slots]]
        before = self.collector.points_now()[slots, sides]
        self._rows.append((game.deal_ids[slots].copy(), sides, before))
        return self.player.choose(situation)

    def values(self, features: U8, hidden: U8) -> F32:
        return np.zeros(len(features), dtype=np.float32)

    def opponents(self, deal_ids: Ints) -> tuple[Ints, Ints]:
        return self.seating.opponents(deal_ids)

    def act(self, opponent: int, situation: Situation) -> Ints:
        return self.seating.act(opponent, situation)

    def record(self, opponents: Ints, points: F32) -> None:
        """Called when hands have ended, before they are dealt anew."""
        over = np.flatnonzero(self.collector.game.done)
        self._ended.append((self.collector.game.deal_ids[over].copy(), self.collector.points_now()[over]))
        self.seating.record(opponents, points)

    def rows(self) -> Arrays:
        """Deal, side and points of every decision of this round, `[N]` each."""
        empty = (np.zeros(0, dtype=np.int64), np.zeros(0, dtype=np.int64), np.zeros(0, dtype=np.float32))
        columns = zip(*(self._rows or [empty]))
        return {name: np.concatenate(column) for name, column in zip(_OWN, columns)}

    def results(self, deals: Ints, sides: Ints, before: F32) -> tuple[npt.NDArray[np.bool_], F32]:
        """Which decisions' hands have ended, bool `[N]`, and the points that were still to come for these."""
        ended = np.concatenate([deal for deal, _ in self._ended]) if self._ended else np.zeros(0, dtype=np.int64)
        over = np.isin(deals, ended)
        if not over.any():
            return over, np.zeros(0, dtype=np.float32)
        order = np.argsort(ended)
        points = np.concatenate([result for _, result in self._ended])[order]
        place = np.searchsorted(ended[order], deals[over])
        return over, points[place, sides[over]] - before[over]
