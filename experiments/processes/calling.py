"""One call of an agent's `act`, and what can go wrong with it: exceptions, wrong answers, no answer in time."""

import signal
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, Final, NamedTuple

import numpy as np

from agents import Agent
from burako_env.batch import Bools, Ints
from burako_env.chance.rng import U64
from burako_env.layout import View

# So much of a foreign message is kept, as it stands in every row, table and record of its errors.
_LONGEST: Final = 300


class Overtime(BaseException):
    """Raised inside an agent whose time is up; no `except Exception` of its own can catch it."""


class Answer(NamedTuple):
    """actions int64 `[n]`, or none and why there are none; seconds that the agent took."""

    actions: Ints
    why: str
    seconds: float


def call(agent: Agent, view: View, legal: Bools, keys: U64, seconds: float) -> Answer:
    """What the agent answers to n decisions; interrupted after so many seconds where that is possible, 0 is never.

    Integers `[n]` come back as they are, legal or not. `KeyboardInterrupt` passes, as it is mostly the user's.
    """
    start = time.perf_counter()
    actions, why = np.zeros(0, dtype=np.int64), ""
    try:
        with _stopped_after(seconds):
            answer: Any = np.asarray(agent.act(view, legal, keys))
        if answer.shape != (len(view),) or answer.dtype.kind not in "iu":
            shape = f"{answer.dtype} {list(answer.shape)}"
            why = f"ValueError: act returned {shape}, expected integers [{len(view)}]"
        else:
            actions = answer.astype(np.int64)
    except Overtime:
        why = too_slow(seconds / len(view))
    except KeyboardInterrupt:
        raise
    except BaseException as error:  # SystemExit and exceptions of an agent's own kind too
        why = told(error)
    return Answer(actions, why, time.perf_counter() - start)


def too_slow(budget: float) -> str:
    """The reason, the same for every row: how long it took differs from run to run."""
    return f"took longer than {budget:g} seconds a decision"


def told(error: BaseException) -> str:
    """An exception of somebody's code on one line that can be printed, whatever its message is or does."""
    try:
        message = " ".join(str(error).split())
    except BaseException as second:
        message = f"(its message raises {type(second).__name__})"
    text = f"{type(error).__name__}: {message}"[:_LONGEST]
    return "".join(letter if letter.isprintable() else ascii(letter)[1:-1] for letter in text)


@contextmanager
def _stopped_after(seconds: float) -> Iterator[None]:
    """Interrupt the block when its time is up: on Unix, in a process's main thread, between two Python instructions."""
    possible = hasattr(signal, "setitimer") and threading.current_thread() is threading.main_thread()
    if not seconds or not possible:
        yield
        return
    armed = True

    def stop(number: int, frame: object) -> None:
        # The alarm may still ring between the end of the block and the moment it is switched off.
        if armed:
            raise Overtime

    before = signal.signal(signal.SIGALRM, stop)
    try:
        # Rings again and again, for an agent that catches even this.
        signal.setitimer(signal.ITIMER_REAL, seconds, seconds)
        yield
    finally:
        armed = False
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
