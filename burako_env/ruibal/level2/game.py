"""Level 2, collections on the board, as a `BatchGame`; ties the parts together and holds no rule itself."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from burako_env.layout import View, ViewLayout
from burako_env.rng import U64
from burako_env.ruibal.actions import Kind
from burako_env.ruibal.game import RuibalGame
from burako_env.ruibal.level2 import positions, sampling, transitions
from burako_env.ruibal.level2.actions import TABLE
from burako_env.ruibal.level2.legality import legal_words
from burako_env.ruibal.level2.state import PHASES, BoardState
from burako_env.ruibal.level2.view import build_view, view_layout
from burako_env.ruibal.position import BoardPosition
from burako_env.ruibal.rules import RuibalRules
from burako_env.ruibal.turns import deal_racks
from burako_env.ruibal.zones import Index, held_cells


class BoardGame(RuibalGame):
    """B games of level 2.

    Observation: `View` of `view_layout(rules)`, int8. Action: an id of `level2.actions.TABLE`, A = 256. Score: crowns.
    """

    table = TABLE
    phases = PHASES
    _state: BoardState

    @staticmethod
    def _layout(rules: RuibalRules) -> ViewLayout:
        return view_layout(rules)

    @staticmethod
    def _fresh(rules: RuibalRules, size: int) -> BoardState:
        return BoardState(rules, size)

    def _deal(self, games: Index, deal_ids: npt.NDArray[np.int64], turned: npt.NDArray[np.int64]) -> None:
        deal_racks(self._state, self.root_seed, games, deal_ids, turned)

    def _legal(self, games: Index) -> U64:
        return legal_words(self._state, games)

    def _play(self, games: Index, actions: npt.NDArray[np.int64]) -> None:
        for kind, at, rows in self._by_kind(games, actions):
            if kind == Kind.PLACE:
                transitions.place(self._state, at, rows["cells"])
            elif kind == Kind.RELEASE:
                transitions.release(self._state, at, np.uint32(1) << rows["tile"].astype(np.uint32))
            else:
                transitions.PLAIN[kind](self._state, at)

    def _view(self, games: Index, seats: npt.NDArray[np.intp]) -> View:
        return build_view(self._state, games, seats)

    def _sample(self, view: View, k: int, keys: U64) -> BoardState:
        return sampling.sample_states(self.rules, view, k, keys)

    @staticmethod
    def _state_of(given: Sequence[BoardPosition]) -> BoardState:
        return positions.state_of(given)

    def position(self, game: int = 0) -> BoardPosition:
        return positions.position_of(self._state, game)

    def jokers_of(self, action: int, game: int = 0) -> int:
        rack = self._state.racks[self._state.actor[game], game]
        held = int(held_cells(np.atleast_1d(rack))[0])
        return int(self.table.rows["cells"][action]) & ~held
