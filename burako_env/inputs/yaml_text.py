"""The one reader of YAML: presets, case files, rule changes. It knows plain data only and guesses nothing.

A key stands once in a mapping, and keys are words or numbers. Whole numbers are decimal: what YAML 1.1 reads as octal,
hexadecimal, in sixties or with underscores (`010`, `0x10`, `1:30`, `1_000`) is refused, because it is seldom meant.
`1e-3` is a number and a date is a text, as in YAML 1.2. Tags, aliases and deep nesting are refused: no file of ours
needs them, and they can be made to fill the memory. Everything wrong is a `ReadingError` with file and line.
"""

import re
import stat
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final

import yaml

from burako_env.errors import ReadingError

MAX_BYTES: Final = 4 << 20
MAX_DEPTH: Final = 30
_TAG: Final = "tag:yaml.org,2002:"
_ODD: Final = "odd number"
_WHOLE: Final = "(?:0|[1-9][0-9]*)"
# What a plain scalar is, the first that fits; otherwise a text.
_SCALARS: Final = tuple(
    (tag, re.compile(pattern))
    for tag, pattern in (
        (_TAG + "null", "~|null|Null|NULL|"),
        (_TAG + "bool", "yes|Yes|YES|no|No|NO|true|True|TRUE|false|False|FALSE|on|On|ON|off|Off|OFF"),
        # Longer ones are floats: no setting is so large, and Python refuses to convert thousands of digits.
        (_TAG + "int", "[-+]?(?:0|[1-9][0-9]{0,29})"),
        (_TAG + "float", rf"[-+]?(?:\.[0-9]+|{_WHOLE}(?:\.[0-9]*)?)(?:[eE][-+]?[0-9]+)?|[-+]?\.(?:inf|Inf|INF)"),
        (_TAG + "float", r"\.(?:nan|NaN|NAN)"),
        (_ODD, "[-+]?0(?:[bB][01_]+|[oO][0-7_]+|[xX][0-9a-fA-F_]+)"),
        (_ODD, r"[-+]?[0-9][0-9_]*(?::[0-5]?[0-9])*(?:\.[0-9_]*)?(?:[eE][-+]?[0-9]+)?"),
    )
)
_TRUE: Final = frozenset({"yes", "true", "on"})


def read_text(path: Path) -> str:
    """The text of a file in UTF-8. Refused: folders, devices and pipes, which may never end, and more than 4 MiB."""
    try:
        check_regular(path)
        with path.open("rb") as file:
            data = file.read(MAX_BYTES + 1)
    except ReadingError:
        raise
    except (OSError, ValueError) as error:  # a ValueError is a name that no file can have
        raise ReadingError(path, 1, f"cannot be opened: {getattr(error, 'strerror', None) or error}") from None
    if len(data) > MAX_BYTES:
        raise ReadingError(path, 1, f"is larger than {MAX_BYTES >> 20} MiB")
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = error.object[: error.start].count(b"\n") + 1
        raise ReadingError(path, line, "is not UTF-8 text") from None


def check_regular(path: Path) -> None:
    """Refuse what is there but is no file: a folder, a device, a pipe. Raises `OSError` if nothing is there."""
    mode = path.stat().st_mode
    if not stat.S_ISREG(mode):
        what = "a folder" if stat.S_ISDIR(mode) else "a device or a pipe"
        raise ReadingError(path, 1, f"is {what}, not a file")


def compose(text: str, path: Path) -> yaml.Node | None:
    """The root node of YAML text, None if it is empty; `path` is what errors call it."""
    loader = None
    try:
        loader = _Loader(text)
        node: yaml.Node | None = loader.get_single_node()
        return node
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        raise ReadingError(path, mark.line + 1 if mark else 1, f"not YAML: {error.problem or error.context}") from None
    except yaml.reader.ReaderError as error:
        line = text[: error.position].count("\n") + 1
        raise ReadingError(path, line, f"not YAML: {error.reason}") from None
    except _Refused as error:
        raise ReadingError(path, error.line, str(error)) from None
    finally:
        if loader is not None:
            loader.dispose()


