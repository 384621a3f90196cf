"""Level 3: forfeits while they are worth most, then every make it can, those that spend least first; then END."""

from typing import Final

import numpy as np
import numpy.typing as npt

from burako_env.batch import Bools
from burako_env.layout import View
from burako_env.ruibal.actions import Kind
from burako_env.ruibal.level3.game import TableGame
from burako_env.ruibal.level3.kinds import LONGER
from burako_env.ruibal.tiles import CELL_BITS, CELL_COUNT

_KIND: Final = TableGame.table.rows["kind"]
_CELLS: Final = TableGame.table.rows["cells"]
# A tile added to a collection gains as much as three laid anew; a tile of the rack could gain a crown of its own.
_TILE: Final = 0.25
_JOKER: Final = 0.3
_WORTH: Final = {Kind.RELEASE: 2.0, Kind.TOMA: 3.0, Kind.ROBA: 2.5, Kind.OTRO: 4.0, Kind.DRAW: 0.1, Kind.PASS: -2.0}
_PLAIN: Final = np.array([_WORTH.get(Kind(kind), 0.0) for kind in _KIND], dtype=np.float32)
_MAKES: Final = np.flatnonzero(_KIND == Kind.MAKE)
_IS_LONGER: Final = np.isin(_CELLS[_MAKES], LONGER)


def scores(view: View, legal: Bools) -> npt.NDArray[np.float32]:
    """What each action is worth, float32 `[n, A]`."""
    worth = np.broadcast_to(_PLAIN, legal.shape).copy()
    held = ((view.rack[:, :CELL_COUNT] > 0) @ CELL_BITS).astype(np.uint32)
    from_rack = np.bitwise_count(held[:, None] & _CELLS[_MAKES])
    # Of a longer kind one tile comes from the rack; what of a new collection the rack lacks may cost a joker.
    lacking = np.where(_IS_LONGER, 0, np.bitwise_count(_CELLS[_MAKES]) - from_rack)
    spent = np.where(_IS_LONGER, 1, from_rack)
    worth[:, _MAKES] = 2 - _TILE * spent - _JOKER * lacking
    return worth
