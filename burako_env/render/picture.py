"""The table as an image, `uint8 [HEIGHT, WIDTH, 3]`: the same `Table`, the same card faces, laid out in lines.

All images of a game have one size, as films need it. Cards shrink until everything has room.
"""

from __future__ import annotations

import importlib.util
from collections.abc import Callable, Sequence
from functools import cache, partial
from pathlib import Path
from typing import Final

import numpy as np
import numpy.typing as npt
from PIL import Image, ImageDraw, ImageFont

from burako_env.batch import BatchGame
from burako_env.render import faces
from burako_env.render.faces import BACK, INKS
from burako_env.render.html import Player, group_name
from burako_env.render.table import Seat, Table, Team, open_table
from burako_env.render.words import Words

WIDTH: Final = 1120
HEIGHT: Final = 840
# Everything is drawn larger and then reduced, which smooths the edges of polygons.
_SMOOTH: Final = 2
_FELT, _TEXT, _SOFT, _GOLD = "#24483f", "#f3efe4", "#b9c7bf", "#e3b65c"
_TEAMS: Final = ("#8fc7b0", "#d9a58f")
_MARGIN: Final = 14
_CARD_WIDTHS: Final = (46, 42, 38, 34, 30, 26, 22, 18)
_STEP: Final = 0.42
# The ten has two digits in the room of one.
_TEN: Final = 0.8


def table_picture(game: BatchGame, index: int = 0, language: str = "en") -> npt.NDArray[np.uint8]:
    """One game with every hand open: the render mode `rgb_array`, uint8 `[HEIGHT, WIDTH, 3]`."""
    words = Words(language)
    players = [Player(words("player", seat=seat)) for seat in range(game.seats)]
    return draw(open_table(game, index), words, players)


def draw(table: Table, words: Words, players: list[Player]) -> npt.NDArray[np.uint8]:
    """A table as an image, uint8 `[HEIGHT, WIDTH, 3]`."""
    for width in _CARD_WIDTHS:
        sheet = _Sheet(width)
        _draw_all(sheet, table, words, players)
        if sheet.y <= HEIGHT:
            break
    small = sheet.image.resize((WIDTH, HEIGHT), Image.Resampling.LANCZOS)
    return np.asarray(small, dtype=np.uint8).copy()


def _draw_all(sheet: _Sheet, table: Table, words: Words, players: list[Player]) -> None:
    actor = table.actor
    said = words("over")
    if actor is not None:
        name = players[actor.number].name
        said = f"{words('acts', name=name, does=words(f'phase.{table.phase}'))}, {words('turn', turn=table.turns + 1)}"
    sheet.line([partial(sheet.text, said, 17)])
    for seat in table.seats:
        sheet.line(_seat_parts(sheet, seat, players[seat.number].name), mark=_TEAMS[seat.team], lit=seat.acts)
    for team in table.teams:
        facts = [partial(sheet.text, fact, 14) for fact in _team_facts(table, team, words)]
        sheet.line([partial(sheet.text, words("team", team=team.number), 17), *facts], mark=_TEAMS[team.number])
        groups = [partial(sheet.cards, group.cards, group_name(group, words)) for group in team.groups]
        sheet.line([*groups, partial(sheet.cards, team.closed, words("bazas"))], mark=_TEAMS[team.number])
    pile, stock = (*table.below, *table.pile), (BACK,) * min(table.stock, 1)
    titled = ((stock, "stock", table.stock), (pile, "pile", len(pile)))
    sheet.line([partial(sheet.cards, cards, f"{words(name)} {count}") for cards, name, count in titled])


def _seat_parts(sheet: _Sheet, seat: Seat, name: str) -> list[Callable[[], None]]:
    hand = seat.hand if seat.hand is not None else (BACK,) * seat.size
    return [
        partial(sheet.text, name, 16, room=100),
        partial(sheet.text, str(seat.size), 16, room=26),
        partial(sheet.cards, hand),
    ]


def _team_facts(table: Table, team: Team, words: Words) -> list[str]:
    facts = []
    if table.target:
        facts.append(f"{words('total')} {team.total} {words('target', target=table.target)}")
    if team.score is not None:
        facts.append(f"{words('score')} {team.score}")
    facts += [f"{words('laid')} {team.laid}", words("justified" if team.justified else "unjustified")]
    facts.append(words.count("burako.left", team.burakos_left) if team.burakos_left else words("burako.none"))
    return [*facts, *(f"{count} {words(kind)}" for kind, count in team.bazas)]


