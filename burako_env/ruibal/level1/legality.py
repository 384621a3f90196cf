"""Legal actions of level 1: any place that still holds a tile, or sitting out (L1-2)."""

from __future__ import annotations

import numpy as np

from burako_env.kit.fields import Index, gather
from burako_env.kit.rng import U64
from burako_env.ruibal.level1.actions import SIT
from burako_env.ruibal.level1.state import PLACES, PerceptionState
from burako_env.ruibal.tiles import NONE


def legal_words(state: PerceptionState, games: Index) -> U64:
    """Legal actions of live games, uint64 `[1, n]`."""
    places = np.zeros(len(games), dtype=np.uint64)
    for place in range(PLACES):
        places |= (state.spread[place, games] != NONE).astype(np.uint64) << np.uint64(place)
    sits = gather(state.sitting, state.actor[games].astype(np.intp), games) > 0
    return np.where(sits, np.uint64(1 << SIT), places)[None]
