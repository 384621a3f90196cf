"""Runs what the documentation tells its readers to type, with small budgets; an unknown command is an error."""

from __future__ import annotations

import importlib.util
import io
import re
import runpy
import shlex
import shutil
import threading
import urllib.request
from collections.abc import Callable, Sequence
from itertools import pairwise
from pathlib import Path
from typing import Any, Final

import pytest
import uvicorn

from experiments.cli import main
from tests.tools.doc_pages import ROOT, Block, Page

# Options whose values are made small wherever a page gives them; one with several values gets as many of these.
SMALL: Final[dict[str, tuple[str, ...]]] = {
    "--boards": ("4",),
    "--workers": ("1",),
    "--hands": ("48",),
    "--positions": ("4",),
    "--redraws": ("2",),
    "--repeat": ("2",),
    "--draws": ("2",),
    "--decisions": ("512",),
    "--seconds": ("0.01",),
    "--batch": ("16",),
    "--budgets": ("400", "800"),
    "--ppo.decisions": ("400",),
    "--clone.decisions": ("400",),
    "--dmc.decisions": ("400",),
    # A cluster takes ten seconds to start; test_tournament_ray.py runs one. The option itself is parsed here too.
    "--backend": ("loky",),
    "--port": ("0",),
}
_CONTEST: Final = "--boards 4 --workers 1 --batch 16 --recorded 0"
_NETS: Final = "--slots 16 --net.widths 8 --net.block-widths 8 --net.value-widths 8 --net.value-block-widths 8"
_LEARNING: Final = (
    f"{_NETS} --clone.decisions 400 --clone.steps 16 --clone.minibatch 64 "
    "--ppo.decisions 400 --ppo.steps 16 --ppo.minibatch 64"
)
# Options that a command gets where the page leaves them out.
ADDED: Final[dict[str, str]] = {
    "burako games": "",
    "burako agents": "",
    "burako rules": "",
    "burako check": "",
    "burako evaluate": _CONTEST,
    "burako tournament": _CONTEST,
    "burako discards": "--boards 2 --hands 48 --positions 12 --redraws 2 --repeat 2 --draws 2 --workers 1",
    "burako train": f"{_LEARNING} --processes 1 --dmc.decisions 400 --dmc.steps 16 --dmc.minibatch 64 "
    "--dmc.teacher 200 --league.every 200 --evaluation.boards 1 --evaluation.every 400 --evaluation.final-boards 2",
    "burako exploit": f"{_LEARNING} --budgets 400 --boards 2",
    "burako throughput": "--seconds 0.01 --batch 1",
    "burako play": "--port 0 --no-browser",
    "burako watch": "",
    "python -m experiments.studies.sanctions": "--boards 2 --positions 2 --redraws 2",
}
# The same for commands with a word that says they would take long: search plays every hand to its end many times.
ADDED_FOR: Final[dict[str, str]] = {"search": "--boards 1 --rules max_turns=6"}
# Commands that take long even so, as patterns, and why: run by `make test-all`.
SLOW: Final[dict[str, str]] = {
    r"^burako exploit": "trains, and measures what was trained",
    r"^burako discards": "nine strategies at three tables, and positions of a thousand hands",
    r"^python -m experiments\.studies\.sanctions": "looks for positions in which a rule can be broken",
    r"search": "plays hands to their end at every decision",
    r"^burako tournament --config full": "fifteen pairs",
    r"^burako watch runs/": "draws four hands",
}
# Specs of agents and words of a page that stand for something of the reader's own.
WORDS: Final[tuple[tuple[str, str], ...]] = (
    (r"redraws=\d+", "redraws=2"),
    (r"^mine$", "isolated"),
    (r"^/shared/", "shared/"),
)
# The same for snippets of Python.
SNIPPETS: Final[tuple[tuple[str, str], ...]] = (
    (r"\b1024\b", "16"),
    (r"\bboards=\d+", "boards=4"),
    (r"\bworkers=\d+", "workers=1"),
    (r"\bnum_envs=\d+", "num_envs=8"),
)
# Lines that no test runs.
NOT_RUN: Final[dict[str, str]] = {
    "source .venv/bin/activate": "the tests run inside of it",
    "jupyter lab notebooks": "a program of the reader's choice; test_notebooks.py runs what it would open",
    "ray start --head": "starts a service of the machine; test_tournament_ray.py has a cluster of its own",
    "ray start --address HEAD:6379": "the same, on another machine",
    "ray stop": "the same",
    "python -m experiments.studies.curriculum --out runs/curriculum": "forty minutes; test_curriculum.py and a "
    "notebook run small ones",
    "python -m experiments.studies.ablation default --out runs/ablation": "27 runs in a file of "
    "settings; test_ablation.py runs a small one",
}


