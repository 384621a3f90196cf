"""What a spec says: the text that names an agent on a command line, in a preset, or as an option of another agent.

    team     spec+spec
    spec     head, head:options or head(options)
    head     a name of the registry, the path of a file, or package.module:Class
    options  key=value,key=value

Paths may hold any of these marks. A path is one piece if it stands in quotes ('runs/c++,2/best.safetensors'; a quote in
it is doubled), or if there is a file of that name; of several the longest counts. Other values with marks in them are
quoted in the same way. An option that is an agent has its own options in brackets.
"""

import inspect
import os.path
import re
import types
import typing
from collections.abc import Mapping
from dataclasses import dataclass
from itertools import accumulate
from typing import Annotated, Any, Final, Literal, Union, get_args, get_origin

from pydantic import Field

from agents.base import Agent
from burako_env.errors import UserError, short, unknown
from burako_env.inputs.checked import check, shown

# The type of an option that is the spec of an agent.
AgentName = Annotated[str, "the spec of an agent"]

# What a file's name ends with if it is an agent.
ENDINGS: Final = (".safetensors",)

_LONGEST: Final = 4096
MOST_NESTED: Final = 8
_QUOTED: Final = re.compile(r"'(?:[^']|'')*'|\"(?:[^\"]|\"\")*\"", re.DOTALL)
_ENDED: Final = re.compile("|".join(map(re.escape, ENDINGS)))
_SIGNED: Final = re.compile(r"=$|[0-9.][eE]$")


@dataclass(frozen=True)
class Spec:
    """A spec taken apart: the head, what it is, and the options with their values as texts."""

    head: str
    kind: Literal["name", "file", "class"]
    options: dict[str, str]


def parse(text: str) -> Spec:
    """The parts of a spec; `UserError` if it is none."""
    pieces = _pieces(text)
    _depths(pieces, text)
    head, rest = pieces[:1], pieces[1:]
    if not (head and _is_whole(head[0])):
        size = next((at for at, piece in enumerate(pieces) if piece in ":("), len(pieces))
        head, rest = pieces[:size], pieces[size:]
        named = next((at for at, piece in enumerate(rest[1:], 1) if piece in ":("), len(rest))
        if rest[:1] == [":"] and "=" not in rest[:named]:
            head, rest = head + rest[:named], rest[named:]
    name, kind = _head("".join(head), text)
    match rest:
        case []:
            return Spec(name, kind, {})
        case [":", *options] | ["(", *options, ")"]:
            return Spec(name, kind, _options(options, text))
    raise UserError(f"{_shown(text)} goes on after '{short(name)}' with neither options nor a partner{_hint(text)}")


def members(team: str) -> tuple[str, ...]:
    """The specs of a team, in order."""
    names = tuple(_split(_pieces(team), "+", team))
    if not all(names):
        raise UserError(f"{_shown(team)} is not a team: partners are written agent+agent{_hint(team)}")
    return names


def quoted(text: str) -> str:
    """A path or value as one piece of a spec."""
    return "'" + text.replace("'", "''") + "'"


def no_such(what: str, text: str) -> str:
    """`what` with a word on quotes, if the spec could be meant as the path of a file."""
    return what + _hint(text)


def _head(head: str, text: str) -> tuple[str, Literal["name", "file", "class"]]:
    """The head of a spec and what it is."""
    if head[:1] in ("'", '"'):
        if not _QUOTED.fullmatch(head):
            raise UserError(f"{_shown(text)} has a quote that is not closed")
        head = _unquoted(head)
        if not head.endswith(ENDINGS):
            raise UserError(
                f"{_shown(head)} is no agent: quotes stand around the path of a file, which ends in "
                f"{' or '.join(ENDINGS)}"
            )
    if not head or head.startswith(":"):
        raise UserError(f"{_shown(text)} names no agent")
    return head, "file" if head.endswith(ENDINGS) else "class" if ":" in head else "name"


def _options(pieces: list[str], text: str) -> dict[str, str]:
    options: dict[str, str] = {}
    if not pieces:
        return options
    for part in _split(pieces, ",", text):
        key, equals, value = part.partition("=")
        if not equals or not key:
            raise UserError(
                f"{_shown(part)} in {_shown(text)} is not an option: options are written key=value,key=value"
                f"{_hint(text)}"
            )
        if key in options:
            raise UserError(f"option {_shown(key)} is given twice in {_shown(text)}")
        if _has_options(value, text):
            raise UserError(
                f"{_shown(value)} in {_shown(text)} is an agent with options: these stand in brackets, "
                f"{short(key)}=agent(key=value), and other values with a colon in quotes{_hint(text)}"
            )
        options[key] = _unquoted(value) if _QUOTED.fullmatch(value) else value
    return options


def _split(pieces: list[str], mark: str, text: str) -> list[str]:
    """The parts between the marks that stand outside brackets."""
    parts = [""]
    for at, (piece, depth) in enumerate(zip(pieces, _depths(pieces, text))):
        if piece == mark and not depth and not (mark == "+" and _is_sign(parts[-1], pieces[at + 1 : at + 2])):
            parts.append("")
        else:
            parts[-1] += piece
    return parts


def _is_sign(before: str, after: list[str]) -> bool:
    """Whether a plus belongs to a number, as in tau=1e+3 and tau=+3, and joins no partners."""
    return bool(_SIGNED.search(before)) and "".join(after).isdigit()


