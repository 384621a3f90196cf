"""Level 2, collections on the board, as a `BatchGame`; ties the parts together and holds no rule itself."""

from __future__ import annotations

import numpy as np

from burako_env.ruibal.actions import Kind
from burako_env.ruibal.game import Level
from burako_env.ruibal.level2 import positions, sampling, transitions
from burako_env.ruibal.level2.actions import TABLE
from burako_env.ruibal.level2.legality import legal_words
from burako_env.ruibal.level2.state import PHASES, BoardState
from burako_env.ruibal.level2.view import build_view, view_layout
from burako_env.ruibal.rack_game import RackGame
from burako_env.ruibal.turns import deal_racks
from burako_env.ruibal.zones import held_cells


class BoardGame(RackGame):
    """B games of level 2.

    Observation: `View` of `view_layout(rules)`, int8. Action: an id of `level2.actions.TABLE`, A = 256. Score: crowns.
    """

    _state: BoardState
    level = Level(
        table=TABLE,
        phases=PHASES,
        layout=view_layout,
        fresh=BoardState,
        deal=deal_racks,
        legal=legal_words,
        view=build_view,
        sample=sampling.sample_states,
        state_of=positions.state_of,
        position_of=positions.position_of,
    )
    moves = {Kind.PLACE: transitions.place, Kind.RELEASE: transitions.release}  # noqa: RUF012  read by all games

    def jokers_of(self, action: int, game: int = 0) -> int:
        rack = self._state.racks[self._state.actor[game], game]
        held = int(held_cells(np.atleast_1d(rack))[0])
        return int(self.table.rows["cells"][action]) & ~held
