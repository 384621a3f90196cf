"""Between states and positions of level 1."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from burako_env.ruibal.level1.state import PHASES, PerceptionState
from burako_env.ruibal.position import PerceptionPosition
from burako_env.ruibal.position_codec import common_of, put_common
from burako_env.ruibal.tiles import NONE


def state_of(positions: Sequence[PerceptionPosition]) -> PerceptionState:
    """States in given positions of equal rules."""
    state = PerceptionState(positions[0].rules, len(positions))
    for game, position in enumerate(positions):
        put_common(state, game, position, PHASES)
        state.spread[:, game] = [NONE if tile is None else tile for tile in position.spread]
        state.calls[: len(position.calls), game] = position.calls
        state.call_end[game] = len(position.calls)
        state.tries[game] = position.tries
        for seat, place in position.pointed.items():
            state.pointed[seat, game] = place
        for seat in position.sitting:
            state.sitting[seat, game] = 1
    return state


def position_of(state: PerceptionState, game: int) -> PerceptionPosition:
    """One game as plain data."""
    calls = state.calls[int(state.call_next[game]) : int(state.call_end[game]), game]
    pointed = state.pointed[:, game].tolist()
    return PerceptionPosition(
        **common_of(state, game, PHASES),
        spread=[None if tile == NONE else tile for tile in state.spread[:, game].tolist()],
        calls=calls.tolist(),
        tries=int(state.tries[game]),
        pointed={seat: place for seat, place in enumerate(pointed) if place != NONE},
        sitting=np.flatnonzero(state.sitting[:, game]).tolist(),
    )
