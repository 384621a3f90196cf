"""Progress bars on stderr; nothing where there is no terminal."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from rich.console import RenderableType
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TimeElapsedColumn, TimeRemainingColumn

from experiments.report.printing import console, text_column


class CountingBar(Progress):
    """A bar, shown in a `with` block, that asks twice a second how many of `total` are done, whoever does them."""

    def __init__(self, what: str, total: int, done: Callable[[], int]) -> None:
        out = console(stderr=True)
        columns = (text_column(what), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn(), TimeRemainingColumn())
        self._done = done
        super().__init__(*columns, console=out, transient=True, refresh_per_second=2, disable=not out.is_terminal)
        self._task = self.add_task(what, total=total)

    def get_renderables(self) -> Iterable[RenderableType]:
        if self.tasks:
            self.update(self._task, completed=self._done())
        return super().get_renderables()
