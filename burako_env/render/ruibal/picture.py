"""A children's level as an image, `uint8 [HEIGHT, WIDTH, 3]`: the same `LevelTable`, the same tiles, line by line."""

from functools import partial
from typing import Final

import numpy as np
import numpy.typing as npt

from burako_env.batch import BatchGame
from burako_env.render.page import Player
from burako_env.render.ruibal.faces import BACK, INKS, STANDS_FOR, face
from burako_env.render.ruibal.scene import LevelSeat, LevelTable, open_level
from burako_env.render.ruibal.texts import level_words
from burako_env.render.sheet import HEIGHT, WIDTH, Pack, Part, Sheet, fit
from burako_env.render.texts import Texts
from burako_env.ruibal.tiles import CHARACTER_COUNT, NUMBER_COUNT, cell_of

_PACK: Final = Pack(face, dict(INKS))
_PLAYERS: Final = ("#8fc7b0", "#d9a58f", "#9fb4e0", "#d7c27a")
_TILE_WIDTHS: Final = (60, 54, 48, 44, 40, 36, 32, 28, 24, 20)
_PLACES_A_LINE: Final = 10


def level_picture(game: BatchGame, index: int = 0, language: str = "en") -> npt.NDArray[np.uint8]:
    """One game with every rack open: the render mode `rgb_array`, uint8 `[HEIGHT, WIDTH, 3]`."""
    words = level_words(language)
    players = [Player(words("player", seat=seat)) for seat in range(game.seats)]
    return draw(open_level(game, index), words, players)


def draw(table: LevelTable, words: Texts, players: list[Player]) -> npt.NDArray[np.uint8]:
    """A table as an image, uint8 `[HEIGHT, WIDTH, 3]`."""
    return fit(partial(_draw_all, table=table, words=words, players=players), _PACK, _TILE_WIDTHS)


def _draw_all(sheet: Sheet, table: LevelTable, words: Texts, players: list[Player]) -> None:
    actor = table.actor
    if actor is None:
        names = words("and").join(players[seat].name for seat in table.winners)
        said = words("level.over.many" if len(table.winners) > 1 else "level.over", names=names)
    else:
        said = words("acts", name=players[actor.number].name, does=words(f"level.{table.phase}"))
    sheet.line([partial(sheet.text, said, 17)])
    for seat in table.seats:
        sheet.line(
            _seat_parts(sheet, seat, players[seat.number].name, words), mark=_PLAYERS[seat.number], lit=seat.acts
        )
    _MIDDLES[table.lies](sheet, table, words)
    if table.has_racks:
        pool = partial(sheet.cards, (BACK,) * min(table.pool, 1), f"{words('pool')} {table.pool}")
        sheet.line([pool, *([partial(sheet.cards, table.used, words("used"))] if table.used else [])])


def _seat_parts(sheet: Sheet, seat: LevelSeat, name: str, words: Texts) -> list[Part]:
    marks = [words("sits")] if seat.sits else []
    marks += [words("points", number=seat.points + 1)] if seat.points is not None else []
    return [
        partial(sheet.text, name, 16, room=100),
        partial(sheet.text, words.count("crowns", seat.crowns), 16, room=110),
        *(partial(sheet.text, mark, 14) for mark in marks),
        partial(sheet.cards, (BACK,) * seat.size if seat.rack is None else seat.rack),
    ]


def _spread(sheet: Sheet, table: LevelTable, words: Texts) -> None:
    """The tile that is called, then the places."""
    called = () if table.called is None else (table.called,)
    left = words.count("calls.left", table.calls_left) if called else ""
    sheet.line([partial(sheet.cards, called, words("called")), partial(sheet.text, left, 14)])
    places = [
        partial(sheet.cards, () if tile is None else (tile,), str(place), room=sheet.card)
        for place, tile in enumerate(table.spread, start=1)
    ]
    for start in range(0, len(places), _PLACES_A_LINE):
        sheet.line(places[start : start + _PLACES_A_LINE])


def _board(sheet: Sheet, table: LevelTable, words: Texts) -> None:
    """The layers side by side, a line a number; a free cell has the room of a tile."""
    layers = [dict(laid) for laid in table.board]
    titles = [words("layer", number=number + 1) for number in range(len(layers))]
    wide = CHARACTER_COUNT * (sheet.card + 16) + 40
    sheet.line([partial(sheet.text, title, 14, room=wide) for title in titles])
    for number in range(1, NUMBER_COUNT + 1):
        line: list[Part] = []
        for layer in layers:
            for character in range(CHARACTER_COUNT):
                cell = cell_of(character, number)
                there = (_tile(cell, layer[cell]),) if cell in layer else ()
                line.append(partial(sheet.cards, there, room=sheet.card, frame=True))
            line.append(partial(sheet.gap, 40))
        sheet.line(line)


def _collections(sheet: Sheet, table: LevelTable, words: Texts) -> None:
    """The collections, numbered."""
    laid = [tuple(_tile(cell, joker) for cell, joker in tiles) for tiles in table.collections]
    sheet.line([partial(sheet.cards, tiles, str(number), step=1.04) for number, tiles in enumerate(laid, start=1)])


_MIDDLES: Final = {"spread": _spread, "board": _board, "collections": _collections}


def _tile(cell: int, joker: bool) -> int:
    return STANDS_FOR + cell if joker else cell


__all__ = ["HEIGHT", "WIDTH", "draw", "level_picture"]
