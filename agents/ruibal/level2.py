"""Level 2: the placement that gains most crowns for the tiles and jokers it spends.

Crowns of a placement are worked out from the board as L2-5 says, by the same function that the game scores with: it is
public, and a function of the board alone.
"""

from typing import Final

import numpy as np
import numpy.typing as npt

from burako_env.batch import Bools
from burako_env.layout import View
from burako_env.ruibal.actions import Kind
from burako_env.ruibal.level2.game import BoardGame
from burako_env.ruibal.level2.lines import crowns_of
from burako_env.ruibal.tiles import CELL_BITS, CELL_COUNT, JOKER

_KIND: Final = BoardGame.table.rows["kind"]
_CELLS: Final = BoardGame.table.rows["cells"]
# A placement spends tiles that could each have gained a crown of its own later: the fewer tiles a crown, the better.
_TILE: Final = 0.7
_JOKER: Final = 0.6
# A release comes before everything: a crown, a joker, and a placement all the same.
_WORTH: Final = {Kind.RELEASE: 5.0, Kind.TOMA: 0.35, Kind.ROBA: 0.3, Kind.OTRO: 3.0, Kind.PASS: -2.0}
_PLAIN: Final = np.array([_WORTH.get(Kind(kind), 0.0) for kind in _KIND], dtype=np.float32)


def scores(view: View, legal: Bools) -> npt.NDArray[np.float32]:
    """What each action is worth, float32 `[n, A]`."""
    worth = np.broadcast_to(_PLAIN, legal.shape).copy()
    rows, actions = (legal & (_KIND == Kind.PLACE)).nonzero()
    if not rows.size:
        return worth
    cells = _CELLS[actions]
    layers = [((view.board[:, layer].reshape(-1, CELL_COUNT) > 0) @ CELL_BITS).astype(np.uint32) for layer in (0, 1)]
    crowns = np.maximum(*(crowns_of(layer[rows], cells) for layer in layers))
    held = ((view.rack[:, :CELL_COUNT] > 0) @ CELL_BITS).astype(np.uint32)
    jokers = np.bitwise_count(cells & ~held[rows])
    tiles = np.bitwise_count(cells)
    # Once nothing is left to draw, tiles that stay in the rack are worth nothing.
    thrift = np.where(view.pool_size[rows] > 0, 1.0, -0.2)
    worth[rows, actions] = 1 + crowns - thrift * (_TILE * tiles + _JOKER * jokers)
    # The last tiles go out for a crown more.
    out = (view.pool_size[rows] == 0) & (view.rack_sizes[rows, 0] == tiles) & (view.rack[rows, JOKER] == jokers)
    worth[rows, actions] += out
    return worth
