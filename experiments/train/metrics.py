"""Numbers of a run: one JSON line per round in metrics.jsonl, the same in TensorBoard, a line or a bar on the console.

Names are `group/name`: eval/ (against fixed opponents, the headline), ladder/, train/, game/, time/, pool/.
"""

from __future__ import annotations

import json
import math
import os
import sys
import time
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

from rich.progress import BarColumn, Progress, TimeElapsedColumn

from burako_env.errors import UserError
from burako_env.inputs.files import damaged, whole
from experiments.runs.printing import console, say, text_column

FILE: Final = "metrics.jsonl"
_MEND: Final = "delete it and call again with --resume, which goes on without the curve up to here"
# Seconds between the lines of a run without a terminal.
_QUIET: Final = 60.0


class Metrics:
    """Writes to a run folder. `updates` rounds have been done before; lines of later ones are dropped."""

    def __init__(self, folder: Path, updates: int) -> None:
        self.path = folder / FILE
        with whole(self.path) as file:
            file.write(_kept(self.path, updates))
        self._file = self.path.open("a", encoding="utf-8")
        # TensorBoard takes a second to load, so it is imported only where a run has begun.
        from torch.utils.tensorboard import SummaryWriter

        board = folder / "tensorboard"
        try:
            self._board: Any = SummaryWriter(str(board), purge_step=updates + 1 if updates else None)
        except OSError as error:
            raise UserError(f"cannot write to {board}: {error.strerror or error}") from None

    def write(self, updates: int, decisions: int, values: Mapping[str, float]) -> None:
        """A round: `decisions` learned from since the beginning."""
        row = {key: round(float(value), 6) for key, value in values.items() if math.isfinite(value)}
        print(json.dumps({"updates": updates, "decisions": decisions, **row}), file=self._file, flush=True)
        for key, value in row.items():
            self._board.add_scalar(key, value, updates)

    def sync(self) -> None:
        """Write to the disk, before a state is saved that takes these rounds as written."""
        os.fsync(self._file.fileno())

    def close(self) -> None:
        """Close both files."""
        self._file.close()
        self._board.close()


def _kept(path: Path, updates: int) -> bytes:
    """The lines of the first rounds; refuses a file in which some of these are missing or damaged.

    What comes after them belongs to rounds that are done again. A file that was deleted may begin with any round.
    """
    try:
        lines = path.read_bytes().splitlines(keepends=True)
    except FileNotFoundError:
        return b""
    except OSError as error:
        raise damaged(path, error.strerror) from None
    if not updates:
        return b""
    rounds = [row["updates"] if row is not None else None for row in map(_parsed, lines)]
    kept = rounds.index(updates) + 1 if updates in rounds else 0
    wanted = list(range(updates - kept + 1, updates + 1)) or [updates + 1]
    if rounds[: len(wanted)] != wanted:
        raise damaged(path, f"not all rounds up to {updates} are in it", _MEND)
    return b"".join(lines[:kept])


def _parsed(line: bytes) -> dict[str, Any] | None:
    """A row; None for the half written last line of a killed run."""
    try:
        row = json.loads(line)
    except (ValueError, RecursionError):
        return None
    return row if isinstance(row, dict) and isinstance(row.get("updates"), int) else None


class Display:
    """Progress on the console, shown by rank 0: a bar on a terminal, else a line now and then."""

    def __init__(self, shown: bool) -> None:
        self.console = console()
        self._shown = shown
        self._last = 0.0
        self._bar: Progress | None = None
        if shown and self.console.is_terminal:
            texts = text_column("{task.description}"), text_column("{task.fields[text]}")
            columns = texts[0], BarColumn(bar_width=24), texts[1], TimeElapsedColumn()
            self._bar = Progress(*columns, console=self.console, transient=True)
        self._task: Any = None

    def __enter__(self) -> Display:
        if self._bar is not None:
            self._bar.start()
        return self

    def __exit__(self, *error: object) -> None:
        if self._bar is not None:
            self._bar.stop()

    def show(self, name: str, done: int, total: int, text: str) -> None:
        """How far a phase is; without a terminal a line per minute."""
        if not self._shown:
            return
        if self._bar is not None:
            if self._task is None:
                self._task = self._bar.add_task(name, total=total, text=text)
            self._bar.update(self._task, description=name, completed=min(done, total), total=total, text=text)
        elif time.monotonic() - self._last > _QUIET:
            self._last = time.monotonic()
            say(f"{name} {done:,} of {total:,}: {text}")

    def say(self, text: str) -> None:
        """A line that stays."""
        if self._shown:
            self.console.print(text, soft_wrap=True)
            sys.stdout.flush()


def duration(seconds: float) -> str:
    """`1:02:03`."""
    whole = max(0, round(seconds))
    return f"{whole // 3600}:{whole // 60 % 60:02d}:{whole % 60:02d}"
