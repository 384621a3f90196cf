"""Agents that misbehave, as a module of a user's own, and what the tests of contests share."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

MODULE = "tourney_bots"
SOURCE = '''
import os
import signal
import time
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


class Mortal(First):
    """Kills its process once: a second try finds the mark of the first."""

    def act(self, view, legal, keys):
        mark = Path("mortal.mark")
        if not mark.exists():
            mark.write_text("here")
            os.kill(os.getpid(), signal.SIGKILL)
        return super().act(view, legal, keys)


class Doomed(First):
    """Kills its process every time."""

    def act(self, view, legal, keys):
        os.kill(os.getpid(), signal.SIGKILL)


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
    """The bytes of every part by name."""
    return {path.relative_to(folder): path.read_bytes() for path in sorted(folder.glob("parts/*/*"))}


def summary_of(folder: Path) -> dict[str, Any]:
    """The summary of a run."""
    found: dict[str, Any] = json.loads((folder / "summary.json").read_text())
    return found
