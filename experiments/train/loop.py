"""The course of a run: phases of rounds, with evaluations, checkpoints and a stop that loses nothing.

A run is one phase (`clone`, or `ppo` from scratch or from a file) or two (`clone`, then `ppo`). Every rank runs this
file; all decisions that steer the run are the same on all of them, or are rank 0's and shared.
"""

from __future__ import annotations

import signal
import tempfile
import threading
import time
from collections.abc import Callable
from dataclasses import asdict
from pathlib import Path
from typing import Any, Final

import numpy as np
import torch

from agents.learned.agent import LearnedAgent
from burako_env.errors import UserError
from experiments.processes.apart import load_agent
from experiments.train import setup
from experiments.train.algorithm import Algorithm, Workshop
from experiments.train.clone import Clone
from experiments.train.dmc import Dmc
from experiments.train.evaluation import Result, evaluate, evaluation_seed
from experiments.train.metrics import Metrics, Watch, duration
from experiments.train.ppo import Ppo
from experiments.train.ranks import Diverged, Meeting, Team, start_others
from experiments.train.settings import TrainSettings
from experiments.train.store import Store

ALGORITHMS: Final[dict[str, Callable[[Workshop], Algorithm]]] = {"clone": Clone, "ppo": Ppo, "dmc": Dmc}
_FINAL: Final = 1


def phases(settings: TrainSettings) -> tuple[str, ...]:
    """The algorithms of a run, in order."""
    if settings.algorithm == "ppo" and settings.start == "clone":
        return ("clone", "ppo")
    return (settings.algorithm,)


class Training:
    """One rank's run. `run` trains until the end or a stop, and returns the last evaluation by opponent."""

    def __init__(self, settings: TrainSettings, folder: Path, team: Team, stop_after: int | None = None) -> None:
        torch.set_num_threads(settings.threads)
        self.settings, self.folder, self.team = settings, folder, team
        self.stop_after = stop_after
        self.workshop = setup.build(settings, team)
        self.store = Store(folder, settings.keep)
        self.phases = phases(settings)
        self.phase = 0
        self.algorithm = ALGORITHMS[self.phases[0]](self.workshop)
        self.rounds = 0
        self.evaluated_at = 0
        self.best: float | None = None
        self.evaluations: list[dict[str, Any]] = []
        self.final: dict[str, Any] | None = None
        self.seconds = 0.0
        self.finished = False
        self.resumed = self._resume()
        if not self.resumed and settings.start.endswith(".safetensors") and settings.algorithm != "clone":
            setup.start_from(self.workshop, Path(settings.start))
        self._opponents = {
            name: load_agent(name, settings.game, self.workshop.config) for name in settings.evaluation.anchors
        }

    @property
    def decisions(self) -> int:
        """Decisions learned from so far, over all phases."""
        before = sum(ALGORITHMS[name](self.workshop).total for name in self.phases[: self.phase])
        return before + self.algorithm.decisions

    def run(self, wanted: Callable[[], bool], watch: Watch) -> dict[str, Result]:
        """Train. `wanted()` says that the run is to stop; what rank 0 hears counts."""
        metrics = None if self.team.rank or self.finished else Metrics(self.folder, self.rounds)
        self._started, self._before = time.monotonic(), self.seconds
        self._mark = (time.monotonic(), self.decisions)
        if self.resumed:
            watch.say(f"resumed after round {self.rounds}, {self.decisions:,} decisions")
        stopped = False
        while not (self.finished or stopped):
            row = self._update()
            self.rounds += 1
            done = self.algorithm.decisions >= self.algorithm.total
            evaluation = self.settings.evaluation
            if done or self.decisions - self.evaluated_at >= evaluation.every:
                row |= self._evaluate(watch)
            self._report(row, metrics, watch)
            if done:
                self._next_phase()
            stopped = self._stops(wanted)
            due = self.rounds % self.settings.save_every == 0
            if any((stopped, self.finished, due)):  # `or` would keep the loop's own reading of `finished`
                if metrics is not None:
                    metrics.sync()
                self._save()
        if metrics is not None:
            metrics.close()
        if not (self.finished and self.settings.evaluation.final_boards):
            return {}
        if self.final is None:
            results = self._boards(self.settings.evaluation.final_boards, _FINAL)
            self.final = {name: asdict(result) for name, result in results.items()}
            self._save()
        return {name: Result(**found) for name, found in self.final.items()}

    def _update(self) -> dict[str, float]:
        """A round; one that diverges changes nothing that is kept."""
        try:
            return self.algorithm.update()
        except Diverged as error:
            last = self.store.last()
            kept = f"the last good checkpoint is {last}" if last else "no checkpoint had been saved"
            raise Diverged(f"{error} ({self.algorithm.name}.lr); round {self.rounds + 1} is lost, {kept}") from None

    def _stops(self, wanted: Callable[[], bool]) -> bool:
        late = self.settings.minutes is not None and time.monotonic() - self._started > 60 * self.settings.minutes
        enough = self.stop_after is not None and self.rounds >= self.stop_after
        mine = not self.team.rank and (late or enough or wanted())
        return bool(self.team.sum([mine])[0])

    def _next_phase(self) -> None:
        self.phase += 1
        if self.phase == len(self.phases):
            self.phase -= 1
            self.finished = True
            return
        self.workshop.learner.new_optimiser()
        self.algorithm = ALGORITHMS[self.phases[self.phase]](self.workshop)

    # Evaluation and reports.

    def _boards(self, boards: int, purpose: int = 0) -> dict[str, Result]:
        """The present policy, playing its best actions, against every opponent."""
        w, seed = self.workshop, evaluation_seed(self.settings.seed, purpose)
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "present.safetensors"
            setup.save(w, path, {})
            agent = LearnedAgent(path)
        with w.clock.on("evaluation"):
            return {
                name: evaluate(self.team, w.game.name, w.config, seed, boards, agent, opponent, w.game.sides)
                for name, opponent in self._opponents.items()
            }

    def _evaluate(self, watch: Watch) -> dict[str, float]:
        self.evaluated_at = self.decisions
        results = self._boards(self.settings.evaluation.boards)
        row: dict[str, float] = {}
        for name, result in results.items():
            row |= {f"eval/{name}/points": result.points, f"eval/{name}/margin": result.margin}
            row |= {f"eval/{name}/wins": result.wins}
            watch.say(f"{self.algorithm.name} {self.algorithm.decisions:,}: against {name} {result}")
        first = results[self.settings.evaluation.anchors[0]]
        row["ladder/elo"] = _elo(first.wins)
        self.evaluations.append({"decisions": self.decisions, **{name: r.points for name, r in results.items()}})
        if self.best is None or first.points > self.best:
            self.best = first.points
            if not self.team.rank:
                setup.save(self.workshop, self.store.best, self._training())
        return row

    def _report(self, row: dict[str, float], metrics: Metrics | None, watch: Watch) -> None:
        now, decisions = time.monotonic(), self.decisions
        self.seconds = self._before + now - self._started
        elapsed, learned = now - self._mark[0], decisions - self._mark[1]
        self._mark = (now, decisions)
        rate = learned / max(elapsed, 1e-9)
        spent = self.workshop.clock.take()
        whole_time = max(sum(spent.values()), 1e-9)
        for kind in ("simulation", "learning", "evaluation"):
            row[f"time/{kind}"] = spent.get(kind, 0.0) / whole_time
        row["time/decisions_per_s"] = rate
        row["time/seconds"] = self.seconds
        if metrics is None:
            return
        metrics.write(self.rounds, decisions, row)
        a = self.algorithm
        self._rate = rate if self.rounds == 1 else 0.9 * getattr(self, "_rate", rate) + 0.1 * rate
        text = (
            f"{self._rate:,.0f} decisions/s ({100 * row['time/simulation']:.0f}% playing, "
            f"{100 * row['time/learning']:.0f}% learning), "
            f"{duration((a.total - a.decisions) / max(self._rate, 1))} to go"
        )
        watch.show(a.name, a.decisions, a.total, text)

    # Keeping.

    def _training(self) -> dict[str, Any]:
        """For the header of a checkpoint: how it came about."""
        return {
            "algorithm": self.algorithm.name,
            "phases": list(self.phases[: self.phase + 1]),
            "settings": self.settings.saved(),
            "processes": self.team.size,
            "decisions": self.decisions,
            "rounds": self.rounds,
            "seconds": round(self.seconds, 1),
            "evaluations": self.evaluations[-1:],
        }

    def _save(self) -> None:
        """Checkpoint and state of this round."""
        w = self.workshop
        if not self.team.rank:
            setup.save(w, self.store.checkpoint(self.rounds), self._training())
            self.store.prune()
        state = setup.state(w, self.algorithm)
        about = {
            "phase": self.phase,
            "finished": self.finished,
            "evaluated_at": self.evaluated_at,
            "best": self.best,
            "evaluations": self.evaluations,
            "final": self.final,
            "seconds": self.seconds,
        }
        self.store.save_state(self.team, self.rounds, state, about)

    def _resume(self) -> bool:
        found = self.store.load_state(self.team)
        if found is None:
            return False
        state, about = found
        with self.store.reading():
            self.rounds, self.phase, self.finished = about["updates"], about["phase"], about["finished"]
            self.evaluated_at, self.best, self.seconds = about["evaluated_at"], about["best"], about["seconds"]
            self.evaluations, self.final = about["evaluations"], about.get("final")
            self.algorithm = ALGORITHMS[self.phases[self.phase]](self.workshop)
            setup.load_state(self.workshop, self.algorithm, state)
        return True


