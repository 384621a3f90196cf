"""A children's level as HTML: parts that pages put together, and a page of its own that needs nothing else.

A part is drawn from a `LevelTable` alone, so it shows what that table's observer may know. Pages that are played on
find tiles of the rack by `data-card`, and what lies open by `data-spot`: `place:7`, `cell:0:12` (layer and cell),
`group:3` (a collection), `pool`.
"""

from collections.abc import Iterable, Sequence
from functools import cache
from html import escape
from typing import Final

from burako_env.batch import BatchGame
from burako_env.render.page import Player, page
from burako_env.render.ruibal.faces import BACK, STANDS_FOR, name_of
from burako_env.render.ruibal.scene import Laid, LevelSeat, LevelTable, open_level
from burako_env.render.ruibal.texts import laid_text, level_words, tile_text
from burako_env.render.texts import Texts
from burako_env.ruibal.rules import PRESETS
from burako_env.ruibal.tiles import CHARACTER_COUNT, CHARACTERS, NUMBER_COUNT, cell_of

_FEW: Final = 3
_MAX_CALLS: Final = PRESETS["ruibal-1"].max_calls
_CROWN: Final = '<svg class="crown" viewBox="0 0 2.3 2.3" aria-hidden="true"><use href="#s-crown"/></svg>'


