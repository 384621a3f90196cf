"""Why an action of a level is not legal, as a rule id and the key of a sentence.

Legality is the core's: nothing here decides what may be played. A reason is found from what the seat to act knows: its
rack, what lies open, the sizes of pool and racks.
"""

from collections import Counter
from collections.abc import Sequence
from typing import Any, Final, cast

import numpy as np

from burako_env.ruibal import RuibalGame
from burako_env.ruibal.actions import FORFEIT_OF, Kind
from burako_env.ruibal.level2.lines import crowns_of
from burako_env.ruibal.level3.kinds import KINDS, MIN_TILES
from burako_env.ruibal.notation import ActionText
from burako_env.ruibal.position import BoardPosition, PerceptionPosition, RackPosition, TablePosition
from burako_env.ruibal.tiles import CELL_COUNT, JOKER, NONE, NUMBER_COUNT, cell_set, cells_in
from experiments.play.happenings import Reason
from experiments.play.ruibal.options import POOL, Option, options

# The rules that reasons cite, by what lies in the middle.
_RULES: Final = {
    "spread": {"over": "L1-1"},
    "board": {
        "over": "L2-10",
        "joker": "L2-6",
        "held": "L2-2",
        "there": "L2-4",
        "forfeit": "L2-2",
        "turn": "L2-7",
        "release": "L2-7",
    },
    "collections": {
        "over": "L2-10",
        "joker": "L3-4",
        "held": "L3-4",
        "there": "L3-4",
        "forfeit": "L3-3",
        "turn": "L3-3",
        "release": "L3-6",
    },
}


def why_not(game: RuibalGame, action: int) -> Reason:
    """Why the seat to act in game 0 may not do this, given that it may not."""
    kind, tile, cells = game.table.row(action)
    if game.done[0]:
        return Reason(_RULES[game.lies]["over"], "game.over")
    position: Any = game.position(0)
    match kind:
        case Kind.POINT | Kind.SIT:
            return _why_not_point(position, kind, tile)
        case Kind.RELEASE:
            return _why_no_release(game, position, tile)
        case Kind.PLACE:
            return _why_no_placement(game, position, action, cells)
        case Kind.MAKE:
            return _why_no_make(game, position, action, cells)
    return _why_not_plain(game, position, kind)


def why_text(game: RuibalGame, text: ActionText) -> Reason:
    """Why an action's text may not be played: its jokers may not be those that rack and table force."""
    forced = game.jokers_of(text.action)
    for key, jokers in (("joker.held", text.jokers & ~forced), ("not.held", forced & ~text.jokers)):
        if jokers:
            return Reason(_RULES[game.lies]["joker"], key, {"tile": cells_in(jokers)[0]})
    return why_not(game, text.action)


def why_no_option(game: RuibalGame, pieces: Sequence[int], spot: str) -> Reason | None:
    """Why chosen tiles do nothing, or nothing at a spot; None if tiles have to be chosen first."""
    table, position = game.table, game.position(0)
    if isinstance(position, PerceptionPosition):
        place = spot.partition(":")[2]
        if not place.isdigit() or int(place) >= len(position.spread):
            return None
        return why_not(game, int(place))
    position, rules = cast(RackPosition, position), _RULES[game.lies]
    if spot == POOL:
        return why_not(game, table.first(Kind.DRAW))
    if not pieces:
        return None
    rack = Counter(position.racks[position.turn])
    for piece in pieces:
        if Counter(pieces)[piece] > rack[piece]:
            return Reason(rules["held"], "not.held", {"tile": piece})
    found = options(game)
    if any(one.pieces == tuple(sorted(pieces)) for one in found):
        return Reason(rules["there"], "not.there")
    forfeits = [kind for kind, tile in FORFEIT_OF.items() if tile in pieces]
    if forfeits:
        if len(pieces) > 1:
            return Reason(rules["forfeit"], "forfeit.alone")
        return why_not(game, table.first(forfeits[0]))
    if isinstance(position, BoardPosition):
        return _why_no_line(game, position, pieces, spot)
    return _why_no_collection(game, pieces, found)


def _why_not_point(position: PerceptionPosition, kind: Kind, place: int) -> Reason:
    """Level 1."""
    if kind == Kind.SIT:
        return Reason("L1-2", "sit.free")
    if position.turn in position.sitting:
        return Reason("L1-2", "sitting")
    return Reason("L1-2", "place.empty", {"number": place + 1})


def _why_not_plain(game: RuibalGame, position: RackPosition, kind: Kind) -> Reason:
    """Forfeits, draw, pass and end."""
    starting, going_on = game.phases
    if position.phase != starting:
        return Reason(_RULES[game.lies]["turn"], f"{going_on}.only")
    if kind == Kind.END:
        return Reason(_RULES[game.lies]["turn"], f"end.{going_on}")
    if kind == Kind.PASS:
        return Reason("L2-10", "pass.pool")
    if kind == Kind.DRAW:
        return Reason("L2-10", "pool.empty")
    tile = FORFEIT_OF[kind]
    if tile not in position.racks[position.turn]:
        return Reason("L2-9", "not.held", {"tile": tile})
    return Reason("L2-9", "neighbour.empty" if kind == Kind.ROBA else "pool.two")


def _why_no_release(game: RuibalGame, position: RackPosition, tile: int) -> Reason:
    rule = _RULES[game.lies]["release"]
    if position.phase == "released":
        return Reason(rule, "released.twice")
    if tile not in position.racks[position.turn]:
        return Reason(rule, "not.held", {"tile": tile})
    return Reason(rule, "no.joker", {"tile": tile})


