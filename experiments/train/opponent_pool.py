"""The opponent pool: the learner plays itself, earlier versions of itself, and agents that never change.

Self-play alone forgets: a policy that beats its present self may lose to what it was an hour ago. So a share of the
hands is played against snapshots, and the less the learner beats a snapshot, the more often it is picked; another share
is played against fixed agents, the anchors. Only the learner's own decisions are learned from. At most `active`
snapshots sit at the tables at a time, so that each network is asked about many games at once.
"""

import copy
from typing import Any, Final

import numpy as np
import numpy.typing as npt
import torch
from torch import nn

from agents.learned.chance import draw, uniform
from agents.learned.checkpoint import Arrays, fill_module, module_arrays
from agents.learned.network import playable
from burako_env.batch import Ints
from burako_env.chance.rng import combine
from experiments.processes.apart import load_agent
from experiments.train.acting import F32, SELF, Situation
from experiments.train.learner import Learner
from experiments.train.settings import LeagueSettings

_STREAM: Final = 201
_DRAW: Final = 2
# Weight of the hands of a round in the running win rates.
_MEMORY: Final = 0.98


class OpponentPool:
    """The opponents of a run, numbered: SELF, then the anchors 0, 1, .., then the snapshots by age.

    The opponent of a hand is a pure function of the seed, the deal and the opponents at the tables.
    """

    def __init__(
        self, settings: LeagueSettings, learner: Learner, game: str, config: dict[str, Any], sides: int, seed: int
    ) -> None:
        self.settings, self.learner, self.sides, self.seed = settings, learner, sides, seed
        self.anchors = [load_agent(name, game, config) for name in settings.anchors] if settings.anchor else []
        self.snapshots: dict[int, nn.Module] = {}
        self.active: list[int] = []
        # Hands, wins and points against each opponent, fading.
        self.results: dict[int, npt.NDArray[np.float64]] = {}
        self._fresh: dict[int, npt.NDArray[np.float64]] = {}
        self.kept_at = 0
        self.kept = 0

    def assign(self, deal_ids: Ints) -> tuple[Ints, Ints]:
        words = combine(self.seed, _STREAM, deal_ids)
        luck, which = uniform(words, 1), uniform(words, 2)
        side = (uniform(words, 3) * self.sides).astype(np.int64)
        opponent = np.full(len(deal_ids), SELF, dtype=np.int64)
        share = self.settings.anchor if self.anchors else 0.0
        at_anchor = luck < share
        opponent[at_anchor] = (which[at_anchor] * len(self.anchors)).astype(np.int64)
        if self.active:
            at_past = ~at_anchor & (luck < share + self.settings.past)
            opponent[at_past] = np.array(self.active)[(which[at_past] * len(self.active)).astype(np.int64)]
        return opponent, side

    @torch.inference_mode()
    def act(self, opponent: int, situation: Situation) -> Ints:
        if opponent < len(self.anchors):
            return self.anchors[opponent].act(situation.view, situation.legal, situation.keys)
        tensor = self.learner.tensor
        logits = self.snapshots[opponent](self.learner.floats(situation.features), tensor(situation.advice))
        probabilities = playable(logits, tensor(situation.legal)).softmax(dim=1)
        actions: Ints = draw(probabilities, tensor(uniform(situation.keys, _DRAW))).cpu().numpy()
        return actions

    def record(self, opponents: Ints, points: F32) -> None:
        for number in np.unique(opponents[opponents != SELF]).tolist():
            won = points[opponents == number]
            found = self._fresh.setdefault(number, np.zeros(3))
            found += (len(won), (won > 0).sum() + 0.5 * (won == 0).sum(), won.sum())

    def end_round(self, decisions: int, updates: int) -> Ints | None:
        """After a round of learning: count results, keep a snapshot, change the snapshots at the tables.

        Returns the opponents that have left the tables, whose seats are the learner's from now on; None if nothing
        was changed.
        """
        self._count()
        if self.settings.past and decisions - self.kept_at >= self.settings.every:
            self.kept_at = decisions
            self._keep()
        if not self.snapshots or (updates % self.settings.refresh and self.active):
            return None
        before = self.active
        self.active = self._pick(updates)
        return np.array([number for number in before if number not in self.active], dtype=np.int64)

    def _count(self) -> None:
        numbers = [*range(len(self.anchors)), *sorted(self.snapshots)]
        if not numbers:
            return
        local = [self._fresh.get(number, np.zeros(3)) for number in numbers]
        total = self.learner.group.sum(np.concatenate(local)).reshape(-1, 3)
        for number, row in zip(numbers, total):
            self.results[number] = self.results.get(number, np.zeros(3)) * _MEMORY + row
        self._fresh.clear()

    def _keep(self) -> None:
        """Add the learner's policy to the snapshots; above the limit, drop the one whose neighbours in age are
        nearest.
        """
        number = len(self.anchors) + self.kept
        self.kept += 1
        self.snapshots[number] = copy.deepcopy(self.learner.policy).requires_grad_(False)
        if len(self.snapshots) > self.settings.size:
            ages = sorted(self.snapshots)
            # Old ones stay far apart, recent ones near each other: log-spaced.
            gaps = [(ages[i + 1] - ages[i - 1]) / (number + 1 - ages[i]) for i in range(1, len(ages) - 1)]
            gone = ages[1 + int(np.argmin(gaps))] if gaps else ages[0]
            del self.snapshots[gone]
            self.results.pop(gone, None)

    def _pick(self, updates: int) -> list[int]:
        numbers = sorted(self.snapshots)
        chance = np.random.default_rng(int(combine(self.seed, _STREAM, updates)[0]))
        weights = np.ones(len(numbers))
        if self.settings.pick == "hard":
            weights = np.array([(1 - self.win_rate(number)) ** 2 + 0.01 for number in numbers])
        count = min(self.settings.active, len(numbers))
        return sorted(chance.choice(numbers, size=count, replace=False, p=weights / weights.sum()).tolist())

    def win_rate(self, number: int) -> float:
        """Share of the hands won against an opponent; one half before there are any."""
        hands, wins, _ = self.results.get(number, np.zeros(3))
        return float((wins + 1) / (hands + 2))

    def metrics(self) -> dict[str, float]:
        """For the group pool/: size, win rates and points per hand against anchors and snapshots."""
        found: dict[str, float] = {"pool/size": len(self.snapshots)}
        for number, name in enumerate(self.settings.anchors if self.anchors else ()):
            found |= self._metrics(f"pool/{name}", [number])
        return found | self._metrics("pool/past", sorted(self.snapshots))

    def _metrics(self, name: str, numbers: list[int]) -> dict[str, float]:
        hands, wins, points = sum((self.results.get(number, np.zeros(3)) for number in numbers), np.zeros(3))
        return {f"{name}/win": wins / hands, f"{name}/points": points / hands} if hands >= 1 else {}

    def state(self) -> Arrays:
        """Everything by name, for a resumed run."""
        found: Arrays = {"active": np.array(self.active, dtype=np.int64)}
        found["kept"] = np.array([self.kept, self.kept_at], dtype=np.int64)
        for number, row in self.results.items():
            found[f"results.{number}"] = row
        for number, module in self.snapshots.items():
            found |= module_arrays(module, f"snapshot.{number}")
        return found

    def load_state(self, state: Arrays) -> None:
        """Put a saved state back."""
        self.active = state["active"].tolist()
        self.kept, self.kept_at = state["kept"].tolist()
        self.results = {int(name.split(".")[1]): row for name, row in state.items() if name.startswith("results.")}
        numbers = {int(name.split(".")[1]) for name in state if name.startswith("snapshot.")}
        self.snapshots = {}
        for number in sorted(numbers):
            module = copy.deepcopy(self.learner.policy).requires_grad_(False)
            fill_module(module, state, f"snapshot.{number}", "the league's state")
            self.snapshots[number] = module
