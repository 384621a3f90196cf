"""A position of a children's level as text, drawn from the same scene as pages and images.

Tiles stand in the words of the case files; players are called player_0 and so on.
"""

from collections.abc import Callable, Iterable
from typing import Final

from burako_env.batch import BatchGame
from burako_env.render.ruibal.scene import LevelSeat, LevelTable, open_level
from burako_env.ruibal.notation import format_cells
from burako_env.ruibal.tiles import CHARACTER_COUNT, NUMBER_COUNT, TYPE_NAMES, cell_of, cell_set, format_tiles

_PLACES_A_LINE: Final = 10
_WIDTH: Final = 8


def game_text(game: BatchGame, index: int = 0) -> str:
    """One game with every rack open: what lies on the table, then a line for each player."""
    return seat_text(open_level(game, index), game.name, game.reasons[index])


def seat_text(table: LevelTable, name: str, reason: str = "") -> str:
    """What a scene shows; of hidden racks their sizes, and the tiles that the observer knows (RINFO-1)."""
    actor = table.actor
    if actor is None:
        over = f"over ({reason})" if reason else "over"
        title = f"{name}, {over}: {' and '.join(f'player_{seat}' for seat in table.winners)} won"
    else:
        title = f"{name}, player_{actor.number} to act, phase {table.phase}"
    players = (_seat_line(seat, "-" if table.has_racks and table.observer is None else "") for seat in table.seats)
    return "\n".join([title, *_MIDDLES[table.lies](table), "", *players]) + "\n"


def cells_text(cells: dict[int, bool]) -> str:
    """A collection, its jokers marked."""
    return format_cells(cell_set(cells), cell_set(cell for cell, joker in cells.items() if joker))


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
    return (cells_text({cell: layer[cell]}) if cell in layer else ".").ljust(_WIDTH)


def spread_lines(spread: Iterable[int | None]) -> list[str]:
    """The places with their tiles."""
    words = [f"{place:2}:{'-' if tile is None else TYPE_NAMES[tile]:3}" for place, tile in enumerate(spread, start=1)]
    return ["  ".join(words[at : at + _PLACES_A_LINE]).rstrip() for at in range(0, len(words), _PLACES_A_LINE)]


def _spread(table: LevelTable) -> list[str]:
    called = "-" if table.called is None else TYPE_NAMES[table.called]
    head = f"called {called}, call {table.tries + 1} of it, {table.calls_left} tiles to call"
    return [head, *spread_lines(table.spread)]


def _pool(table: LevelTable) -> str:
    used = format_tiles(table.used) or "none"
    return f"pool {table.pool}, forfeits used: {used}, turns left {table.turns_left}"


_MIDDLES: Final[dict[str, Callable[[LevelTable], list[str]]]] = {
    "spread": _spread,
    "board": lambda table: [_pool(table), *board_lines(map(dict, table.board))],
    "collections": lambda table: [_pool(table), *(f"  {cells_text(dict(laid))}" for laid in table.collections)],
}


def _seat_line(seat: LevelSeat, empty: str) -> str:
    """A player; `empty` stands for an open rack without tiles."""
    if seat.rack is None:
        rest = f"{seat.size} tiles{f', of them {format_tiles(seat.known)}' if seat.known else ''}"
    else:
        rest = "sits out" if seat.sits else format_tiles(seat.rack) or empty
    return f"player_{seat.number}  {seat.crowns:2} crowns  {rest}".rstrip()
