"""Level 1, find the match, as a `BatchGame`; ties the parts together and holds no rule itself."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from burako_env.layout import View, ViewLayout
from burako_env.rng import U64
from burako_env.ruibal.game import RuibalGame
from burako_env.ruibal.level1 import positions, sampling, transitions
from burako_env.ruibal.level1.actions import TABLE
from burako_env.ruibal.level1.legality import legal_words
from burako_env.ruibal.level1.state import PHASES, PerceptionState
from burako_env.ruibal.level1.view import build_view, view_layout
from burako_env.ruibal.position import PerceptionPosition
from burako_env.ruibal.rules import RuibalRules
from burako_env.ruibal.zones import Index


class PerceptionGame(RuibalGame):
    """B games of level 1. All seats point at once: in seat order, each unseen by the others before the last.

    Observation: `View` of `view_layout(rules)`, int8. Action: an id of `level1.actions.TABLE`, A = 64. Score: crowns.
    """

    table = TABLE
    phases = PHASES
    _state: PerceptionState

    @staticmethod
    def _layout(rules: RuibalRules) -> ViewLayout:
        return view_layout(rules)

    @staticmethod
    def _fresh(rules: RuibalRules, size: int) -> PerceptionState:
        return PerceptionState(rules, size)

    def _deal(self, games: Index, deal_ids: npt.NDArray[np.int64], turned: npt.NDArray[np.int64]) -> None:
        transitions.deal(self._state, self.root_seed, games, deal_ids, turned)

    def _legal(self, games: Index) -> U64:
        return legal_words(self._state, games)

    def _play(self, games: Index, actions: npt.NDArray[np.int64]) -> None:
        transitions.point(self._state, games, self.table.rows["tile"][actions])

    def _view(self, games: Index, seats: npt.NDArray[np.intp]) -> View:
        return build_view(self._state, games, seats)

    def _sample(self, view: View, k: int, keys: U64) -> PerceptionState:
        return sampling.sample_states(self.rules, view, k, keys)

    @staticmethod
    def _state_of(given: Sequence[PerceptionPosition]) -> PerceptionState:
        return positions.state_of(given)

    def position(self, game: int = 0) -> PerceptionPosition:
        return positions.position_of(self._state, game)

    def jokers_of(self, action: int, game: int = 0) -> int:
        return 0