class Desk:
    """A folder in which the commands of a page are run one after the other, as its reader would."""

    def __init__(self, folder: Path, patch: pytest.MonkeyPatch) -> None:
        self.folder = folder
        self.patch = patch
        patch.chdir(folder)
        patch.syspath_prepend(str(folder))

    def run_page(self, page: Page, slow: bool) -> None:
        """All blocks of a page; without `slow` all commands but the slow ones."""
        for block in page.blocks:
            if block.language == "sh":
                for line, command in block.commands():
                    if slow or not is_slow(command):
                        self._at(f"{page.name}, line {line}: {command}", self.command, command)
            elif block.language == "python":
                self._at(f"{page.name}, line {block.line}", self.snippet, block, page)
            elif block.language == "yaml":
                self._at(f"{page.name}, line {block.line}", self.cases, block)

    def _at(self, place: str, run: Callable[..., None], *arguments: Any) -> None:
        try:
            run(*arguments)
        except BaseException as error:
            if isinstance(error, KeyboardInterrupt):
                raise
            raise AssertionError(f"{place}\n{type(error).__name__}: {error}") from error

    def command(self, command: str) -> None:
        """One line of a shell block."""
        if command_of(command) in NOT_RUN:
            return
        words = shlex.split(command, comments=True)
        assert not {"|", "&&", ";", ">"} & set(words), "one command a line, please: this test has no shell"
        if words[0] == "make":
            assert set(words[1:]) <= make_targets(), "no such target in the Makefile"
        elif words[:2] == ["pip", "install"]:
            for extra in re.findall(r"burako-selfplay\[(\w+)\]", command):
                assert extra in extras(), f"pyproject.toml has no extra {extra}"
        else:
            self.run(words)

    def run(self, words: Sequence[str]) -> None:
        """A command of the project, with what it needs at hand and its budget made small."""
        head = head_of(words)
        assert head in ADDED, f"this test does not know how to run '{head}': add it to tests/tools/doc_commands.py"
        special = [given for word, given in ADDED_FOR.items() if any(word in part for part in words[1:])]
        small = shrink([self._word(word) for word in words], " ".join([*special, ADDED[head]]).split())
        self._lay_out(small)
        if head == "burako play":
            self._play(small)
        elif words[0] == "burako":
            assert status(small[1:]) == 0
        else:
            self.patch.setattr("sys.argv", [small[2], *small[3:]])
            try:
                runpy.run_module(small[2], run_name="__main__", alter_sys=True)
            except SystemExit as end:
                if end.code:
                    raise

    def _word(self, word: str) -> str:
        """A word of a command with files of the project as full paths."""
        if "/" in word and (ROOT / word).exists() and not (self.folder / word).exists():
            return str(ROOT / word)
        for pattern, other in WORDS:
            word = re.sub(pattern, other, word)
        return word

    def _lay_out(self, words: Sequence[str]) -> None:
        """Make the reader's files that the command names, unless an earlier command has made them."""
        for before, word in pairwise(words):
            if before in ("--out", "--record"):
                continue
            for sign, name, make in FILES:
                path = self.folder / name
                if sign in word and not path.exists():
                    path.parent.mkdir(parents=True, exist_ok=True)
                    make(self, path)

    def _play(self, words: Sequence[str]) -> None:
        """Play at a table: fetch its page once it is there, then stop it; a terminal is sent `quit`."""
        fetched: list[str] = []
        start = uvicorn.Server.startup

        async def startup(server: uvicorn.Server, sockets: Any = None) -> None:
            await start(server, sockets=sockets)
            port = sockets[0].getsockname()[1]

            def look() -> None:
                try:
                    with urllib.request.urlopen(f"http://127.0.0.1:{port}/", timeout=20) as answer:
                        fetched.append(answer.read().decode())
                finally:
                    server.handle_exit(2, None)

            threading.Thread(target=look, daemon=True).start()

        self.patch.setattr(uvicorn.Server, "startup", startup)
        self.patch.setattr("sys.stdin", io.StringIO("quit\n"))
        try:
            code = status(words[1:])
        except KeyboardInterrupt:  # how uvicorn ends on the signal of Ctrl+C
            code = 0
        finally:
            self.patch.setattr(uvicorn.Server, "startup", start)
        assert code in (0, 130)
        assert "--terminal" in words or "<html" in "".join(fetched)

    def snippet(self, block: Block, page: Page) -> None:
        """A snippet of Python; with a file name on its first line it is saved under it too."""
        text = block.text
        for pattern, other in SNIPPETS:
            text = re.sub(pattern, other, text)
        if block.name:
            (self.folder / block.name).write_text(text, encoding="utf-8")
        code = compile("\n" * block.line + text, str(page.path), "exec")
        exec(code, {"__name__": Path(block.name or "snippet.py").stem})

    def cases(self, block: Block) -> None:
        """A block of YAML is a case file that passes."""
        path = self.folder / (block.name or "case.yaml")
        path.write_text(block.text, encoding="utf-8")
        assert status(["check", str(path)]) == 0


