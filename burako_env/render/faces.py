"""Card faces as shapes: drawn once here, written as SVG for the HTML table and filled as polygons for the picture.

A face lies in a box of 100 x 140. A shape is a filled path, or a rank in the corner; paths are SVG's own words with
absolute M, L, C and Z only, so that a few lines can flatten them.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from typing import Final

from burako_env.cards import ACE, JOKER, RANK_COUNT, RANK_NAMES, SUITS, TYPE_COUNT, is_wild

WIDTH: Final = 100
HEIGHT: Final = 140
RADIUS: Final = 9
BACK: Final = TYPE_COUNT

Point = tuple[float, float]

# Colours by name; the HTML table has them as CSS variables of the same names, so that a page may change them.
INKS: Final = {
    "C": "#1f2a33",
    "D": "#b8312f",
    "H": "#b8312f",
    "S": "#1f2a33",
    "joker": "#6b3fa0",
    "wild": "#c8912b",
    "paper": "#fffdf8",
    "edge": "#c9c3b4",
    "frame": "#efe7d6",
    "back": "#2f5d73",
    "lace": "#7ea3b3",
}

# Suits in the box -1 to 1.
_SUIT: Final = {
    "H": "M0,.95 C-.28,.55 -1,.12 -1,-.42 C-1,-.78 -.74,-1 -.48,-1 C-.24,-1 -.06,-.84 0,-.58 "
    "C.06,-.84 .24,-1 .48,-1 C.74,-1 1,-.78 1,-.42 C1,.12 .28,.55 0,.95 Z",
    "D": "M0,-1 C.22,-.6 .48,-.28 .78,0 C.48,.28 .22,.6 0,1 C-.22,.6 -.48,.28 -.78,0 C-.48,-.28 -.22,-.6 0,-1 Z",
    "S": "M0,-1 C.26,-.58 .96,-.16 .96,.34 C.96,.64 .74,.8 .5,.8 C.32,.8 .17,.71 .08,.56 C.1,.76 .18,.9 .36,1 "
    "L-.36,1 C-.18,.9 -.1,.76 -.08,.56 C-.17,.71 -.32,.8 -.5,.8 C-.74,.8 -.96,.64 -.96,.34 C-.96,-.16 -.26,-.58 0,-1 Z",
    "C": "M0,-1 C.26,-1 .46,-.8 .46,-.55 C.46,-.36 .36,-.24 .24,-.12 C.34,-.18 .42,-.2 .52,-.2 C.78,-.2 .98,0 .98,.26 "
    "C.98,.52 .78,.72 .52,.72 C.32,.72 .16,.62 .07,.46 C.09,.72 .16,.88 .34,1 L-.34,1 C-.16,.88 -.09,.72 -.07,.46 "
    "C-.16,.62 -.32,.72 -.52,.72 C-.78,.72 -.98,.52 -.98,.26 C-.98,0 -.78,-.2 -.52,-.2 C-.42,-.2 -.34,-.18 -.24,-.12 "
    "C-.36,-.24 -.46,-.36 -.46,-.55 C-.46,-.8 -.26,-1 0,-1 Z",
}
_STAR: Final = (
    "M0,-1 L.235,-.324 L.951,-.309 L.38,.124 L.588,.809 L0,.4 L-.588,.809 L-.38,.124 L-.951,-.309 L-.235,-.324 Z"
)
# What a court card wears: the king a crown, the queen a coronet with pearls, the jack a cap with a feather.
_COURT: Final = {
    "K": "M-1,.35 L-1,-.55 L-.5,-.05 L0,-.85 L.5,-.05 L1,-.55 L1,.35 Z M-1,.5 L1,.5 L1,.8 L-1,.8 Z",
    "Q": "M-.95,.45 C-.95,.1 -1,-.15 -1.05,-.4 C-.75,-.3 -.55,-.05 -.45,.1 C-.35,-.2 -.2,-.45 0,-.6 "
    "C.2,-.45 .35,-.2 .45,.1 C.55,-.05 .75,-.3 1.05,-.4 C1,-.15 .95,.1 .95,.45 Z "
    "M0,-1 C.12,-1 .2,-.92 .2,-.8 C.2,-.68 .12,-.6 0,-.6 C-.12,-.6 -.2,-.68 -.2,-.8 C-.2,-.92 -.12,-1 0,-1 Z "
    "M-.9,.6 L.9,.6 C.5,.85 -.5,.85 -.9,.6 Z",
    "J": "M-.85,.45 C-.85,-.15 -.45,-.5 .1,-.5 C.55,-.5 .85,-.15 .85,.45 Z M-1,.6 L1,.6 L1,.85 L-1,.85 Z "
    "M.35,-.35 C.3,-.75 .55,-1 1,-1.05 C.85,-.7 .8,-.35 .5,-.2 Z",
}
_JESTER: Final = (
    "M-.6,.45 C-.75,-.05 -1.05,-.15 -1.15,.1 C-1.1,-.5 -.65,-.75 -.3,-.3 C-.25,-.75 -.15,-.95 0,-1.1 "
    "C.15,-.95 .25,-.75 .3,-.3 C.65,-.75 1.1,-.5 1.15,.1 C1.05,-.15 .75,-.05 .6,.45 Z M-.65,.58 L.65,.58 L.65,.85 "
    "L-.65,.85 Z"
)
# Pips of the cards 3 to 10, right of the corner: columns -1, 0, 1 from left to right, rows from 0 (top) to 1.
_PIPS: Final = {
    3: ((0, 0), (0, 0.5), (0, 1)),
    4: ((-1, 0), (1, 0), (-1, 1), (1, 1)),
    5: ((-1, 0), (1, 0), (0, 0.5), (-1, 1), (1, 1)),
    6: ((-1, 0), (1, 0), (-1, 0.5), (1, 0.5), (-1, 1), (1, 1)),
    7: ((-1, 0), (1, 0), (0, 0.25), (-1, 0.5), (1, 0.5), (-1, 1), (1, 1)),
    8: ((-1, 0), (1, 0), (0, 0.25), (-1, 0.5), (1, 0.5), (0, 0.75), (-1, 1), (1, 1)),
    9: ((-1, 0), (1, 0), (-1, 1 / 3), (1, 1 / 3), (0, 0.5), (-1, 2 / 3), (1, 2 / 3), (-1, 1), (1, 1)),
    10: ((-1, 0), (1, 0), (0, 1 / 6), (-1, 1 / 3), (1, 1 / 3), (-1, 2 / 3), (1, 2 / 3), (0, 5 / 6), (-1, 1), (1, 1)),
}
_PIP_CENTRE: Final = 67.0
_PIP_COLUMN: Final = 19.0
_PIP_TOP: Final = 26.0
_PIP_ROWS: Final = 88.0
# Straight pieces a curve is flattened into.
_PIECES: Final = 10
# Paths that many cards use, by the id under which a page holds them once.
_SHARED: Final = {
    words: f"p-{name}"
    for name, words in (
        *_SUIT.items(),
        *((f"court-{rank}", words) for rank, words in _COURT.items()),
        ("star", _STAR),
        ("jester", _JESTER),
    )
}
_PAPER: Final = (
    f'<rect x=".75" y=".75" width="{WIDTH - 1.5}" height="{HEIGHT - 1.5}" rx="{RADIUS}" fill="var(--paper)" '
    'stroke="var(--edge)" stroke-width="1.5"/>'
)
# Where a rank's foot lies under its centre, as a share of its size; the room of the ten, the only rank of two digits.
BASELINE: Final = 0.35
TEN_WIDTH: Final = 32


@dataclass(frozen=True)
class Path:
    """A path of `words` about the origin, `scale` times as large and moved to (x, y), filled with an ink."""

    words: str
    ink: str
    x: float = 0
    y: float = 0
    scale: float = 1


@dataclass(frozen=True)
class Rank:
    """The rank in the corner, centred on (x, y)."""

    text: str
    ink: str
    x: float
    y: float
    size: float


@cache
def face(card: int) -> tuple[Path | Rank, ...]:
    """The shapes of a card type on its paper, or of a back (`BACK`)."""
    if card == BACK:
        return (_frame(7, "back"), *(Path(_SUIT["D"], "lace", x, y, 7) for x, y in _lattice()))
    if card == JOKER:
        return (
            Path(_STAR, "joker", 19, 24, 14),
            Path(_JESTER, "joker", 58, 72, 27),
            *(Path(_STAR, "wild", x, y, 6) for x, y in ((24, 80), (60, 30), (90, 84), (60, 114))),
        )
    suit, rank = SUITS[card // RANK_COUNT], card % RANK_COUNT
    corner: tuple[Path | Rank, ...] = (
        Rank(RANK_NAMES[rank], suit, 19, 23, 34),
        Path(_SUIT[suit], suit, 19, 56, 12),
    )
    if rank == ACE:
        return (*corner, Path(_SUIT[suit], suit, 62, 78, 29))
    if is_wild(card):
        return (*corner, Path(_SUIT[suit], suit, 62, 92, 22), Path(_STAR, "wild", 80, 24, 11))
    if RANK_NAMES[rank] in _COURT:
        court = Path(_COURT[RANK_NAMES[rank]], suit, 64, 46, 21)
        return (Path(_box(36, 12, 92, 128, 6), "frame"), *corner, court, Path(_SUIT[suit], suit, 64, 97, 20))
    pips = (
        Path(_SUIT[suit], suit, _PIP_CENTRE + _PIP_COLUMN * column, _PIP_TOP + _PIP_ROWS * row, 8.5)
        for column, row in _PIPS[rank + 1]
    )
    return (*corner, *pips)


@cache
def symbol(card: int) -> str:
    """A card as an SVG symbol, to be shown by `<use href="#c-9S"/>`; its colours are CSS variables."""
    parts = [_PAPER]
    for shape in face(card):
        fill = f'fill="var(--{shape.ink})"'
        if isinstance(shape, Rank):
            narrow = f' textLength="{TEN_WIDTH}" lengthAdjust="spacingAndGlyphs"' if len(shape.text) > 1 else ""
            baseline = shape.y + BASELINE * shape.size
            parts.append(
                f'<text x="{shape.x:g}" y="{baseline:g}" font-size="{shape.size:g}" {fill}{narrow}>{shape.text}</text>'
            )
        elif shape.words in _SHARED:
            place = f"translate({shape.x:g} {shape.y:g}) scale({shape.scale:g})"
            parts.append(f'<use href="#{_SHARED[shape.words]}" transform="{place}" {fill}/>')
        else:
            parts.append(f'<path d="{shape.words}" {fill}/>')
    return f'<symbol id="c-{name_of(card)}" viewBox="0 0 {WIDTH} {HEIGHT}">{"".join(parts)}</symbol>'


def suit_symbol(suit: str) -> str:
    """A suit by itself as an SVG symbol `s-S`."""
    use = f'<use href="#{_SHARED[_SUIT[suit]]}" fill="var(--{suit})"/>'
    return f'<symbol id="s-{suit}" viewBox="-1.1 -1.1 2.2 2.2">{use}</symbol>'


@cache
def sprite() -> str:
    """All cards, the back and the suits as one hidden SVG."""
    shared = "".join(f'<path id="{name}" d="{words}"/>' for words, name in _SHARED.items())
    cards = "".join(symbol(card) for card in (*range(TYPE_COUNT), BACK))
    suits = "".join(map(suit_symbol, SUITS))
    return f'<svg class="sprite" width="0" height="0" aria-hidden="true"><defs>{shared}</defs>{cards}{suits}</svg>'


def name_of(card: int) -> str:
    """Name of a card as symbols and data attributes have it; the back is `back`."""
    if card == BACK:
        return "back"
    return "JK" if card == JOKER else RANK_NAMES[card % RANK_COUNT] + SUITS[card // RANK_COUNT]


def flatten(path: Path) -> Iterator[list[Point]]:
    """The closed polygons of a path, in the face's coordinates."""
    points: list[Point] = []
    words = path.words.replace("Z", " Z").split()
    place = 0
    while place < len(words):
        word = words[place]
        if word == "Z":
            yield [(path.x + path.scale * x, path.y + path.scale * y) for x, y in points]
            points, place = [], place + 1
        elif word[0] == "C":
            bends = [_point(word[1:]), _point(words[place + 1]), _point(words[place + 2])]
            points += _curve(points[-1], *bends)
            place += 3
        else:
            points.append(_point(word[1:]))
            place += 1


