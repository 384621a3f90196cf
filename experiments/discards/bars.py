"""Progress bars on stderr; nothing where there is no terminal."""

from __future__ import annotations

import contextlib
import threading
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TimeElapsedColumn, TimeRemainingColumn

from experiments.runs.printing import console, text_column


def _bar(out: Console) -> Progress:
    columns = (text_column("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
    return Progress(*columns, TimeRemainingColumn(), console=out, transient=True)


@contextlib.contextmanager
def counting(what: str, total: int) -> Iterator[Callable[[int], None]]:
    """A bar that is told how many more are done."""
    out = console(stderr=True)
    if not out.is_terminal:
        yield lambda more: None
        return
    with _bar(out) as bar:
        task = bar.add_task(what, total=total)
        yield lambda more: bar.advance(task, more)


@contextlib.contextmanager
def files(what: str, paths: Sequence[Path], each: int) -> Iterator[None]:
    """A bar of the files that are there, whoever writes them; every file counts `each`."""
    out = console(stderr=True)
    if not out.is_terminal:
        yield
        return
    stop = threading.Event()
    with _bar(out) as bar:
        task = bar.add_task(what, total=each * len(paths))

        def watch() -> None:
            while not stop.wait(0.5):
                bar.update(task, completed=each * sum(path.exists() for path in paths))

        watcher = threading.Thread(target=watch, daemon=True)
        watcher.start()
        try:
            yield
        finally:
            stop.set()
            watcher.join()