def _why_no_placement(game: RuibalGame, position: BoardPosition, action: int, cells: int) -> Reason:
    rack = position.racks[position.turn]
    missing = cells_in(game.jokers_of(action))
    if len(missing) > rack.count(JOKER):
        return Reason("L2-6", "not.held", {"tile": missing[0]})
    if not _fits(position, cells):
        return _why_no_fit(position, cells)
    return Reason("L2-7", "released.joker")


def _why_no_fit(position: BoardPosition, cells: int) -> Reason:
    """Why cells do not fit into a layer."""
    free = [layer for layer in position.board if not any(cell in layer for cell in cells_in(cells))]
    if not free:
        taken = next(cell for layer in position.board for cell in cells_in(cells) if cell in layer)
        return Reason("L2-4", "cell.taken", {"tile": taken})
    return Reason("L2-4" if len(cells_in(cells)) < MIN_TILES else "L2-3", "no.line", {"count": MIN_TILES})


def _fits(position: BoardPosition, cells: int) -> bool:
    """Whether the cells may lie together in a layer (L2-4), whoever holds their tiles."""
    placed = np.array([cells], dtype=np.uint32)
    filled = [np.array([cell_set(layer)], dtype=np.uint32) for layer in position.board]
    return any(int(crowns_of(layer, placed)[0]) > 0 for layer in filled)


def _why_no_make(game: RuibalGame, position: TablePosition, action: int, cells: int) -> Reason:
    rack, wanted = position.racks[position.turn], cells_in(cells)
    jokers = cells_in(game.jokers_of(action))
    if len(wanted) > MIN_TILES:
        grows = [set(wanted) - set(laid) for laid in position.table if set(laid) <= set(wanted)]
        lacking = [next(iter(missing)) for missing in grows if len(missing) == 1]
        if not lacking:
            return Reason("L3-4", "no.growth")
        return Reason("L3-4", "not.held", {"tile": lacking[0]})
    if len(jokers) > rack.count(JOKER):
        return Reason("L3-4", "no.source", {"tile": jokers[0]})
    if not jokers and not any(cell in rack for cell in wanted):
        return Reason("L3-4", "from.rack")
    return Reason("L3-4", "natural")


def _why_no_line(game: RuibalGame, position: BoardPosition, pieces: Sequence[int], spot: str) -> Reason:
    """Why chosen tiles and jokers lie nowhere on the board."""
    naturals = [piece for piece in pieces if piece < CELL_COUNT]
    jokers = len(pieces) - len(naturals)
    if position.phase == "released" and not jokers:
        return Reason("L2-7", "released.joker")
    layer, _, cell = spot.removeprefix("cell:").partition(":")
    if spot.startswith("cell:") and len(pieces) == 1 and naturals and position.board[int(layer)].get(int(cell)):
        return Reason("L2-7", "wrong.tile", {"tile": int(cell)})
    if len(set(naturals)) < len(naturals):
        twice = next(piece for piece in naturals if naturals.count(piece) > 1)
        return Reason("L2-4", "twice", {"tile": twice})
    if len({cell // NUMBER_COUNT for cell in naturals}) > 1 and len({cell % NUMBER_COUNT for cell in naturals}) > 1:
        return Reason("L2-4", "one.line")
    word = cell_set(naturals)
    if not jokers:
        action = game.table.id_of(Kind.PLACE, NONE, word)
        assert action is not None
        return why_not(game, action)
    held = set(position.racks[position.turn])
    for cells in game.table.rows["cells"][game.table.rows["kind"] == Kind.PLACE].tolist():
        others = cells_in(cells & ~word)
        stood = [cell for cell in others if cell in held]
        if cells & word == word and len(others) == jokers and stood and _fits(position, cells):
            return Reason("L2-6", "joker.held", {"tile": stood[0]})
    return Reason("L2-4", "no.line", {"count": MIN_TILES})


def _why_no_collection(game: RuibalGame, pieces: Sequence[int], found: Sequence[Option]) -> Reason:
    """Why chosen tiles and jokers make no collection."""
    naturals = {piece for piece in pieces if piece < CELL_COUNT}
    jokers = sum(piece == JOKER for piece in pieces)
    if len(naturals) + jokers < len(pieces):
        twice = next(piece for piece in pieces if pieces.count(piece) > 1 and piece != JOKER)
        return Reason("L3-2", "twice", {"tile": twice})
    kinds = [cells for cells in KINDS if naturals <= set(cells_in(cells))]
    if not kinds:
        return Reason("L3-2", "no.collection", {"count": MIN_TILES})
    chosen = Counter(pieces)
    for one in found:
        more = Counter(one.pieces) - chosen
        if one.kind == Kind.MAKE and naturals and not chosen - Counter(one.pieces) and more:
            tile = next(iter(more))
            return Reason("L3-4", "joker.too" if tile == JOKER else "rack.first", {"tile": tile})
    if not naturals:
        return Reason("L3-4", "natural")
    legal = game.legal()[0]
    actions = [game.table.id_of(Kind.MAKE, NONE, cells) for cells in kinds]
    reasons = [why_not(game, action) for action in actions if action is not None and not legal[action]]
    # Of kinds that lack more than one tile there is nothing to say.
    return (
        reasons[0]
        if reasons and len(naturals) + jokers >= MIN_TILES - 1
        else Reason("L3-2", "no.collection", {"count": MIN_TILES})
    )


__all__ = ["why_no_option", "why_not", "why_text"]
