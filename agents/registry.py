"""Agents by spec, as on every command line; `spec.py` says how specs are written.

    name                    one of `names()`
    path.safetensors        a file, by its ending
    package.module:Class    a class of one's own; the current directory is searched too

What a user says may name all three; what is read from a file only the first (`load_named`), so that no data runs code.
"""

from __future__ import annotations

import importlib
import inspect
import os
import sys
import types
import typing
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any, Final, Literal, Union, get_args, get_origin

from pydantic import Field

from agents.base import Agent
from agents.burako.sanctions.lawful import Lawful
from agents.spec import MOST_NESTED, AgentName, Spec, no_such, parse
from burako_env.burako.rules import PRESETS, burako_rules
from burako_env.errors import UserError, in_words, unknown
from burako_env.inputs.checked import check, shown
from burako_env.ruibal.rules import PRESETS as LEVELS

# What every number has to be, whatever an agent declares.
_NUMBERS: Final[dict[type, Any]] = {int: Field(ge=-(2**63), lt=2**63), float: Field(allow_inf_nan=False)}
_TRUTH: Final = {"true": True, "yes": True, "1": True, "false": False, "no": False, "0": False}

# Where the classes are: listing the agents imports none of them.
_AGENTS: Final = {
    "random": "agents.random:RandomAgent",
    "heuristic": "agents.burako.heuristic:HeuristicAgent",
    "heuristic-v0": "agents.burako.frozen.heuristic_v0:FirstHeuristic",
    "clumsy": "agents.burako.sanctions.clumsy:ClumsyAgent",
    "cunning": "agents.burako.sanctions.cunning:CunningAgent",
    "search": "agents.search:SearchAgent",
    "clone": "agents.learned.shipped:CloneBot",
    "dmc": "agents.learned.shipped:DmcBot",
    "ppo": "agents.learned.shipped:PpoBot",
    "greedy": "agents.ruibal:GreedyAgent",
}
_NETWORK: Final = "agents.learned:LearnedAgent"


@dataclass(frozen=True)
class AgentInfo:
    """What `burako agents` prints: a line, and the options as `key=default (values)`."""

    name: str
    summary: str
    options: tuple[str, ...]


def names() -> tuple[str, ...]:
    """Names that `load` takes."""
    return tuple(_AGENTS)


def own_heuristic(game: str) -> str:
    """Name of the strongest rule-based agent of a game: what bots are trained and measured against."""
    return "greedy" if game in LEVELS else "heuristic"


def describe(name: str) -> AgentInfo:
    """Summary and options of an agent; `UserError` for an unknown name."""
    if name not in _AGENTS:
        raise unknown("agent", name, _AGENTS)
    cls = _class(_AGENTS[name])
    summary = (inspect.getdoc(cls) or "").partition("\n")[0]
    options = []
    for key, (kind, default) in _options(cls).items():
        values = _values_text(kind)
        options.append(f"{key}={_text(default)}" + (f" ({values})" if values else ""))
    return AgentInfo(name, summary, tuple(options))


def load(spec: str, game: str | None = None, config: Mapping[str, Any] | None = None) -> Agent:
    """The agent of a spec; bound to `game` (and the rule keys `config`) if one is given. Its `name` is the spec.

    Raises `UserError` for whatever is wrong with the spec, naming the nearest valid choice, and for whatever an agent
    raises while it is imported, built and bound.
    """
    found = parse(spec)
    with _told_as_errors_of(spec):
        agent = _made(found, spec)
        agent.name = spec
        if game is None:
            return agent
        if game in PRESETS and burako_rules(game, config).sanctions and not agent.knows_sanctions:
            agent = Lawful(agent)
        agent.bind(game, config)
        return agent


def load_named(spec: str, game: str | None = None, config: Mapping[str, Any] | None = None) -> Agent:
    """The agent that a file names, such as a record or the header of a network: `load` for names of the registry only.

    Raises `UserError` for a class, a path, or an option that could hold either, however deep in options they stand.
    """
    _only_names(spec)
    return load(spec, game, config)


