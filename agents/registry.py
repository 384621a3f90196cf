"""Agents by spec, as on every command line:

    name                    one of `names()`
    path.safetensors        a file, by its ending
    package.module:Class    a class of one's own; the current directory is searched too

each with options after a colon: `heuristic:discard=highest,pile=never`, `my_bots:MyBot:patience=3`. Where an option is
an agent itself, its own options stand in brackets: `search:policy=heuristic(discard=highest,pile=never),redraws=8`.
"""

from __future__ import annotations

import importlib
import inspect
import os
import sys
import types
import typing
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any, Final, Literal, Union, get_args, get_origin

from pydantic import Field

from agents.base import Agent
from agents.lawful import Lawful
from burako_env.burako.rules import PRESETS
from burako_env.checked import check, shown
from burako_env.errors import UserError, unknown
from burako_env.registry import burako_rules
from burako_env.ruibal.rules import PRESETS as LEVELS

# What every number has to be, whatever an agent declares.
_NUMBERS: Final[dict[type, Any]] = {int: Field(ge=-(2**63), lt=2**63), float: Field(allow_inf_nan=False)}
_TRUTH: Final = {"true": True, "yes": True, "1": True, "false": False, "no": False, "0": False}


def _random() -> type[Agent]:
    from agents.random import RandomAgent

    return RandomAgent


def _heuristic() -> type[Agent]:
    from agents.heuristic import HeuristicAgent

    return HeuristicAgent


def _clumsy() -> type[Agent]:
    from agents.clumsy import ClumsyAgent

    return ClumsyAgent


def _cunning() -> type[Agent]:
    from agents.cunning import CunningAgent

    return CunningAgent


def _heuristic_v0() -> type[Agent]:
    from agents.heuristic_v0 import FirstHeuristic

    return FirstHeuristic


def _search() -> type[Agent]:
    from agents.search import SearchAgent

    return SearchAgent


def _greedy() -> type[Agent]:
    from agents.ruibal import GreedyAgent

    return GreedyAgent


def _clone() -> type[Agent]:
    from agents.learned.shipped import CloneBot

    return CloneBot


def _dmc() -> type[Agent]:
    from agents.learned.shipped import DmcBot

    return DmcBot


def _ppo() -> type[Agent]:
    from agents.learned.shipped import PpoBot

    return PpoBot


def _learned(path: Path, options: Mapping[str, str]) -> Agent:
    from agents.learned import LearnedAgent

    return _build(LearnedAgent, str(path), options, path)


# Classes are imported when they are asked for: listing the agents loads none of them.
_AGENTS: Final[dict[str, Callable[[], type[Agent]]]] = {
    "random": _random,
    "heuristic": _heuristic,
    "heuristic-v0": _heuristic_v0,
    "clumsy": _clumsy,
    "cunning": _cunning,
    "search": _search,
    "clone": _clone,
    "dmc": _dmc,
    "ppo": _ppo,
    "greedy": _greedy,
}
_FILES: Final[dict[str, Callable[[Path, Mapping[str, str]], Agent]]] = {".safetensors": _learned}


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
    cls = _AGENTS[name]()
    summary = (inspect.getdoc(cls) or "").partition("\n")[0]
    options = []
    for key, (kind, default) in _options(cls).items():
        values = _values_text(kind)
        options.append(f"{key}={_text(default)}" + (f" ({values})" if values else ""))
    return AgentInfo(name, summary, tuple(options))


def load(spec: str, game: str | None = None, config: Mapping[str, Any] | None = None) -> Agent:
    """The agent of a spec; bound to `game` (and the rule keys `config`) if one is given. Its `name` is the spec.

    Raises `UserError` for whatever is wrong with the spec, naming the nearest valid choice.
    """
    head, options = split(spec)
    ending = Path(head).suffix
    if ending in _FILES:
        agent = _FILES[ending](Path(head), options)
    elif ":" in head:
        agent = _build(_import_class(head), head, options)
    elif head in _AGENTS:
        agent = _build(_AGENTS[head](), head, options)
    else:
        raise unknown("agent", head, _AGENTS)
    agent.name = spec
    if game is None:
        return agent
    if game in PRESETS and burako_rules(game, config).sanctions and not agent.knows_sanctions:
        agent = Lawful(agent)
    agent.bind(game, config)
    return agent


def split(spec: str) -> tuple[str, dict[str, str]]:
    """Head and options of a spec, `head:key=value,key=value` or `head(key=value,key=value)`.

    The options are what follows the last colon outside brackets, if there is an `=` in it.
    """
    head, tail = _bracketed(spec) or _after_colon(spec)
    if "=" not in tail:
        return spec, {}
    options: dict[str, str] = {}
    for part in _outside_brackets(tail, ",", spec):
        key, equals, value = part.partition("=")
        if not equals or not key:
            raise UserError(f"'{part}' in '{spec}' is not an option: options are written key=value,key=value")
        if key in options:
            raise UserError(f"option '{key}' is given twice in '{spec}'")
        options[key] = value
    return head, options


def _bracketed(spec: str) -> tuple[str, str] | None:
    """`head(tail)` in two; None if the spec is not of that form."""
    head, bracket, tail = spec.partition("(")
    if not bracket or not head or not tail.endswith(")") or "=" in head:
        return None
    return head, tail[:-1]


def _after_colon(spec: str) -> tuple[str, str]:
    *front, tail = _outside_brackets(spec, ":", spec)
    return ":".join(front), tail if front else ""


def _outside_brackets(text: str, mark: str, spec: str) -> list[str]:
    """The parts of a text between the marks that stand in no brackets."""
    parts, depth = [""], 0
    for letter in text:
        depth += (letter == "(") - (letter == ")")
        if letter == mark and not depth:
            parts.append("")
        else:
            parts[-1] += letter
        if depth < 0:
            break
    if depth:
        raise UserError(f"brackets in '{spec}' do not match")
    return parts


def _import_class(head: str) -> type[Agent]:
    """The class of `package.module:Class`."""
    module_name, _, class_name = head.rpartition(":")
    if os.getcwd() not in sys.path:
        sys.path.append(os.getcwd())
    try:
        module = importlib.import_module(module_name)
    except (ImportError, ValueError) as error:
        raise UserError(f"agent '{head}': cannot import '{module_name}' ({error})") from error
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
    """A type without what is declared beside it."""
    return kind.__origin__ if get_origin(kind) is Annotated else kind


def _values_text(kind: Any) -> str:
    """The values of an option in words."""
    kind = _bare(kind)
    if get_origin(kind) is Literal:
        return ", ".join(map(str, get_args(kind)))
    return {bool: "true or false", int: "a whole number", float: "a number"}.get(kind, "")


def _text(value: Any) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)
