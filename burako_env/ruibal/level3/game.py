"""Level 3, collections on the table, as a `BatchGame`; ties the parts together and holds no rule itself."""

from __future__ import annotations

import numpy as np

from burako_env.ruibal.actions import Kind
from burako_env.ruibal.game import Level
from burako_env.ruibal.level3 import positions, sampling, transitions
from burako_env.ruibal.level3.actions import TABLE
from burako_env.ruibal.level3.kinds import MIN_TILES
from burako_env.ruibal.level3.legality import legal_words
from burako_env.ruibal.level3.making import plan_longer, plan_three
from burako_env.ruibal.level3.state import PHASES, TableState
from burako_env.ruibal.level3.view import build_view, view_layout
from burako_env.ruibal.rack_game import RackGame
from burako_env.ruibal.turns import deal_racks
from burako_env.ruibal.zones import held_cells


class TableGame(RackGame):
    """B games of level 3.

    Observation: `View` of `view_layout(rules)`, int8. Action: an id of `level3.actions.TABLE`, A = 128. Score: crowns.
    """

    _state: TableState
    level = Level(
        table=TABLE,
        phases=PHASES,
        layout=view_layout,
        fresh=TableState,
        deal=deal_racks,
        legal=legal_words,
        view=build_view,
        sample=sampling.sample_states,
        state_of=positions.state_of,
        position_of=positions.position_of,
    )
    moves = {Kind.MAKE: transitions.make, Kind.RELEASE: transitions.release}  # noqa: RUF012  read by all games

    def jokers_of(self, action: int, game: int = 0) -> int:
        state, wanted = self._state, self.table.rows["cells"][[action]]
        held = held_cells(state.racks[state.actor[game], [game]])
        cells, jokers = state.cells[:, [game]], state.jokers[:, [game]]
        if np.bitwise_count(wanted)[0] > MIN_TILES:
            plan = plan_longer(cells, held, wanted)
            return int(plan.tile[0]) if plan.found[0] and plan.joker[0] else 0
        return int(plan_three(cells, jokers, held, wanted).jokers[0])
