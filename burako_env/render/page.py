"""HTML pages with drawings in them: the parts that the drawings of all families share."""

import json
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache
from html import escape
from pathlib import Path
from typing import Any, Final

from burako_env.render.modes import faces_of

_FOLDER: Final = Path(__file__).parent


@dataclass(frozen=True)
class Player:
    """What a seat is called, and what stands below it in small print."""

    name: str
    note: str = ""


def page(
    family: str, title: str, body: str, language: str = "en", *, styles: Iterable[str] = (), scripts: Iterable[str] = ()
) -> str:
    """An HTML page that needs nothing else, with the style and the faces of a family of games; `styles` and `scripts`
    are texts to put in as well.
    """
    style = "\n".join((style_sheet(family), *styles))
    script = "".join(f"<script>\n{text}\n</script>\n" for text in scripts)
    return (
        f'<!doctype html>\n<html lang="{language}">\n<head>\n<meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<title>{escape(title)}</title>\n<style>\n{style}\n</style>\n</head>\n<body>\n{faces_of(family).sprite()}\n"
        f"{body}\n{script}</body>\n</html>\n"
    )


@cache
def style_sheet(family: str) -> str:
    """The CSS of a family's drawings: the inks of its faces, the table's style, the files in the family's folder."""
    faces = faces_of(family)
    inks = " ".join(f"--{name}: {colour};" for name, colour in faces.INKS.items())
    files = (_FOLDER / "table.css", *sorted(Path(faces.__file__).parent.glob("*.css")))
    return f":root {{ {inks} }}\n" + "\n".join(file.read_text(encoding="utf-8") for file in files)


@cache
def table_script() -> str:
    """The script that pages share whose table changes (`table.js`)."""
    return (_FOLDER / "table.js").read_text(encoding="utf-8")


def script_json(value: Any) -> str:
    """A value as JSON that may stand in a script of a page."""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":")).replace("</", "<\\/")


@cache
def face_svg(name: str) -> str:
    """A card or tile by the name of its symbol."""
    return f'<svg class="c" viewBox="0 0 100 140" aria-hidden="true"><use href="#c-{name}"/></svg>'
