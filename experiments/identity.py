"""The files that an agent is made of, with their hashes: weights, or the source of a class of one's own."""

from __future__ import annotations

import hashlib
import importlib.util
import os
import sys
from pathlib import Path


def files_behind(agent: str) -> dict[str, str]:
    """SHA-256 by file, for each file that the spec of an agent names: checkpoint, option value, or module."""
    head, _, tail = agent.rpartition(":")
    options = [part.partition("=")[2] for part in tail.split(",")] if "=" in tail else []
    name = head if options else agent
    found = [Path(text) for text in (name, *options) if text and Path(text).is_file()]
    module = name.rpartition(":")[0]
    if module and not Path(name).is_file():
        source = _source(module)
        found += [source] if source else []
    return {_shown(path): hashlib.sha256(path.read_bytes()).hexdigest() for path in found}


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
