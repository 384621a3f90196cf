"""Faces of cards and tiles as shapes: written as SVG for pages, flattened into polygons for images.

A face lies in a box of 100 x 140. A shape is a filled path, or a short text; paths are SVG's own words with absolute
M, L, C and Z only, so that a few lines can flatten them.
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Final

WIDTH: Final = 100
HEIGHT: Final = 140
RADIUS: Final = 9
# Where a text's foot lies under its centre, as a share of its size.
BASELINE: Final = 0.35
# How far a circle's bends lie from its quarters, as a share of the radius.
_BEND: Final = 0.5523
# Straight pieces a curve is flattened into.
_PIECES: Final = 10
_PAPER: Final = (
    f'<rect x=".75" y=".75" width="{WIDTH - 1.5}" height="{HEIGHT - 1.5}" rx="{RADIUS}" fill="var(--paper)" '
    'stroke="var(--edge)" stroke-width="1.5"/>'
)

# Figures that cards and tiles share, in the box -1 to 1.
STAR: Final = (
    "M0,-1 L.235,-.324 L.951,-.309 L.38,.124 L.588,.809 L0,.4 L-.588,.809 L-.38,.124 L-.951,-.309 L-.235,-.324 Z"
)
JESTER: Final = (
    "M-.6,.45 C-.75,-.05 -1.05,-.15 -1.15,.1 C-1.1,-.5 -.65,-.75 -.3,-.3 C-.25,-.75 -.15,-.95 0,-1.1 "
    "C.15,-.95 .25,-.75 .3,-.3 C.65,-.75 1.1,-.5 1.15,.1 C1.05,-.15 .75,-.05 .6,.45 Z M-.65,.58 L.65,.58 L.65,.85 "
    "L-.65,.85 Z"
)
CROWN: Final = "M-1,.35 L-1,-.55 L-.5,-.05 L0,-.85 L.5,-.05 L1,-.55 L1,.35 Z M-1,.5 L1,.5 L1,.8 L-1,.8 Z"

# Colours by name that the faces of all games share; a family adds its own. Pages have them as CSS variables of the same
# names, so that a page may change them.
SHARED_INKS: Final = {
    "joker": "#6b3fa0",
    "wild": "#c8912b",
    "paper": "#fffdf8",
    "edge": "#c9c3b4",
    "back": "#2f5d73",
    "lace": "#7ea3b3",
}

Point = tuple[float, float]


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
    """A rank, number or short word, centred on (x, y); where `width` is set it is made to be that wide."""

    text: str
    ink: str
    x: float
    y: float
    size: float
    width: float = 0


Shape = Path | Rank


def symbol(name: str, shapes: Iterable[Shape], shared: Mapping[str, str]) -> str:
    """A face as an SVG symbol, to be shown by `<use href="#c-NAME"/>`; its colours are CSS variables.

    `shared`: ids of the paths that a page holds once, by their words.
    """
    parts = [_PAPER, *(svg(shape, shared) for shape in shapes)]
    return f'<symbol id="c-{name}" viewBox="0 0 {WIDTH} {HEIGHT}">{"".join(parts)}</symbol>'


def svg(shape: Shape, shared: Mapping[str, str]) -> str:
    """A shape as an SVG element."""
    fill = f'fill="var(--{shape.ink})"'
    if isinstance(shape, Rank):
        narrow = f' textLength="{shape.width:g}" lengthAdjust="spacingAndGlyphs"' if shape.width else ""
        baseline = shape.y + BASELINE * shape.size
        return f'<text x="{shape.x:g}" y="{baseline:g}" font-size="{shape.size:g}" {fill}{narrow}>{shape.text}</text>'
    place = f' transform="translate({shape.x:g} {shape.y:g}) scale({shape.scale:g})"'
    place = place if (shape.x, shape.y, shape.scale) != (0, 0, 1) else ""
    if shape.words in shared:
        return f'<use href="#{shared[shape.words]}"{place} {fill}/>'
    return f'<path d="{shape.words}"{place} {fill}/>'


def sprite_of(symbols: Iterable[str], shared: Mapping[str, str]) -> str:
    """Symbols and the paths they share as one hidden SVG."""
    paths = "".join(f'<path id="{name}" d="{words}"/>' for words, name in shared.items())
    return f'<svg class="sprite" width="0" height="0" aria-hidden="true"><defs>{paths}</defs>{"".join(symbols)}</svg>'


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


def box(left: float, top: float, right: float, bottom: float, radius: float) -> str:
    """A rounded rectangle."""
    r = radius
    return (
        f"M{left + r},{top} L{right - r},{top} C{right},{top} {right},{top} {right},{top + r} L{right},{bottom - r} "
        f"C{right},{bottom} {right},{bottom} {right - r},{bottom} L{left + r},{bottom} "
        f"C{left},{bottom} {left},{bottom} {left},{bottom - r} L{left},{top + r} "
        f"C{left},{top} {left},{top} {left + r},{top} Z"
    )


def frame(margin: float, ink: str) -> Path:
    """A rounded rectangle inside the face's edge."""
    return Path(box(margin, margin, WIDTH - margin, HEIGHT - margin, RADIUS - 3), ink)


def circle(x: float, y: float, radius: float) -> str:
    """A circle."""
    return ellipse(x, y, radius, radius)


def ellipse(x: float, y: float, wide: float, high: float) -> str:
    """An ellipse by its two half axes."""
    a, b = wide * _BEND, high * _BEND
    corners = (
        ((x - wide, y - b), (x - a, y - high), (x, y - high)),
        ((x + a, y - high), (x + wide, y - b), (x + wide, y)),
        ((x + wide, y + b), (x + a, y + high), (x, y + high)),
        ((x - a, y + high), (x - wide, y + b), (x - wide, y)),
    )
    bends = " ".join("C" + " ".join(f"{px:.4g},{py:.4g}" for px, py in corner) for corner in corners)
    return f"M{x - wide:.4g},{y:.4g} {bends} Z"


__all__ = [
    "BASELINE",
    "CROWN",
    "HEIGHT",
    "JESTER",
    "RADIUS",
    "SHARED_INKS",
    "STAR",
    "WIDTH",
    "Path",
    "Rank",
    "Shape",
    "box",
    "circle",
    "ellipse",
    "flatten",
    "frame",
    "sprite_of",
    "svg",
    "symbol",
]
