"""Classes of one's own that raise anything while they are imported, built or bound: one sentence each."""

from __future__ import annotations

import hashlib
import sys
from pathlib import Path

import pytest

import agents
from burako_env.errors import UserError
from experiments.cli import main
from experiments.contest.identity import files_behind

BEGIN = "from agents import Agent\nimport os, sys\n"
ACT = "    def act(self, view, legal, keys):\n        return legal.argmax(axis=1)\n"
SILENT = "class Silent(Exception):\n    def __str__(self):\n        raise RuntimeError('no')\n"
BAD = "class Bad(ImportError):\n    def __str__(self):\n        raise ValueError\n"
BASE = "class Base(BaseException):\n    pass\n"
TIDY = f"class Tidy(Agent):\n{ACT}"
MODULES = {
    "exits": ("sys.exit(3)\n", "SystemExit: 3"),
    "exits_quietly": ("sys.exit()\n", "SystemExit"),
    "raises": ("1 / 0\n", "ZeroDivisionError: division by zero"),
    "raises_base": (f"{BASE}raise Base('x\\ny')\n", "Base: x"),
    "raises_silent": (f"{SILENT}raise Silent\n", "Silent: (it does not say what)"),
    "generator_exit": ("raise GeneratorExit\n", "GeneratorExit"),
    "recursion": ("def f(): f()\nf()\n", "RecursionError"),
    "is_no_python": ("this is no python\n", "SyntaxError"),
    "has_a_null": ("\0", "null"),
    "import_error": (
        "class Bad(ImportError):\n    def __str__(self):\n        raise ValueError\nraise Bad\n",
        "cannot import",
    ),
    "imports_nothing": ("import no_such_module\n", "No module named 'no_such_module'"),
    "builds": (f"{TIDY}    def __init__(self):\n        sys.exit(4)\n", "SystemExit: 4"),
    "builds_silent": (f"{SILENT}{TIDY}    def __init__(self):\n        raise Silent\n", "Silent"),
    "binds": (f"{TIDY}    def bind(self, game, config=None):\n        raise KeyError(game)\n", "KeyError: 'burako-4'"),
    "binds_base": (f"{BASE}{TIDY}    def bind(self, game, config=None):\n        raise Base\n", "Base"),
    "needs": (f"{TIDY}    def __init__(self, hand):\n        pass\n", "missing 1 required positional argument"),
    "hints": (f"{TIDY}    def __init__(self, hand: 'Nothing' = 3):\n        pass\n", "NameError"),
}


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", [*sys.path])
    return tmp_path


@pytest.mark.parametrize("name", MODULES)
def test_whatever_a_class_raises_is_one_sentence(
    name: str, here: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    text, message = MODULES[name]
    (here / f"{name}.py").write_text(BEGIN + text, encoding="utf-8")
    monkeypatch.delitem(sys.modules, name, raising=False)
    spec = f"{name}:Tidy"
    for wrapped in (spec, f"search:policy={spec}"):
        with pytest.raises(UserError) as caught:
            agents.load(wrapped, "burako-4")
        assert message in str(caught.value)
        assert spec in str(caught.value)
    for line in (["evaluate", spec, "random"], ["play", "--terminal", "--agents", spec], ["exploit", spec]):
        assert main(line) == 2
        said = capsys.readouterr().err
        assert said.startswith("error: ")
        assert said.count("\n") == 1


@pytest.mark.usefixtures("here")
def test_modules_that_are_none() -> None:
    for spec in (".x:Tidy", "..:Tidy", "a b:Tidy", "a/b:Tidy", "os:path", "os:", "agents.base:Agent", "\0:Tidy", "é:é"):
        with pytest.raises(UserError):
            agents.load(spec)


def test_an_interrupt_is_no_error_of_the_agent(here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (here / "interrupted.py").write_text("raise KeyboardInterrupt\n", encoding="utf-8")
    with pytest.raises(KeyboardInterrupt):
        agents.load("interrupted:Tidy")


def test_the_file_of_a_module_is_found_without_an_import(here: Path) -> None:
    """For the hash in a run's manifest, which the command makes in its own process."""
    package = here / "own_package" / "inner"
    package.mkdir(parents=True)
    for folder in (package.parent, package):
        (folder / "__init__.py").write_text("raise SystemExit(0)", encoding="utf-8")
    (package / "bots.py").write_text(BEGIN + TIDY, encoding="utf-8")
    digest = hashlib.sha256((package / "bots.py").read_bytes()).hexdigest()
    assert files_behind("own_package.inner.bots:Tidy") == {"own_package/inner/bots.py": digest}
    assert list(files_behind("own_package.inner:Tidy")) == ["own_package/inner/__init__.py"]
    assert files_behind("own_package.absent:Tidy") == files_behind("own_package.inner.bots.deep:Tidy") == {}
    assert files_behind("agents.random:RandomAgent").keys() == {"random.py"}
    assert "own_package" not in sys.modules
