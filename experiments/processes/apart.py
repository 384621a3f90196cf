"""Agents that are a user's own code play in a process of their own, whatever the command and its workers.

What such code does to its process then harms nobody else: it may end it, change its directory, its warnings or its
signals, write into what it is given, print, or hang. A call that ends the process is a call that
failed, for a reason that can be told, and the process is begun anew. It is no sandbox: the code has all the rights of
the user (docs/agents.md).

Agents of the project, and files of networks, play where they are loaded.
"""

import atexit
import os
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Mapping
from multiprocessing.connection import Connection, Pipe
from typing import Any, Final

import numpy as np

import agents
from agents import Agent
from agents.base import Floats
from agents.spec import parse
from burako_env.batch import Bools, Ints
from burako_env.chance.rng import U64
from burako_env.errors import UserError
from burako_env.layout import View
from experiments.processes.calling import Answer, told, too_slow
from experiments.processes.hosting import ALIVE, BEGIN, END, KILL, MESSAGE, NUMBER

# Windows cannot fork: there such agents play where they are loaded.
POSSIBLE: Final = hasattr(os, "fork") and hasattr(socket, "send_fds")
# Seconds between looks at whether a process that does not answer still lives.
_LOOK: Final = 1.0
# Seconds beyond its time after which a call is not only interrupted, but its process ended.
_GRACE: Final = 1.0


def load_agent(spec: str, game: str, config: Mapping[str, Any] | None = None) -> Agent:
    """The agent of a spec, ready to play: as `agents.load` gives it, or one in a process of its own.

    Raises `UserError` for whatever is wrong with it, its own exceptions included.
    """
    if POSSIBLE and is_foreign(spec):
        return Apart(spec, game, config)
    try:
        return agents.load(spec, game, config)
    except UserError:
        raise
    except (Exception, SystemExit) as error:
        raise UserError(f"agent '{spec}' does not load: {told(error)}") from None


def is_foreign(spec: str) -> bool:
    """Whether a user's own code takes part: a `module:Class`, or one as an option of another agent."""
    try:
        found = parse(spec)
    except UserError:
        return False  # loading says what is wrong with it
    return found.kind == "class" or any(map(is_foreign, found.options.values()))


