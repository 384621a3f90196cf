"""Faces of the children's tiles as shapes (`shapes.py`): four animals in their colours, jokers, forfeits, a crown.

In addition to the tiles' own types there is a back, and for every cell a joker that stands for the tile of that cell:
it shows that tile's number and animal in small.
"""

from functools import cache
from math import cos, pi, sin
from typing import Final

from burako_env.render.shapes import (
    CROWN,
    JESTER,
    SHARED_INKS,
    STAR,
    Path,
    Rank,
    Shape,
    circle,
    ellipse,
    frame,
    sprite_of,
    svg,
    symbol,
)
from burako_env.ruibal.tiles import (
    CELL_COUNT,
    CHARACTERS,
    JOKER,
    NUMBER_COUNT,
    OTRO,
    ROBA,
    TOMA,
    TYPE_COUNT,
    TYPE_NAMES,
)

BACK: Final = TYPE_COUNT
# A joker that stands for cell c is number STANDS_FOR + c.
STANDS_FOR: Final = BACK + 1
NUMBER: Final = STANDS_FOR + CELL_COUNT

INKS: Final = {
    **SHARED_INKS,
    "tile-L": "#b06f12",
    "tile-C": "#2f7d3b",
    "tile-T": "#c8501e",
    "tile-O": "#6b4426",
    "fur-L": "#f0bf57",
    "fur-C": "#58b063",
    "fur-T": "#f08c3a",
    "fur-O": "#9a6a42",
    "muzzle": "#fff4de",
    "dark": "#22262b",
    "forfeit": "#1f5fae",
    "gold": "#d9a32b",
}


def _mane(bumps: int, inner: float, outer: float) -> str:
    """A ring of rounded tufts."""
    words = [f"M{inner:.4g},0"]
    for bump in range(bumps):
        start, end = 2 * pi * bump / bumps, 2 * pi * (bump + 1) / bumps
        bends = [(outer, start + 0.15 * (end - start)), (outer, end - 0.15 * (end - start)), (inner, end)]
        words.append("C" + " ".join(f"{radius * cos(angle):.3f},{radius * sin(angle):.3f}" for radius, angle in bends))
    return " ".join(words) + " Z"


def _eyes(x: float, y: float, radius: float) -> tuple[str, str]:
    return circle(-x, y, radius), circle(x, y, radius)


_NOSE: Final = "M-.17,.18 C-.1,.1 .1,.1 .17,.18 C.17,.3 .06,.36 0,.4 C-.06,.36 -.17,.3 -.17,.18 Z"
_MOUTH: Final = (
    "M-.04,.36 L.04,.36 L.04,.5 C.12,.6 .24,.6 .3,.5 L.36,.55 C.26,.72 .08,.7 0,.58 C-.08,.7 -.26,.72 -.36,.55 "
    "L-.3,.5 C-.24,.6 -.12,.6 -.04,.5 Z"
)
_STRIPES: Final = (
    "M-.1,-.86 L.1,-.86 L0,-.38 Z M-.42,-.78 L-.24,-.84 L-.22,-.46 Z M.42,-.78 L.24,-.84 L.22,-.46 Z "
    "M-.86,-.12 L-.86,.08 L-.5,0 Z M.86,-.12 L.86,.08 L.5,0 Z M-.82,.26 L-.74,.44 L-.46,.3 Z "
    "M.82,.26 L.74,.44 L.46,.3 Z"
)
# A crocodile from the side: the eye's hump, the long upper jaw, teeth, the lower jaw.
_UPPER_JAW: Final = (
    "M1,.1 C1,-.3 .86,-.46 .62,-.5 C.6,-.84 .16,-.86 .1,-.48 L-.66,-.26 C-.72,-.42 -.98,-.4 -1,-.14 "
    "C-1.02,.02 -.96,.08 -.86,.1 Z"
)
_LOWER_JAW: Final = "M1,.1 L.3,.2 L-.78,.46 C-.94,.52 -.9,.72 -.74,.7 L.5,.66 C.84,.64 1,.42 1,.1 Z"
_TEETH: Final = (
    "M-.84,.08 L-.66,.08 L-.75,.28 Z M-.56,.08 L-.38,.08 L-.47,.28 Z M-.28,.08 L-.1,.08 L-.19,.28 Z "
    "M0,.08 L.18,.08 L.09,.26 Z M-.66,.44 L-.5,.4 L-.62,.26 Z M-.36,.36 L-.2,.32 L-.32,.2 Z"
)

