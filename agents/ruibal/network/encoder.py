"""From a View of a children's level to features: flags and small counts, one block a character (`features.py`).

What a small network would otherwise have to find out first: which tiles the board or table takes, what lies next to
what in the rack, what nobody has shown yet.
"""

import hashlib
from collections.abc import Sequence
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from agents.learned.encoder import SIZES, STOCK, U8, Encoder, slices_of
from agents.ruibal.network import features
from burako_env.layout import I8, View
from burako_env.ruibal import LEVELS
from burako_env.ruibal.level2.game import LAYERS
from burako_env.ruibal.level2.lines import column_cells, crowns_of
from burako_env.ruibal.level3.kinds import KINDS, LONGER, MIN_TILES, THREES
from burako_env.ruibal.rules import RuibalRules
from burako_env.ruibal.tiles import CELL_BITS, CELL_COUNT, CHARACTER_COUNT, COPIES, FORFEITS, JOKER, NUMBER_COUNT

_ALL_NUMBERS: Final = (1 << NUMBER_COUNT) - 1
_FORFEIT_NAMES: Final = ("roba", "toma", "otro")


def _flags(sets: Sequence[int]) -> npt.NDArray[np.float32]:
    """Sets of cells as rows of flags, `[k, 20]`."""
    return np.array([[cells >> cell & 1 for cell in range(CELL_COUNT)] for cells in sets], dtype=np.float32)


def _grown_by(kind: int) -> int:
    """The cells that a collection of a kind takes."""
    return sum(1 << cell for cell in range(CELL_COUNT) if not kind >> cell & 1 and kind | 1 << cell in LONGER)


def _given_by(kind: int) -> int:
    """The cells that a collection of a kind can give while one of three stays (L3-4), if no joker is in the way."""
    stay = [three for three in THREES if three != kind and three & ~kind == 0]
    return sum(1 << cell for cell in range(CELL_COUNT) if kind >> cell & 1 and any(not s >> cell & 1 for s in stay))


_GROWN: Final = _flags([_grown_by(kind) for kind in KINDS])
_GIVEN: Final = _flags([_given_by(kind) for kind in KINDS])
_CELLS: Final = _flags(KINDS)
_THREES: Final = _flags(THREES)
_RUNS: Final = np.array(
    [
        [number for number, kind in enumerate(KINDS) if kind & ~column_cells(character, _ALL_NUMBERS) == 0]
        for character in range(CHARACTER_COUNT)
    ]
)
_SETS: Final = np.setdiff1d(np.arange(len(KINDS)), _RUNS)


class RuibalEncoder(Encoder):
    """See the module. `encode` gives uint8 `[n, D]`, D = 82, 462 and 483 for the three levels."""

    blocks = CHARACTER_COUNT

    def __init__(self, rules: RuibalRules) -> None:
        self.game, self.players = rules.game, rules.players
        self.layout = LEVELS[self.game](rules, 1).layout
        self.block_features, self.rest_features = features.BLOCK_FEATURES[self.game], features.REST_FEATURES[self.game]
        self.block_at, self.rest_at = slices_of(self.block_features), slices_of(self.rest_features)
        self.block = sum(feature.width for feature in self.block_features)
        self.rest = sum(feature.width for feature in self.rest_features)

    def digest(self) -> str:
        text = ";".join(f"{f.name}{f.width}" for f in (*self.block_features, *self.rest_features))
        steps = f"{SIZES}{STOCK}{features.LEAD}{features.TURNS_LEFT}{features.PASSES}{features.TRIES}"
        return f"{self.game}-{hashlib.sha256(f'{text};{steps}'.encode()).hexdigest()[:16]}"

    def encode(self, buffer: I8) -> U8:
        out = np.zeros((len(buffer), self.width), dtype=np.uint8)
        if len(buffer):
            encoding = _Encoding(self, View(buffer, self.layout), out)
            lies = LEVELS[self.game].lies
            {"spread": encoding.spread, "board": encoding.board, "collections": encoding.collections}[lies]()
        return out


