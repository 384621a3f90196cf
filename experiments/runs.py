"""Run folders: a new one for every run, or the same again to resume; `summary.json` at the end.

config.yaml     the resolved settings; `--config` takes them again
manifest.json   what the results depend on, and the hashes of the agents' files: a run is resumed only if all is the
                same; also the hash of all this, and the versions and the commit that the run was begun with
parts/          rows, see `parts.py`
summary.json    results, settings, versions and machine
"""

from __future__ import annotations

import hashlib
import json
import math
import os
import platform
import subprocess
import sys
import time
from collections.abc import Mapping
from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any, Final

from burako_env.errors import UserError
from experiments.settings import Settings, save_preset

RUNS: Final = Path("runs")
# Folder of a run's recorded hands.
RECORDS: Final = "records"
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
        head = {
            "command": self.line,
            "kind": self.command,
            "config": self.settings.saved(),
            "seed": getattr(self.settings, "seed", None),
        }
        tail = {
            "versions": versions(),
            "commit": commit(),
            "machine": machine(),
            "wall_seconds": round(time.monotonic() - self.started, 3),
        }
        _write_json(path, {**head, **results, **tail})
        return path


def open_run(command: str, settings: Settings, line: str, identity: Mapping[str, Any]) -> Run:
    """Create the run folder, or open it again with `--resume`; a used folder is refused otherwise.

    `identity` is what the results depend on beyond the settings, such as the rules in full.
    """
    manifest = {"command": command, **settings.identity(), **identity}
    out: Path | None = getattr(settings, "out", None)
    resume = bool(getattr(settings, "resume", False))
    folder = out if out is not None else _default_folder(command, manifest, resume)
    try:
        used = folder.is_dir() and any(path.suffix != ".tmp" for path in folder.iterdir())
        if used and not resume:
            raise UserError(f"{folder} is not empty: choose another --out, or add --resume to go on with its run")
        if used:
            _same_manifest(folder, manifest)
        else:
            folder.mkdir(parents=True, exist_ok=True)
            begun = {"config_hash": config_hash(manifest), "versions": versions(), "commit": commit()}
            _write_json(folder / "manifest.json", {**manifest, _BEGUN: begun})
        save_preset(command, settings, folder / "config.yaml")
    except OSError as error:
        raise UserError(f"cannot use {folder} as a run folder: {error.strerror or error}") from None
    return Run(command, settings, line, folder, time.monotonic())


def config_hash(manifest: Mapping[str, Any]) -> str:
    """SHA-256 of everything that the results depend on."""
    return hashlib.sha256(json.dumps(manifest, sort_keys=True).encode()).hexdigest()


def _default_folder(command: str, manifest: Mapping[str, Any], resume: bool) -> Path:
    """`runs/COMMAND-sSEED-HASH`, with a number after it from the second time on; to resume, the last of these."""
    base = RUNS / f"{command}-s{manifest.get('seed', 0)}-{config_hash(manifest)[:8]}"
    number, folder = 1, base
    while folder.exists():
        number += 1
        last, folder = folder, base.with_name(f"{base.name}-{number}")
    return last if resume and number > 1 else folder


def _same_manifest(folder: Path, manifest: Mapping[str, Any]) -> None:
    """Refuse to resume a run that was another one."""
    try:
        found = json.loads((folder / "manifest.json").read_text(encoding="utf-8"))
    except (OSError, ValueError):
        raise UserError(f"{folder} holds no run that could be resumed") from None
    if not isinstance(found, dict):
        raise UserError(f"{folder} holds no run that could be resumed")
    _same(folder, "", found, json.loads(json.dumps(manifest)))
    begun = found.get(_BEGUN, {})
    if begun.get("versions") != versions() or begun.get("commit") != commit():
        print(
            f"note: {folder} was begun with another commit or other versions (manifest.json): its rows may differ from "
            "those played now",
            file=sys.stderr,
        )


def _same(folder: Path, place: str, found: Mapping[str, Any], wanted: Mapping[str, Any]) -> None:
    """Refuse the first entry that differs, naming it."""
    for key, value in wanted.items():
        there = found.get(key)
        if isinstance(there, Mapping) and isinstance(value, Mapping):
            _same(folder, f"{place}{key} ", there, value)
        elif there != value:
            raise UserError(f"cannot resume {folder}: its {place}{key} is {json.dumps(there)}, not {json.dumps(value)}")


def _write_json(path: Path, data: Any) -> None:
    temporary = path.with_name(path.name + ".tmp")
    try:
        temporary.write_text(json.dumps(_plain(data), indent=2, ensure_ascii=False) + "\n", encoding="utf-8")
        os.replace(temporary, path)
    except OSError as error:
        raise UserError(f"cannot write {path}: {error.strerror or error}") from None


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
        try:
            found[name] = version(name)
        except PackageNotFoundError:
            continue
    return found


def commit() -> str | None:
    """The checkout's commit, `-dirty` if files differ from it; None for an installed package."""
    root = Path(__file__).resolve().parent.parent
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
    try:
        for row in Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines():
            if row.startswith("model name"):
                model = row.partition(":")[2].strip()
                break
    except OSError:
        pass  # not Linux
    return {"system": platform.system(), "processor": model, "cores": os.cpu_count()}