def _elo(wins: float) -> float:
    """Elo against an opponent of 1000."""
    clipped = min(max(wins, 1e-3), 1 - 1e-3)
    return 1000 + 400 * float(np.log10(clipped / (1 - clipped)))


def work(team: Team, settings: TrainSettings, folder: Path, stop_after: int | None) -> None:
    """What ranks 1, 2, ... do."""
    Training(settings, folder, team, stop_after).run(lambda: False, Watch(shown=False))


def train(
    settings: TrainSettings, folder: Path, stop_after: int | None = None, shown: bool = True
) -> tuple[Training, dict[str, Result]]:
    """Run all ranks; SIGINT and SIGTERM stop after the round at hand, with everything saved."""
    meeting = None
    others: list[Any] = []
    Store(folder, settings.keep).check(settings.processes)
    # The others inherit that signals are ignored: a Ctrl-C of the terminal reaches all, and only rank 0 acts on it.
    before = {number: signal.signal(number, signal.SIG_IGN) for number in (signal.SIGINT, signal.SIGTERM)}
    if settings.processes > 1:
        size = setup.build(settings.model_copy(update={"slots": 1}), Team()).learner.size
        meeting = Meeting.of(settings.processes, size + 1)
        others = start_others(meeting, work, settings, folder, stop_after)
    asked = threading.Event()
    for number in before:
        signal.signal(number, lambda *_: asked.set())
    team = Team(0, meeting)
    try:
        with Watch(shown) as watch:
            training = Training(settings, folder, team, stop_after)
            results = training.run(asked.is_set, watch)
        for process in others:
            process.join()
    except threading.BrokenBarrierError:
        raise UserError("a training process has failed; its message stands above") from None
    except BaseException:
        team.abort()
        raise
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
        for process in others:
            if process.is_alive():
                process.terminate()
    return training, results
