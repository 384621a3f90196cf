"""The built wheel in a clean environment, without extras: an environment, and clear words for all else."""

from __future__ import annotations

import os
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
MEGABYTE = 1_000_000
BASE = ["burako-selfplay", "gymnasium", "numpy", "pettingzoo", "pillow", "pydantic", "pyyaml"]

pytestmark = pytest.mark.slow

AEC = """
from burako_env import burako_v0

env = burako_v0.env(players=4, render_mode="rgb_array")
env.reset(seed=3)
steps = 0
for seat in env.agent_iter():
    observation, reward, terminated, truncated, info = env.last()
    mask = observation["action_mask"]
    env.step(None if terminated or truncated else env.action_space(seat).sample(mask))
    steps += 1
assert steps > 100, steps
assert env.render().shape == (840, 1120, 3)
"""
GYMNASIUM = """
import agents
import burako_env.vector
import gymnasium

env = gymnasium.make("burako_env/Burako4-v0", opponents=agents.load("heuristic", "burako-4"))
observation, info = env.reset(seed=1)
over, steps = False, 0
while not over:
    action = env.action_space.sample(observation["action_mask"])
    observation, reward, terminated, truncated, info = env.step(action)
    over, steps = terminated or truncated, steps + 1
assert steps > 20, steps
assert reward != 0
"""
TYPED = """
import agents, burako_env, experiments
from importlib.metadata import metadata
from pathlib import Path

assert all((Path(package.__file__).parent / "py.typed").is_file() for package in (agents, burako_env, experiments))
assert burako_env.__version__ == metadata("burako-selfplay")["Version"]
assert {"Homepage", "Source"} <= {line.partition(",")[0] for line in metadata("burako-selfplay").get_all("Project-URL")}
print(*(agents.load(name, "burako-4").name for name in ("random", "heuristic", "heuristic-v0", "search")))
"""
LEARNED = """
import agents
from burako_env import UserError

try:
    agents.load("ppo", "burako-4")
except UserError as error:
    print(error)
"""


def call(*words: str | Path, cwd: Path) -> subprocess.CompletedProcess[str]:
    """A program in a folder of its own, which sees nothing of the checkout."""
    outside = {key: value for key, value in os.environ.items() if not key.startswith(("PYTHON", "VIRTUAL_ENV"))}
    return subprocess.run(list(map(str, words)), capture_output=True, text=True, timeout=300, cwd=cwd, env=outside)


def worked(done: subprocess.CompletedProcess[str]) -> str:
    """What it printed."""
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def refused(done: subprocess.CompletedProcess[str]) -> str:
    """The one sentence that it said."""
    assert done.returncode == 2, done.stdout + done.stderr
    assert done.stderr.startswith("error: ")
    assert done.stderr.count("\n") == 1
    return done.stderr


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("wheel")


@pytest.fixture(scope="module")
def programs(folder: Path) -> Path:
    """Where the programs of a virtual environment lie in which the wheel is installed, without extras."""
    pip = ("-m", "pip", "--quiet", "--disable-pip-version-check")
    built = call(sys.executable, *pip, "wheel", "--no-deps", "--wheel-dir", folder, ROOT, cwd=folder)
    if "hatchling" in built.stderr and "No matching distribution" in built.stderr:
        pytest.skip("no package index can be reached: the wheel's build backend cannot be had")
    worked(built)
    (wheel,) = folder.glob("burako_selfplay-*.whl")
    worked(call(sys.executable, "-m", "venv", folder / "venv", cwd=folder))
    programs = folder / "venv" / ("Scripts" if os.name == "nt" else "bin")
    worked(call(programs / "python", *pip, "install", "-c", ROOT / "constraints.txt", wheel, cwd=folder))
    return programs


def test_it_is_small(programs: Path, folder: Path) -> None:
    size = sum(path.lstat().st_size for path in (folder / "venv").rglob("*"))
    assert size < 250 * MEGABYTE
    listed = worked(call(programs / "python", "-m", "pip", "list", "--format=freeze", cwd=folder)).lower()
    assert {line.partition("==")[0] for line in listed.splitlines()} >= set(BASE)
    assert "torch" not in listed


@pytest.mark.parametrize("code", [AEC, GYMNASIUM], ids=["aec", "gymnasium"])
def test_an_episode(code: str, programs: Path, folder: Path) -> None:
    worked(call(programs / "python", "-c", code, cwd=folder))


def test_types_version_addresses_and_rule_based_agents(programs: Path, folder: Path) -> None:
    shown = worked(call(programs / "python", "-c", TYPED, cwd=folder))
    assert shown.split() == ["random", "heuristic", "heuristic-v0", "search"]


def test_a_trained_bot_names_its_extra(programs: Path, folder: Path) -> None:
    shown = worked(call(programs / "python", "-c", LEARNED, cwd=folder))
    assert shown == "torch is not installed: pip install 'burako-selfplay[train]'\n"