class _Encoding:
    """One call of `encode`: `blocks` uint8 `[n, 4, block]` and `rest` uint8 `[n, rest]` are parts of its output."""

    def __init__(self, encoder: RuibalEncoder, view: View, out: U8) -> None:
        self.encoder, self.view, self.n = encoder, view, len(view)
        split = CHARACTER_COUNT * encoder.block
        self.blocks = out[:, :split].reshape(self.n, CHARACTER_COUNT, encoder.block)
        self.rest = out[:, split:]

    # The levels.

    def spread(self) -> None:
        view = self.view
        called = np.flatnonzero(view.called > 0)
        character, number = np.divmod(view.called[called].astype(np.int64) - 1, NUMBER_COUNT)
        self.blocks[called, character, self.encoder.block_at["drawn"].start + number] = 1
        self._part("match")[...] = view.match
        self._steps("stock", view.calls_left, STOCK)
        self._steps("tries", view.tries, features.TRIES)
        self._part("sitting")[:, : self.encoder.players] = view.sitting
        self._lead()

    def board(self) -> None:
        board = self.view.board
        filled = ((board.reshape(self.n, LAYERS, CELL_COUNT) > 0) @ CELL_BITS).astype(np.uint32)
        cells = np.repeat(CELL_BITS, self.n)
        # [20 * n] a layer: what each cell would gain by itself.
        gains = [crowns_of(np.tile(filled[:, layer], CELL_COUNT), cells) for layer in range(LAYERS)]
        gain = np.maximum(*gains).reshape(CELL_COUNT, self.n).T.reshape(self.n, CHARACTER_COUNT, NUMBER_COUNT)
        have = self._rack(gain > 0, (board == 1).sum(axis=1))
        self._put("takes two", gain > 1)
        flags = np.stack([board[:, 0] > 0, board[:, 0] > 1, board[:, 1] > 0, board[:, 1] > 1], axis=2)
        self._put("board", flags.reshape(self.n, CHARACTER_COUNT, -1))
        near, _, trio = _in_a_row(have.transpose(0, 2, 1))
        self._across(near.transpose(0, 2, 1), trio.transpose(0, 2, 1))
        self._turn()

    def collections(self) -> None:
        view = self.view
        there = (view.kinds > 0).astype(np.float32)
        grown, given = there @ _GROWN, there @ _GIVEN
        kinds = view.kinds.astype(np.float32)
        naturals = (kinds @ _CELLS).astype(np.int8) - view.jokers
        have = self._rack(self._by_character(grown > 0), self._by_character(naturals))
        self._put("gives", self._by_character(given > 0))
        self._put("runs", view.kinds[:, _RUNS])
        self._put("jokers on table", self._by_character(view.jokers))
        in_number = have.sum(axis=1, dtype=np.uint8)[:, None]
        self._across(have & (in_number > 1), have & (in_number > 2))
        self._turn()
        self._part("sets")[...] = view.kinds[:, _SETS]
        available = (have.reshape(self.n, CELL_COUNT) > 0) | (given > 0)
        own = have.reshape(self.n, CELL_COUNT).astype(np.float32) @ _THREES.T
        self._part("makes")[...] = (available.astype(np.float32) @ _THREES.T >= MIN_TILES) & (own > 0)

    # What levels share.

    def _rack(self, takes: npt.NDArray[Any], laid: npt.NDArray[Any]) -> U8:
        """The own rack: tiles that it holds, uint8 `[n, 4, 5]`.

        `takes`, `laid` `[n, 4, 5]`: which tiles go on the board or table by themselves, naturals that lie there.
        """
        view = self.view
        held, lost, stolen = (self._by_character(part[:, :CELL_COUNT]) for part in (view.rack, view.lost, view.stolen))
        have = (held > 0).view(np.uint8)
        near, gap, trio = _in_a_row(have)
        self._put("hand", have)
        self._put("twice", held > 1)
        for name, there in (("near", near), ("gap", gap), ("trio", trio)):
            self._put(name, there)
        self._put("own takes", takes)
        self._put("lays", takes & (held > 0))
        self._put("unseen", np.maximum(COPIES[0] - held - lost - laid, 0))
        self._put("lost", lost)
        self._put("stolen", stolen)
        return have

    def _across(self, near: npt.NDArray[Any], trio: npt.NDArray[Any]) -> None:
        """Tiles of the rack that go together across the characters, `[n, 4, 5]`."""
        self._put("across", near)
        self._put("trio across", trio)

    def _turn(self) -> None:
        """What belongs to no character."""
        view, n = self.view, self.n
        self._steps("jokers", view.rack[:, JOKER], features.JOKERS)
        self._steps("wilds", view.rack[:, JOKER], features.WILDS)
        in_number = (self._by_character(view.rack[:, :CELL_COUNT]) > 0).sum(axis=1, dtype=np.uint8)
        self._part("pairs")[...] = in_number > 1
        self._part("trios")[...] = in_number > 2
        sizes = self._part("sizes").reshape(n, features.SEATS, len(SIZES))
        for column, least in enumerate(SIZES):
            sizes[:, : self.encoder.players, column] = view.rack_sizes >= least
        self._steps("stock", view.pool_size, STOCK)
        for name, kind in zip(_FORFEIT_NAMES, FORFEITS, strict=True):
            self._steps(name, view.rack[:, kind], range(1, COPIES[kind] + 1))
        self._steps("used", view.used.sum(axis=1), range(1, features.MOST_FORFEITS + 1))
        self._part("moving")[:, 0] = view.phase[:, 1]
        self._steps("turns left", view.turns_left, features.TURNS_LEFT)
        self._steps("passes", view.passes, features.PASSES)
        self._lead()

    def _lead(self) -> None:
        """Crowns more than each other seat."""
        crowns = self.view.crowns
        lead = self._part("lead").reshape(self.n, features.SEATS - 1, len(features.LEAD))
        for column, least in enumerate(features.LEAD):
            lead[:, : self.encoder.players - 1, column] = crowns[:, :1] - crowns[:, 1:] >= least

    # Where features go.

    def _by_character(self, cells: npt.NDArray[Any]) -> npt.NDArray[Any]:
        """Cells `[n, 20]` as `[n, 4, 5]`."""
        return cells.reshape(self.n, CHARACTER_COUNT, NUMBER_COUNT)

    def _put(self, name: str, values: npt.NDArray[Any]) -> None:
        """Values `[n, 4, width]` of a block feature."""
        self.blocks[:, :, self.encoder.block_at[name]] = values

    def _part(self, name: str) -> U8:
        """The columns of another feature, a view `[n, width]`."""
        return self.rest[:, self.encoder.rest_at[name]]

    def _steps(self, name: str, values: npt.NDArray[Any], steps: Sequence[int]) -> None:
        """A thermometer of values `[n]`."""
        self._part(name)[...] = values[:, None] >= np.array(steps)


def _in_a_row(have: U8) -> tuple[U8, U8, U8]:
    """Of flags uint8 `[n, k, m]` along their last axis: set and with a neighbour, with one two away, one of three in
    a row, uint8 each.
    """
    n, k, m = have.shape
    row = np.zeros((n, k, m + 4), dtype=np.uint8)
    row[:, :, 2:-2] = have
    below2, below, above, above2 = (row[:, :, shift : shift + m] for shift in (0, 1, 3, 4))
    trio = (below & below2) | (above & above2) | (below & above)
    return have & (below | above), have & (below2 | above2), have & trio
