"""A position of a children's level as text, every rack open; tiles in the words of the case files."""

from __future__ import annotations

from collections.abc import Iterable

from burako_env.batch import BatchGame
from burako_env.render.ruibal.scene import LevelSeat, LevelTable
from burako_env.ruibal import RuibalGame
from burako_env.ruibal.notation import format_cells
from burako_env.ruibal.position import (
    BoardPosition,
    LevelPosition,
    PerceptionPosition,
    RackPosition,
    TablePosition,
)
from burako_env.ruibal.tiles import CHARACTER_COUNT, NUMBER_COUNT, TYPE_NAMES, cell_of, format_tiles

_PLACES_A_LINE = 10
_WIDTH = 8


def game_text(game: BatchGame, index: int = 0) -> str:
    """One game: what lies on the table, then a line for each player, called player_0 and so on."""
    assert isinstance(game, RuibalGame)
    position = game.position(index)
    return "\n".join([_title(game.name, position), *_middle(position), "", *_players(position)]) + "\n"


def cells_text(cells: dict[int, bool]) -> str:
    """A collection, its jokers marked."""
    return format_cells(sum(1 << cell for cell in cells), sum(1 << cell for cell, joker in cells.items() if joker))


def board_lines(board: Iterable[dict[int, bool]]) -> list[str]:
    """The layers in use side by side, a line a number as on the board (TILE-2); a joker is marked."""
    layers = [layer for number, layer in enumerate(board) if layer or not number]
    return [
        "   ".join(
            "".join(_cell(layer, cell_of(character, number)) for character in range(CHARACTER_COUNT)).rstrip()
            for layer in layers
        )
        for number in range(1, NUMBER_COUNT + 1)
    ]


def _cell(layer: dict[int, bool], cell: int) -> str:
    if cell not in layer:
        return ".".ljust(_WIDTH)
    return (("JK=" if layer[cell] else "") + TYPE_NAMES[cell]).ljust(_WIDTH)


def spread_lines(spread: list[int | None]) -> list[str]:
    """The places with their tiles."""
    words = [f"{place:2}:{'-' if tile is None else TYPE_NAMES[tile]:3}" for place, tile in enumerate(spread, start=1)]
    return ["  ".join(words[at : at + _PLACES_A_LINE]).rstrip() for at in range(0, len(words), _PLACES_A_LINE)]


def _title(name: str, position: LevelPosition) -> str:
    if position.reason:
        winners = " and ".join(f"player_{seat}" for seat in position.winners)
        return f"{name}, over ({position.reason}): {winners} won"
    return f"{name}, player_{position.turn} to act, phase {position.phase}"


def _middle(position: LevelPosition) -> list[str]:
    match position:
        case PerceptionPosition():
            called = TYPE_NAMES[position.calls[0]] if position.calls else "-"
            return [
                f"called {called}, call {position.tries + 1} of it, {len(position.calls)} tiles to call",
                *spread_lines(position.spread),
            ]
        case BoardPosition():
            return [_pool(position), *board_lines(position.board)]
        case TablePosition():
            return [_pool(position), *(f"  {cells_text(cells)}" for cells in position.table)]
    raise TypeError(f"{type(position).__name__} is no position of a level")


def _pool(position: RackPosition) -> str:
    used = format_tiles(position.used) or "none"
    return f"pool {len(position.pool)}, forfeits used: {used}, turns left {position.turns_left}"


def _players(position: LevelPosition) -> list[str]:
    lines = []
    for seat, crowns in enumerate(position.crowns):
        rest = ""
        if isinstance(position, RackPosition):
            rest = format_tiles(position.racks[seat]) or "-"
        elif isinstance(position, PerceptionPosition) and seat in position.sitting:
            rest = "sits out"
        lines.append(f"player_{seat}  {crowns:2} crowns  {rest}".rstrip())
    return lines


def seat_text(table: LevelTable, name: str) -> str:
    """What one seat knows, as `game_text`; of the other racks their sizes, and the tiles that it knows (RINFO-1)."""
    actor = table.actor
    if actor is None:
        title = f"{name}, over: {' and '.join(f'player_{seat}' for seat in table.winners)} won"
    else:
        title = f"{name}, player_{actor.number} to act, phase {table.phase}"
    return "\n".join([title, *_seat_middle(table), "", *map(_seat_line, table.seats)]) + "\n"


def _seat_middle(table: LevelTable) -> list[str]:
    if table.level == 1:
        called = "-" if table.called is None else TYPE_NAMES[table.called]
        head = f"called {called}, call {table.tries + 1} of it, {table.calls_left} tiles to call"
        return [head, *spread_lines(list(table.spread))]
    head = f"pool {table.pool}, forfeits used: {format_tiles(table.used) or 'none'}, turns left {table.turns_left}"
    if table.level == 2:
        return [head, *board_lines(dict(layer) for layer in table.board)]
    return [head, *(f"  {cells_text(dict(laid))}" for laid in table.collections)]


def _seat_line(seat: LevelSeat) -> str:
    rest = "sits out" if seat.sits else ""
    if seat.rack is None:
        known = f", of them {format_tiles(seat.known)}" if seat.known else ""
        rest = f"{seat.size} tiles{known}"
    elif seat.rack:
        rest = format_tiles(seat.rack)
    return f"player_{seat.number}  {seat.crowns:2} crowns  {rest}".rstrip()