class Apart(Agent):
    """An agent in a process of its own. `answer` is for `ask`, which copes with failures; `act` and the others raise
    `UserError` for them.

    own: which of `preferences` and `values` its class defines.
    """

    knows_sanctions = True  # the process puts its agent behind `Lawful` if need be

    def __init__(self, spec: str, game: str, config: Mapping[str, Any] | None = None) -> None:
        self.name = spec
        self.own: frozenset[str] = frozenset()
        self._about = (spec, game, dict(config or {}))
        self._lock = threading.Lock()
        self._life: Connection[Any, Any] | None = None
        self._child = 0
        with self._lock:
            self._begin()

    def answer(self, view: View, legal: Bools, keys: U64, seconds: float) -> Answer:
        """As `calling.call`; a call that outlasts its time by far ends the process."""
        start = time.perf_counter()
        found, why = self._ask("act", (view, legal, keys, seconds), seconds)
        return Answer(np.zeros(0, dtype=np.int64), why, time.perf_counter() - start) if why else Answer(*found)

    def act(self, view: View, legal: Bools, keys: U64) -> Ints:
        actions, why, _ = self.answer(view, legal, keys, 0.0)
        self._refuse(why)
        inside = (actions >= 0) & (actions < legal.shape[1])
        for row in np.flatnonzero(~(inside & legal[np.arange(len(legal)), np.where(inside, actions, 0)])):
            self._refuse(f"action {actions[row]} is not legal")
        return actions

    def preferences(self, view: View, legal: Bools, keys: U64) -> Floats:
        return np.asarray(self._opinion("preferences", view, legal, keys))

    def values(self, view: View) -> Floats | None:
        found: Floats | None = self._opinion("values", view)
        return found

    def _opinion(self, what: str, *given: Any) -> Any:
        answer, why = self._ask(what, given, 0.0)
        found, why = (None, why) if why else answer
        self._refuse(f"{what}: {why}" if why else "")
        return found

    def _refuse(self, why: str) -> None:
        if why:
            raise UserError(f"{self.name}: {why}")

    def _ask(self, what: str, given: tuple[Any, ...], seconds: float) -> tuple[Any, str]:
        """The answer of the process, or why there is none."""
        with self._lock:
            try:
                if self._life is None:
                    self._begin()
                return self._exchange(what, given, seconds)
            except UserError as error:  # it does not load again
                return None, str(error)
            except (EOFError, OSError):
                return None, f"its process {self._ended(END)}"
            except BaseException:
                self._life = None  # its answer is still to come, and would be taken for the next one
                raise

    def _exchange(self, what: str, given: tuple[Any, ...], seconds: float) -> tuple[Any, str]:
        """Put a question to the process. Raises `EOFError` or `OSError` where it has ended."""
        assert self._life is not None
        self._life.send((what, given))
        start = time.monotonic()
        while not self._life.poll(_LOOK):
            # Processes that it has started may hold the connection open.
            if not _host().send(ALIVE, self._child) and not self._life.poll(0):
                raise EOFError
            if seconds and time.monotonic() - start > seconds + _GRACE:
                self._ended(KILL)
                return None, too_slow(seconds / len(given[0]))
        return self._life.recv(), ""

    def _begin(self) -> None:
        """Begin a life; `UserError` if the agent cannot be loaded."""
        self._life, theirs = Pipe()
        try:
            with theirs:
                self._child = _host().send(BEGIN, 0, theirs.fileno())
            self._life.send((*self._about, os.getcwd(), sys.path))
            why, own = self._life.recv()
        except (EOFError, OSError):
            why, own = f"agent '{self.name}' does not load: its process {self._ended(END)}", ()
        if why:
            self._life = None
            raise UserError(why)
        self.own = frozenset(own)

    def _ended(self, how: bytes) -> str:
        """Let go of the process; how it ended."""
        self._life = None
        code = _host().send(how, self._child)
        return f"ended with exit code {code}" if code >= 0 else f"was ended by {signal.Signals(-code).name}"


class _Host:
    """The process that begins the others, see `hosting.py`; one for each process that has such agents."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._control, theirs = socket.socketpair()
        # -P and the path: what lies in the current directory is found as here, not before everything else.
        hosting = f"from experiments.processes.hosting import main; main({theirs.fileno()})"
        code = f"import sys; sys.path[:] = {sys.path!r}; {hosting}"
        with theirs:
            self.process = subprocess.Popen(
                [sys.executable, "-P", "-u", "-c", code],
                pass_fds=[theirs.fileno()],
                stdin=subprocess.DEVNULL,
                stdout=2,  # what agents print is not what the command prints
            )
        atexit.register(self.close)

    def send(self, what: bytes, child: int, handle: int | None = None) -> int:
        """Ask the host for something, with the handle of a new child's connection. Raises `OSError` if it is gone."""
        with self._lock:
            socket.send_fds(self._control, [MESSAGE.pack(what, child)], [] if handle is None else [handle])
            answer = self._control.recv(NUMBER.size, socket.MSG_WAITALL)
        if len(answer) < NUMBER.size:
            raise EOFError("the host of agents has ended")
        number: int = NUMBER.unpack(answer)[0]
        return number

    def close(self) -> None:
        """Let go of the host, which ends with all its children."""
        self._control.close()
        self.process.wait()


_HOSTS: Final[dict[int, _Host]] = {}


def _host() -> _Host:
    """The host of this process: a process that has been forked does not share its parent's."""
    found = _HOSTS.get(os.getpid())
    if found is None or found.process.poll() is not None:
        found = _HOSTS[os.getpid()] = _Host()
    return found
