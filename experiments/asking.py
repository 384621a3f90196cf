"""Put decisions to an agent and judge its answers. An agent is foreign code: what it does wrong costs it the board.

Wrong is: raising an exception, an answer of another shape or kind, an illegal action, and taking longer than its time
budget. The rows of a batch are independent, so where a call fails, its halves are asked again, down to the rows that
fail by themselves: the others lose nothing.
"""

from __future__ import annotations

import signal
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from agents import Agent
from burako_env.batch import Bools, Ints
from burako_env.layout import View
from burako_env.rng import U64


class _Overtime(BaseException):
    """Raised inside an agent whose time is up; no `except Exception` of its own can catch it."""


@dataclass
class Answers:
    """Answers to n decisions: actions int64 `[n]`, legal where `failed` has no reason; seconds spent, float64 `[n]`.

    failed: what went wrong, by row. illegal: actions that are not legal, by row (their reason needs the game's words).
    """

    actions: Ints
    failed: dict[int, str]
    illegal: dict[int, int]
    seconds: npt.NDArray[np.float64]


def ask(agent: Agent, view: View, legal: Bools, keys: U64, budget: float = 0.0) -> Answers:
    """The agent's answers.

    `budget`: seconds a decision, on average over a call (0: no limit). A call of n decisions is stopped after n times
    that, where the platform can interrupt it: on Unix, in a process's main thread, between two Python instructions.
    """
    answers = Answers(np.zeros(len(view), dtype=np.int64), {}, {}, np.zeros(len(view)))
    _ask_rows(agent, view, legal, keys, np.arange(len(view)), budget, answers)
    return answers


def _ask_rows(
    agent: Agent, view: View, legal: Bools, keys: U64, rows: npt.NDArray[np.intp], budget: float, answers: Answers
) -> None:
    """Ask about some rows, which `view`, `legal` and `keys` hold, and fill these rows of `answers`."""
    start = time.perf_counter()
    answer, why = _call(agent, view, legal, keys, budget * len(rows))
    spent = time.perf_counter() - start
    answers.seconds[rows] += spent / len(rows)
    if not why and budget and spent > budget * len(rows):
        why = _too_slow(agent, budget)
    if why and len(rows) == 1:
        answers.failed[int(rows[0])] = why
    elif why:
        half = len(rows) // 2
        for part in (slice(None, half), slice(half, None)):
            picked = np.arange(len(rows))[part]
            _ask_rows(agent, view.take(picked), legal[picked], keys[picked], rows[picked], budget, answers)
    else:
        inside = (answer >= 0) & (answer < legal.shape[1])
        allowed = inside & legal[np.arange(len(rows)), np.where(inside, answer, 0)]
        answers.actions[rows] = np.where(allowed, answer, 0)
        for row in np.flatnonzero(~allowed):
            answers.illegal[int(rows[row])] = int(answer[row])


def _call(agent: Agent, view: View, legal: Bools, keys: U64, seconds: float) -> tuple[Ints, str]:
    """One call: the answer, int64 `[n]`, or why there is none."""
    nothing = np.zeros(0, dtype=np.int64)
    try:
        # A copy of the legal actions: what the answer is judged by is out of the agent's reach.
        with _stopped_after(seconds):
            answer: Any = np.asarray(agent.act(view, legal.copy(), keys))
    except _Overtime:
        return nothing, _too_slow(agent, seconds / len(view))
    except (Exception, SystemExit) as error:
        return nothing, f"{agent.name}: {type(error).__name__}: {error}"
    if answer.shape != (len(view),) or answer.dtype.kind not in "iu":
        shape = f"{answer.dtype} {list(answer.shape)}"
        return nothing, f"{agent.name}: ValueError: act returned {shape}, expected integers [{len(view)}]"
    return answer.astype(np.int64), ""


def _too_slow(agent: Agent, budget: float) -> str:
    """The reason, the same for every row: how long it took differs from run to run."""
    return f"{agent.name}: took longer than {budget:g} seconds a decision"


@contextmanager
def _stopped_after(seconds: float) -> Iterator[None]:
    """Interrupt the block when its time is up, if this is possible here; 0 is for ever."""
    possible = hasattr(signal, "setitimer") and threading.current_thread() is threading.main_thread()
    if not seconds or not possible:
        yield
        return
    armed = True

    def stop(number: int, frame: object) -> None:
        # The alarm may still ring between the end of the block and the moment it is switched off.
        if armed:
            raise _Overtime

    before = signal.signal(signal.SIGALRM, stop)
    try:
        # Rings again and again, for an agent that catches even this.
        signal.setitimer(signal.ITIMER_REAL, seconds, seconds)
        yield
    finally:
        armed = False
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
