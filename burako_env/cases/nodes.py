"""YAML with places: nodes that know their file and line, and give checked values.

Every getter raises `ReadingError` naming file, line, what was expected and what stands there.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final

import yaml

from burako_env.errors import ReadingError, UserError, unknown
from burako_env.inputs import yaml_text

__all__ = ["Node", "ReadingError", "nodes_of_text", "read_nodes"]

_TAG: Final = "tag:yaml.org,2002:"
_SHOWN: Final = 40


class Node:
    """A place in a YAML file and what stands there. `what` in the getters is its name in error messages."""

    __slots__ = ("path", "raw")

    def __init__(self, path: Path, raw: yaml.Node) -> None:
        self.path = path
        self.raw = raw

    @property
    def line(self) -> int:
        """Line of the file, from 1."""
        return int(self.raw.start_mark.line) + 1

    def error(self, text: str) -> ReadingError:
        """A reading error at this place."""
        return ReadingError(self.path, self.line, text)

    @contextmanager
    def placed(self) -> Iterator[None]:
        """Gives a `UserError` raised inside this place, unless it names one already."""
        try:
            yield
        except ReadingError:
            raise
        except UserError as error:
            raise self.error(str(error)) from None

    def _expected(self, what: str, form: str) -> ReadingError:
        """The error for a value of a wrong kind, with the beginning of what was found."""
        if isinstance(self.raw, yaml.ScalarNode):
            found = repr(self.raw.value[:_SHOWN])
        else:
            found = "a mapping" if isinstance(self.raw, yaml.MappingNode) else "a list"
        return self.error(f"{what} is {form}, not {found}")

    def _is(self, tag: str) -> bool:
        return isinstance(self.raw, yaml.ScalarNode) and self.raw.tag == _TAG + tag

    @property
    def is_null(self) -> bool:
        """Whether nothing stands here."""
        return self._is("null")

    @property
    def is_list(self) -> bool:
        """Whether a list stands here."""
        return isinstance(self.raw, yaml.SequenceNode)

    def plain(self) -> Any:
        """The value as plain Python data, lists as tuples (for configurations, which are checked elsewhere)."""
        return yaml_text.plain(self.raw)

    def fields(self, what: str, allowed: Collection[str], required: Collection[str] = ()) -> dict[str, Node]:
        """A mapping with known keys."""
        if not isinstance(self.raw, yaml.MappingNode):
            raise self._expected(what, "a mapping of keys and values")
        found: dict[str, Node] = {}
        for key_node, value in self.raw.value:
            place = Node(self.path, key_node)
            key = place.text(f"a key of {what}")
            if key not in allowed:
                raise place.error(str(unknown(f"{what} key", key, allowed)))
            found[key] = Node(self.path, value)
        missing = [key for key in required if key not in found]
        if missing:
            raise self.error(f"{what} needs {' and '.join(missing)}")
        return found

    def pairs(self, what: str) -> list[tuple[Node, Node]]:
        """A mapping whose keys are not known beforehand, in its order."""
        if not isinstance(self.raw, yaml.MappingNode):
            raise self._expected(what, "a mapping of keys and values")
        return [(Node(self.path, key), Node(self.path, value)) for key, value in self.raw.value]

    def items(self, what: str, count: int | None = None, each: str = "") -> list[Node]:
        """A list; with `count` of exactly so many entries, one for each `each`."""
        if not isinstance(self.raw, yaml.SequenceNode):
            raise self._expected(what, "a list")
        nodes = [Node(self.path, item) for item in self.raw.value]
        if count is not None and len(nodes) != count:
            raise self.error(f"{what} has {len(nodes)} entries, expected {count}: one for each {each}")
        return nodes

    def text(self, what: str) -> str:
        """A text."""
        if not self._is("str"):
            raise self._expected(what, "a text")
        return str(self.raw.value)

    def words(self, what: str) -> list[str]:
        """Words, in one text or as a list of texts."""
        texts = [item.text(f"each of {what}") for item in self.items(what)] if self.is_list else [self.text(what)]
        return [word for text in texts for word in text.split()]

    def word(self, what: str, choices: Collection[str]) -> str:
        """One of some words."""
        word = self.text(what)
        if word not in choices:
            raise self.error(str(unknown(what, word, choices)))
        return word

    def integer(self, what: str, low: int, high: int) -> int:
        """A whole number from `low` to `high`."""
        form = f"a whole number from {low} to {high}"
        if not self._is("int"):
            raise self._expected(what, form)
        number = int(self.plain())
        if not low <= number <= high:
            raise self._expected(what, form)
        return number

    def flag(self, what: str) -> bool:
        """A YAML boolean, or `yes` or `no` in quotes."""
        if self._is("bool"):
            return bool(self.plain())
        if self._is("str") and self.raw.value in ("yes", "no"):
            return bool(self.raw.value == "yes")
        raise self._expected(what, "yes or no")

    def text_or_flag(self, what: str) -> str:
        """A text; the YAML booleans, which is how YAML reads a bare yes or no, are these words."""
        if self._is("bool"):
            return "yes" if self.plain() else "no"
        return self.text(what)


def read_nodes(path: Path) -> Node | None:
    """The root node of a YAML file, None for an empty one."""
    return nodes_of_text(yaml_text.read_text(path), path)


def nodes_of_text(text: str, path: Path) -> Node | None:
    """The root node of YAML text; `path` is what errors call it."""
    root = yaml_text.compose(text, path)
    return None if root is None else Node(path, root)
