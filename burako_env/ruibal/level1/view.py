"""The View of level 1. Where others have pointed in a call is in nobody's View; who sits out is in all."""

from __future__ import annotations

from functools import cache

import numpy as np

from burako_env.kit.fields import Index, gather
from burako_env.layout import Field, View, ViewLayout
from burako_env.ruibal.level1.state import PHASES, PLACES, PerceptionState, called
from burako_env.ruibal.rules import RuibalRules
from burako_env.ruibal.state import OVER
from burako_env.ruibal.tiles import NONE
from burako_env.ruibal.turns import Seats
from burako_env.ruibal.view import empty_view, fill_turn_fields, turn_fields


@cache
def view_layout(rules: RuibalRules) -> ViewLayout:
    """The layout for a number of players."""
    return ViewLayout(
        (
            Field("spread", (PLACES,), "tile at each place: 1 + type (L1 1, .. O5 20), 0 none"),
            Field("match", (PLACES,), "1 at the place of the tile that is called"),
            Field("called", (), "tile that is called: 1 + type, 0 none"),
            Field("tries", (), "calls of it already made"),
            Field("calls_left", (), "tiles still to be called, this one counted"),
            Field("sitting", (rules.players,), "1: sits this call out"),
            Field("crowns", (rules.players,), "crowns of each player"),
            *turn_fields(PHASES),
        )
    )


def build_view(state: PerceptionState, games: Index, seats: Seats) -> View:
    """What seats see, int8 `[n, F]`."""
    view = empty_view(view_layout(state.rules), len(games))
    fill_turn_fields(view, state, games, seats)
    spread = state.spread[:, games].T
    tile = called(state, games)
    live = state.phase[games] != OVER
    view.spread[:] = np.where(spread == NONE, 0, spread + 1)
    view.match[:] = (spread == tile[:, None]) & live[:, None]
    view.called[:] = np.where(live, tile + 1, 0)
    view.tries[:] = state.tries[games]
    view.calls_left[:] = state.call_end[games] - state.call_next[games]
    players = state.rules.players
    for offset in range(players):
        view.sitting[:, offset] = gather(state.sitting, (seats + offset) % players, games)
    return view