# Each animal's head in the box -1 to 1, from back to front: words and ink.
_HEADS: Final = {
    "L": (
        (_mane(12, 0.86, 1.06), "tile-L"),
        (circle(-0.56, -0.56, 0.2), "fur-L"),
        (circle(0.56, -0.56, 0.2), "fur-L"),
        (circle(0, 0.02, 0.66), "fur-L"),
        (ellipse(0, 0.38, 0.36, 0.28), "muzzle"),
        *((eye, "dark") for eye in _eyes(0.26, -0.12, 0.085)),
        (_NOSE, "dark"),
        (_MOUTH, "dark"),
    ),
    "C": (
        (_LOWER_JAW, "tile-C"),
        (_TEETH, "muzzle"),
        (_UPPER_JAW, "fur-C"),
        (circle(0.36, -0.5, 0.17), "muzzle"),
        (circle(0.33, -0.5, 0.085), "dark"),
        (circle(-0.82, -0.2, 0.055), "dark"),
    ),
    "T": (
        (circle(-0.62, -0.62, 0.28), "tile-T"),
        (circle(0.62, -0.62, 0.28), "tile-T"),
        (circle(0, 0, 0.88), "fur-T"),
        (_STRIPES, "dark"),
        (ellipse(-0.22, 0.42, 0.3, 0.27), "muzzle"),
        (ellipse(0.22, 0.42, 0.3, 0.27), "muzzle"),
        *((eye, "dark") for eye in _eyes(0.32, -0.12, 0.1)),
        (_NOSE, "dark"),
        (_MOUTH, "dark"),
    ),
    "O": (
        (circle(-0.64, -0.66, 0.34), "tile-O"),
        (circle(0.64, -0.66, 0.34), "tile-O"),
        (circle(-0.64, -0.66, 0.18), "fur-O"),
        (circle(0.64, -0.66, 0.18), "fur-O"),
        (circle(0, 0.04, 0.9), "tile-O"),
        (ellipse(0, 0.4, 0.44, 0.36), "fur-O"),
        *((eye, "muzzle") for eye in _eyes(0.34, -0.14, 0.12)),
        *((eye, "dark") for eye in _eyes(0.34, -0.14, 0.075)),
        (_NOSE, "dark"),
        (_MOUTH, "dark"),
    ),
}
_ARROW: Final = "M-1,0 L-.2,-.75 L-.2,-.3 L1,-.3 L1,.3 L-.2,.3 L-.2,.75 Z"
_DOWN: Final = "M0,1 L-.75,.2 L-.3,.2 L-.3,-1 L.3,-1 L.3,.2 L.75,.2 Z"
# A ring that is open at the upper right, with an arrow's head there.
_AGAIN: Final = (
    "M.35,-.62 C.05,-.78 -.35,-.7 -.58,-.42 C-.85,-.08 -.8,.42 -.45,.68 C-.1,.95 .45,.88 .72,.5 L1,.68 "
    "C.62,1.22 -.18,1.3 -.66,.94 C-1.16,.56 -1.22,-.16 -.84,-.64 C-.5,-1.06 .06,-1.16 .5,-.92 Z "
    "M.1,-1.25 L.98,-.72 L.14,-.2 Z"
)
_FORFEIT_FIGURES: Final = {
    ROBA: ("ROBA", "UNA", ((_ARROW, 0.0, 1.0),)),
    TOMA: ("TOMA", "DOS", ((_DOWN, -22.0, 0.8), (_DOWN, 22.0, 0.8))),
    OTRO: ("OTRO", "TURNO", ((_AGAIN, 0.0, 0.95),)),
}
_WORD_WIDTH: Final = 78
_SHARED: Final = {
    words: f"p-{name}"
    for name, words in (
        *((f"{letter}{place}", words) for letter, head in _HEADS.items() for place, (words, _) in enumerate(head)),
        ("star", STAR),
        ("jester", JESTER),
        ("crown", CROWN),
    )
}


def head(character: str, x: float, y: float, scale: float) -> tuple[Shape, ...]:
    """An animal's head about (x, y)."""
    return tuple(Path(words, ink, x, y, scale) for words, ink in _HEADS[character])


@cache
def face(tile: int) -> tuple[Shape, ...]:
    """The shapes of a tile type on its paper, of a back (`BACK`), or of a joker in a cell (`STANDS_FOR` + cell)."""
    if tile == BACK:
        return (frame(7, "back"), Path(STAR, "lace", 50, 70, 30))
    if tile >= STANDS_FOR:
        character, number = CHARACTERS[(tile - STANDS_FOR) // NUMBER_COUNT], (tile - STANDS_FOR) % NUMBER_COUNT + 1
        return (
            Rank(str(number), f"tile-{character}", 24, 27, 40),
            *head(character, 70, 27, 19),
            Path(JESTER, "joker", 50, 94, 36),
        )
    if tile == JOKER:
        return (
            Path(STAR, "joker", 24, 26, 17),
            Path(JESTER, "joker", 52, 84, 38),
            *(Path(STAR, "wild", x, y, 7) for x, y in ((62, 26), (84, 48), (22, 122))),
        )
    if tile in _FORFEIT_FIGURES:
        first, second, figures = _FORFEIT_FIGURES[tile]
        return (
            frame(6, "forfeit"),
            Rank(first, "paper", 50, 26, 28, _WORD_WIDTH),
            *(Path(words, "paper", 50 + x, 70, 22 * scale) for words, x, scale in figures),
            Rank(second, "paper", 50, 115, 28, _WORD_WIDTH),
        )
    character, number = CHARACTERS[tile // NUMBER_COUNT], tile % NUMBER_COUNT + 1
    return (Rank(str(number), f"tile-{character}", 25, 30, 46), *head(character, 55, 88, 38))


def name_of(tile: int) -> str:
    """Name of a tile as symbols and data attributes have it: `C2`, `JK`, `JKC2` for a joker in a cell, `back`."""
    if tile == BACK:
        return "back"
    return TYPE_NAMES[tile] if tile < TYPE_COUNT else f"JK{TYPE_NAMES[tile - STANDS_FOR]}"


@cache
def sprite() -> str:
    """All tiles, the back, the animals (`f-L`) and a crown (`s-crown`) as one hidden SVG."""
    tiles = (symbol(name_of(tile), face(tile), _SHARED) for tile in range(NUMBER))
    animals = (_figure(f"f-{character}", head(character, 0, 0, 1)) for character in CHARACTERS)
    crown = _figure("s-crown", (Path(CROWN, "gold"),))
    return sprite_of((*tiles, *animals, crown), _SHARED)


def _figure(name: str, shapes: tuple[Shape, ...]) -> str:
    """A figure without paper as an SVG symbol."""
    drawn = "".join(svg(shape, _SHARED) for shape in shapes)
    return f'<symbol id="{name}" viewBox="-1.15 -1.15 2.3 2.3">{drawn}</symbol>'


__all__ = ["BACK", "INKS", "NUMBER", "STANDS_FOR", "face", "head", "name_of", "sprite"]
