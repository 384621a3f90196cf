"""What the project needs and brings: extras, versions, types, and packages of others in the place of ours."""

from __future__ import annotations

import ast
import os
import re
import subprocess
import sys
import tomllib
from importlib.machinery import ModuleSpec
from importlib.util import find_spec
from pathlib import Path

import pytest

import agents
import burako_env
import burako_selfplay
import experiments
from burako_env.errors import UserError
from burako_env.inputs.extras import MissingExtra, needed
from experiments import cli

ROOT = Path(__file__).parents[1]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
EXTRAS = PROJECT["optional-dependencies"]
# Distributions whose package has another name.
IMPORTED = {"pyyaml": "yaml", "pillow": "PIL"}
# Of the metadata of an installed wheel.
METADATA = [
    "numpy<3,>=2.2",
    "torch<3,>=2.13; extra == 'all'",
    "rich<16,>=14; extra == 'all'",
    "Jinja2<4,>=3.1; extra == 'all'",
    "torch<3,>=2.13; extra == 'train'",
    "rich<16,>=14; extra == 'train'",
    "rich<16,>=14; extra == 'tournament'",
    "jinja2<4,>=3.1; extra == 'tournament'",
    'sb3-contrib>=2.6; python_version >= "3.11" and extra == "sb3"',
]


def modules(requirements: list[str]) -> set[str]:
    """The packages that requirements bring, by the name they are imported by."""
    names = [re.match(r"[\w.-]+", line)[0] for line in requirements]
    return {IMPORTED.get(name.lower(), name.lower().replace("-", "_")) for name in names} - {"burako_selfplay"}


def imported(folder: Path) -> set[str]:
    """Packages of others that the files of a folder import."""
    found = set()
    for path in [folder] if folder.is_file() else folder.rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Import):
                found |= {name.name.partition(".")[0] for name in node.names}
            elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
                found.add(node.module.partition(".")[0])
    return found - set(sys.stdlib_module_names) - {"burako_selfplay", "burako_env", "agents", "experiments"}


def test_the_bare_install_is_an_environment() -> None:
    base = modules(PROJECT["dependencies"])
    assert {"numpy", "pydantic", "yaml", "gymnasium", "pettingzoo", "PIL"} <= base
    assert not base & {"torch", "scipy", "statsmodels", "pandas", "pyarrow", "duckdb", "matplotlib", "tensorboard"}
    assert imported(ROOT / "burako_env") <= base


def test_rule_based_agents_need_no_extra() -> None:
    base, learned = modules(PROJECT["dependencies"]), ROOT / "agents" / "learned"
    for path in (ROOT / "agents").rglob("*.py"):
        if not path.is_relative_to(learned):
            assert imported(path) <= base, path


def test_every_import_is_declared() -> None:
    declared = modules([*PROJECT["dependencies"], *(line for lines in EXTRAS.values() for line in lines)])
    assert imported(ROOT / "agents" / "learned") <= modules([*PROJECT["dependencies"], *EXTRAS["train"]])
    # The one library of the examples that nothing here installs; its example says how.
    assert imported(ROOT / "experiments") - {"tianshou"} <= declared
    for name, folder in (("train", "train"), ("tournament", "discards"), ("play", "play"), ("play", "watch")):
        assert imported(ROOT / "experiments" / folder) <= modules([*PROJECT["dependencies"], *EXTRAS[name]]), folder


def test_extras_add_up() -> None:
    assert {"train", "tournament", "play", "all", "ray", "sb3", "dev"} <= EXTRAS.keys()
    assert EXTRAS["all"] == ["burako-selfplay[train,tournament,play]"]
    assert {"burako-selfplay[all]", "burako-selfplay[ray]", "burako-selfplay[sb3]"} <= set(EXTRAS["dev"])
    assert {command.extra for command in cli.COMMANDS.values()} == {"train", "tournament", "play"}


def test_every_library_has_a_pin() -> None:
    pins = {line.partition("==")[0].lower() for line in (ROOT / "constraints.txt").read_text().splitlines()}
    for line in [*PROJECT["dependencies"], *(line for lines in EXTRAS.values() for line in lines)]:
        name = re.match(r"[\w.-]+", line)[0].lower()
        assert name == "burako-selfplay" or {name, name.replace("-", "_")} & pins, line


@pytest.mark.parametrize("package", [burako_env, agents, experiments])
def test_packages_are_typed(package) -> None:
    assert (Path(package.__file__).parent / "py.typed").is_file()


def test_addresses() -> None:
    assert {"Homepage", "Documentation", "Source", "Issues"} <= PROJECT["urls"].keys()


def test_version() -> None:
    assert burako_env.__version__ == PROJECT["version"]


def test_a_checkout_that_is_not_installed_has_a_version_too() -> None:
    code = """
import importlib.metadata as metadata
def version(name):
    raise metadata.PackageNotFoundError(name)
metadata.version = version
import burako_env
print(burako_env.__version__)
"""
    assert run("-c", code).stdout == "0+checkout\n"


