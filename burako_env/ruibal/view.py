"""The part of the View that both levels with racks have. Seats are counted from the observer to the left."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from burako_env.kit.fields import gather
from burako_env.layout import I8, MOST, Field, View, ViewLayout
from burako_env.ruibal.rules import RuibalRules
from burako_env.ruibal.state import OVER, RackState, RuibalState
from burako_env.ruibal.tiles import FORFEITS, TYPE_COUNT
from burako_env.ruibal.turns import Seats
from burako_env.ruibal.zones import Index, counts_of, size_of


def rack_view_fields(rules: RuibalRules, phases: tuple[str, ...]) -> tuple[Field, ...]:
    """The fields of `fill_rack_fields`."""
    players = rules.players
    return (
        Field("rack", (TYPE_COUNT,), "own tiles by type: L1 to L5, C1 .. O5, JK, ROBA, TOMA, OTRO"),
        Field("stolen", (TYPE_COUNT,), "RINFO-1: those of them that were stolen from the right-hand neighbour"),
        Field(
            "lost", (TYPE_COUNT,), "RINFO-1: tiles stolen from the observer that the left-hand neighbour still holds"
        ),
        Field("rack_sizes", (players,), "tiles in each rack"),
        Field("crowns", (players,), "crowns of each player, at most 127"),
        Field("used", (len(FORFEITS),), "forfeits used: ROBA UNA, TOMA DOS, OTRO TURNO"),
        *turn_fields(phases),
        Field("pool_size", (), "tiles left in the pool"),
        Field("turns_left", (), "L2-9: turns of the seat to act, the present one counted"),
        Field("passes", (), "L2-10: passes in a row"),
    )


def turn_fields(phases: tuple[str, ...]) -> tuple[Field, ...]:
    """Phase and actor."""
    return (
        Field("phase", (len(phases),), "one-hot: " + ", ".join(phases) + " (over: all 0)"),
        Field("actor", (), "seat to act"),
    )


def by_seat(field: npt.NDArray[np.generic], seats: Seats, games: Index, offset: int) -> npt.NDArray[np.generic]:
    """The row of the seat so many places after each observer, `[n]`."""
    row: npt.NDArray[np.generic] = gather(field, (seats + offset) % len(field), games)
    return row


def fill_turn_fields(view: View, state: RuibalState, games: Index, seats: Seats) -> None:
    """Fill `turn_fields`, and the crowns."""
    phase = state.phase[games]
    for number in range(OVER):
        if number < view.phase.shape[1]:
            view.phase[:, number] = phase == number
    players = state.rules.players
    view.actor[:] = (state.actor[games].astype(np.int64) - seats) % players
    for offset in range(players):
        view.crowns[:, offset] = np.minimum(by_seat(state.crowns, seats, games, offset), MOST)


def fill_rack_fields(view: View, state: RackState, games: Index, seats: Seats) -> None:
    """Fill `rack_view_fields`."""
    fill_turn_fields(view, state, games, seats)
    view.rack[:] = counts_of(gather(state.racks, seats, games))
    view.stolen[:] = _counts(gather(state.lost, (seats - 1) % state.rules.players, games))
    view.lost[:] = _counts(gather(state.lost, seats, games))
    for offset in range(state.rules.players):
        view.rack_sizes[:, offset] = size_of(gather(state.racks, (seats + offset) % state.rules.players, games))
    view.used[:] = counts_of(state.used[games])[:, FORFEITS[0] :]
    view.pool_size[:] = state.pool_size[games]
    view.turns_left[:] = state.turns_left[games]
    view.passes[:] = state.passes[games]


def _counts(zone: npt.NDArray[np.uint64]) -> I8 | int:
    """`counts_of`, quickly where nothing was stolen."""
    return counts_of(zone) if zone.any() else 0


def empty_view(layout: ViewLayout, count: int) -> View:
    """A View of zeros to be filled."""
    return View(np.zeros((count, layout.width), dtype=np.int8), layout)
