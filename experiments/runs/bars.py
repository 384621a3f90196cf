"""Progress bars for work that may be done in other processes."""

from collections.abc import Callable, Iterable

from rich.console import RenderableType
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TimeElapsedColumn, TimeRemainingColumn

from experiments.runs.printing import console, text_column


class CountingBar(Progress):
    """A progress bar on stderr, shown in a `with` block where that is a terminal.

    It counts what `more` is told, or asks `done` twice a second how many of `total` are done, whoever does them.
    """

    def __init__(self, what: str, total: int, done: Callable[[], int] | None = None) -> None:
        self._done = done
        out = console(stderr=True)
        columns = (text_column(what), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn(), TimeRemainingColumn())
        super().__init__(*columns, console=out, transient=True, refresh_per_second=2, disable=not out.is_terminal)
        self._task = self.add_task(what, total=total)

    def more(self, count: int) -> None:
        """So many more are done."""
        self.advance(self._task, count)

    def get_renderables(self) -> Iterable[RenderableType]:
        if self._done and self.tasks:  # there is none while the bar is being made
            self.update(self._task, completed=self._done())
        return super().get_renderables()
