"""`burako check`: run case files and play records again. `check.py` does it; this is its command line."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import tyro
from pydantic import Field

from burako_env.errors import UserError
from experiments.commands.check import check
from experiments.runs.settings import Settings


class CheckSettings(Settings):
    """Run every case, play every record again. Exit code 0: all hold; 1: one does not; 2: a file cannot be read."""

    files: Annotated[
        tuple[Path, ...],
        tyro.conf.Positional,
        tyro.conf.arg(metavar="FILE"),
        Field(description="case files (YAML) or folders of them, record files (*.jsonl)"),
    ]


def run(settings: CheckSettings, line: str) -> int:
    """Exit code of the check."""
    if not settings.files:
        raise UserError("burako check: name one or more case files")
    return check(list(settings.files))
