"""The keys of `expect` in the children's levels: how a value is read and how it is found, in canonical words."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any, Final

from burako_env.cases.nodes import Node
from burako_env.cases.ruibal.position import read_board, read_cells, read_seats, read_spread
from burako_env.cases.texts import listed, numbered, truth
from burako_env.ruibal import RuibalGame
from burako_env.ruibal.notation import format_cells
from burako_env.ruibal.state import REASONS
from burako_env.ruibal.tiles import CELL_COUNT, TYPE_NAMES, cell_set, format_tiles, parse_tiles

_MOST: Final = 10**6

Reader = Callable[[Node, RuibalGame], str]


@dataclass(frozen=True)
class Expectation:
    """How a key is read from a case and found in a game (`at` is its position), in canonical words."""

    read: Reader
    found: Callable[[RuibalGame, Any], str]


def _tiles(kinds: Iterable[int]) -> str:
    """Tiles whose order does not matter."""
    return f"'{format_tiles(sorted(kinds))}'"


def _ordered(kinds: Iterable[int]) -> str:
    return f"'{format_tiles(kinds)}'"


def _cells(cells: dict[int, bool]) -> str:
    return format_cells(cell_set(cells), cell_set(cell for cell, joker in cells.items() if joker))


def _board(layers: list[dict[int, bool]]) -> str:
    return f"'{' / '.join(_cells(layer) for layer in layers)}'"


def _table(table: list[dict[int, bool]]) -> str:
    return listed(sorted(f"'{_cells(cells)}'" for cells in table))


def _spread(spread: list[int | None]) -> str:
    return f"'{' '.join('-' if tile is None else TYPE_NAMES[tile] for tile in spread)}'"


def _read_tiles(what: str, *, ordered: bool = False) -> Reader:
    def read(node: Node, _: RuibalGame) -> str:
        with node.placed():
            kinds = parse_tiles(" ".join(node.words(what)))
        return _ordered(kinds) if ordered else _tiles(kinds)

    return read


def _read_racks(node: Node, game: RuibalGame) -> str:
    read = _read_tiles("each of racks")
    return listed(read(item, game) for item in node.items("racks", game.seats, "seat"))


def _read_number(what: str) -> Reader:
    return lambda node, _: str(node.integer(what, 0, _MOST))


def _read_numbers(what: str) -> Reader:
    def read(node: Node, game: RuibalGame) -> str:
        items = node.items(what, game.seats, "seat")
        return numbered(item.integer(f"each of {what}", 0, _MOST) for item in items)

    return read


def _read_seats(what: str) -> Reader:
    return lambda node, game: numbered(read_seats(what, node, game.seats))


def _read_table(node: Node, _: RuibalGame) -> str:
    return _table([read_cells(item.words("a collection"), item) for item in node.items("table")])


def _read_phase(node: Node, game: RuibalGame) -> str:
    return node.word("phase", (*game.phases, "over"))


def _read_reason(node: Node, _: RuibalGame) -> str:
    return "null" if node.is_null else node.word("reason", REASONS[1:])


def _read_called(node: Node, _: RuibalGame) -> str:
    return "null" if node.is_null else node.word("called", TYPE_NAMES[:CELL_COUNT])


COMMON: Final = {
    "turn": Expectation(_read_number("turn"), lambda _, at: str(at.turn)),
    "phase": Expectation(_read_phase, lambda _, at: at.phase),
    "over": Expectation(lambda node, _: truth(node.flag("over")), lambda game, _: truth(game.done[0])),
    "reason": Expectation(_read_reason, lambda _, at: at.reason or "null"),
    "crowns": Expectation(_read_numbers("crowns"), lambda _, at: numbered(at.crowns)),
    "scores": Expectation(_read_numbers("scores"), lambda game, _: numbered(game.scores[0])),
    "winners": Expectation(_read_seats("winners"), lambda _, at: numbered(at.winners)),
    "legal_count": Expectation(_read_number("legal_count"), lambda game, _: str(int(game.legal().sum()))),
}
_WITH_RACKS: Final = {
    "rack": Expectation(_read_tiles("rack"), lambda _, at: _tiles(at.racks[at.turn])),
    "racks": Expectation(_read_racks, lambda _, at: listed(map(_tiles, at.racks))),
    "rack_sizes": Expectation(_read_numbers("rack_sizes"), lambda _, at: numbered(map(len, at.racks))),
    "pool": Expectation(_read_tiles("pool", ordered=True), lambda _, at: _ordered(at.pool)),
    "pool_size": Expectation(_read_number("pool_size"), lambda _, at: str(len(at.pool))),
    "used": Expectation(_read_tiles("used"), lambda _, at: _tiles(at.used)),
    "turns_left": Expectation(_read_number("turns_left"), lambda _, at: str(at.turns_left)),
    "passes": Expectation(_read_number("passes"), lambda _, at: str(at.passes)),
}
# By level.
EXPECTATIONS: Final[dict[str, dict[str, Expectation]]] = {
    "ruibal-1": {
        **COMMON,
        "called": Expectation(_read_called, lambda _, at: TYPE_NAMES[at.calls[0]] if at.calls else "null"),
        "tries": Expectation(_read_number("tries"), lambda _, at: str(at.tries)),
        "sitting": Expectation(_read_seats("sitting"), lambda _, at: numbered(at.sitting)),
        "spread": Expectation(lambda node, _: _spread(read_spread(node)), lambda _, at: _spread(at.spread)),
    },
    "ruibal-2": {
        **COMMON,
        **_WITH_RACKS,
        "board": Expectation(lambda node, _: _board(read_board(node)), lambda _, at: _board(at.board)),
    },
    "ruibal-3": {**COMMON, **_WITH_RACKS, "table": Expectation(_read_table, lambda _, at: _table(at.table))},
}
