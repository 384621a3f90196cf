"""The families of games, one record each, and `make`: the only place that knows which games there are.

A new game of a family is a preset of its rules. A new family is a record (here, given to
`register`, or an entry point of a package of its own, see `ENTRY_POINTS`) and a
folder of its name in the layers that have a part for each: drawings, case files, networks, the browser table. A layer
finds the part of a family in one table by the family's name, and has something plainer for those without one.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache
from importlib.metadata import entry_points
from typing import Any, Final, Literal, get_args

from burako_env.batch import BatchGame
from burako_env.burako import rules as burako
from burako_env.burako.sanctions.game import game_class
from burako_env.errors import UserError, unknown
from burako_env.kit import checks
from burako_env.match import MatchGame
from burako_env.ruibal import LEVELS
from burako_env.ruibal import rules as ruibal

# Where an installed package registers a family of its own, so that every process of a command knows it:
# [project.entry-points."burako_env.families"] in its pyproject.toml, with a `Family` as the object.
ENTRY_POINTS: Final = "burako_env.families"

Config = Mapping[str, Any] | None
Episode = Literal["hand", "match"]


@dataclass(frozen=True)
class Family:
    """Games of one kind of rules.

    Attributes:
        name: what its folders are called.
        presets: the rules of each game by the game's name, objects with `players` and `digest()`.
        rules: the rules of a game with some keys changed; a bad key or value is a `UserError`.
        game: a batch of a game by its rules, size, root seed and name.
        unit: what scores count.
        scale: points that count 1 to a critic. forfeit: points by which an agent that fails loses the hand.
        matches: whether hands add up to matches (MATCH-1); the rules then have `target` and `max_hands`.
        seating: rule keys that say who sits at the table and may change from one table to the next.
    """

    name: str
    presets: Mapping[str, Any]
    rules: Callable[[str, Config], Any]
    game: Callable[[Any, int, int, str], BatchGame]
    unit: str
    scale: float
    forfeit: int
    matches: bool = False
    seating: tuple[str, ...] = ()


_FAMILIES: Final[dict[str, Family]] = {}
_USES: Final[list[Callable[[Family], None]]] = []


def register(family: Family) -> None:
    """Make a family's games known to `make` and to everything that is built on it, in this process."""
    taken = {name for known in _FAMILIES.values() for name in known.presets} & set(family.presets)
    if taken or family.name in _FAMILIES:
        raise ValueError(f"there is already a game or family named {min(taken, default=family.name)}")
    _FAMILIES[family.name] = family
    for use in _USES:
        use(family)


def for_every(use: Callable[[Family], None]) -> None:
    """Call `use` with every family, and with each that is registered later."""
    _USES.append(use)
    for family in _FAMILIES.values():
        use(family)


@cache
def _register_installed() -> None:
    """When games are first asked for, not before: a package that brings a family imports this one first."""
    for point in entry_points(group=ENTRY_POINTS):
        register(point.load())


def families() -> tuple[Family, ...]:
    """Every family, in the order in which lists show them."""
    _register_installed()
    return tuple(_FAMILIES.values())


def game_names() -> tuple[str, ...]:
    """Names that `make` takes."""
    return tuple(name for family in families() for name in family.presets)


def family_of(game: str) -> Family:
    """The family that a game belongs to; an unknown game is a `UserError`."""
    for family in families():
        if game in family.presets:
            return family
    raise unknown("game", game, game_names())


def rules_of(game: str, config: Config = None) -> Any:
    """The rules of a game with some keys changed; an unknown game, key or value is a `UserError`."""
    return family_of(game).rules(game, config)


def make(name: str, batch: int = 1, root_seed: int = 0, config: Config = None) -> BatchGame:
    """A batch of a game, not yet dealt (call `reset`).

    `root_seed` is an integer from 0 to 2**128 - 1; `config` holds rule keys that differ from the preset. Raises
    `UserError` for an unknown game, key or value.
    """
    family = family_of(name)
    return family.game(family.rules(name, config), batch, checks.root_seed(root_seed), name)


def make_match(name: str, batch: int = 1, root_seed: int = 0, config: Config = None) -> MatchGame:
    """A batch of matches of a game, not yet dealt: as `make`, with the target and bound of the rules."""
    if not family_of(name).matches:
        raise UserError(f"{name} is not played in matches: each of its games stands alone")
    rules = rules_of(name, config)
    return MatchGame(make(name, batch, root_seed, config), rules.target, rules.max_hands)


def make_episodes(episode: Episode, name: str, batch: int = 1, root_seed: int = 0, config: Config = None) -> BatchGame:
    """A batch of hands or matches of a game, not yet dealt; each is an episode of an environment."""
    if episode not in get_args(Episode):
        raise unknown("episode", str(episode), get_args(Episode))
    return (make_match if episode == "match" else make)(name, batch, root_seed, config)


register(
    Family(
        "burako",
        burako.PRESETS,
        burako.burako_rules,
        lambda rules, batch, root_seed, name: game_class(rules)(rules, batch, root_seed, name=name),
        unit="points",
        scale=500.0,
        forfeit=1000,
        matches=True,
    )
)
register(
    Family(
        "ruibal",
        ruibal.PRESETS,
        ruibal.ruibal_rules,
        lambda rules, batch, root_seed, name: LEVELS[name](rules, batch, root_seed, name=name),
        unit="crowns",
        scale=5.0,
        forfeit=20,
        seating=("players",),
    )
)
