"""The course of a run: phases of rounds, with evaluations, checkpoints and a stop that loses nothing.

A run is one phase (`clone`, or `ppo` from scratch or from a file) or two (`clone`, then `ppo`). Every process of the
group runs this file; the decisions that steer the run are the same in all of them, or are rank 0's and shared.
"""

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
from experiments.train.clone import Clone
from experiments.train.context import Algorithm, TrainerContext
from experiments.train.dmc import Dmc
from experiments.train.evaluation import Result, evaluate, evaluation_seed
from experiments.train.metrics import Display, Metrics, duration
from experiments.train.ppo import Ppo
from experiments.train.process_group import Diverged, ProcessGroup, Rendezvous, start_workers
from experiments.train.settings import TrainSettings
from experiments.train.store import Store

ALGORITHMS: Final[dict[str, Callable[[TrainerContext], Algorithm]]] = {"clone": Clone, "ppo": Ppo, "dmc": Dmc}
_FINAL: Final = 1
# What a saved state says of the run, in addition to its arrays.
_PROGRESS: Final = ("phase", "finished", "evaluated_at", "best", "evaluations", "final", "seconds")


def phases(settings: TrainSettings) -> tuple[str, ...]:
    """The algorithms of a run, in order."""
    if settings.algorithm == "ppo" and settings.start == "clone":
        return ("clone", "ppo")
    return (settings.algorithm,)


class Training:
    """The run as one process sees it. `run` trains until the end or a stop, and returns the last evaluation by
    opponent.
    """

    def __init__(self, settings: TrainSettings, folder: Path, group: ProcessGroup, stop_after: int | None) -> None:
        torch.set_num_threads(settings.threads)
        self.settings, self.folder, self.group = settings, folder, group
        self.stop_after = stop_after
        self.context = setup.build(settings, group)
        self.store = Store(folder, settings.keep)
        self.phases = phases(settings)
        self.phase = self.rounds = self.evaluated_at = 0
        self.best: float | None = None
        self.evaluations: list[dict[str, Any]] = []
        self.final: dict[str, Any] | None = None
        self.seconds = 0.0
        self.finished = False
        self.resumed = self._resume()
        if not self.resumed:
            self.algorithm = ALGORITHMS[self.phases[0]](self.context)
            if settings.start.endswith(".safetensors") and settings.algorithm != "clone":
                setup.start_from(self.context, Path(settings.start))
        self._opponents = {
            name: load_agent(name, settings.game, self.context.config) for name in settings.evaluation.anchors
        }

    @property
    def decisions(self) -> int:
        """Decisions learned from so far, over all phases."""
        before = sum(int(getattr(self.settings, name).decisions) for name in self.phases[: self.phase])
        return before + self.algorithm.decisions

    def run(self, wanted: Callable[[], bool], display: Display) -> dict[str, Result]:
        """Train. `wanted()` says that the run is to stop; rank 0's answer counts."""
        metrics = None if self.group.rank or self.finished else Metrics(self.folder, self.rounds)
        self._started, self._before = time.monotonic(), self.seconds
        self._mark = (time.monotonic(), self.decisions)
        if self.resumed:
            display.say(f"resumed after round {self.rounds}, {self.decisions:,} decisions")
        stopped = False
        while not (self.finished or stopped):
            row = self._update()
            self.rounds += 1
            done = self.algorithm.decisions >= self.algorithm.total
            if done or self.decisions - self.evaluated_at >= self.settings.evaluation.every:
                row |= self._evaluate(display)
            self._report(row, metrics, display)
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
        mine = not self.group.rank and (late or enough or wanted())
        return bool(self.group.sum([mine])[0])

    def _next_phase(self) -> None:
        if self.phase + 1 == len(self.phases):
            self.finished = True
            return
        self.phase += 1
        self.context.learner.new_optimiser()
        self.algorithm = ALGORITHMS[self.phases[self.phase]](self.context)

    # Evaluation and reports.

    def _boards(self, boards: int, purpose: int = 0) -> dict[str, Result]:
        """The present policy, playing its best actions, against every opponent."""
        context, seed = self.context, evaluation_seed(self.settings.seed, purpose)
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "present.safetensors"
            setup.save(context, path, {})
            agent = LearnedAgent(path)
        game = context.game
        with context.clock.on("evaluation"):
            return {
                name: evaluate(self.group, game.name, context.config, seed, boards, agent, opponent, game.sides)
                for name, opponent in self._opponents.items()
            }

    def _evaluate(self, display: Display) -> dict[str, float]:
        self.evaluated_at = self.decisions
        results = self._boards(self.settings.evaluation.boards)
        row: dict[str, float] = {}
        for name, result in results.items():
            row |= {f"eval/{name}/{what}": getattr(result, what) for what in ("points", "margin", "wins")}
            display.say(f"{self.algorithm.name} {self.algorithm.decisions:,}: against {name} {result}")
        first = results[self.settings.evaluation.anchors[0]]
        row["ladder/elo"] = _elo(first.wins)
        self.evaluations.append({"decisions": self.decisions, **{name: r.points for name, r in results.items()}})
        if self.best is None or first.points > self.best:
            self.best = first.points
            if not self.group.rank:
                setup.save(self.context, self.store.best, self._training())
        return row

    def _report(self, row: dict[str, float], metrics: Metrics | None, display: Display) -> None:
        now, decisions = time.monotonic(), self.decisions
        self.seconds = self._before + now - self._started
        rate = (decisions - self._mark[1]) / max(now - self._mark[0], 1e-9)
        self._mark = (now, decisions)
        spent = self.context.clock.take()
        whole_time = max(sum(spent.values()), 1e-9)
        for kind in ("simulation", "learning", "evaluation"):
            row[f"time/{kind}"] = spent.get(kind, 0.0) / whole_time
        row |= {"time/decisions_per_s": rate, "time/seconds": self.seconds}
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
        display.show(a.name, a.decisions, a.total, text)

    # Keeping.

    def _training(self) -> dict[str, Any]:
        """For the header of a checkpoint: how it came about."""
        return {
            "algorithm": self.algorithm.name,
            "phases": list(self.phases[: self.phase + 1]),
            "settings": self.settings.saved(),
            "processes": self.group.size,
            "decisions": self.decisions,
            "rounds": self.rounds,
            "seconds": round(self.seconds, 1),
            "evaluations": self.evaluations[-1:],
        }

    def _save(self) -> None:
        """Checkpoint and state of this round."""
        if not self.group.rank:
            setup.save(self.context, self.store.checkpoint(self.rounds), self._training())
            self.store.prune()
        about = {name: getattr(self, name) for name in _PROGRESS}
        self.store.save_state(self.group, self.rounds, setup.state(self.context, self.algorithm), about)

    def _resume(self) -> bool:
        """Go on from the folder's last state, if there is one."""
        with self.store.reading(self.group) as found:
            if found is None:
                return False
            state, about = found
            self.rounds = about["updates"]
            for name in _PROGRESS:
                setattr(self, name, about[name])
            self.algorithm = ALGORITHMS[self.phases[self.phase]](self.context)
            setup.load_state(self.context, self.algorithm, state)
        return True