def _depths(pieces: list[str], text: str) -> list[int]:
    """In how many brackets each piece stands."""
    depths = list(accumulate((piece == "(") - (piece == ")") for piece in pieces))
    if max(depths, default=0) > MOST_NESTED:
        raise UserError(f"brackets in {_shown(text)} are nested more than {MOST_NESTED} deep")
    if min(depths, default=0) < 0 or depths[-1:] not in ([], [0]):
        raise UserError(f"brackets in {_shown(text)} do not match{_hint(text)}")
    return depths


def _has_options(value: str, text: str) -> bool:
    """Whether there are options after a colon, outside brackets."""
    pieces = _pieces(value)
    bare = (piece for piece, depth in zip(pieces, _depths(pieces, text)) if not depth and not _is_whole(piece))
    return bool(re.search(":.*=", "".join(bare)))


def _pieces(text: str) -> list[str]:
    """A text as single letters, quoted texts and paths of files that are there."""
    if len(text) > _LONGEST:
        raise UserError(f"{_shown(text)} is longer than {_LONGEST} letters, which no name of an agent is")
    try:
        text.encode()
    except UnicodeEncodeError:
        raise UserError(f"{_shown(text)} is no text in UTF-8") from None
    pieces: list[str] = []
    at = 0
    while at < len(text):
        begins = not pieces or pieces[-1] in "=+"
        pieces.append((_whole(text, at) if begins else "") or text[at])
        at += len(pieces[-1])
    return pieces


def _whole(text: str, start: int) -> str:
    """The quoted text or the longest path of a file that begins at a place, nothing if none does."""
    found = _QUOTED.match(text, start)
    if found:
        return found[0]
    ends = [match.end() for match in _ENDED.finditer(text, start)]
    paths = (text[start:end] for end in reversed(ends) if text[end : end + 1] in ("", *":(,)+"))
    return next(filter(os.path.isfile, paths), "")


def _is_whole(piece: str) -> bool:
    return len(piece) > 1


def _unquoted(text: str) -> str:
    return text[1:-1].replace(2 * text[0], text[0])


def _hint(text: str) -> str:
    """For a text that could be meant as a path."""
    meant = any(ending in text for ending in ENDINGS)
    return "; a path stands in quotes if it holds any of : = , + ( ) and there is no file of that name" if meant else ""


def _shown(text: str) -> str:
    """A spec in a sentence."""
    return f"'{short(text)}'"


# Options: the parameters of a constructor that have a default, read from texts and shown in words.

# What every number has to be, whatever an agent declares.
_NUMBERS: Final[dict[type, Any]] = {int: Field(ge=-(2**63), lt=2**63), float: Field(allow_inf_nan=False)}
_TRUTH: Final = {"true": True, "yes": True, "1": True, "false": False, "no": False, "0": False}
_WORDS: Final = {bool: "true or false", int: "a whole number", float: "a number", AgentName: "an agent"}


def options_of(cls: type[Agent]) -> dict[str, tuple[Any, Any]]:
    """Type and default of each option of an agent class."""
    hints = typing.get_type_hints(cls.__init__, include_extras=True)
    return {
        key: (hints.get(key, type(parameter.default)), parameter.default)
        for key, parameter in inspect.signature(cls).parameters.items()
        if parameter.default is not inspect.Parameter.empty
    }


def options_in_words(cls: type[Agent]) -> tuple[str, ...]:
    """The options of an agent class as `key=default (values)`."""
    lines = []
    for key, (kind, default) in options_of(cls).items():
        values = _values(kind)
        shown_default = str(default).lower() if isinstance(default, bool) else str(default)
        lines.append(f"{key}={shown_default}" + (f" ({values})" if values else ""))
    return tuple(lines)


def build(cls: type[Agent], head: str, given: Mapping[str, str], *fixed: Any) -> Agent:
    """An agent with options given as texts; `fixed` are arguments of the constructor that are no options."""
    known = options_of(cls)
    if given and not known:
        raise UserError(f"agent '{head}' has no options, not '{next(iter(given))}' either")
    for key in given:
        if key not in known:
            raise unknown(f"{head} option", key, known)
    return cls(*fixed, **{key: _value(head, key, text, known[key][0]) for key, text in given.items()})


def _value(head: str, key: str, text: str, declared: Any) -> Any:
    """`text` as a value of the type declared, within the bounds that are declared with it."""
    kind = _bare(declared)
    if get_origin(kind) is Literal:
        for value in get_args(kind):
            if text == str(value):
                return value
        raise unknown(key, text, map(str, get_args(kind)))
    if get_origin(kind) in (Union, types.UnionType):
        return _value(head, key, text, next(part for part in get_args(kind) if part is not type(None)))
    if kind is bool and text.lower() in _TRUTH:
        return _TRUTH[text.lower()]
    if kind in _NUMBERS:
        try:
            number = kind(text)
        except ValueError:
            pass
        else:
            bounds = (_NUMBERS[kind], *getattr(declared, "__metadata__", ()))
            return check(Annotated[(kind, *bounds)], number, f"option {key} of agent '{head}'")
    elif kind is not bool:
        return text
    raise UserError(f"option {key} of agent '{head}' takes {_values(kind)}, not {shown(text)}")


def _bare(kind: Any) -> Any:
    """A type without its bounds; that a text is the spec of an agent stays with it."""
    return get_args(kind)[0] if get_origin(kind) is Annotated and kind != AgentName else kind


def _values(kind: Any) -> str:
    """The values of an option in words."""
    kind = _bare(kind)
    return ", ".join(map(str, get_args(kind))) if get_origin(kind) is Literal else _WORDS.get(kind, "")
