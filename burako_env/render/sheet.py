"""An image filled from left to right and top to bottom with texts and with faces of cards or tiles."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Final

import numpy as np
import numpy.typing as npt
from PIL import Image, ImageDraw, ImageFont

from burako_env.render import shapes

WIDTH: Final = 1120
HEIGHT: Final = 840
# Everything is drawn larger and then reduced, which smooths the edges of polygons.
_SMOOTH: Final = 2
_FONT: Final = Path(__file__).parent / "fonts" / "DejaVuSans.ttf"
_FELT, _TEXT, _SOFT, _GOLD, _LINE = "#24483f", "#f3efe4", "#b9c7bf", "#e3b65c", "#4a6a60"
_MARGIN: Final = 14
_STEP: Final = 0.42

Part = Callable[[], None]


@dataclass(frozen=True, eq=False)
class Pack:
    """What a game is played with: the shapes of each card or tile, and the colours of the inks."""

    face: Callable[[int], tuple[shapes.Shape, ...]]
    inks: Mapping[str, str]


def fit(draw: Callable[[Sheet], None], pack: Pack, widths: Sequence[int]) -> npt.NDArray[np.uint8]:
    """The image, uint8 `[HEIGHT, WIDTH, 3]`, with the widest cards of `widths` for which everything has room."""
    for width in widths:
        sheet = Sheet(width, pack)
        draw(sheet)
        if sheet.y <= HEIGHT:
            break
    return sheet.pixels()


class Sheet:
    """An image filled from left to right and top to bottom; positions are in pixels of the result."""

    def __init__(self, card_width: int, pack: Pack) -> None:
        self.card, self.pack = card_width, pack
        self.image = Image.new("RGB", (WIDTH * _SMOOTH, HEIGHT * _SMOOTH), _FELT)
        self.pen = ImageDraw.Draw(self.image)
        self.x, self.y, self.tall = _MARGIN, _MARGIN, 0

    def pixels(self) -> npt.NDArray[np.uint8]:
        """What has been drawn, uint8 `[HEIGHT, WIDTH, 3]`."""
        small = self.image.resize((WIDTH, HEIGHT), Image.Resampling.LANCZOS)
        return np.asarray(small, dtype=np.uint8).copy()

    def line(self, parts: Sequence[Part], *, mark: str | None = None, lit: bool = False) -> None:
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

    def cards(
        self, cards: tuple[int, ...], title: str = "", *, step: float = _STEP, room: int = 0, frame: bool = False
    ) -> None:
        """Cards, each `step` of its width after the one before, under a title.

        `room`: their place is at least so wide. `frame`: an empty place is outlined.
        """
        if not cards and not title and not room:
            return
        stride = int(self.card * step)
        font = _font(12 * _SMOOTH)
        width = max(self.card + stride * (len(cards) - 1) if cards else room, int(font.getlength(title) / _SMOOTH))
        self._make_room(width + 16)
        head = 16 if title else 0
        tall = head + self.card * shapes.HEIGHT // shapes.WIDTH
        if title:
            self.pen.text((self.x * _SMOOTH, self.y * _SMOOTH), title, font=font, fill=_SOFT)
        if frame and not cards:
            edges = (self.x, self.y + head, self.x + self.card - 1, self.y + tall - 1)
            self.pen.rounded_rectangle([value * _SMOOTH for value in edges], 8, outline=_LINE, width=2)
        for place, card in enumerate(cards):
            image = _card_image(self.pack, card, self.card * _SMOOTH)
            self.image.paste(image, ((self.x + place * stride) * _SMOOTH, (self.y + head) * _SMOOTH), image)
        self.x += width + 16
        if cards or room:
            self.tall = max(self.tall, tall)

    def gap(self, width: int) -> None:
        """Nothing, so wide."""
        self.x += width

    def _make_room(self, width: int) -> None:
        if self.x + width > WIDTH - _MARGIN and self.x > _MARGIN + 12:
            self._wrap()
            self.x, self.tall = _MARGIN + 12, 22

    def _wrap(self) -> None:
        self.y += self.tall + 9


@cache
def _card_image(pack: Pack, card: int, width: int) -> Image.Image:
    """A card, its corners transparent."""
    inks = pack.inks
    scale = width / shapes.WIDTH
    height = round(scale * shapes.HEIGHT)
    image = Image.new("RGBA", (width, height), (0, 0, 0, 0))
    pen = ImageDraw.Draw(image)
    pen.rounded_rectangle(
        (0, 0, width - 1, height - 1), scale * shapes.RADIUS, fill=inks["paper"], outline=inks["edge"], width=2
    )
    for shape in pack.face(card):
        if isinstance(shape, shapes.Path):
            for polygon in shapes.flatten(shape):
                pen.polygon([(x * scale, y * scale) for x, y in polygon], fill=inks[shape.ink])
        else:
            font = _font(shape.size * scale)
            if shape.width and font.getlength(shape.text) > shape.width * scale:
                font = _font(shape.size * scale * shape.width * scale / font.getlength(shape.text))
            pen.text((shape.x * scale, shape.y * scale), shape.text, font=font, fill=inks[shape.ink], anchor="mm")
    return image


@cache
def _font(size: float) -> ImageFont.FreeTypeFont:
    """A font that comes with the project, the same on every machine."""
    return ImageFont.truetype(_FONT, size)
