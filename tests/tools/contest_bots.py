"""Agents that misbehave, as a user's own module, and what the tests of contests share."""

from __future__ import annotations

import json
import os
import signal
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from burako_env.inputs.files import TEMPORARY

MODULE = "tourney_bots"
SOURCE = '''
import ctypes
import os
import signal
import sys
import time
import warnings
from pathlib import Path

import numpy as np
from agents import Agent


class First(Agent):
    """The first legal action; no chance at all."""

    def act(self, view, legal, keys):
        return legal.argmax(axis=1)


class Cheat(First):
    """Now and then an action that is not legal."""

    def act(self, view, legal, keys):
        return np.where(keys % np.uint64(2000) == 0, legal.argmin(axis=1), legal.argmax(axis=1))


class Crash(First):
    """Now and then an exception."""

    def act(self, view, legal, keys):
        if (keys % np.uint64(2000) == 0).any():
            raise RuntimeError("out of ideas")
        return super().act(view, legal, keys)


class Never(First):
    """An exception at every decision."""

    def act(self, view, legal, keys):
        raise RuntimeError("no idea")


class Leave(First):
    """Now and then tries to end the whole run."""

    def act(self, view, legal, keys):
        if (keys % np.uint64(2000) == 0).any():
            raise SystemExit(3)
        return super().act(view, legal, keys)


class Shapeless(First):
    """Answers for one game, whatever it was asked."""

    def act(self, view, legal, keys):
        return np.zeros((1, 1), dtype=np.int64)


class Sleeper(First):
    """Falls asleep over one decision in two thousand, and cannot be woken by an exception of the usual kind."""

    def act(self, view, legal, keys):
        while (keys % np.uint64(2000) == 0).any():
            try:
                time.sleep(0.01)
            except Exception:
                pass
        return super().act(view, legal, keys)


class Ends(First):
    """Now and then ends its process without a word."""

    def act(self, view, legal, keys):
        if (keys % np.uint64(2000) == 0).any():
            os._exit(0)
        return super().act(view, legal, keys)


class Mortal(First):
    """Kills the worker that asks it, which is the parent of its process's parent, once: a second try finds the mark."""

    def act(self, view, legal, keys):
        mark = Path("mortal.mark")
        if not mark.exists():
            mark.write_text("here")
            about = Path(f"/proc/{os.getppid()}/stat").read_text()
            os.kill(int(about.rpartition(")")[2].split()[1]), signal.SIGKILL)
        return super().act(view, legal, keys)


class Doomed(First):
    """Kills its process every time."""

    def act(self, view, legal, keys):
        os.kill(os.getpid(), signal.SIGKILL)


class Segfault(First):
    """Now and then reads memory that is not there."""

    def act(self, view, legal, keys):
        if (keys % np.uint64(2000) == 0).any():
            ctypes.string_at(0)
        return super().act(view, legal, keys)


class Interrupt(First):
    """Now and then does as if the user had pressed Ctrl-C."""

    def act(self, view, legal, keys):
        if (keys % np.uint64(2000) == 0).any():
            raise KeyboardInterrupt
        return super().act(view, legal, keys)


class Mute(First):
    """Now and then an exception of no usual kind, which cannot be printed."""

    def act(self, view, legal, keys):
        class Unspeakable(BaseException):
            def __str__(self):
                raise self

            __repr__ = __str__

        if (keys % np.uint64(2000) == 0).any():
            raise Unspeakable
        return super().act(view, legal, keys)


class Garbled(First):
    """Now and then an exception with a message that no terminal and no file of text wants."""

    def act(self, view, legal, keys):
        if (keys % np.uint64(2000) == 0).any():
            raise ValueError("\\x1b[31mred\\ud800\\nnext" + 5000 * "x")
        return super().act(view, legal, keys)


class Vandal(First):
    """Plays like First and leaves nothing in its place."""

    def act(self, view, legal, keys):
        actions = super().act(view, legal, keys)
        Path("elsewhere").mkdir(exist_ok=True)
        os.chdir("elsewhere")
        view.buffer[:] = 1
        legal[:] = True
        keys[:] = 0
        np.random.seed(1)
        np.seterr(all="raise")
        warnings.simplefilter("error")
        signal.signal(signal.SIGINT, signal.SIG_IGN)
        signal.signal(signal.SIGALRM, signal.SIG_DFL)
        print("graffiti")
        if sys.stdout:
            sys.stdout.close()
        sys.stdout = sys.stderr = None
        os.environ.clear()
        sys.path.clear()
        return actions


class Editor(First):
    """Would have every View of the game laid out in another way."""

    def act(self, view, legal, keys):
        view.layout.shapes["hand"] = (1,)
        return super().act(view, legal, keys)


class Sampler(First):
    """Answers with whatever `KIND` says is wrong."""

    KINDS = {
        "floats": lambda n: np.full(n, 1.0),
        "nan": lambda n: np.full(n, np.nan),
        "objects": lambda n: np.array([object()] * n),
        "few": lambda n: np.zeros(n - 1, dtype=np.int64),
        "many": lambda n: np.zeros(n + 1, dtype=np.int64),
        "nothing": lambda n: None,
        "words": lambda n: ["draw"] * n,
        "ragged": lambda n: [[1], [1, 2]] * n,
        "negative": lambda n: np.full(n, -1),
        "huge": lambda n: np.full(n, 2**63, dtype=np.uint64),
        "truth": lambda n: np.ones(n, dtype=bool),
    }

    def __init__(self, kind: str = "floats"):
        self.kind = kind

    def act(self, view, legal, keys):
        return self.KINDS[self.kind](len(view))


class Stuck(First):
    """Never answers, and blocks the alarm."""

    def act(self, view, legal, keys):
        signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGALRM])
        while True:
            pass


class NoStart(First):
    def __init__(self):
        os._exit(0)


class NoBind(First):
    def bind(self, game, config=None):
        raise KeyboardInterrupt


class Taste(First):
    """Likes the last legal action best."""

    def preferences(self, view, legal, keys):
        return np.where(legal, np.arange(legal.shape[1]), -np.inf)


class Opinions(First):
    """Its opinions are of a wrong shape."""

    def preferences(self, view, legal, keys):
        return np.zeros(3)


class Moody(First):
    """Answers by how many it is asked at once: not a function of what it sees."""

    def act(self, view, legal, keys):
        return legal.argmax(axis=1) if len(keys) > 2 else legal.shape[1] - 1 - legal[:, ::-1].argmax(axis=1)
'''


@contextmanager
def module_in(folder: Path, monkeypatch: Any) -> Iterator[str]:
    """The module in the current directory, where worker processes find it too."""
    (folder / f"{MODULE}.py").write_text(SOURCE)
    monkeypatch.chdir(folder)
    monkeypatch.syspath_prepend(str(folder))
    yield MODULE
    sys.modules.pop(MODULE, None)


def rows_of(folder: Path) -> dict[Path, bytes]:
    """The bytes of every part by name, without files that a killed writer had begun."""
    paths = [path for path in sorted(folder.glob("parts/*/*")) if TEMPORARY not in path.name]
    return {path.relative_to(folder): path.read_bytes() for path in paths}


def summary_of(folder: Path) -> dict[str, Any]:
    """The summary of a run."""
    found: dict[str, Any] = json.loads((folder / "summary.json").read_text())
    return found


def die_once(name: str, work: list[int], folder: Path) -> None:
    """A job that kills its process once: a second try finds the mark of the first."""
    mark = folder / "mark"
    if not mark.exists():
        mark.write_text("here")
        os.kill(os.getpid(), signal.SIGKILL)
    (folder / name).write_text(str(work))
