"""Actions of the levels as text, both ways: the words of the case files.

`read_action` turns text into an `ActionText`, what it says whatever the position, and raises `UserError` for malformed
text, which is also one that names no row of the action table. `RuibalGame.action_id` looks it up in a position.
"""

import re
from collections.abc import Iterable
from typing import Final, NamedTuple

from burako_env.errors import UserError, unknown
from burako_env.ruibal.actions import FORFEIT_OF, ActionTable, Kind
from burako_env.ruibal.tiles import CELL_COUNT, NONE, TYPE_NAMES, cells_in, tile_type

_JOKER_MARK: Final = "JK="
_PLACE: Final = re.compile(r"[1-9][0-9]?")
_FORMS: Final = {
    **{Kind.POINT: "point PLACE", Kind.PLACE: "place TILES", Kind.MAKE: "make TILES", Kind.RELEASE: "release TILE"},
    **{kind: f"play {kind.name}" for kind in FORFEIT_OF},
    **{kind: kind.name.lower() for kind in (Kind.SIT, Kind.DRAW, Kind.PASS, Kind.END)},
}
_KINDS: Final = {form: kind for kind, form in _FORMS.items()}
_LAYS: Final = {"place": Kind.PLACE, "make": Kind.MAKE}
# Why a text of a kind that a level has is no action.
_WHY: Final = {
    Kind.PLACE: "the tiles of a placement lie in one row or one column of the board",
    Kind.MAKE: "a collection is 3 to 5 numbers in a row of one character, or one number of 3 or 4 characters",
    Kind.RELEASE: "a joker is released by a character tile",
    Kind.POINT: f"the places are 1 to {CELL_COUNT}",
}


class ActionText(NamedTuple):
    """What an action's text says: its id in the table, and the cells marked as jokers."""

    action: int
    jokers: int = 0


def read_action(table: ActionTable, text: str) -> ActionText:
    """What an action's text says; `UserError` if it is malformed."""
    kind, tile, cells, jokers = _parse(text)
    action = table.id_of(kind, tile, cells)
    if action is not None:
        return ActionText(action, jokers)
    kinds = sorted(set(table.rows["kind"][: table.used].tolist()))
    if kind not in kinds:
        raise unknown("action", text, [_FORMS[Kind(known)] for known in kinds])
    raise UserError(f"'{text}' is not an action: {_WHY[kind]}")


def action_text(table: ActionTable, action: int, jokers: int) -> str:
    """The canonical text of an action; `jokers`: the cells for which a joker would be played now."""
    kind, tile, cells = table.row(action)
    if kind == Kind.UNUSED:
        return f"unused {action}"
    words = {"PLACE": str(tile + 1), "TILES": format_cells(cells, jokers), "TILE": format_cells(1 << tile, 0)}
    verb, *named = _FORMS[kind].split()
    return " ".join([verb, *(words.get(word, word) for word in named)])


def format_cells(cells: int, jokers: int) -> str:
    """Cells as text, `C1 JK=C2 C3`: those in `jokers` are marked."""
    return " ".join(f"{_JOKER_MARK if jokers >> cell & 1 else ''}{TYPE_NAMES[cell]}" for cell in cells_in(cells))


def parse_cells(words: Iterable[str]) -> tuple[int, int]:
    """Cells of words such as `C1 JK=C2`, and those marked as jokers; `UserError` for anything else."""
    cells = jokers = 0
    for word in words:
        name = word.removeprefix(_JOKER_MARK)
        cell = tile_type(name)
        if cell >= CELL_COUNT:
            raise UserError(f"'{word}' has no place of its own: a joker is written JK=C2, for the tile it stands for")
        if cells >> cell & 1:
            raise UserError(f"{name} is named twice")
        cells |= 1 << cell
        jokers |= (name != word) << cell
    return cells, jokers


def _parse(text: str) -> tuple[Kind, int, int, int]:
    """Kind, tile, cells and jokers."""
    match text.split():
        case ["point", number] if _PLACE.fullmatch(number):
            return Kind.POINT, int(number) - 1, 0, 0
        case ["release", name]:
            return Kind.RELEASE, tile_type(name), 0, 0
        case [word, *tiles] if word in _LAYS and tiles:
            return _LAYS[word], NONE, *parse_cells(tiles)
        case words if (kind := _KINDS.get(" ".join(words))) and kind not in _WHY:
            return kind, FORFEIT_OF.get(kind, NONE), 0, 0
    raise unknown("action", text, [_FORMS[kind] for kind in sorted(_FORMS)])