def _elo(wins: float) -> float:
    """Elo against an opponent of 1000."""
    clipped = min(max(wins, 1e-3), 1 - 1e-3)
    return 1000 + 400 * float(np.log10(clipped / (1 - clipped)))


def work(group: ProcessGroup, settings: TrainSettings, folder: Path, stop_after: int | None) -> None:
    """What the processes of ranks 1, 2, ... do."""
    Training(settings, folder, group, stop_after).run(lambda: False, Display(shown=False))


def train(
    settings: TrainSettings, folder: Path, stop_after: int | None = None, shown: bool = True
) -> tuple[Training, dict[str, Result]]:
    """Run all processes; SIGINT and SIGTERM stop after the round at hand, with everything saved."""
    shared = None
    others: list[Any] = []
    Store(folder, settings.keep).check(settings.processes)
    # The others inherit that signals are ignored: a Ctrl-C of the terminal reaches all, and only rank 0 acts on it.
    before = {number: signal.signal(number, signal.SIG_IGN) for number in (signal.SIGINT, signal.SIGTERM)}
    if settings.processes > 1:
        size = setup.build(settings.model_copy(update={"slots": 1}), ProcessGroup()).learner.size
        shared = Rendezvous(settings.processes, size + 1)
        others = start_workers(shared, work, settings, folder, stop_after)
    asked = threading.Event()
    for number in before:
        signal.signal(number, lambda *_: asked.set())
    group = ProcessGroup(0, shared)
    try:
        with Display(shown) as display:
            training = Training(settings, folder, group, stop_after)
            results = training.run(asked.is_set, display)
        for process in others:
            process.join()
    except threading.BrokenBarrierError:
        raise UserError("a training process has failed; its message stands above") from None
    except BaseException:
        group.abort()
        raise
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
        for process in others:
            if process.is_alive():
                process.terminate()
    return training, results