def test_version_and_help_work(programs: Path, folder: Path) -> None:
    assert worked(call(programs / "burako", "--version", cwd=folder)).startswith("burako-selfplay 0.")
    assert "commands:" in worked(call(programs / "burako", cwd=folder))


@pytest.mark.parametrize(
    ("line", "extra"),
    [
        ("games", "tournament"),
        ("agents", "tournament"),
        ("rules burako-4", "tournament"),
        ("evaluate random random", "tournament"),
        ("throughput --help", "tournament"),
        ("train", "train"),
        ("exploit heuristic", "train"),
        ("play", "play"),
        ("watch record.jsonl", "play"),
    ],
)
def test_a_command_names_its_extra(line: str, extra: str, programs: Path, folder: Path) -> None:
    said = refused(call(programs / "burako", *line.split(), cwd=folder))
    assert said.endswith(f"is not installed: pip install 'burako-selfplay[{extra}]'\n")


@pytest.mark.parametrize(
    ("line", "extras"),
    [
        ("experiments.studies.ablation configs/ablation/default.yaml --out runs", {"train"}),
        ("experiments.studies.curriculum --out runs", {"train"}),
        ("experiments.discards.fit runs", {"tournament"}),
        ("experiments.examples.maskable_ppo", {"sb3", "train"}),
        ("experiments.cli games", {"tournament"}),
        ("experiments.studies.sanctions", {"play"}),
    ],
)
def test_a_study_names_its_extra(line: str, extras: set[str], programs: Path, folder: Path) -> None:
    said = refused(call(programs / "python", "-m", *line.split(), cwd=folder))
    assert said.partition("burako-selfplay[")[2].partition("]")[0] in extras


def test_presets_come_with_it(programs: Path, folder: Path) -> None:
    code = "import experiments; from pathlib import Path; print(Path(experiments.__file__).parent / 'configs')"
    shipped = Path(worked(call(programs / "python", "-c", code, cwd=folder)).strip())
    ours = {path.relative_to(ROOT / "configs") for path in (ROOT / "configs").rglob("*.yaml")}
    assert {path.relative_to(shipped) for path in shipped.rglob("*.yaml")} == ours


def test_texts_come_with_it(programs: Path, folder: Path) -> None:
    code = "import experiments; print(experiments.__file__)"
    shipped = Path(worked(call(programs / "python", "-c", code, cwd=folder)).strip()).parent
    texts = [path.relative_to(ROOT / "experiments") for path in (ROOT / "experiments").rglob("texts.yaml")]
    assert len(texts) >= 3
    for path in texts:
        assert (shipped / path).read_bytes() == (ROOT / "experiments" / path).read_bytes()


@pytest.mark.parametrize("package", ["agents", "experiments", "burako_env"])
def test_another_project_with_the_same_package_is_named(package: str, programs: Path, folder: Path) -> None:
    """Last, for it overwrites a file: pip installs both projects' files into one folder without a word."""
    code = f"import {package}; print({package}.__file__)"
    ours = Path(worked(call(programs / "python", "-c", code, cwd=folder)).strip())
    kept = ours.read_bytes()
    pip = (programs / "python", "-m", "pip", "--quiet", "--disable-pip-version-check")
    other = f"other-{package.replace('_', '-')}"
    wheel = write_wheel(folder, other, f"{package}/__init__.py", "from nowhere import Agent")
    worked(call(*pip, "install", "--no-index", "--no-deps", wheel, cwd=folder))
    try:
        said = refused(call(programs / "burako", "games", cwd=folder))
        assert f"package '{package}' is {ours} of {other}, not burako-selfplay's" in said
    finally:
        worked(call(*pip, "uninstall", "--yes", other, cwd=folder))
    said = refused(call(programs / "burako", "games", cwd=folder))
    assert f"package '{package}' of burako-selfplay is not there" in said
    ours.write_bytes(kept)


def write_wheel(folder: Path, project: str, file: str, text: str) -> Path:
    """A wheel of one file."""
    name = f"{project.replace('-', '_')}-1.0"
    path = folder / f"{name}-py3-none-any.whl"
    files = {
        file: text,
        f"{name}.dist-info/METADATA": f"Metadata-Version: 2.1\nName: {project}\nVersion: 1.0\n",
        f"{name}.dist-info/WHEEL": "Wheel-Version: 1.0\nRoot-Is-Purelib: true\nTag: py3-none-any\n",
    }
    files[f"{name}.dist-info/RECORD"] = "".join(f"{where},,\n" for where in [*files, f"{name}.dist-info/RECORD"])
    with zipfile.ZipFile(path, "w") as archive:
        for where, content in files.items():
            archive.writestr(where, content)
    return path