class LevelDrawing:
    """Draws the parts of levels in one language, for players of given names (by absolute seat)."""

    def __init__(self, words: Texts, players: Sequence[Player]) -> None:
        self.words, self.players = words, players

    def table(self, table: LevelTable) -> str:
        """The whole table: the other seats, what lies in the middle, the observer's rack."""
        others = [seat for seat in table.seats if seat.number != table.observer]
        own = [seat for seat in table.seats if seat.number == table.observer]
        return (
            f'<div class="table level">{self.status(table)}<div class="seats">{"".join(map(self.seat, others))}</div>'
            f"{self.middle(table)}"
            f"{''.join(f'<p>{self.seat_line(seat)}</p>{self.hand(table, seat)}' for seat in own)}</div>"
        )

    def status(self, table: LevelTable) -> str:
        """Who does what, in a line."""
        words, actor = self.words, table.actor
        if actor is None:
            names = words("and").join(self.players[seat].name for seat in table.winners)
            parts = [words("level.over.many" if len(table.winners) > 1 else "level.over", names=names)]
        else:
            name = self.players[actor.number].name
            parts = [words("acts", name=name, does=words(f"level.{table.phase}"))]
            if table.turns_left > 1:
                parts.append(words("more.turns", count=table.turns_left))
        return f'<p class="status">{escape(" · ".join(parts))}</p>'

    def seat(self, seat: LevelSeat) -> str:
        """A player: name, crowns, number of tiles, and the rack if it is open."""
        words, player = self.words, self.players[seat.number]
        classes = ["seat", f"player-{seat.number}", *(["acts", "turn"] if seat.acts else [])]
        facts = self._facts(seat)
        label = ", ".join([player.name, *([player.note] if player.note else []), *facts])
        note = f"<small>{escape(player.note)}</small>" if player.note else ""
        size = f'<span class="size">{_svg(BACK)}<b>{seat.size}</b></span>' if seat.size or seat.rack is None else ""
        marks = "".join(f'<span class="badge">{escape(fact)}</span>' for fact in self._marks(seat))
        shown = ""
        if seat.rack:
            shown = f'<span class="cards open">{_tiles(seat.rack)}</span>'
        elif seat.known:
            shown = f'<span class="cards known" title="{words("known.stolen")}">{_tiles(seat.known)}</span>'
        return (
            f'<div class="{" ".join(classes)}" data-seat="{seat.number}" role="group" aria-label="{escape(label)}" '
            f'title="{escape(label)}"><span class="who"><b>{escape(player.name)}</b>{note}</span>'
            f'<span class="crowns">{_CROWN}<b>{seat.crowns}</b></span>{size}{marks}{shown}</div>'
        )

    def seat_line(self, seat: LevelSeat) -> str:
        """The player whose rack lies open below: name, crowns, number of tiles."""
        crowns, *facts = self._facts(seat)
        return (
            f'<b>{escape(self.players[seat.number].name)}</b> <span class="crowns" role="img" aria-label="{crowns}">'
            f"{_CROWN}<b>{seat.crowns}</b></span> <small>{' · '.join(facts)}</small>"
        )

    def middle(self, table: LevelTable) -> str:
        """The spread, the board or the collections, and the pool."""
        parts = {"spread": self._spread, "board": self._board, "collections": self._collections}
        pool = self._pool(table) if table.has_racks else ""
        return f'<div class="ground">{parts[table.lies](table)}{pool}</div>'

    def hand(self, table: LevelTable, seat: LevelSeat) -> str:
        """An open rack at the foot of the table, tile by tile; nothing in a level without racks."""
        words, stolen, tiles = self.words, list(table.stolen), []
        if not table.has_racks:
            return ""
        for tile in seat.rack or ():
            known = tile in stolen
            if known:
                stolen.remove(tile)
            label = tile_text(tile, words) + (f", {words('own.stolen')}" if known else "")
            tiles.append(
                f'<span class="card{" stolen" if known else ""}" data-card="{name_of(tile)}" '
                f'aria-label="{escape(label)}" title="{escape(label)}" role="img">{_svg(tile)}</span>'
            )
        classes = f"hand rack{' acts' if seat.acts else ''}"
        return f'<div class="{classes}" data-seat="{seat.number}" aria-label="{words("rack")}">{"".join(tiles)}</div>'

    def _facts(self, seat: LevelSeat) -> list[str]:
        words = self.words
        tiles = [words.count("tiles", seat.size)] if seat.size or seat.rack is None else []
        return [words.count("crowns", seat.crowns), *tiles, *self._marks(seat)]

    def _marks(self, seat: LevelSeat) -> list[str]:
        words = self.words
        marks = [words("sits")] if seat.sits else []
        return marks + ([words("points", number=seat.points + 1)] if seat.points is not None else [])

    def _spread(self, table: LevelTable) -> str:
        """The tile that is called, and the places with what lies there."""
        words, places = self.words, []
        for place, tile in enumerate(table.spread):
            key = "place.free" if tile is None else "place.tile"
            label = words(key, number=place + 1, tile="" if tile is None else tile_text(tile, words))
            places.append(
                f'<div class="spot{" free" if tile is None else ""}" data-spot="place:{place}" role="group" '
                f'aria-label="{escape(label)}">{"" if tile is None else _svg(tile)}<small>{place + 1}</small></div>'
            )
        called = ""
        if table.called is not None:
            again = words("called.try", number=table.tries + 1, most=_MAX_CALLS)
            left = words.count("calls.left", table.calls_left)
            called = (
                f'<div class="called" role="group" aria-label="{words("called")}: '
                f'{escape(tile_text(table.called, words))}, {again}"><b>{words("called")}</b>{_svg(table.called)}'
                f"<small>{again}</small><small>{left}</small></div>"
            )
        return f'{called}<div class="spread">{"".join(places)}</div>'

    def _board(self, table: LevelTable) -> str:
        """The two layers, a row a number and a column a character (TILE-2)."""
        words, layers = self.words, []
        for number, laid in enumerate(table.board):
            there = dict(laid)
            cells = []
            for value in range(1, NUMBER_COUNT + 1):
                for character in range(CHARACTER_COUNT):
                    cell = cell_of(character, value)
                    cells.append(self._cell(number, cell, there.get(cell)))
            label = words("layer", number=number + 1)
            layers.append(
                f'<section class="layer" aria-label="{label}"><h2>{label}</h2><div class="cells">{"".join(cells)}</div>'
                "</section>"
            )
        return f'<div class="layers">{"".join(layers)}</div>'

    def _cell(self, layer: int, cell: int, joker: bool | None) -> str:
        """A cell of a layer; `joker` is None where it is free."""
        words, tile = self.words, tile_text(cell, self.words)
        label = words("cell.free", tile=tile) if joker is None else laid_text(cell, joker, words)
        character, number = CHARACTERS[cell // NUMBER_COUNT], cell % NUMBER_COUNT + 1
        shown = f'<svg class="print" viewBox="0 0 2.3 2.3" aria-hidden="true"><use href="#f-{character}"/></svg>'
        shown = f"{shown}<i>{number}</i>" if joker is None else _laid(cell, joker)
        return (
            f'<div class="spot{" free" if joker is None else ""}" data-spot="cell:{layer}:{cell}" role="group" '
            f'aria-label="{escape(label)}" title="{escape(label)}">{shown}</div>'
        )

    def _collections(self, table: LevelTable) -> str:
        groups = "".join(self._collection(number, laid) for number, laid in enumerate(table.collections))
        return f'<div class="groups">{groups or "<p>" + self.words("no.collection") + "</p>"}</div>'

    def _collection(self, number: int, laid: Laid) -> str:
        words = self.words
        listed = ", ".join(laid_text(cell, joker, words) for cell, joker in laid)
        label = f"{words('collection', number=number + 1)}: {listed}"
        tiles = "".join(_laid(cell, joker) for cell, joker in laid)
        return (
            f'<div class="group" data-spot="group:{number}" data-group="{number}" role="group" '
            f'aria-label="{escape(label)}" title="{escape(listed)}"><span class="cards">{tiles}</span></div>'
        )

    def _pool(self, table: LevelTable) -> str:
        """The pool, and the forfeits that have left the game."""
        words = self.words
        backs = _svg(BACK) * min(table.pool, _FEW) or f"<em>{words('pool.empty')}</em>"
        used = ""
        if table.used:
            listed = ", ".join(tile_text(tile, words) for tile in table.used)
            used = (
                f'<div class="used" role="group" title="{escape(listed)}" '
                f'aria-label="{words("used")}: {escape(listed)}">'
                f'<span class="cards">{_tiles(table.used)}</span><small>{words("used")}</small></div>'
            )
        return (
            f'<div class="side"><div class="stock" data-spot="pool" role="group" '
            f'aria-label="{words("pool")}, {words.count("tiles", table.pool)}"><span class="cards">{backs}</span>'
            f'<span class="count">{words("pool")} <b>{table.pool}</b></span></div>{used}</div>'
        )


def level_page(game: BatchGame, index: int = 0, language: str = "en") -> str:
    """One game with every rack open as an HTML page that needs nothing else: the render mode `html`."""
    words = level_words(language)
    pen = LevelDrawing(words, [Player(words("player", seat=seat)) for seat in range(game.seats)])
    body = f"<main>{pen.table(open_level(game, index))}</main>"
    return page(game.family, game.name, body, language)


@cache
def _svg(tile: int) -> str:
    return f'<svg class="c" viewBox="0 0 100 140" aria-hidden="true"><use href="#c-{name_of(tile)}"/></svg>'


def _laid(cell: int, joker: bool) -> str:
    return _svg(STANDS_FOR + cell if joker else cell)


def _tiles(tiles: Iterable[int]) -> str:
    return "".join(map(_svg, tiles))


__all__ = ["LevelDrawing", "level_page"]