def run(*arguments: str, path: Path | None = None) -> subprocess.CompletedProcess[str]:
    """Python in the checkout, with another folder first on the path."""
    front = [str(path), str(ROOT)] if path else [str(ROOT)]
    return subprocess.run(
        [sys.executable, *arguments],
        capture_output=True,
        text=True,
        timeout=120,
        cwd=ROOT / "docs",
        env={**os.environ, "PYTHONPATH": os.pathsep.join(front)},
    )


def sentence_of(done: subprocess.CompletedProcess[str]) -> str:
    """What a refused command says."""
    assert done.returncode == 2, done.stderr
    assert done.stdout == ""
    assert done.stderr.startswith("error: ")
    assert done.stderr.count("\n") == 1
    return done.stderr


@pytest.mark.parametrize(
    ("module", "extra", "mend"),
    [
        ("torch", "", "torch is not installed: pip install 'burako-selfplay[train]'"),
        ("torch.nn", "", "torch is not installed: pip install 'burako-selfplay[train]'"),
        ("jinja2", "", "jinja2 is not installed: pip install 'burako-selfplay[tournament]'"),
        ("rich.table", "train", "rich is not installed: pip install 'burako-selfplay[train]'"),
        ("torch", "tournament", "torch is not installed: pip install 'burako-selfplay[train]'"),
        ("sb3_contrib", "", "sb3_contrib is not installed: pip install 'burako-selfplay[sb3]'"),
    ],
)
def test_a_missing_library_names_its_extra(module: str, extra: str, mend: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(burako_selfplay, "requires", lambda name: METADATA)
    with pytest.raises(UserError) as found, needed(extra):
        raise ModuleNotFoundError(f"No module named '{module}'", name=module)
    assert str(found.value) == mend
    assert isinstance(found.value, ImportError)


@pytest.mark.parametrize("module", ["experiments.contests", "agents.nobody", "my_bots", "numpy"])
def test_other_imports_fail_as_they_are(module: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(burako_selfplay, "requires", lambda name: METADATA)
    with pytest.raises(ModuleNotFoundError), needed():
        raise ModuleNotFoundError(f"No module named '{module}'", name=module)


def test_in_a_checkout_that_is_not_installed_make_is_the_mend(monkeypatch: pytest.MonkeyPatch) -> None:
    def requires(name: str) -> list[str]:
        raise burako_selfplay.PackageNotFoundError(name)

    monkeypatch.setattr(burako_selfplay, "requires", requires)
    with pytest.raises(MissingExtra, match="torch is not installed: `make setup`"), needed():
        raise ModuleNotFoundError("No module named 'torch'", name="torch")


def test_agents_are_listed_where_a_library_is_missing(monkeypatch: pytest.MonkeyPatch, capsys) -> None:
    describe = agents.describe

    def lacking(name: str) -> agents.AgentInfo:
        if name == "ppo":
            raise MissingExtra("torch is not installed: pip install 'burako-selfplay[train]'")
        return describe(name)

    monkeypatch.setattr(agents, "describe", lacking)
    assert cli.main(["agents"]) == 0
    shown = capsys.readouterr().out
    assert re.search(r"ppo +torch is not installed: pip install 'burako-selfplay\[train\]'", shown)
    assert "heuristic" in shown


def test_the_packages_are_ours() -> None:
    assert burako_selfplay.foreign() is None


@pytest.mark.parametrize(
    ("module", "name"),
    [
        *(("burako_selfplay", name) for name in ("burako_env", "agents", "experiments")),
        *(
            (module, name)
            for module in ("experiments.cli", "experiments.studies.sanctions")
            for name in ("burako_env", "agents")
        ),
    ],
)
def test_a_package_of_others_is_named(module: str, name: str, tmp_path: Path) -> None:
    (tmp_path / name).mkdir()
    (tmp_path / name / "__init__.py").write_text("from nowhere import Agent\n")
    said = sentence_of(run("-m", module, "agents", path=tmp_path))
    assert f"package '{name}' is {tmp_path / name / '__init__.py'}, not burako-selfplay's" in said
    assert "virtual environment" in said


def test_a_package_that_has_lost_its_first_file_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    """As it is after another project with a package of that name has been removed."""
    empty = ModuleSpec("agents", loader=None, is_package=True)
    monkeypatch.setattr(burako_selfplay, "find_spec", lambda name: empty if name == "agents" else find_spec(name))
    assert "'agents' of burako-selfplay is not there: pip install --force-reinstall" in str(burako_selfplay.foreign())


@pytest.mark.parametrize(
    ("arguments", "phrase"),
    [
        (["experiments.studies.sanctions", "--game", "burako-5"], "unknown game 'burako-5'"),
        (["experiments.studies.sanctions", "--agent", "heuristik"], "did you mean heuristic"),
        (["experiments.discards.fit", "nowhere"], "nowhere/suite-discards.parquet does not exist"),
        (
            ["experiments.studies.ablation", "nowhere.yaml", "--out", "nowhere"],
            "nowhere.yaml:1: cannot be opened: No such file",
        ),
        (["experiments.studies.curriculum", "defalt", "--out", "nowhere"], "did you mean default"),
    ],
)
def test_mistakes_in_studies_are_one_sentence(arguments: list[str], phrase: str) -> None:
    assert phrase in sentence_of(run("-m", *arguments))
