"""sample_states of level 1: the order of the calls to come is redrawn.

All seats point at once, so it does not matter who is asked first: in the new games the observer sits at seat 0 and the
others point after it, also those who have pointed already in the game that the View is of.
"""

from __future__ import annotations

import numpy as np

from burako_env.kit.rng import U64, counter_words
from burako_env.layout import View
from burako_env.ruibal.level1.state import PLACES, PerceptionState
from burako_env.ruibal.rules import RuibalRules
from burako_env.ruibal.sampling import bind_turn, repeated
from burako_env.ruibal.tiles import NONE

_LAST = np.uint64(2**64 - 1)


def sample_states(rules: RuibalRules, view: View, k: int, keys: U64) -> PerceptionState:
    """`k` states for each View, view-major."""
    base = PerceptionState(rules, len(view))
    bind_turn(base, view)
    base.spread[:] = np.where(view.spread == 0, NONE, view.spread - 1).T
    base.tries[:] = view.tries
    base.sitting[:] = view.sitting.T
    base.call_end[:] = view.calls_left
    state, every = repeated(base, k, keys)
    rows = np.repeat(np.arange(len(view)), k)
    spread = state.spread.T
    waiting = (spread != NONE) & (view.match[rows] == 0)
    order = np.argsort(np.where(waiting, counter_words(every, PLACES), _LAST), axis=1)
    state.calls[0] = view.called[rows] - 1
    state.calls[1:] = np.take_along_axis(spread, order, axis=1)[:, : PLACES - 1].T
    return state
