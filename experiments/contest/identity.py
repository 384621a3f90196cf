"""The files that an agent is made of, with their hashes: weights, or the source of a user's own class."""

import hashlib
import importlib.util
import os
import sys
from importlib.machinery import PathFinder
from pathlib import Path

from agents.spec import parse
from burako_env.errors import UserError


def files_behind(agent: str) -> dict[str, str]:
    """SHA-256 by file, for each file that the spec of an agent names: checkpoint, option value, or module.

    An option value may be the spec of another agent, which is looked into as well.
    """
    if os.path.isfile(agent):
        return _hash_of(Path(agent))
    try:
        spec = parse(agent)
    except UserError:
        return {}  # the value of an option that only looks like a spec
    found = {path: digest for value in spec.options.values() for path, digest in files_behind(value).items()}
    path = _source(spec.head.rpartition(":")[0]) if spec.kind == "class" else Path(spec.head)
    if path is not None and os.path.isfile(path):
        found |= _hash_of(path)
    return found


def _hash_of(path: Path) -> dict[str, str]:
    return {_shown(path): hashlib.sha256(path.read_bytes()).hexdigest()}


def _source(module: str) -> Path | None:
    """The file of a module, which an import finds from the current directory too. Nothing is imported, as the user's
    own package could do anything then.
    """
    if os.getcwd() not in sys.path:
        sys.path.append(os.getcwd())
    first, *rest = module.split(".")
    try:
        spec = importlib.util.find_spec(first)
        for part in rest:
            spec = spec and PathFinder.find_spec(part, spec.submodule_search_locations or ())
    except (ImportError, ValueError):
        return None
    return Path(spec.origin) if spec and spec.origin and Path(spec.origin).is_file() else None


def _shown(path: Path) -> str:
    """The path as others would write it: from the current directory, or by its name alone."""
    resolved = path.resolve()
    here = Path.cwd().resolve()
    return str(resolved.relative_to(here)) if resolved.is_relative_to(here) else path.name
