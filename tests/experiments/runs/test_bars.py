"""Progress bars: what they count, and that they stay silent where nobody looks on."""

from __future__ import annotations

import io

import pytest
from rich.console import Console

from experiments.runs import bars
from experiments.runs.bars import CountingBar


def test_nothing_is_printed_without_a_terminal(capsys: pytest.CaptureFixture[str]) -> None:
    with CountingBar("hands", 3) as bar:
        bar.more(2)
    assert bar.tasks[0].completed == 2
    assert capsys.readouterr() == ("", "")


def test_on_a_terminal_it_asks_what_others_have_done(monkeypatch: pytest.MonkeyPatch) -> None:
    screen = io.StringIO()
    terminal = Console(file=screen, force_terminal=True, force_interactive=True, width=100, _environ={"TERM": "xterm"})
    monkeypatch.setattr(bars, "console", lambda stderr: terminal)
    done = [1]
    with CountingBar("chunks", 4, lambda: sum(done)) as bar:
        done.append(2)
        bar.refresh()
        assert bar.tasks[0].completed == 3
    assert "chunks" in screen.getvalue()
