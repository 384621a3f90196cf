"""Between states and positions, one game at a time: what the levels have in common."""

from __future__ import annotations

from typing import Any

import numpy as np

from burako_env.kit.rng import combine
from burako_env.ruibal.position import LevelPosition, RackPosition
from burako_env.ruibal.state import OVER, REASONS, RackState, RuibalState
from burako_env.ruibal.tiles import JOKER, NONE, TILES_OF_TYPE, TYPE_OF_TILE
from burako_env.ruibal.zones import types_of

# The key of chance in a given position, where nothing is dealt.
_KEY: Any = combine(0, 0)[0]


class Tiles:
    """Physical tiles by type, each handed out once."""

    def __init__(self) -> None:
        self.next = [0] * len(TILES_OF_TYPE)

    def one(self, kind: int) -> int:
        """The number of the next tile of a type."""
        tile = TILES_OF_TYPE[kind][self.next[kind]]
        self.next[kind] += 1
        return tile

    def zone(self, kinds: list[int]) -> int:
        """Tiles of these types as a word."""
        return sum(1 << self.one(kind) for kind in kinds)


def laid_tiles(groups: list[dict[int, bool]]) -> list[int]:
    """Types of the tiles in collections or layers."""
    return [JOKER if joker else cell for group in groups for cell, joker in group.items()]


def put_common(state: RuibalState, game: int, position: LevelPosition, phases: tuple[str, ...]) -> None:
    """What every level has."""
    state.actor[game] = position.turn
    state.phase[game] = OVER if position.phase == "over" else phases.index(position.phase)
    state.reason[game] = REASONS.index(position.reason)
    state.crowns[:, game] = position.crowns
    state.luck[: len(position.luck), game] = position.luck
    state.chance_key[game] = _KEY


def put_racks(state: RackState, game: int, position: RackPosition, laid: list[int]) -> None:
    """What the levels with racks have; `laid`: types of the tiles on the board or table."""
    tiles = Tiles()
    lost = position.lost or [[] for _ in position.racks]
    for seat, rack in enumerate(position.racks):
        known = lost[(seat - 1) % len(position.racks)]
        rest = list(rack)
        for kind in known:
            rest.remove(kind)
        zone = tiles.zone(known)
        state.lost[(seat - 1) % len(position.racks), game] = np.uint64(zone)
        state.racks[seat, game] = np.uint64(zone | tiles.zone(rest))
    state.laid[game] = np.uint64(tiles.zone(laid))
    state.used[game] = np.uint64(tiles.zone(position.used))
    pool = [tiles.one(kind) for kind in position.pool]
    state.pool[: len(pool), game] = pool
    state.pool_end[game] = len(pool)
    state.turns_left[game] = position.turns_left
    state.passes[game] = position.passes


def common_of(state: RuibalState, game: int, phases: tuple[str, ...]) -> dict[str, Any]:
    """The fields of `LevelPosition`."""
    phase = int(state.phase[game])
    luck = state.luck[int(state.luck_next[game]) :, game].tolist()
    return {
        "rules": state.rules,
        "turn": int(state.actor[game]),
        "phase": "over" if phase == OVER else phases[phase],
        "crowns": state.crowns[:, game].tolist(),
        "luck": [outcome for outcome in luck if outcome != NONE],
        "reason": REASONS[int(state.reason[game])],
    }


def racks_of(state: RackState, game: int, phases: tuple[str, ...]) -> dict[str, Any]:
    """The fields of `RackPosition`."""
    pool = state.pool[int(state.pool_next[game]) : int(state.pool_end[game]), game]
    return {
        **common_of(state, game, phases),
        "racks": [types_of(int(rack)) for rack in state.racks[:, game]],
        "pool": [int(kind) for kind in TYPE_OF_TILE[pool]],
        "used": types_of(int(state.used[game])),
        "turns_left": int(state.turns_left[game]),
        "passes": int(state.passes[game]),
        "lost": [types_of(int(zone)) for zone in state.lost[:, game]],
    }


def cells_of(filled: int, jokers: int) -> dict[int, bool]:
    """Cells of a word, True where a joker lies."""
    return {cell: bool(jokers >> cell & 1) for cell in range(filled.bit_length()) if filled >> cell & 1}
