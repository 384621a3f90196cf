"""Several processes that train one network: each plays its own games, and gradients are averaged.

Rank 0 is the process of the command, which starts the others. They meet at a barrier, exchange vectors through shared
memory and each adds them up in the same order, so that all hold the same network bit for bit without ever sending it.
"""

import multiprocessing as mp
import os
import threading
from collections.abc import Callable
from multiprocessing.connection import wait
from typing import Any, Final

import numpy as np
import numpy.typing as npt
import torch
from torch import Tensor

from burako_env.errors import UserError
from experiments.processes.children import start
from experiments.runs.printing import say_error

# A process that has waited this many seconds for the others has lost them.
_PATIENCE: Final = 1800.0
_NUMBERS: Final = 256


class Diverged(UserError):
    """A gradient or a weight is no longer a finite number. All processes raise it at the same step."""


class Rendezvous:
    """What `size` processes share: float32 `[size, length]`, float64 `[size, 256]`, and a barrier."""

    def __init__(self, size: int, length: int) -> None:
        context = mp.get_context("spawn")
        self.size, self.length = size, length
        self.vectors = context.RawArray("f", size * length)
        self.numbers = context.RawArray("d", size * _NUMBERS)
        self.barrier = context.Barrier(size, timeout=_PATIENCE)


class ProcessGroup:
    """The group as one process, its `rank`, sees it. A group of one has nobody to wait for."""

    def __init__(self, rank: int = 0, shared: Rendezvous | None = None) -> None:
        self.rank, self.size = rank, shared.size if shared else 1
        self._shared = shared
        if shared:
            flat = np.frombuffer(shared.vectors, dtype=np.float32).reshape(shared.size, shared.length)
            self._vectors = torch.from_numpy(flat)
            self._numbers = np.frombuffer(shared.numbers, dtype=np.float64).reshape(shared.size, _NUMBERS)

    def average_(self, vector: Tensor) -> None:
        """Replace a float32 vector by its mean over the processes."""
        if self._shared is None:
            return
        length = len(vector)
        self._vectors[self.rank, :length] = vector
        self.wait()
        mean = self._vectors[:, :length].sum(dim=0) / self.size
        self.wait()
        vector.copy_(mean)

    def sum(self, values: npt.ArrayLike) -> npt.NDArray[np.float64]:
        """Sum of up to 256 numbers over the processes, `[n]`."""
        given = np.atleast_1d(np.array(values, dtype=np.float64))
        if self._shared is None:
            return given
        self._numbers[self.rank, : len(given)] = given
        self.wait()
        total: npt.NDArray[np.float64] = self._numbers[:, : len(given)].sum(axis=0)
        self.wait()
        return total

    def wait(self) -> None:
        """Until all processes are here. Raises `threading.BrokenBarrierError` if one of them has failed."""
        if self._shared is not None:
            self._shared.barrier.wait()

    def abort(self) -> None:
        """Make all processes that wait fail."""
        if self._shared is not None:
            self._shared.barrier.abort()


def start_workers(shared: Rendezvous, work: Callable[..., None], *arguments: Any) -> list[Any]:
    """Start the processes of ranks 1, 2, ...: each calls `work(group, *arguments)`."""
    found = [start(_run, rank, shared, work, arguments) for rank in range(1, shared.size)]
    threading.Thread(target=_notice_failure, args=(found, shared), daemon=True).start()
    return found


def _notice_failure(processes: list[Any], shared: Rendezvous) -> None:
    """A process that dies without a word (killed, or before it could begin) must not leave the others waiting."""
    left = {process.sentinel: process for process in processes}
    while left:
        for sentinel in wait(list(left)):
            process = left.pop(sentinel)
            process.join()
            if process.exitcode:
                shared.barrier.abort()


def _run(rank: int, shared: Rendezvous, work: Callable[..., None], arguments: tuple[Any, ...]) -> None:
    group = ProcessGroup(rank, shared)
    try:
        work(group, *arguments)
    except (Diverged, threading.BrokenBarrierError):
        os._exit(1)  # rank 0 says that training diverged, a process that has failed says why
    except UserError as error:
        group.abort()
        say_error(error)
        os._exit(2)
    except BaseException:
        group.abort()
        raise
