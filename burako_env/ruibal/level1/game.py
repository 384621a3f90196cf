"""Level 1, find the match, as a `BatchGame`; ties the parts together and holds no rule itself."""

from __future__ import annotations

from burako_env.batch import Ints
from burako_env.ruibal.game import Level, RuibalGame
from burako_env.ruibal.level1 import positions, sampling, transitions
from burako_env.ruibal.level1.actions import TABLE
from burako_env.ruibal.level1.legality import legal_words
from burako_env.ruibal.level1.state import PHASES, PerceptionState
from burako_env.ruibal.level1.view import build_view, view_layout
from burako_env.ruibal.zones import Index


class PerceptionGame(RuibalGame):
    """B games of level 1. All seats point at once: in seat order, each unseen by the others before the last.

    Observation: `View` of `view_layout(rules)`, int8. Action: an id of `level1.actions.TABLE`, A = 64. Score: crowns.
    """

    _state: PerceptionState
    level = Level(
        table=TABLE,
        phases=PHASES,
        layout=view_layout,
        fresh=PerceptionState,
        deal=transitions.deal,
        legal=legal_words,
        view=build_view,
        sample=sampling.sample_states,
        state_of=positions.state_of,
        position_of=positions.position_of,
    )

    def _act(self, kind: int, games: Index, actions: Ints) -> None:
        transitions.point(self._state, games, self.table.rows["tile"][actions])

    def jokers_of(self, action: int, game: int = 0) -> int:
        return 0
