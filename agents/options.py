"""Options of agents: the parameters of a constructor that have a default, read from texts and shown in words."""

from __future__ import annotations

import inspect
import types
import typing
from collections.abc import Mapping
from typing import Annotated, Any, Final, Literal, Union, get_args, get_origin

from pydantic import Field

from agents.base import Agent
from agents.spec import AgentName
from burako_env.errors import UserError, unknown
from burako_env.inputs.checked import check, shown

# What every number has to be, whatever an agent declares.
_NUMBERS: Final[dict[type, Any]] = {int: Field(ge=-(2**63), lt=2**63), float: Field(allow_inf_nan=False)}
_TRUTH: Final = {"true": True, "yes": True, "1": True, "false": False, "no": False, "0": False}
_WORDS: Final = {bool: "true or false", int: "a whole number", float: "a number", AgentName: "an agent"}


def options(cls: type[Agent]) -> dict[str, tuple[Any, Any]]:
    """Type and default of each option of an agent class."""
    hints = typing.get_type_hints(cls.__init__, include_extras=True)
    return {
        key: (hints.get(key, type(parameter.default)), parameter.default)
        for key, parameter in inspect.signature(cls).parameters.items()
        if parameter.default is not inspect.Parameter.empty
    }


def in_words(cls: type[Agent]) -> tuple[str, ...]:
    """The options of an agent class as `key=default (values)`."""
    lines = []
    for key, (kind, default) in options(cls).items():
        values = _values(kind)
        shown_default = str(default).lower() if isinstance(default, bool) else str(default)
        lines.append(f"{key}={shown_default}" + (f" ({values})" if values else ""))
    return tuple(lines)


def build(cls: type[Agent], head: str, given: Mapping[str, str], *fixed: Any) -> Agent:
    """An agent with options given as texts; `fixed` are arguments of the constructor that are no options."""
    known = options(cls)
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