class _Sheet:
    """An image filled from left to right and top to bottom; positions are in pixels of the result."""

    def __init__(self, card_width: int) -> None:
        self.card = card_width
        self.image = Image.new("RGB", (WIDTH * _SMOOTH, HEIGHT * _SMOOTH), _FELT)
        self.pen = ImageDraw.Draw(self.image)
        self.x, self.y, self.tall = _MARGIN, _MARGIN, 0

    def line(self, parts: Sequence[Callable[[], None]], *, mark: str | None = None, lit: bool = False) -> None:
        """A line of parts, over more lines where they need it; `mark` is a coloured bar at its left."""
        top = self.y
        self.x, self.tall = _MARGIN + 12, 22
        for part in parts:
            part()
        self._wrap()
        if mark:
            bar = (_MARGIN, top, _MARGIN + (6 if lit else 3), self.y - 8)
            self.pen.rectangle([value * _SMOOTH for value in bar], fill=_GOLD if lit else mark)

    def text(self, text: str, size: int, room: int = 0) -> None:
        """A text, followed by a gap; at least `room` wide."""
        font = _font(size * _SMOOTH)
        width = max(int(font.getlength(text) / _SMOOTH) + 14, room)
        self._make_room(width)
        ink = _TEXT if size > 14 else _SOFT
        self.pen.text((self.x * _SMOOTH, (self.y + 2) * _SMOOTH), text, font=font, fill=ink)
        self.x += width

    def cards(self, cards: tuple[int, ...], title: str = "") -> None:
        """Cards one over the other, under a title."""
        if not cards and not title:
            return
        step = int(self.card * _STEP)
        font = _font(12 * _SMOOTH)
        width = max(self.card + step * (len(cards) - 1) if cards else 0, int(font.getlength(title) / _SMOOTH))
        self._make_room(width + 16)
        head = 16 if title else 0
        if title:
            self.pen.text((self.x * _SMOOTH, self.y * _SMOOTH), title, font=font, fill=_SOFT)
        for place, card in enumerate(cards):
            face = _card_image(card, self.card * _SMOOTH)
            self.image.paste(face, ((self.x + place * step) * _SMOOTH, (self.y + head) * _SMOOTH), face)
        self.x += width + 16
        if cards:
            self.tall = max(self.tall, head + self.card * faces.HEIGHT // faces.WIDTH)

    def _make_room(self, width: int) -> None:
        if self.x + width > WIDTH - _MARGIN and self.x > _MARGIN + 12:
            self._wrap()
            self.x, self.tall = _MARGIN + 12, 22

    def _wrap(self) -> None:
        self.y += self.tall + 9


@cache
def _card_image(card: int, width: int) -> Image.Image:
    """A card, its corners transparent."""
    scale = width / faces.WIDTH
    height = round(scale * faces.HEIGHT)
    image = Image.new("RGBA", (width, height), (0, 0, 0, 0))
    pen = ImageDraw.Draw(image)
    pen.rounded_rectangle(
        (0, 0, width - 1, height - 1), scale * faces.RADIUS, fill=INKS["paper"], outline=INKS["edge"], width=2
    )
    for shape in faces.face(card):
        if isinstance(shape, faces.Path):
            for polygon in faces.flatten(shape):
                pen.polygon([(x * scale, y * scale) for x, y in polygon], fill=INKS[shape.ink])
        else:
            font = _font(shape.size * scale * (_TEN if len(shape.text) > 1 else 1))
            pen.text((shape.x * scale, shape.y * scale), shape.text, font=font, fill=INKS[shape.ink], anchor="mm")
    return image


@cache
def _font(size: float) -> ImageFont.FreeTypeFont:
    """The font that comes with matplotlib, the same on every machine; it is found without importing the package."""
    package = importlib.util.find_spec("matplotlib")
    assert package is not None, "matplotlib is a dependency"
    assert package.origin is not None, "matplotlib is a package of files"
    return ImageFont.truetype(Path(package.origin).parent / "mpl-data/fonts/ttf/DejaVuSans.ttf", size)


__all__ = ["HEIGHT", "WIDTH", "draw", "table_picture"]
