"""The files that an agent is made of, with their hashes: weights, or the source of a class of one's own."""

from __future__ import annotations

import hashlib
import importlib.util
import os
import sys
from pathlib import Path

from agents.registry import split


def files_behind(agent: str) -> dict[str, str]:
    """SHA-256 by file, for each file that the spec of an agent names: checkpoint, option value, or module.

    An option value may be the spec of another agent, which is looked into as well.
    """
    name, options = split(agent)
    found = {path: digest for value in options.values() for path, digest in files_behind(value).items()}
    module = name.rpartition(":")[0]
    path = Path(name) if name and Path(name).is_file() else _source(module) if module else None
    if path is not None:
        found[_shown(path)] = hashlib.sha256(path.read_bytes()).hexdigest()
    return found


def _source(module: str) -> Path | None:
    """The file of a module, which an import finds from the current directory too."""
    if os.getcwd() not in sys.path:
        sys.path.append(os.getcwd())
    try:
        spec = importlib.util.find_spec(module)
    except (ImportError, ValueError):
        return None
    return Path(spec.origin) if spec and spec.origin and Path(spec.origin).is_file() else None


def _shown(path: Path) -> str:
    """The path as others would write it: from the current directory, or by its name alone."""
    resolved = path.resolve()
    here = Path.cwd().resolve()
    return str(resolved.relative_to(here)) if resolved.is_relative_to(here) else path.name
