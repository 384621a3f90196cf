"""What playing says at every table, in English and Spanish. The texts stand in `texts.yaml` of each folder."""

import re
from pathlib import Path
from typing import Final

from burako_env.inputs.yaml_text import load, read_text
from burako_env.render.texts import TextTable

_FORMS: Final = re.compile(r"\[([^][|]*)\|([^][|]*)\]")


def text_tables(folder: Path) -> dict[str, TextTable]:
    """The tables in `texts.yaml` of a folder by name, read once by the module that gives them theirs."""
    path = folder / "texts.yaml"
    tables: dict[str, TextTable] = load(read_text(path), path)
    return tables


def spoken(text: str, *, own: bool) -> str:
    """A text in the form that speaks of the person at the table, or of somebody else."""
    return _FORMS.sub(r"\2" if own else r"\1", text)


_TABLES: Final = text_tables(Path(__file__).parent)
EVENTS, PAGE = _TABLES["events"], _TABLES["page"]

__all__ = ["EVENTS", "PAGE", "spoken", "text_tables"]
