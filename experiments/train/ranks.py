"""Several processes that train one network: each plays its own games, gradients are averaged.

Rank 0 is the process of the command, which starts the others. They meet at a barrier, exchange vectors through
shared memory and add them up in the same order each, so that all of them hold the same network bit for bit without
ever sending it.
"""

from __future__ import annotations

import multiprocessing as mp
import os
import threading
from collections.abc import Callable
from dataclasses import dataclass
from multiprocessing.connection import wait
from typing import Any, Final

import numpy as np
import numpy.typing as npt
import torch
from torch import Tensor

from burako_env.errors import UserError
from experiments.processes.children import start
from experiments.runs.printing import say_error

# A rank that waits this long for the others has lost them.
_PATIENCE: Final = 1800.0
_NUMBERS: Final = 256


class Diverged(UserError):
    """What is learned has left the finite numbers. All ranks raise it at the same step."""


@dataclass(frozen=True)
class Meeting:
    """What the ranks share: float32 `[size, length]`, float64 `[size, 256]`, and a barrier."""

    size: int
    length: int
    vectors: Any
    numbers: Any
    barrier: Any

    @staticmethod
    def of(size: int, length: int) -> Meeting:
        """Room for vectors of `length` between `size` processes."""
        context = mp.get_context("spawn")
        vectors = context.RawArray("f", size * length)
        numbers = context.RawArray("d", size * _NUMBERS)
        return Meeting(size, length, vectors, numbers, context.Barrier(size, timeout=_PATIENCE))


class Team:
    """One rank's side of the meeting. With one rank there is nobody to wait for."""

    def __init__(self, rank: int = 0, meeting: Meeting | None = None) -> None:
        self.rank = rank
        self.size = meeting.size if meeting else 1
        self._meeting = meeting
        if meeting:
            flat = np.frombuffer(meeting.vectors, dtype=np.float32).reshape(meeting.size, meeting.length)
            self._vectors = torch.from_numpy(flat)
            self._numbers = np.frombuffer(meeting.numbers, dtype=np.float64).reshape(meeting.size, _NUMBERS)

    def mean_(self, vector: Tensor) -> None:
        """Replace a float32 vector by its mean over the ranks."""
        if self._meeting is None:
            return
        length = len(vector)
        self._vectors[self.rank, :length] = vector
        self.wait()
        mean = self._vectors[:, :length].sum(dim=0) / self.size
        self.wait()
        vector.copy_(mean)

    def sum(self, values: npt.ArrayLike) -> npt.NDArray[np.float64]:
        """Sum of up to 256 numbers over the ranks, `[n]`."""
        given = np.atleast_1d(np.asarray(values, dtype=np.float64))
        if self._meeting is None:
            return given.copy()
        self._numbers[self.rank, : len(given)] = given
        self.wait()
        total: npt.NDArray[np.float64] = self._numbers[:, : len(given)].sum(axis=0)
        self.wait()
        return total

    def wait(self) -> None:
        """Until all ranks are here. Raises `threading.BrokenBarrierError` if one of them has failed."""
        if self._meeting is not None:
            self._meeting.barrier.wait()

    def abort(self) -> None:
        """Make all ranks that wait fail."""
        if self._meeting is not None:
            self._meeting.barrier.abort()


def start_others(meeting: Meeting, work: Callable[..., None], *arguments: Any) -> list[Any]:
    """Start ranks 1, 2, ...: each calls `work(team, *arguments)`."""
    found = [start(_run, rank, meeting, work, arguments) for rank in range(1, meeting.size)]
    threading.Thread(target=_notice_failure, args=(found, meeting), daemon=True).start()
    return found


def _notice_failure(processes: list[Any], meeting: Meeting) -> None:
    """A rank that dies without a word (killed, or before it could begin) must not leave the others waiting."""
    left = {process.sentinel: process for process in processes}
    while left:
        for sentinel in wait(list(left)):
            process = left.pop(sentinel)
            process.join()
            if process.exitcode:
                meeting.barrier.abort()


def _run(rank: int, meeting: Meeting, work: Callable[..., None], arguments: tuple[Any, ...]) -> None:
    team = Team(rank, meeting)
    try:
        work(team, *arguments)
    except Diverged:
        os._exit(1)  # rank 0 says so
    except threading.BrokenBarrierError:
        os._exit(1)  # another rank has failed and says why
    except UserError as error:
        team.abort()
        say_error(error)
        os._exit(2)
    except BaseException:
        team.abort()
        raise
