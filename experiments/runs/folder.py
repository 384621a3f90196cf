"""Run folders: a new one for every run, or the same again to resume; `summary.json` at the end.

config.yaml     the resolved settings; `--config` takes them again
manifest.json   what the results depend on, and the hashes of the agents' files: a run is resumed only if all is the
                same; also the hash of all this, and the versions and the commit that the run was begun with
parts/          rows, see `contest/rows.py`
figures.json    what was worked out from the rows, see `figures.py`
summary.json    results, settings, versions and machine
.lock           held by the command that is at work in the folder
"""

import hashlib
import json
import math
import os
import platform
import shutil
import subprocess
import sys
import time
from collections.abc import Collection, Iterator, Mapping
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError, version
from itertools import chain, count
from pathlib import Path
from typing import Any, Final

from filelock import FileLock, Timeout

from burako_env.errors import UserError
from burako_env.inputs.files import TEMPORARY, read_json, write_json
from experiments.runs.settings import Settings, save_preset

RUNS: Final = Path("runs")
# Folder of a run's recorded hands.
RECORDS: Final = "records"
MANIFEST: Final = "manifest.json"
LOCK: Final = ".lock"
# Key of the manifest for what is recorded, but not compared.
_BEGUN: Final = "begun"
PACKAGES: Final = ("burako-selfplay", "numpy", "scipy", "statsmodels", "choix", "pyarrow", "duckdb", "joblib", "torch")


@dataclass(frozen=True)
class Run:
    """An open run folder; `started` is the clock at its opening."""

    command: str
    settings: Settings
    line: str
    folder: Path
    started: float

    def write_summary(self, results: Mapping[str, Any]) -> Path:
        """Write `summary.json` (NaN and infinity as null) and return its path."""
        path = self.folder / "summary.json"
        whole = {
            "command": self.line,
            "kind": self.command,
            "config": self.settings.saved(),
            "seed": getattr(self.settings, "seed", None),
            **results,
            "versions": versions(),
            "commit": commit(),
            "machine": machine(),
            "wall_seconds": round(time.monotonic() - self.started, 3),
        }
        write_json(path, _plain(whole))
        return path


@contextmanager
def open_run(command: str, settings: Settings, line: str, identity: Mapping[str, Any]) -> Iterator[Run]:
    """Create the run folder, or open it again with `--resume`; a used folder is refused otherwise.

    The folder is locked until the block ends. `identity` is what the results depend on beyond the settings, such as the
    rules in full.
    """
    manifest = {"command": command, **settings.identity(), **identity}
    out: Path | None = getattr(settings, "out", None)
    resume = bool(getattr(settings, "resume", False))
    folder = out if out is not None else _default_folder(command, manifest, resume, settings.grows)
    with ExitStack() as stack:
        try:
            _refuse_used(folder, resume)  # before anything is written there
            fresh = not folder.exists()
            folder.mkdir(parents=True, exist_ok=True)
            stack.enter_context(locked(folder))
            _refuse_used(folder, resume)
            for leftover in folder.rglob(f"*{TEMPORARY}*"):
                leftover.unlink()
            _write_manifest(folder, manifest, settings.grows)
            save_preset(command, settings, folder / "config.yaml")
        except OSError as error:
            raise UserError(f"cannot use {folder} as a run folder: {error.strerror or error}") from None
        try:
            yield Run(command, settings, line, folder, time.monotonic())
        except UserError:
            if fresh:
                _take_back(folder)
            raise


def _take_back(folder: Path) -> None:
    """Remove a new folder whose run was refused before it had anything to keep."""
    if {path.name for path in folder.iterdir()} <= {"config.yaml", MANIFEST, LOCK}:
        shutil.rmtree(folder)


@contextmanager
def locked(folder: Path) -> Iterator[None]:
    """Hold a folder, so that a second command that would write into it is refused. A killed process holds nothing."""
    lock = FileLock(folder / LOCK)
    try:
        lock.acquire(blocking=False)
    except Timeout:
        raise UserError(
            f"another command is at work in {folder}: wait until it ends, or choose another --out"
        ) from None
    try:
        yield
    finally:
        lock.release()


def is_used(folder: Path) -> bool:
    """Whether a folder holds anything but what a command leaves that was killed before it began."""
    return folder.is_dir() and any(path.name != LOCK and TEMPORARY not in path.name for path in folder.iterdir())


def _refuse_used(folder: Path, resume: bool) -> None:
    if not resume and is_used(folder):
        raise UserError(f"{folder} is not empty: choose another --out, or add --resume to go on with its run")


