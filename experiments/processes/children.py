"""Processes that a command starts end with it, however it ends. This file imports nothing that takes time to load.

A process watches its parent before it imports anything else: torch takes seconds, and a command that is killed in these
must leave nothing behind.
"""

from __future__ import annotations

import multiprocessing as mp
import os
import pickle
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from multiprocessing.reduction import ForkingPickler
from types import ModuleType
from typing import Any, Final

# Seconds between two looks at the parent.
_PAUSE: Final = 0.5


def end_with(parent: int) -> None:
    """From now on this process ends when its parent does; `parent` is its id, in case that has happened already."""
    threading.Thread(target=_watch, args=(parent,), daemon=True).start()


def _watch(parent: int) -> None:
    while os.getppid() == parent:
        time.sleep(_PAUSE)
    os._exit(1)


def start(function: Callable[..., None], *arguments: Any) -> Any:
    """Call a function in a new process, which ends with this one. Returns the process."""
    packed = _Packed((function, arguments))
    process = mp.get_context("spawn").Process(target=_begin, args=(os.getpid(), packed), daemon=True)
    with _nothing_to_import():
        process.start()
    return process


def _begin(parent: int, packed: _Packed) -> None:
    end_with(parent)
    function, arguments = pickle.loads(packed.data)
    function(*arguments)


class _Packed:
    """Pickled when the process is started, so that shared memory may be in it, and not unpickled with it."""

    def __init__(self, content: Any) -> None:
        self.content = content
        self.data = b""

    def __getstate__(self) -> bytes:
        return bytes(ForkingPickler.dumps(self.content))

    def __setstate__(self, data: bytes) -> None:
        self.data = data


@contextmanager
def _nothing_to_import() -> Iterator[None]:
    """A new process begins by importing the main module of the old one, and nothing that we send lies in that."""
    main = sys.modules["__main__"]
    sys.modules["__main__"] = ModuleType("__main__")
    try:
        yield
    finally:
        sys.modules["__main__"] = main
