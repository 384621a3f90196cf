"""Level 3, collections on the table, as a `BatchGame`; ties the parts together and holds no rule itself."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from burako_env.layout import View, ViewLayout
from burako_env.rng import U64
from burako_env.ruibal.actions import Kind
from burako_env.ruibal.game import RuibalGame
from burako_env.ruibal.level3 import positions, sampling, transitions
from burako_env.ruibal.level3.actions import TABLE
from burako_env.ruibal.level3.kinds import MIN_TILES
from burako_env.ruibal.level3.legality import legal_words
from burako_env.ruibal.level3.making import plan_longer, plan_three
from burako_env.ruibal.level3.state import PHASES, TableState
from burako_env.ruibal.level3.view import build_view, view_layout
from burako_env.ruibal.position import TablePosition
from burako_env.ruibal.rules import RuibalRules
from burako_env.ruibal.turns import deal_racks
from burako_env.ruibal.zones import Index, held_cells


class TableGame(RuibalGame):
    """B games of level 3.

    Observation: `View` of `view_layout(rules)`, int8. Action: an id of `level3.actions.TABLE`, A = 128. Score: crowns.
    """

    table = TABLE
    phases = PHASES
    _state: TableState

    @staticmethod
    def _layout(rules: RuibalRules) -> ViewLayout:
        return view_layout(rules)

    @staticmethod
    def _fresh(rules: RuibalRules, size: int) -> TableState:
        return TableState(rules, size)

    def _deal(self, games: Index, deal_ids: npt.NDArray[np.int64], turned: npt.NDArray[np.int64]) -> None:
        deal_racks(self._state, self.root_seed, games, deal_ids, turned)

    def _legal(self, games: Index) -> U64:
        return legal_words(self._state, games)

    def _play(self, games: Index, actions: npt.NDArray[np.int64]) -> None:
        for kind, at, rows in self._by_kind(games, actions):
            if kind == Kind.MAKE:
                transitions.make(self._state, at, rows["cells"])
            elif kind == Kind.RELEASE:
                transitions.release(self._state, at, np.uint32(1) << rows["tile"].astype(np.uint32))
            else:
                transitions.PLAIN[kind](self._state, at)

    def _view(self, games: Index, seats: npt.NDArray[np.intp]) -> View:
        return build_view(self._state, games, seats)

    def _sample(self, view: View, k: int, keys: U64) -> TableState:
        return sampling.sample_states(self.rules, view, k, keys)

    @staticmethod
    def _state_of(given: Sequence[TablePosition]) -> TableState:
        return positions.state_of(given)

    def position(self, game: int = 0) -> TablePosition:
        return positions.position_of(self._state, game)

    def jokers_of(self, action: int, game: int = 0) -> int:
        state, wanted = self._state, self.table.rows["cells"][[action]]
        held = held_cells(state.racks[state.actor[game], [game]])
        cells, jokers = state.cells[:, [game]], state.jokers[:, [game]]
        if np.bitwise_count(wanted)[0] > MIN_TILES:
            plan = plan_longer(cells, held, wanted)
            return int(plan.tile[0]) if plan.found[0] and plan.joker[0] else 0
        return int(plan_three(cells, jokers, held, wanted).jokers[0])
