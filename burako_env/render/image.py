"""A scene as an image, for films and for agents that look at pictures: uint8 `[H, W, 3]`.

The size depends on the number of players alone, so that the images of a hand make a film.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import Final

import matplotlib
import numpy as np
import numpy.typing as npt
from PIL import Image, ImageDraw, ImageFont

from burako_env.render.scene import OVER_PHASE, Scene

WIDTH: Final = 1280
_MARGIN, _GAP = 12, 10
_CARD_WIDTH, _CARD_HEIGHT, _STEP = 26, 36, 28
_HEAD, _MIDDLE, _TEAM, _SEAT = 26, 60, 306, 64
_ROW = _CARD_HEIGHT + 24
_COLUMN: Final = (WIDTH - 2 * _MARGIN - _GAP) // 2
_SIGNS: Final = {"C": "♣", "D": "♦", "H": "♥", "S": "♠"}
_FELT, _PANEL, _INK, _FAINT, _LINE = "#eef2ee", "#ffffff", "#1d2521", "#68746d", "#b9c3bc"
_ACCENT, _RED, _WILD, _BACK = "#1f7a54", "#c22b2b", "#fdf0d8", "#3c7d63"
_TEAMS: Final = ("#1d5fa8", "#a8511d")


def image_height(players: int) -> int:
    """Height H of the image of a game of so many players."""
    return _MARGIN + _HEAD + _MIDDLE + _TEAM + players // 2 * (_SEAT + _GAP) + 3 * _GAP


def scene_image(scene: Scene) -> npt.NDArray[np.uint8]:
    """The image, uint8 `[image_height(players), WIDTH, 3]`."""
    image = Image.new("RGB", (WIDTH, image_height(len(scene["seats"]))), _FELT)
    _Painter(ImageDraw.Draw(image), scene).paint()
    return np.array(image, dtype=np.uint8)


class _Painter:
    """Draws the parts of the table from top to bottom."""

    def __init__(self, draw: ImageDraw.ImageDraw, scene: Scene) -> None:
        self.draw, self.scene = draw, scene

    def paint(self) -> None:
        scene, top = self.scene, _MARGIN
        over = scene["phase"] == OVER_PHASE
        state = "the hand is over" if over else f"player_{scene['actor']} to act: {scene['phase']}"
        self.text(_MARGIN, top, f"turn {scene['turn']}   {state}", _INK, 16)
        top += _HEAD
        self.middle(top)
        top += _MIDDLE + _GAP
        for team in range(2):
            self.team(team, _MARGIN + team * (_COLUMN + _GAP), top)
        top += _TEAM + _GAP
        for seat in range(len(scene["seats"])):
            self.seat(seat, _MARGIN + seat % 2 * (_COLUMN + _GAP), top + seat // 2 * (_SEAT + _GAP))

    def middle(self, top: int) -> None:
        scene = self.scene
        pile = [*scene["below"], *scene["top"]]
        self.panel(_MARGIN, top, WIDTH - 2 * _MARGIN, _MIDDLE, _LINE)
        self.text(_MARGIN + 8, top + 3, f"stock {scene['stock']}", _FAINT, 12)
        self.card(_MARGIN + 8, top + 20, None)
        self.text(_MARGIN + 108, top + 3, f"pile {len(pile)}", _FAINT, 12)
        self.cards(_MARGIN + 108, top + 20, pile, WIDTH - 2 * _MARGIN - 116)

    def team(self, number: int, left: int, top: int) -> None:
        """Closed bazas in words, then the open groups in rows."""
        team = self.scene["teams"][number]
        self.panel(left, top, _COLUMN, _TEAM, _LINE)
        facts = [f"burakos left {team['burakos']}"]
        facts += [] if team["points"] is None else [f"points {team['points']}"]
        facts += [f"total {team['total']} of {self.scene['target']}"] if self.scene["target"] else []
        self.text(left + 8, top + 4, f"team {number}   {', '.join(facts)}", _TEAMS[number], 14)
        kinds = ", ".join(f"{count} {kind}" for kind, count in team["kinds"].items())
        self.text(left + 8, top + 24, f"closed: {kinds}" if kinds else "", _INK, 12)
        x, y = left + 8, top + 44
        for group in team["groups"]:
            width = len(group["cards"]) * _STEP + 12
            if x + width > left + _COLUMN and x > left + 8:
                x, y = left + 8, y + _ROW
            if y + _ROW > top + _TEAM:
                self.text(x, y, "..", _INK, 14)
                return
            self.text(x, y, group["name"], _FAINT, 11)
            self.cards(x, y + 15, group["cards"], width)
            x += width

    def seat(self, number: int, left: int, top: int) -> None:
        seat = self.scene["seats"][number]
        acting = number == self.scene["actor"]
        self.panel(left, top, _COLUMN, _SEAT, _ACCENT if acting else _LINE, 3 if acting else 1)
        burako = f", {seat['burakos']} burako taken" if seat["burakos"] else ""
        self.text(left + 8, top + 4, f"player_{number}   {seat['size']} cards{burako}", _TEAMS[number % 2], 12)
        hidden = [*seat["known"], *[None] * max(seat["size"] - len(seat["known"]), 0)]
        shown: Sequence[str | None] = (
            hidden if seat["hand"] is None else [card for part in seat["hand"] for card in part]
        )
        self.cards(left + 8, top + 22, shown, _COLUMN - 16)

    def cards(self, left: int, top: int, cards: Sequence[str | None], room: int) -> None:
        """A row of cards, which overlap if there is not room enough."""
        step = min(float(_STEP), (room - _CARD_WIDTH) / max(len(cards) - 1, 1))
        for place, card in enumerate(cards):
            self.card(left + int(place * step), top, card)

    def card(self, left: int, top: int, card: str | None) -> None:
        """A card, None for its back."""
        wild = card is not None and (card == "JK" or card[:-1] == "2")
        fill = _BACK if card is None else _WILD if wild else _PANEL
        box = (left, top, left + _CARD_WIDTH, top + _CARD_HEIGHT)
        self.draw.rounded_rectangle(box, 3, fill=fill, outline=_LINE)
        if card is None:
            return
        rank, sign = ("★", "JK") if card == "JK" else (card[:-1], _SIGNS[card[-1]])
        colour = _RED if sign in "♦♥" else _INK
        for text, size, down in ((rank, 13, 10), (sign, 13, 26)):
            middle = (left + _CARD_WIDTH / 2, top + down)
            self.draw.text(middle, text, fill=colour, font=_font(size), anchor="mm")

    def panel(self, left: int, top: int, width: int, height: int, outline: str, line: int = 1) -> None:
        box = (left, top, left + width, top + height)
        self.draw.rounded_rectangle(box, 8, fill=_PANEL, outline=outline, width=line)

    def text(self, left: int, top: int, text: str, colour: str, size: int) -> None:
        self.draw.text((left, top), text, fill=colour, font=_font(size))


@cache
def _font(size: int) -> ImageFont.FreeTypeFont:
    """A font that has the signs of the suits; matplotlib brings one along, whatever the machine has."""
    return ImageFont.truetype(str(Path(matplotlib.get_data_path()) / "fonts" / "ttf" / "DejaVuSans.ttf"), size)


__all__ = ["WIDTH", "image_height", "scene_image"]