def _bots(desk: Desk, path: Path) -> None:
    """`my_bots.py` of the front page."""
    (block,) = (block for block in Page(ROOT / "README.md").blocks if block.name == path.name)
    path.write_text(block.text, encoding="utf-8")


def _network(desk: Desk, path: Path) -> None:
    shutil.copy(ROOT / "agents/bots/burako-4-ppo.safetensors", path)


def _recorded(desk: Desk, path: Path) -> None:
    assert status(shlex.split(f"evaluate random random --boards 1 --workers 1 --recorded 2 --out {path}")) == 0


def _records(desk: Desk, path: Path) -> None:
    """A file of two recorded hands."""
    run = path.with_suffix("")
    _recorded(desk, run)
    path.write_text("".join(file.read_text() for file in sorted((run / "records").glob("*.jsonl"))))


def _discards(desk: Desk, path: Path) -> None:
    desk.run(["burako", "discards", "--out", str(path)])


# What the pages say the reader has: what of a word names it, the file or folder, and how it is made.
FILES: Final[tuple[tuple[str, str, Callable[[Desk, Path], None]], ...]] = (
    ("my_bots", "my_bots.py", _bots),
    ("runs/ppo/checkpoints/best.safetensors", "runs/ppo/checkpoints/best.safetensors", _network),
    ("best.safetensors", "best.safetensors", _network),
    ("runs/NAME", "runs/NAME", _recorded),
    ("games.jsonl", "games.jsonl", _records),
    ("hand.jsonl", "hand.jsonl", _records),
    ("runs/X", "runs/X", _discards),
)


def shrink(words: Sequence[str], added: Sequence[str]) -> list[str]:
    """A command with its budget made small: values of `SMALL` for options it has, `added` for those it has not."""
    given: list[str] = []
    option, seen = "", 0
    for word in words:
        if word.startswith("--"):
            option, seen = word, 0
            given.append(word)
        elif option in SMALL:
            given.append(SMALL[option][min(seen, len(SMALL[option]) - 1)])
            seen += 1
        else:
            given.append(word)
    skip = False
    for word in added:
        if word.startswith("--"):
            skip = word in given
        if not skip:
            given.append(word)
    return given


def status(arguments: Sequence[str]) -> int:
    """Exit code of `burako ARGUMENTS`, run here."""
    try:
        return main(list(arguments))
    except SystemExit as stop:
        return int(stop.code or 0)


def command_of(line: str) -> str:
    """A line without its comment and spaces."""
    return shlex.join(shlex.split(line, comments=True))


def head_of(words: Sequence[str]) -> str:
    """`burako NAME`, `python -m MODULE`, or the first word."""
    length = {"burako": 2, "python": 3}.get(words[0], 1)
    return " ".join(words[:length])


def is_slow(command: str) -> bool:
    return any(re.search(pattern, command_of(command)) for pattern in SLOW)


def make_targets() -> set[str]:
    return set(re.findall(r"^([a-z-]+):", (ROOT / "Makefile").read_text(encoding="utf-8"), flags=re.MULTILINE))


def extras() -> set[str]:
    import tomllib

    with (ROOT / "pyproject.toml").open("rb") as file:
        return set(tomllib.load(file)["project"]["optional-dependencies"])


def module_exists(name: str) -> bool:
    return importlib.util.find_spec(name) is not None
