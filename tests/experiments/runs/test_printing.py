"""Names, errors and texts of files are printed as they are: nothing in them is read as markup or steers a terminal."""

from __future__ import annotations

import io
import os
import subprocess
import sys
from pathlib import Path

import pytest
from rich.progress import Progress
from rich.table import Table

import experiments
from burako_env.errors import UserError
from burako_env.records.format import append, read
from experiments.cli import main
from experiments.runs.printing import console, forgive, printable, say_error, text_column
from tests.experiments.watch.test_watch import played

NASTY = "fire:Fire:heat=1[bold red]x[/][link=http://a.b]\x1b[2J\x1b]0;t\x07\r\u202e\u2028\u200b\ud800\x00:smile:"
SAFE = (
    "fire:Fire:heat=1[bold red]x[/][link=http://a.b]\\x1b[2J\\x1b]0;t\\x07\\r\\u202e\\u2028\\u200b\\ud800\\x00:smile:"
)


class Steering(UserError):
    """An error that cannot be shown."""

    def __str__(self) -> str:
        raise RuntimeError("no")


def test_what_could_steer_a_terminal_is_written_out() -> None:
    assert printable(NASTY) == SAFE
    # Letters of all languages, drawings of tables and ends of lines stay.
    for text in ("ñandú 日本 ♣ ─│ ..", "two\nlines", "", "❤"):
        assert printable(text) == text


def test_tables_and_lines_are_text(capsys: pytest.CaptureFixture[str]) -> None:
    out = console()
    out.width = 300
    table = Table(NASTY, title=NASTY)
    table.add_row(NASTY)
    out.print(table)
    out.print(NASTY, soft_wrap=True)
    assert capsys.readouterr().out.count(SAFE) == 4


def test_progress_bars_are_text() -> None:
    stream = io.StringIO()
    out = console()
    out.file, out.width = stream, 300
    with Progress(text_column("{task.description} {task.fields[text]}"), console=out) as bar:
        bar.add_task("[bold]:fire:", text=":smile:[/]")
    assert "[bold]:fire: :smile:[/]" in stream.getvalue()


def test_errors_are_one_line(capsys: pytest.CaptureFixture[str]) -> None:
    say_error(UserError(f"a\r\nb\x0bc {NASTY}"))
    said = capsys.readouterr().err
    assert said.startswith("error: a b c fire:Fire:heat=1[bold red]x[/]")
    assert said.count("\n") == 1
    assert "\x1b" not in said
    say_error(Steering())
    assert capsys.readouterr().err == "error: Steering\n"


def test_no_other_place_prints_texts_by_itself() -> None:
    """Consoles, columns and lines of text come from one file, so that nothing is forgotten."""
    root = Path(experiments.__file__).parent
    for path in root.rglob("*.py"):
        if path.name != "printing.py":
            text = path.read_text(encoding="utf-8")
            assert "Console(" not in text, path
            assert "TextColumn(" not in text, path
            assert "rich.markup" not in text, path


@pytest.mark.parametrize("name", ["\x1b[2J:fire:[bold]", "no:smile:", "a\nb"])
def test_a_name_that_does_not_exist_is_shown_as_it_is(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    for line in (["evaluate", name, "random"], [name], ["rules", name], ["play", "--agents", name], ["watch", name]):
        assert main(line) == 2
        said = capsys.readouterr().err
        assert said.count("\n") == 1
        assert "\x1b" not in said
        assert printable(" ".join(name.splitlines())).partition(":")[0] in said
        assert ":fire:" in said or ":smile" in said or "a b" in said


FIRE = '''
from agents import Agent
class Fire(Agent):
    """Its name is a picture's code, its error steers a terminal."""
    def __init__(self, heat: int = 0) -> None:
        pass
    def act(self, view, legal, keys):
        raise ValueError("\\x1b[2J [bold]:fire: \\u202e")
'''


def test_names_and_reasons_in_the_tables_of_a_contest(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "fire.py").write_text(FIRE, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", [*sys.path])
    monkeypatch.delitem(sys.modules, "fire", raising=False)
    line = ["tournament", "--agents", "fire:Fire:heat=1", "random", "--boards", "1", "--workers", "1", "--out", "run"]
    assert main(line) == 0
    shown = capsys.readouterr().out
    assert shown.count("fire:Fire:heat=1") >= 4
    assert "\x1b" not in shown
    assert "\u202e" not in shown
    assert "\\x1b[2J [bold]:fire: \\u202e" in shown


def run_in(encoding: dict[str, str], *line: str, typed: bytes = b"") -> subprocess.CompletedProcess[bytes]:
    """The command in a terminal of this encoding."""
    environment = {key: value for key, value in os.environ.items() if key not in ("LC_ALL", "LANG", "PYTHONUTF8")}
    call = [sys.executable, "-m", "experiments.cli", *line]
    return subprocess.run(call, input=typed, capture_output=True, env={**environment, **encoding}, timeout=300)


@pytest.mark.slow
@pytest.mark.parametrize("encoding", [{"PYTHONIOENCODING": "ascii"}, {"LC_ALL": "C", "PYTHONUTF8": "0"}])
def test_spanish_in_an_ascii_terminal(encoding: dict[str, str]) -> None:
    rules = ("--rules", "max_turns=8", "--seed", "1")
    for game in ("burako-4", "ruibal-2"):
        found = run_in(
            encoding,
            *("play", "--terminal", "--language", "es", "--game", game, *(rules if game == "burako-4" else ())),
            typed=b"help\n1\n\xff\xf1\nhint\n1\n1\nquit\n",
        )
        assert b"Traceback" not in found.stderr
        assert found.returncode == 0
        assert b"acci?n" in found.stdout
    for line in (("--help",), ("play", "--help"), ("rules",), ("agents",), ("evaluate", "ñandú", "random")):
        found = run_in(encoding, *line)
        assert b"Traceback" not in found.stderr
        assert found.returncode == (2 if "ñandú" in line else 0)


def test_streams_forgive_only_what_they_raised_on() -> None:
    for errors, after in (
        ("strict", "replace"),
        ("surrogateescape", "replace"),
        ("backslashreplace", "backslashreplace"),
    ):
        stream = io.TextIOWrapper(io.BytesIO(), encoding="ascii", errors=errors)
        forgive(stream, None, io.StringIO())
        assert stream.errors == after


def test_a_record_with_a_byte_order_mark_is_read(tmp_path: Path) -> None:
    path, record = tmp_path / "r.jsonl", played()
    append(path, [record, record])
    whole = path.read_bytes()
    for data in (b"\xef\xbb\xbf" + whole, b"\xef\xbb\xbf\n" + whole, whole + b"\xef\xbb\xbf" + whole):
        path.write_bytes(data.replace(b"\n", b"\r\n"))
        assert all(found == record for _, found in read(path))
        assert len(list(read(path))) in (2, 4)
        assert main(["check", str(path)]) == 0
    append(path, [record])
    assert main(["check", str(path)]) == 0
    path.write_text(whole.decode(), encoding="utf-16")
    with pytest.raises(UserError, match="UTF-8"):
        list(read(path))
