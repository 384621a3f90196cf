"""Decisions with the results of their hands: what Monte-Carlo learning wants instead of advantages.

A decision waits until its hand is over, for as many rounds as that takes. Waiting decisions are part of the worker's
state, so a resumed run learns from them too.
"""

import dataclasses
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from agents.learned.checkpoint import Arrays
from burako_env.batch import Bools, Ints
from experiments.train.acting import F32, Actor, Choice, Opponents, Situation, Slots
from experiments.train.rollout import Rollout, RolloutWorker

# What waits, by name: arrays `[N, ...]` of a rollout, and the deal, side and points at the decision.
_KEPT: Final = ("features", "words", "hidden", "actions", "slots", "logp")
_OWN: Final = ("deals", "sides", "before")


class MonteCarloWorker(RolloutWorker):
    """A rollout worker whose rollouts hold the decisions of hands that have ended.

    `returns` (and `advantages`; `values` are 0) are points still to come at the decision: the result of the hand for
    the side that decided, minus its points by then, in units of the scale.
    """

    def __init__(self, *arguments: Any, **named: Any) -> None:
        super().__init__(*arguments, **named)
        self.waiting: Arrays = {}
        # Of this round: deals, sides and points of the decisions; deals and points of the hands that have ended.
        self._decided: list[tuple[npt.NDArray[Any], ...]] = []
        self._ended: list[tuple[Ints, F32]] = []

    def collect(self, steps: int, actor: Actor, opponents: Opponents, lam: float) -> Rollout:
        """Take `steps` decisions in every slot; `lam` is not used, since results are not estimated."""
        self._decided, self._ended = [], []
        rollout = super().collect(steps, actor, opponents, lam)
        found = {name: getattr(rollout, name) for name in _KEPT}
        found |= {name: np.concatenate(column) for name, column in zip(_OWN, zip(*self._decided))}
        if self.waiting:
            found = {name: np.concatenate([self.waiting[name], array]) for name, array in found.items()}
        over, target = self._results(found["deals"], found["sides"], found["before"])
        self.waiting = {name: array[~over] for name, array in found.items()}
        kept = {name: found[name][over] for name in _KEPT}
        nothing = np.zeros(len(target), dtype=np.float32)
        return dataclasses.replace(rollout, **kept, values=nothing, advantages=target, returns=target)

    def _step(self, actor: Actor, opponents: Opponents) -> tuple[Situation, Choice, Ints]:
        before = self._points_now()
        situation, choice, sides = super()._step(actor, opponents)
        self._decided.append((self.game.deal_ids[situation.slots], sides, before[situation.slots, sides]))
        return situation, choice, sides

    def _end(self, over: Slots, points: F32, opponents: Opponents) -> None:
        self._ended.append((self.game.deal_ids[over], points))
        super()._end(over, points, opponents)

    def _last_values(self, actor: Actor) -> tuple[Ints, F32]:
        streams = self.game.size * (1 if self.game.sides == 2 else self.game.sides)
        return np.zeros(streams, dtype=np.int64), np.zeros(streams, dtype=np.float32)

    def _results(self, deals: Ints, sides: Ints, before: F32) -> tuple[Bools, F32]:
        """Which decisions' hands have ended, bool `[N]`, and the points that were still to come for these."""
        ended = np.concatenate([deal for deal, _ in self._ended]) if self._ended else np.zeros(0, dtype=np.int64)
        over = np.isin(deals, ended)
        if not over.any():
            return over, np.zeros(0, dtype=np.float32)
        order = np.argsort(ended)
        points = np.concatenate([result for _, result in self._ended])[order]
        place = np.searchsorted(ended[order], deals[over])
        return over, points[place, sides[over]] - before[over]

    def state(self) -> Arrays:
        return super().state() | {f"waiting.{name}": array for name, array in self.waiting.items()}

    def load_state(self, state: Arrays) -> None:
        super().load_state(state)
        self.waiting = {
            name.removeprefix("waiting."): array for name, array in state.items() if name.startswith("waiting.")
        }