def _only_names(spec: str, depth: int = 0) -> None:
    """Refuse a spec that leads to anything but shipped agents."""
    found = parse(spec)
    if found.kind != "name" or found.head not in _AGENTS or depth > MOST_NESTED:
        what = "agents nested so deep" if depth > MOST_NESTED else f"'{spec}'"
        raise UserError(f"{what} may not be named by a file: files name only agents that come with the project")
    known = _options(_class(_AGENTS[found.head]))
    for key, value in found.options.items():
        kind = known[key][0] if key in known else None
        if kind == AgentName and value:
            _only_names(value, depth + 1)
        elif kind is str:
            raise UserError(f"option {key} of '{found.head}' may not be given by a file")


def _made(found: Spec, spec: str) -> Agent:
    """The agent of a spec that has been taken apart."""
    head = found.head
    if found.kind == "file":
        return _build(_class(_NETWORK), head, found.options, Path(head))
    if found.kind == "class":
        return _build(_import_class(head), head, found.options)
    if head not in _AGENTS:
        raise UserError(no_such(str(unknown("agent", head, _AGENTS)), spec))
    return _build(_class(_AGENTS[head]), head, found.options)


def _class(place: str) -> type[Agent]:
    """A class of this package, by `module:Class`."""
    module, _, name = place.partition(":")
    cls: type[Agent] = getattr(importlib.import_module(module), name)
    return cls


@contextmanager
def _told_as_errors_of(spec: str) -> Iterator[None]:
    """Foreign code may raise anything, `SystemExit` as well: what it raises becomes a `UserError`."""
    try:
        yield
    except (UserError, KeyboardInterrupt):
        raise
    except BaseException as error:
        raise UserError(f"agent '{spec}' does not load: {in_words(error)}") from error


def _import_class(head: str) -> type[Agent]:
    """The class of `package.module:Class`."""
    module_name, _, class_name = head.rpartition(":")
    if os.getcwd() not in sys.path:
        sys.path.append(os.getcwd())
    try:
        module = importlib.import_module(module_name)
    except (ImportError, ValueError) as error:
        raise UserError(f"agent '{head}': cannot import '{module_name}' ({in_words(error)})") from error
    classes = {
        name: value
        for name, value in vars(module).items()
        if isinstance(value, type) and issubclass(value, Agent) and not inspect.isabstract(value)
    }
    if class_name in classes:
        return classes[class_name]
    if hasattr(module, class_name):
        raise UserError(f"agent '{head}': {class_name} is not a subclass of agents.Agent with an act method")
    if not classes:
        raise UserError(f"agent '{head}': module {module_name} defines no agent")
    raise unknown("agent", class_name, classes)


def _build(cls: type[Agent], head: str, given: Mapping[str, str], *fixed: Any) -> Agent:
    """An instance with typed options; `fixed` are arguments that are none."""
    known = _options(cls)
    values = {}
    for key, text in given.items():
        if key not in known:
            if not known:
                raise UserError(f"agent '{head}' has no options, not '{key}' either")
            raise unknown(f"{head} option", key, known)
        values[key] = _value(head, key, text, known[key][0])
    return cls(*fixed, **values)


def _options(cls: type[Agent]) -> dict[str, tuple[Any, Any]]:
    """Options of an agent class: the parameters of its constructor that have a default, with type and default."""
    hints = typing.get_type_hints(cls.__init__, include_extras=True)
    return {
        key: (hints.get(key, type(parameter.default)), parameter.default)
        for key, parameter in inspect.signature(cls).parameters.items()
        if parameter.default is not inspect.Parameter.empty
    }


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
    if kind is bool:
        if text.lower() in _TRUTH:
            return _TRUTH[text.lower()]
    elif kind in _NUMBERS:
        try:
            number = kind(text)
        except ValueError:
            pass
        else:
            bounds = (_NUMBERS[kind], *getattr(declared, "__metadata__", ()))
            return check(Annotated[(kind, *bounds)], number, f"option {key} of agent '{head}'")
    else:
        return text
    raise UserError(f"option {key} of agent '{head}' takes {_values_text(kind)}, not {shown(text)}")


def _bare(kind: Any) -> Any:
    """A type without what is declared beside it, other than that it is the spec of an agent."""
    return get_args(kind)[0] if get_origin(kind) is Annotated and kind != AgentName else kind


def _values_text(kind: Any) -> str:
    """The values of an option in words."""
    kind = _bare(kind)
    if get_origin(kind) is Literal:
        return ", ".join(map(str, get_args(kind)))
    return {bool: "true or false", int: "a whole number", float: "a number", AgentName: "an agent"}.get(kind, "")


def _text(value: Any) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)