def _point(text: str) -> Point:
    x, y = text.split(",")
    return float(x), float(y)


def _curve(start: Point, first: Point, second: Point, end: Point) -> Iterator[Point]:
    """Points of a Bezier curve after its start."""
    for step in range(1, _PIECES + 1):
        t = step / _PIECES
        a, b, c, d = (1 - t) ** 3, 3 * t * (1 - t) ** 2, 3 * t * t * (1 - t), t**3
        x, y = (a * p + b * q + c * r + d * s for p, q, r, s in zip(start, first, second, end, strict=True))
        yield x, y


def _box(left: float, top: float, right: float, bottom: float, radius: float) -> str:
    """A rounded rectangle."""
    r = radius
    return (
        f"M{left + r},{top} L{right - r},{top} C{right},{top} {right},{top} {right},{top + r} L{right},{bottom - r} "
        f"C{right},{bottom} {right},{bottom} {right - r},{bottom} L{left + r},{bottom} "
        f"C{left},{bottom} {left},{bottom} {left},{bottom - r} L{left},{top + r} "
        f"C{left},{top} {left},{top} {left + r},{top} Z"
    )


def _frame(margin: float, ink: str) -> Path:
    return Path(_box(margin, margin, WIDTH - margin, HEIGHT - margin, RADIUS - 3), ink)


def _lattice() -> Iterator[Point]:
    """Places of the diamonds on a back."""
    for row in range(7):
        for column in range(4 + row % 2):
            yield 50 + 19 * (column - (3 + row % 2) / 2), 70 + 17.5 * (row - 3)


__all__ = [
    "BACK",
    "BASELINE",
    "HEIGHT",
    "INKS",
    "RADIUS",
    "TEN_WIDTH",
    "WIDTH",
    "Path",
    "Rank",
    "face",
    "flatten",
    "name_of",
    "sprite",
]
