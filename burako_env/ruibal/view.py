"""The part of the View that both levels with racks have. Seats are counted from the observer to the left."""

from burako_env.kit.fields import Index, gather
from burako_env.layout import I8, Field, View
from burako_env.ruibal.game import turn_fields
from burako_env.ruibal.rules import RuibalRules
from burako_env.ruibal.state import RackState, Seats
from burako_env.ruibal.tiles import FORFEITS, TYPE_COUNT
from burako_env.ruibal.zones import Zones, counts_of, size_of


def rack_fields(rules: RuibalRules, phases: tuple[str, ...]) -> tuple[Field, ...]:
    """The fields of `fill_racks`, phase, actor and crowns."""
    return (
        Field("rack", (TYPE_COUNT,), "own tiles by type: L1 to L5, C1 .. O5, JK, ROBA, TOMA, OTRO"),
        Field("stolen", (TYPE_COUNT,), "RINFO-1: those of them that were stolen from the right-hand neighbour"),
        Field(
            "lost", (TYPE_COUNT,), "RINFO-1: tiles stolen from the observer that the left-hand neighbour still holds"
        ),
        Field("rack_sizes", (rules.players,), "tiles in each rack"),
        Field("crowns", (rules.players,), "crowns of each player, at most 127"),
        Field("used", (len(FORFEITS),), "forfeits used: ROBA UNA, TOMA DOS, OTRO TURNO"),
        *turn_fields(phases),
        Field("pool_size", (), "tiles left in the pool"),
        Field("turns_left", (), "L2-9: turns of the seat to act, the present one counted"),
        Field("passes", (), "L2-10: passes in a row"),
    )


def fill_racks(view: View, state: RackState, games: Index, seats: Seats) -> None:
    """Racks, pool and turn as each seat sees them."""
    players = state.rules.players
    view.rack[:] = counts_of(gather(state.racks, seats, games))
    view.stolen[:] = _counts(gather(state.lost, (seats - 1) % players, games))
    view.lost[:] = _counts(gather(state.lost, seats, games))
    for offset in range(players):
        view.rack_sizes[:, offset] = size_of(gather(state.racks, (seats + offset) % players, games))
    view.used[:] = counts_of(state.used[games])[:, FORFEITS[0] :]
    view.pool_size[:] = state.pool_size[games]
    view.turns_left[:] = state.turns_left[games]
    view.passes[:] = state.passes[games]


def _counts(zone: Zones) -> I8 | int:
    """`counts_of`, quickly where nothing was stolen."""
    return counts_of(zone) if zone.any() else 0
