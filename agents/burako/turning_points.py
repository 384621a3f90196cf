"""The decisions of the card game that search may be told to look at."""

from typing import Any

import numpy as np

from burako_env.batch import Bools, Ints
from burako_env.burako.turn.actions import Kind


def turning_points(game: Any, where: str, legal: Bools, action: Ints) -> Bools:
    """The decisions, bool `[n]`, that are `discards`, `draws` (stock or pile) or `turns` (both of these).

    `game` is a `BurakoGame`, `action` int64 `[n]` what would be played without a search.
    """
    kinds = game.table.rows["kind"]
    looked_at = np.zeros(len(legal), dtype=np.bool_)
    if where in ("discards", "turns"):
        looked_at |= kinds[action] == Kind.DISCARD
    if where in ("draws", "turns"):
        looked_at |= legal[:, kinds == Kind.DRAW_PILE].any(axis=1)
    return looked_at