def plain(node: yaml.Node) -> Any:
    """The value of a node as plain data, lists as tuples."""
    if isinstance(node, yaml.SequenceNode):
        return tuple(map(plain, node.value))
    if isinstance(node, yaml.MappingNode):
        return {plain(key): plain(value) for key, value in node.value}
    kind, text = node.tag.removeprefix(_TAG), str(node.value)
    if kind == "null":
        return None
    if kind == "bool":
        return text.lower() in _TRUE
    if kind == "int":
        return int(text)
    if kind == "float":
        return float(text.lower().replace(".inf", "inf").replace(".nan", "nan"))
    return text


def load(text: str, path: Path) -> Any:
    """The value of YAML text, lists as tuples; None if it is empty."""
    node = compose(text, path)
    return None if node is None else plain(node)


def line_of(node: yaml.Node | None, place: Sequence[object]) -> int:
    """Line, from 1, of what stands at a place (keys and numbers in lists), or of the last part of it that is there."""
    line = 1 if node is None else int(node.start_mark.line) + 1
    for part in place:
        if isinstance(node, yaml.MappingNode):
            found = next((pair for pair in node.value if pair[0].value == str(part)), None)
            at, node = found or (None, None)
        elif isinstance(node, yaml.SequenceNode) and isinstance(part, int) and part < len(node.value):
            at = node = node.value[part]
        else:
            break
        if at is None:
            break
        line = int(at.start_mark.line) + 1
    return line


def dump(values: Any) -> str:
    """Plain data as YAML text that `load` takes again."""
    text: str = yaml.dump(values, Dumper=_Dumper, sort_keys=False, allow_unicode=True)
    return text


def dump_value(value: Any) -> str:
    """A value as it stands within a line."""
    # In a list of its own, so that no end of a document follows it.
    text: str = yaml.dump([value], Dumper=_Dumper, allow_unicode=True, default_flow_style=True, width=float("inf"))
    return text.strip()[1:-1]


class _Refused(Exception):
    """YAML that is well formed and refused; `line` from 1."""

    def __init__(self, mark: Any, text: str) -> None:
        super().__init__(text)
        self.line = int(mark.line) + 1


class _Resolver:
    """What a plain scalar is; reader and writer must agree on it."""

    def resolve(self, kind: type[yaml.Node], value: str, implicit: Any) -> str:
        if kind is yaml.ScalarNode:
            if implicit[0]:
                for tag, pattern in _SCALARS:
                    if pattern.fullmatch(value):
                        return tag
            return _TAG + "str"
        return _TAG + ("seq" if kind is yaml.SequenceNode else "map")


class _Loader(_Resolver, yaml.SafeLoader):
    """Composes nodes, with what the module refuses."""

    depth = 0

    def compose_node(self, parent: yaml.Node | None, index: Any) -> yaml.Node | None:
        event = self.peek_event()  # type: ignore[no-untyped-call]
        if isinstance(event, yaml.AliasEvent):
            raise _Refused(event.start_mark, f"the alias *{event.anchor} is not read: write the value out")
        if event.tag is not None:
            raise _Refused(event.start_mark, f"the tag {event.tag.replace(_TAG, '!!')} is not read: leave it out")
        if self.depth == MAX_DEPTH:
            raise _Refused(event.start_mark, f"nested more than {MAX_DEPTH} deep")
        self.depth += 1
        node: yaml.Node | None = super().compose_node(parent, index)
        self.depth -= 1
        if isinstance(node, yaml.ScalarNode) and node.tag == _ODD:
            raise _Refused(
                node.start_mark, f"{node.value[:40]} is no plain decimal number: write one, or quotes around a text"
            )
        if isinstance(node, yaml.MappingNode):
            _check_keys(node)
        return node


def _check_keys(node: yaml.MappingNode) -> None:
    seen: set[str] = set()
    for key, _ in node.value:
        if not isinstance(key, yaml.ScalarNode):
            raise _Refused(key.start_mark, "a key is a word or a number, not a list or a mapping")
        if key.value in seen:
            raise _Refused(key.start_mark, f"the key '{key.value[:40]}' stands twice")
        seen.add(key.value)


class _Dumper(_Resolver, yaml.SafeDumper):
    """Writes scalars so that `_Loader` reads them as what they were."""
