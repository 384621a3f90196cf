"""Where things lie, and where a package of somebody else would."""

from __future__ import annotations

from pathlib import Path
from typing import Final

from burako_env.families import ENTRY_POINTS

TESTS: Final = Path(__file__).parents[1]
ROOT: Final = TESTS.parent
CASES: Final = TESTS / "cases"
GOLDEN: Final = TESTS / "golden"


def installed(folder: Path, name: str, place: str) -> Path:
    """A folder for the path with the metadata of an installed package that brings the family at "module:object"."""
    about = folder / "site" / f"{name}-1.dist-info"
    about.mkdir(parents=True)
    (about / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: 1\n")
    (about / "entry_points.txt").write_text(f"[{ENTRY_POINTS}]\n{name} = {place}\n")
    return about.parent
