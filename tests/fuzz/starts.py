"""Where a hand of the fuzz begins: a deal or a made-up position; and the core and the reference put there."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import count
from typing import Any, Final

import numpy as np

from burako_env.burako.game import BurakoGame
from burako_env.burako.position import Position
from burako_env.burako.rules import burako_rules
from burako_env.burako.sanctions.game import game_class
from burako_env.cards import card_name
from burako_env.chance.rng import combine
from burako_env.families import make
from tests.fuzz.recipes import RECIPES
from tests.fuzz.scenarios import made_up
from tests.reference import ReferenceHand

# Deals of case files have this root seed, so that a dealt hand can be written as one.
ROOT_SEED: Final = 0
_AT_ONCE: Final = 16
_MADE_UP: Final = [name for name, recipe in RECIPES.items() for _ in range(recipe.share)]


@dataclass(frozen=True)
class Start:
    """A beginning, whole in its fields.

    Attributes:
        kind: `deal`, `short deal` (left after a few turns, so that deals are frequent), or the name of a recipe.
        seed: the deal id, or the seed of the recipe.
        limit: decisions after which the hand is left.
    """

    kind: str
    seed: int
    limit: int

    @property
    def dealt(self) -> bool:
        """Whether the hand is dealt from `seed`."""
        return self.kind not in RECIPES


def start_of(seed: int, number: int) -> Start:
    """The start of hand `number` of a run, from the run's seed: a quarter of them deals."""
    word = int(combine(seed, number)[0])
    pick, word = word % 20, word // 20
    kind = "deal" if pick < 2 else "short deal" if pick < 5 else _MADE_UP[word % len(_MADE_UP)]
    limit = {"deal": 100_000, "short deal": 12 + word % 30}.get(kind, 20 + word % 80)
    return Start(kind, word % 2**31, limit)


@dataclass(frozen=True)
class Beginning:
    """A start made ready: the core's state, one column for each field, and the same as a position."""

    start: Start
    columns: dict[str, np.ndarray]
    position: Position


def beginnings(name: str, config: Mapping[str, Any], seed: int) -> Iterator[Beginning]:
    """The starts of a run one after the other; made several at a time, which the core does nearly as fast as one."""
    for first in count(0, _AT_ONCE):
        starts = [start_of(seed, number) for number in range(first, first + _AT_ONCE)]
        ready: dict[Start, Beginning] = {}
        for dealt in (True, False):
            some = [start for start in starts if start.dealt == dealt]
            if not some:
                continue
            games = games_at(some, name, config)
            state = games.state_dict()
            for number, start in enumerate(some):
                columns = {field: array[:, number] for field, array in state.items()}
                ready[start] = Beginning(start, columns, games.position(number))
        for start in starts:
            yield ready[start]


def games_at(starts: list[Start], name: str, config: Mapping[str, Any]) -> BurakoGame:
    """A batch of core games at starts that are all dealt or all made up."""
    if starts[0].dealt:
        games = make(name, len(starts), ROOT_SEED, config)
        assert isinstance(games, BurakoGame)
        games.reset([start.seed for start in starts])
        return games
    rules = burako_rules(name, config)
    return game_class(rules).from_positions(
        [made_up(rules, start.kind, start.seed) for start in starts], ROOT_SEED, name
    )


def reference_at(position: Position, config: Mapping[str, Any]) -> ReferenceHand:
    """A reference hand in a core position, which has no group half open."""
    assert position.opening is None
    return ReferenceHand.from_position(position.rules.players, dict(config), reference_position(position))


def reference_position(position: Position) -> dict[str, Any]:
    """A core position in the reference's terms."""

    def names(cards: list[int]) -> list[str]:
        return [card_name(card) for card in cards]

    def groups(teams: list[list[list[int]]]) -> list[list[list[str]]]:
        return [[names(cards) for cards in team] for team in teams]

    def name(card: int | None) -> str | None:
        return None if card is None else card_name(card)

    return {
        "turn": position.turn,
        "phase": position.phase,
        "hands": [names(cards) for cards in position.hands],
        "tables": groups(position.tables),
        "closed": groups(position.closed),
        "pile": names(position.pile),
        "stock": names(position.stock),
        "burakos": groups(position.burakos),
        "burakos_taken_by": position.taken_by,
        "first_draw": position.first_draw,
        "drawn": name(position.drawn),
        "asker": position.asker,
        "asked": position.answer != "none",
        "answer": position.answer if position.answer in ("yes", "no") else None,
        "single": name(position.single),
        "single_laid": position.single_laid,
        "shown": [names(cards) for cards in position.shown],
        "known": [names(cards) for cards in position.known],
        "turns": position.turns,
        "final_turns": position.final_turns,
        "cutter": position.cutter,
        "bottom": name(position.bottom),
        "apart": names(position.apart),
        "offer": name(position.offer),
        "must_pass": position.must_pass,
        "annulled": position.annulled,
    }
