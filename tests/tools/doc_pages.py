"""What the pages of the documentation are made of: blocks, commands, inline code, links, headings."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Final

from tests.tools.places import ROOT

# What a block may be. `text` is for drawings and output: it holds nothing to run.
LANGUAGES: Final = ("sh", "python", "yaml", "bibtex", "text")
_FENCE: Final = re.compile(r"^```(.*)$")
_LINK: Final = re.compile(r"!?\[[^\]]*\]\(([^)\s]+)\)")
_SPAN: Final = re.compile(r"`([^`]+)`")


@dataclass(frozen=True)
class Block:
    """A fenced block: its language, the rest of the opening line (a file name), text, and line of the page."""

    language: str
    name: str
    text: str
    line: int

    def commands(self) -> Iterator[tuple[int, str]]:
        """The commands of a shell block, each with its line of the page; a backslash joins lines."""
        command, begin = "", 0
        for number, row in enumerate(self.text.splitlines(), start=self.line + 1):
            begin = begin if command else number
            command += row.strip()
            if command.endswith("\\"):
                command = command[:-1]
                continue
            if command and not command.startswith("#"):
                yield begin, command
            command = ""
        if command:
            yield begin, command


class Page:
    """A page of Markdown."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.name = path.relative_to(ROOT).as_posix() if path.is_relative_to(ROOT) else path.name
        self.text = path.read_text(encoding="utf-8")

    @cached_property
    def _parts(self) -> tuple[list[Block], str]:
        """The blocks, and the page without them."""
        blocks: list[Block] = []
        prose: list[str] = []
        inside: list[str] | None = None
        language, name, begin = "", "", 0
        for number, row in enumerate(self.text.splitlines(), start=1):
            fence = _FENCE.match(row.strip())
            if fence and inside is None:
                language, _, name = fence[1].strip().partition(" ")
                inside, begin = [], number
            elif fence and inside is not None:
                blocks.append(Block(language, name.strip(), "\n".join(inside) + "\n", begin))
                inside = None
            elif inside is not None:
                inside.append(row)
            else:
                prose.append(row)
        assert inside is None, f"{self.name}, line {begin}: the block has no end"
        return blocks, "\n".join(prose)

    @property
    def blocks(self) -> list[Block]:
        return self._parts[0]

    @cached_property
    def spans(self) -> list[str]:
        """Inline code, wrapped lines joined. A span does not reach over an empty line."""
        return [" ".join(span.split()) for part in self._parts[1].split("\n\n") for span in _SPAN.findall(part)]

    @cached_property
    def links(self) -> list[str]:
        """Targets of links and pictures."""
        return _LINK.findall(_SPAN.sub("", self._parts[1]))

    @cached_property
    def anchors(self) -> set[str]:
        """What a link may name after `#`: headings in lower case, hyphens for spaces, without punctuation."""
        heads = [row.lstrip("#") for row in self._parts[1].splitlines() if row.startswith("#")]
        return {re.sub(r"[^\w\- ]", "", head.strip().lower()).replace(" ", "-") for head in heads}


def pages() -> list[Page]:
    """The front page, the documentation, the page of the notebooks and the cards of the bots."""
    beside = [path for name in ("docs", "notebooks", "agents/bots") for path in sorted((ROOT / name).glob("*.md"))]
    return [Page(path) for path in (ROOT / "README.md", *beside)]