def config_hash(manifest: Mapping[str, Any]) -> str:
    """SHA-256 of everything that the results depend on."""
    return hashlib.sha256(json.dumps(manifest, sort_keys=True).encode()).hexdigest()


def _default_folder(command: str, manifest: Mapping[str, Any], resume: bool, grows: Collection[str]) -> Path:
    """`runs/COMMAND-sSEED-HASH`, with a number after it from the second time on; to resume, the run begun last."""
    name = f"{command}-s{manifest.get('seed', 0)}-"
    if resume:
        begun = [path for path in RUNS.glob(f"{name}*/{MANIFEST}") if _could_go_on(path, manifest, grows)]
        if begun:
            return max(begun, key=lambda path: path.stat().st_mtime_ns).parent
    base = RUNS / f"{name}{config_hash(manifest)[:8]}"
    names = chain([base], (base.with_name(f"{base.name}-{number}") for number in count(2)))
    return next(folder for folder in names if not folder.exists())


def _could_go_on(path: Path, manifest: Mapping[str, Any], grows: Collection[str]) -> bool:
    try:
        return not _difference(read_json(path), manifest, grows)
    except UserError:
        return False


def _write_manifest(folder: Path, manifest: Mapping[str, Any], grows: Collection[str]) -> None:
    """Note what the run is; refuse to go on with one that was another."""
    path = folder / MANIFEST
    begun: dict[str, Any] = {"versions": versions(), "commit": commit()}
    if is_used(folder):
        if not path.exists():
            raise UserError(f"{folder} holds no run that could be resumed: choose another --out")
        found = read_json(path, "the run cannot be resumed without it, choose another --out")
        wanted = json.loads(json.dumps(manifest))
        if difference := _difference(found, wanted, grows):
            raise UserError(f"cannot resume {folder}: {difference}")
        before = found.get(_BEGUN)
        if not isinstance(before, dict) or any(before.get(key) != value for key, value in begun.items()):
            print(
                f"note: {folder} was begun with another commit or other versions (manifest.json): its rows may differ "
                "from those played now",
                file=sys.stderr,
            )
        if all(found.get(key) == value for key, value in wanted.items()):
            return
        begun = before if isinstance(before, dict) else {}
    write_json(path, {**manifest, _BEGUN: {**begun, "config_hash": config_hash(manifest)}})


def _difference(
    found: Mapping[str, Any], wanted: Mapping[str, Any], grows: Collection[str] = (), place: str = ""
) -> str:
    """The first entry that a run cannot go on with, in words; of what is in `grows` it may be given more."""
    for key, value in wanted.items():
        there = found.get(key)
        if there is None and key == "rules_digest":
            continue  # the run was begun before the rules of its game had a digest
        if isinstance(there, Mapping) and isinstance(value, Mapping):
            if inner := _difference(there, value, place=f"{place}{key} "):
                return inner
        elif key in grows and isinstance(there, int):
            if there > value:
                return f"its {key} are {there} already, and can become more, but not {value}"
        elif there != value:
            return f"its {place}{key} is {json.dumps(there)}, not {json.dumps(value)}"
    return ""


def _plain(data: Any) -> Any:
    """JSON has neither NaN nor infinity: an interval that cannot be had is null."""
    if isinstance(data, float):
        return round(data, 6) if math.isfinite(data) else None
    if isinstance(data, Mapping):
        return {key: _plain(value) for key, value in data.items()}
    if isinstance(data, list | tuple):
        return [_plain(value) for value in data]
    return data


def versions() -> dict[str, str]:
    """Versions of Python and of the packages that results could depend on."""
    found = {"python": platform.python_version()}
    for name in PACKAGES:
        with suppress(PackageNotFoundError):
            found[name] = version(name)
    return found


def commit() -> str | None:
    """The checkout's commit, `-dirty` if files differ from it; None for an installed package."""
    root = Path(__file__).resolve().parents[2]
    if not (root / ".git").exists():
        return None
    call = ["git", "-C", str(root), "describe", "--always", "--dirty", "--abbrev=40", "--exclude=*"]
    try:
        return subprocess.run(call, capture_output=True, text=True, check=True, timeout=10).stdout.strip() or None
    except (OSError, subprocess.SubprocessError):
        return None


def machine() -> dict[str, Any]:
    """What the run ran on."""
    model = platform.processor() or platform.machine()
    with suppress(OSError, StopIteration):  # not Linux
        rows = Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines()
        model = next(row for row in rows if row.startswith("model name")).partition(":")[2].strip()
    return {"system": platform.system(), "processor": model, "cores": os.cpu_count()}
