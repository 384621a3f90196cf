"""What agents think of the decisions of a record: their choice, the actions that appeal to them most, what they expect.

Agents are functions of what they see, so nothing of this needs to be recorded: they are asked again. An agent may have
`preferences(view, legal, keys)`, float `[n, A]`, higher is better, and `values(view)`, the points it expects, `[n]`.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np

import agents
from agents import Agent
from burako_env.batch import Bools
from burako_env.chance.rng import U64
from burako_env.errors import UserError, short
from burako_env.layout import View
from experiments.processes.apart import Apart

TOP: Final = 5


@dataclass(frozen=True)
class Opinion:
    """One decision: the agent's choice, its best actions with how much they appeal, what it expects (or None)."""

    agent: str
    choice: int
    top: tuple[tuple[int, float], ...] = ()
    expects: float | None = None


@dataclass(frozen=True)
class Decisions:
    """Decisions of a record, one a row: what the seat saw, its legal actions bool `[n, A]`, its key uint64 `[n]`."""

    view: View
    legal: Bools
    keys: U64


def ask_agent(agent: Agent, decisions: Decisions) -> list[Opinion]:
    """The agent's opinion on each decision."""
    view, legal, keys = decisions.view, decisions.legal, decisions.keys
    choices = np.asarray(agent.act(view, legal.copy(), keys))
    appeal = _method(agent, "preferences")
    value = _method(agent, "values")
    wanted = None if appeal is None else np.where(legal, np.asarray(appeal(view, legal.copy(), keys)), -np.inf)
    expected = None if value is None else value(view)
    found = []
    for row, choice in enumerate(choices.tolist()):
        top: tuple[tuple[int, float], ...] = ()
        if wanted is not None:
            order = np.argsort(-wanted[row], kind="stable")[: min(TOP, int(legal[row].sum()))]
            top = tuple((int(action), float(wanted[row, action])) for action in order)
        found.append(Opinion(agent.name, choice, top, None if expected is None else float(expected[row])))
    return found


def load_own(specs: Sequence[str], game: str, rules: Mapping[str, Any]) -> tuple[dict[str, Agent], list[str]]:
    """The agents that a record names, as far as they may be loaded, and why the others are not.

    A record is data: it gets to import no code and to open no file. Only agents that come with the project are loaded
    for its sake.
    """
    loaded: dict[str, Agent] = {}
    left_out = []
    for spec in dict.fromkeys(specs):
        try:
            loaded[spec] = agents.load_named(spec, game, rules)
        except UserError as error:
            left_out.append(f"'{short(spec)}' is not asked: {error}; --ask loads any agent that you name")
    return loaded, left_out


def _method(agent: Agent, name: str) -> Any:
    """A method of the agent's own; None if it has none, or only the one that every agent has."""
    if isinstance(agent, Apart):
        return getattr(agent, name) if name in agent.own else None
    own = getattr(type(agent), name, None)
    return None if own is None or own is getattr(Agent, name, None) else getattr(agent, name)
