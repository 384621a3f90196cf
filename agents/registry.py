"""Agents by spec, as on every command line; `spec.py` says how specs are written.

    name                    one of `names()`
    path.safetensors        a file, by its ending
    package.module:Class    a class of one's own; the current directory is searched too

What a user says may name all three; what is read from a file only the first (`load_named`), so that no data runs code.
"""

import importlib
import inspect
import os
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from pkgutil import resolve_name
from typing import Any, Final

from agents.base import Agent
from agents.spec import MOST_NESTED, AgentName, build, no_such, options_in_words, options_of, parse
from burako_env.errors import UserError, in_words, unknown
from burako_env.families import family_of, game_names, make
from burako_env.layout import View

# Where the classes are: listing the agents imports none of them.
AGENTS: Final = {
    "random": "agents.random:RandomAgent",
    "heuristic": "agents.burako.heuristic:HeuristicAgent",
    "heuristic-v0": "agents.burako.frozen.heuristic_v0:FirstHeuristic",
    "clumsy": "agents.burako.sanctions.breakers:ClumsyAgent",
    "cunning": "agents.burako.sanctions.breakers:CunningAgent",
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
    return tuple(AGENTS)


def own_heuristic(game: str) -> str:
    """Name of the strongest rule-based agent of a game: what bots are trained and measured against."""
    return parts_of(game).heuristic


def describe(name: str) -> AgentInfo:
    """Summary and options of an agent; `UserError` for an unknown name."""
    if name not in AGENTS:
        raise unknown("agent", name, AGENTS)
    cls = resolve_name(AGENTS[name])
    return AgentInfo(name, (inspect.getdoc(cls) or "").partition("\n")[0], options_in_words(cls))


def load(spec: str, game: str | None = None, config: Mapping[str, Any] | None = None) -> Agent:
    """The agent of a spec; bound to `game` (and the rule keys `config`) if one is given. Its `name` is the spec.

    Raises `UserError` for whatever is wrong with the spec, naming the nearest valid choice, and for whatever an agent
    raises while it is imported, built and bound: `SystemExit` as well.
    """
    found = parse(spec)
    try:
        if found.kind == "file":
            agent = build(resolve_name(_NETWORK), found.head, found.options, Path(found.head))
        elif found.kind == "class":
            agent = build(_foreign(found.head), found.head, found.options)
        elif found.head in AGENTS:
            agent = build(resolve_name(AGENTS[found.head]), found.head, found.options)
        else:
            raise UserError(no_such(str(unknown("agent", found.head, AGENTS)), spec))
        agent.name = spec
        if game is not None:
            seated = parts_of(game).seated
            agent = resolve_name(seated)(agent, game, config) if seated else agent
            agent.bind(game, config)
        return agent
    except (UserError, KeyboardInterrupt):
        raise
    except BaseException as error:
        raise UserError(f"agent '{spec}' does not load: {in_words(error)}") from error


def load_named(spec: str, game: str | None = None, config: Mapping[str, Any] | None = None) -> Agent:
    """The agent that a file names, such as a record or the header of a network: `load` for names of the registry only.

    Raises `UserError` for a class, a path, or an option that could hold either, however deep in options they stand.
    """
    _only_names(spec)
    return load(spec, game, config)


def _only_names(spec: str, depth: int = 0) -> None:
    """Refuse a spec that leads to anything but shipped agents."""
    found = parse(spec)
    if found.kind != "name" or found.head not in AGENTS or depth > MOST_NESTED:
        what = "agents nested so deep" if depth > MOST_NESTED else f"'{spec}'"
        raise UserError(f"{what} may not be named by a file: files name only agents that come with the project")
    known = options_of(resolve_name(AGENTS[found.head]))
    for key, value in found.options.items():
        kind = known[key][0] if key in known else None
        if kind == AgentName and value:
            _only_names(value, depth + 1)
        elif kind is str:
            raise UserError(f"option {key} of '{found.head}' may not be given by a file")


def _foreign(head: str) -> type[Agent]:
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


@dataclass(frozen=True)
class Parts:
    """The parts of one family; those that are code are places, "module:name", imported when they are asked for.

    Attributes:
        heuristic: name of the strongest rule-based agent: what bots are trained and measured against.
        encoder: the `Encoder` for some rules. Without one networks read every column of the View.
        seated: `(agent, game, config) -> Agent`, an agent as it plays under rules that it may not know. Without it all
            agents know all rules.
        turning_points: `(game, where, legal, action) -> bool [n]`, the decisions that search calls `where`. Without it
            all decisions are.
    """

    heuristic: str = "random"
    encoder: str = ""
    seated: str = ""
    turning_points: str = ""


_PARTS: Final = {
    "burako": Parts(
        heuristic="heuristic",
        encoder="agents.burako.network.encoder:BurakoEncoder",
        seated="agents.burako.sanctions.lawful:seated",
        turning_points="agents.burako.turning_points:turning_points",
    ),
    "ruibal": Parts(heuristic="greedy", encoder="agents.ruibal.network.encoder:RuibalEncoder"),
}


def parts_of(game: str) -> Parts:
    """The parts of the family that a game belongs to; an unknown game is a `UserError`."""
    return _PARTS.get(family_of(game).name, Parts())


def game_of(view: View) -> str:
    """The game that a View is of, for an agent that nobody bound: the first whose layout it has."""
    names = (name for name in game_names() if make(name).layout.digest() == view.layout.digest())
    found = next(names, None)
    if found is None:
        raise ValueError("a View of none of the games as they are by default: bind the agent to its game first")
    return found
