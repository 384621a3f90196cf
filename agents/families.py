"""What agents have of their own for each family of games, in one table, with something plainer for every other game."""

from __future__ import annotations

import importlib
from dataclasses import dataclass
from typing import Any, Final

from burako_env.families import family_of, game_names, make
from burako_env.layout import View


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


def imported(place: str) -> Any:
    """What stands at "module:name" in this package."""
    module, _, name = place.partition(":")
    return getattr(importlib.import_module(module), name)


def game_of(view: View) -> str:
    """The game that a View is of, for an agent that nobody bound: the first whose layout it has."""
    names = (name for name in game_names() if make(name).layout.digest() == view.layout.digest())
    found = next(names, None)
    if found is None:
        raise ValueError("a View of none of the games as they are by default: bind the agent to its game first")
    return found
