"""The other side of `apart.py`: processes in which agents live that are a user's own code.

The host imports what every agent needs and none of the agents. It is told to begin a life: it forks, and the child
loads an agent and answers until its command lets go of it. A life that has ended, whatever ended it, so costs
milliseconds to begin anew. The host ends when its command does, and its children with it, even those that hang.
"""

from __future__ import annotations

import os
import signal
import socket
import struct
import sys
import time
import traceback
import warnings
from collections.abc import Callable, Mapping
from contextlib import suppress
from functools import partial
from multiprocessing.connection import Connection
from typing import Any, Final

import numpy as np

import agents
from agents import Agent
from burako_env.batch import Bools
from burako_env.chance.rng import U64
from burako_env.errors import UserError
from burako_env.layout import View
from experiments.processes.calling import Answer, call, told

# A command to the host: what to do, and with which child. Its answer is one number.
MESSAGE: Final = struct.Struct("=ci")
NUMBER: Final = struct.Struct("=i")
BEGIN, ALIVE, END, KILL = b"b", b"a", b"e", b"k"
# Methods that an agent may define in addition to `act`.
_OPINIONS: Final = ("preferences", "values")
# Seconds that a process which is about to end has for it, before it is made to.
_PATIENCE: Final = 2.0


def main(handle: int) -> None:
    """Serve the command at the other end of a socket until it lets go."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    control = socket.socket(fileno=handle)
    codes: dict[int, int | None] = {}
    try:
        while True:
            message, handles, _, _ = socket.recv_fds(control, MESSAGE.size, 1)
            if len(message) < MESSAGE.size:
                return
            what, child = MESSAGE.unpack(message)
            _reap(codes)
            if what == BEGIN:
                answer = _fork(control, handles[0])
                codes[answer] = None
            elif what == ALIVE:
                answer = int(codes.get(child, 0) is None)
            else:
                answer = _end(codes, child, 0.0 if what == KILL else _PATIENCE)
            control.sendall(NUMBER.pack(answer))
    finally:
        for child, code in codes.items():
            if code is None:
                with suppress(ProcessLookupError):
                    os.kill(child, signal.SIGKILL)


def _reap(codes: dict[int, int | None]) -> None:
    """Note the exit codes of children that have ended; below 0 the signal that ended it."""
    for child in [child for child, code in codes.items() if code is None]:
        ended, status = os.waitpid(child, os.WNOHANG)
        if ended:
            codes[child] = os.waitstatus_to_exitcode(status)


def _end(codes: dict[int, int | None], child: int, patience: float) -> int:
    """The exit code of a child that is ending, or is made to end after a while."""
    if child not in codes:  # of a host that was killed
        return -signal.SIGKILL
    deadline = time.monotonic() + patience
    while codes[child] is None and time.monotonic() < deadline:
        time.sleep(0.001)
        _reap(codes)
    code = codes.pop(child)
    if code is None:
        os.kill(child, signal.SIGKILL)
        code = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    return code


def _fork(control: socket.socket, handle: int) -> int:
    with warnings.catch_warnings():
        # Of threads of the linear algebra, which take care of forks themselves.
        warnings.simplefilter("ignore", DeprecationWarning)
        child = os.fork()
    if child:
        os.close(handle)
        return child
    try:
        control.close()
        # Every process begins with chance of its own, as it would if it had not been forked.
        np.random.seed()  # noqa: NPY002
        with suppress(EOFError, ConnectionError):
            _live(Connection(handle))
        os._exit(0)
    except BaseException:
        traceback.print_exc()
    finally:
        os._exit(1)


def _live(connection: Connection[Any, Any]) -> None:
    """Load an agent, say whether that worked, and answer questions until there are no more."""
    spec, game, config, where, path = connection.recv()
    os.chdir(where)
    sys.path[:] = path
    agent, why = _load(spec, game, config)
    connection.send((why, [name for name in _OPINIONS if agent and _has_own(agent, name)]))
    while agent is not None:
        what, given = connection.recv()
        connection.send(_ANSWERS[what](agent, *given))


def _load(spec: str, game: str, config: Mapping[str, Any]) -> tuple[Agent | None, str]:
    """The agent, or why there is none."""
    try:
        return agents.load(spec, game, config), ""
    except UserError as error:
        return None, str(error)
    except BaseException as error:
        return None, f"agent '{spec}' does not load: {told(error)}"


def _has_own(agent: Agent, name: str) -> bool:
    """Whether the agent's class has such a method of its own."""
    return getattr(type(agent), name, None) is not getattr(Agent, name)


def _act(agent: Agent, view: View, legal: Bools, keys: U64, seconds: float) -> Answer:
    try:
        return call(agent, view, legal, keys, seconds)
    except KeyboardInterrupt as error:  # its own: the user's does not reach this process
        return Answer(np.zeros(0, dtype=np.int64), told(error), 0.0)


def _opinion(name: str, agent: Agent, view: View, *given: Any) -> tuple[Any, str]:
    """What `preferences` or `values` returned, if it is what it should be, and else why not."""
    shape = given[0].shape if given else (len(view),)
    try:
        found = getattr(agent, name)(view, *given)
        if found is None and name == "values":
            return None, ""
        array = np.asarray(found)
        if array.shape != shape or array.dtype.kind not in "iuf":
            return None, f"ValueError: {array.dtype} {list(array.shape)}, expected numbers {list(shape)}"
        return array.astype(np.float32), ""
    except BaseException as error:
        return None, told(error)


_ANSWERS: Final[dict[str, Callable[..., Any]]] = {"act": _act, **{name: partial(_opinion, name) for name in _OPINIONS}}
