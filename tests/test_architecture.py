"""What the folders promise: layers import downwards, and only a family's own parts know its games."""

from __future__ import annotations

import ast
import subprocess
import sys
from collections.abc import Iterator
from graphlib import TopologicalSorter
from pathlib import Path
from typing import Final

import grimp
import pytest

from tests.tools.places import ROOT

PACKAGES: Final = ("burako_env", "agents", "experiments")
FAMILIES: Final = ("burako", "ruibal")
GAMES: Final = {"BurakoGame", "SanctionsGame", "RuibalGame", "RackGame", "MatchGame", "BatchGame", "ArrayGame"}
PRESETS: Final = {"PRESETS", "LEVELS"}
# Besides the folders of a family: the record of the families, and the environments' own modules and their pages.
ABOUT_GAMES: Final = (
    "burako_env/families.py",
    "burako_env/burako_v0.py",
    "burako_env/ruibal_level",
    "burako_env/envs/ruibal.py",
)
# The card game's own benchmark, studies and pages; they ask once whether a game is of its family.
CARD_GAME_ONLY: Final = ("experiments/discards/", "experiments/studies/", "experiments/docs/", "agents/discard/")
FILES: Final = sorted(path.relative_to(ROOT) for package in PACKAGES for path in (ROOT / package).rglob("*.py"))
# What the root of a package holds beside folders and `__init__.py`.
ROOTS: Final = {"agents": {"base.py", "registry.py", "spec.py", "random.py", "rollouts.py"}, "experiments": {"cli.py"}}


def names_in(node: ast.AST) -> set[str]:
    """Every name and attribute in an expression."""
    found = {part.id for part in ast.walk(node) if isinstance(part, ast.Name)}
    return found | {part.attr for part in ast.walk(node) if isinstance(part, ast.Attribute)}


def questions_in(path: Path, tree: ast.AST) -> Iterator[str]:
    """Places where a file asks of which class or name a game is."""
    own = bool(set(path.parts[:-1]) & set(FAMILIES)) or path.as_posix().startswith((*ABOUT_GAMES, *CARD_GAME_ONLY))
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and getattr(node.func, "id", "") in ("isinstance", "issubclass"):
            if names_in(node.args[1]) & GAMES:
                yield f"{path}:{node.lineno}: {ast.unparse(node)}"
        elif isinstance(node, ast.Compare) and not own:
            asked = [node.left, *node.comparators]
            membership = any(isinstance(op, ast.In | ast.NotIn) for op in node.ops)
            level = any(isinstance(part, ast.Attribute | ast.Name) and names_in(part) & {"level"} for part in asked)
            number = any(isinstance(part, ast.Constant) and isinstance(part.value, int) for part in asked)
            if (membership and names_in(node.comparators[-1]) & PRESETS) or (level and number):
                yield f"{path}:{node.lineno}: {ast.unparse(node)}"
            for part in asked:
                if isinstance(part, ast.Constant) and str(part.value).startswith(("burako", "ruibal")):
                    yield f"{path}:{node.lineno}: {ast.unparse(node)}"


def imports_of_families(path: Path, tree: ast.AST) -> Iterator[str]:
    """Imports of a family's folder from a file that serves all games."""
    if set(path.parts[:-1]) & set(FAMILIES) or path.as_posix().startswith(ABOUT_GAMES):
        return
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom) and node.module:
            whole = [f"{node.module}.{name.name}" for name in node.names]
            if any(set(name.split(".")[1:]) & set(FAMILIES) for name in whole):
                yield f"{path}:{node.lineno}: {ast.unparse(node)}"


def test_nobody_asks_which_game_it_is() -> None:
    found = [place for path in FILES for place in questions_in(path, ast.parse((ROOT / path).read_text()))]
    assert found == []


def test_what_serves_all_games_imports_none() -> None:
    files = [path for path in FILES if not path.as_posix().startswith(CARD_GAME_ONLY)]
    found = [place for path in files for place in imports_of_families(path, ast.parse((ROOT / path).read_text()))]
    assert found == []


@pytest.mark.parametrize("package", ROOTS)
def test_no_loose_files(package: str) -> None:
    files = {path.name for path in (ROOT / package).glob("*.py")}
    assert files - {"__init__.py"} == ROOTS[package]


def test_no_circles_of_files() -> None:
    graph = grimp.build_graph(*PACKAGES, exclude_type_checking_imports=True, cache_dir=None)
    imports = {module: graph.find_modules_directly_imported_by(module) for module in graph.modules}
    # An import of a package is one of its `__init__`, which the graph counts as the file that it is.
    assert list(TopologicalSorter(imports).static_order())


def test_imports_keep_to_the_layers() -> None:
    """The contracts of pyproject.toml, which `make lint` checks too."""
    call = [str(Path(sys.executable).with_name("lint-imports")), "--no-cache"]
    done = subprocess.run(call, cwd=ROOT, capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, done.stdout


def test_the_count_finds_what_it_looks_for() -> None:
    """A file that asks in every forbidden way."""
    asks = "isinstance(game, BurakoGame)\nname in PRESETS\nrules.level == 2\nname == 'burako-4'\n"
    path = Path("experiments/report/page.py")
    assert [place.split(":")[1] for place in questions_in(path, ast.parse(asks))] == ["1", "2", "3", "4"]
    taken = "from burako_env.burako import rules\nfrom burako_env import ruibal\nfrom burako_env import burako_v0\n"
    assert [place.split(":")[1] for place in imports_of_families(path, ast.parse(taken))] == ["1", "2"]
