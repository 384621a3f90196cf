"""Play for the tests of the children's levels: deals, players driven by keys alone, and the words of a position."""

from __future__ import annotations

from typing import Any, Final

import numpy as np

from burako_env.chance.rng import mix
from burako_env.choice import random_legal
from burako_env.families import make
from burako_env.ruibal import RuibalGame
from burako_env.ruibal.actions import Kind
from burako_env.ruibal.position import BoardPosition, LevelPosition, PerceptionPosition, RackPosition, TablePosition
from burako_env.ruibal.tiles import TYPE_NAMES
from tests.reference.ruibal import BoardReference, PerceptionReference, TableReference

GAMES: Final = tuple((f"ruibal-{level}", players) for level in (1, 2, 3) for players in (2, 3, 4))
Reference = BoardReference | PerceptionReference | TableReference
# How much likelier than others an eager player takes an action.
EAGER: Final = {Kind.PLACE: 8.0, Kind.MAKE: 8.0, Kind.RELEASE: 20.0, Kind.ROBA: 4.0, Kind.DRAW: 2.0, Kind.END: 1.0}


def dealt(name: str, players: int, games: int, *, root_seed: int = 0, first: int = 0, turned: Any = 0) -> RuibalGame:
    """A batch of the deals `first`, `first` + 1, ..."""
    game = make(name, games, root_seed, {"players": players})
    assert isinstance(game, RuibalGame)
    game.reset(np.arange(first, first + games), swap_sides=turned)
    return game


def random_actions(game: RuibalGame) -> np.ndarray:
    """A legal action for each game, uniform, from its key; 0 for a done game."""
    return random_legal(game.legal_packed(), mix(game.keys()))


def eager_actions(game: RuibalGame) -> np.ndarray:
    """As `random_actions`, with the preferences of `EAGER`; at level 1 half of the pointing is at the right place."""
    weights = np.array([EAGER.get(Kind(kind), 1.0) for kind in game.table.rows["kind"]])
    chances = game.legal() * weights
    if game.name == "ruibal-1":
        chances[:, :20] += 20 * game.view().match * (chances[:, :20] > 0)
    sums = chances.cumsum(axis=1)
    drawn = (mix(game.keys()) >> np.uint64(11)).astype(np.float64) / 2**53 * sums[:, -1]
    return np.minimum((sums <= drawn[:, None]).sum(axis=1), game.num_actions - 1)


def mixed_actions(game: RuibalGame) -> np.ndarray:
    """Random play in the deals of even number, eager play in the others."""
    return np.where(game.deal_ids % 2 == 0, random_actions(game), eager_actions(game))


def reference_of(position: LevelPosition) -> Reference:
    """The reference at a deal."""
    if isinstance(position, PerceptionPosition):
        spread = [None if tile is None else TYPE_NAMES[tile] for tile in position.spread]
        return PerceptionReference(position.rules.players, spread, _names(position.calls))
    assert isinstance(position, RackPosition)
    make_reference = BoardReference if isinstance(position, BoardPosition) else TableReference
    return make_reference([_names(rack) for rack in position.racks], _names(position.pool), position.turn)


def facts_of(position: LevelPosition) -> dict[str, Any]:
    """A position of the core in the words of the reference."""
    facts: dict[str, Any] = {
        "turn": position.turn,
        "phase": position.phase,
        "crowns": position.crowns,
        "reason": position.reason,
    }
    if isinstance(position, PerceptionPosition):
        spread = [None if tile is None else TYPE_NAMES[tile] for tile in position.spread]
        return facts | {
            "spread": spread,
            "calls": _names(position.calls),
            "tries": position.tries,
            "sitting": position.sitting,
            "pointed": position.pointed,
        }
    assert isinstance(position, RackPosition)
    facts |= {
        "racks": [sorted(_names(rack)) for rack in position.racks],
        "pool": _names(position.pool),
        "used": sorted(_names(position.used)),
        "turns_left": position.turns_left,
        "passes": position.passes,
        "lost": [sorted(_names(lost)) for lost in position.lost],
    }
    if isinstance(position, BoardPosition):
        return facts | {"board": [_cells(layer) for layer in position.board]}
    assert isinstance(position, TablePosition)
    return facts | {"table": [_cells(cells) for cells in position.table]}


def chance_between(before: LevelPosition, after: LevelPosition, text: str) -> Any:
    """What chance decided in an action: the tile stolen, the fastest seat, None for nothing."""
    if isinstance(before, PerceptionPosition):
        gained = [now - then for now, then in zip(after.crowns, before.crowns, strict=True)]
        return gained.index(1) if 1 in gained else None
    if text != "play ROBA":
        return None
    assert isinstance(before, RackPosition)
    assert isinstance(after, RackPosition)
    victim = (before.turn - 1) % before.rules.players
    left = list(before.racks[victim])
    for tile in after.racks[victim]:
        left.remove(tile)
    (stolen,) = left
    return TYPE_NAMES[stolen]


def _names(kinds: list[int]) -> list[str]:
    return [TYPE_NAMES[kind] for kind in kinds]


def _cells(cells: dict[int, bool]) -> dict[str, bool]:
    return dict(sorted((TYPE_NAMES[cell], joker) for cell, joker in cells.items()))
