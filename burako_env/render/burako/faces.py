"""Card faces as shapes (`shapes.py`): drawn once here, shown by the HTML table and by the picture."""

from collections.abc import Iterator
from functools import cache
from typing import Final

from burako_env.cards import ACE, JOKER, RANK_COUNT, RANK_NAMES, SUITS, TYPE_COUNT, is_wild
from burako_env.render.shapes import CROWN, JESTER, SHARED_INKS, STAR, Path, Rank, Shape, box, frame, sprite_of, symbol

BACK: Final = TYPE_COUNT

INKS: Final = {**SHARED_INKS, "C": "#1f2a33", "D": "#b8312f", "H": "#b8312f", "S": "#1f2a33", "frame": "#efe7d6"}

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
# What a court card wears: the king a crown, the queen a coronet with pearls, the jack a cap with a feather.
_COURT: Final = {
    "K": CROWN,
    "Q": "M-.95,.45 C-.95,.1 -1,-.15 -1.05,-.4 C-.75,-.3 -.55,-.05 -.45,.1 C-.35,-.2 -.2,-.45 0,-.6 "
    "C.2,-.45 .35,-.2 .45,.1 C.55,-.05 .75,-.3 1.05,-.4 C1,-.15 .95,.1 .95,.45 Z "
    "M0,-1 C.12,-1 .2,-.92 .2,-.8 C.2,-.68 .12,-.6 0,-.6 C-.12,-.6 -.2,-.68 -.2,-.8 C-.2,-.92 -.12,-1 0,-1 Z "
    "M-.9,.6 L.9,.6 C.5,.85 -.5,.85 -.9,.6 Z",
    "J": "M-.85,.45 C-.85,-.15 -.45,-.5 .1,-.5 C.55,-.5 .85,-.15 .85,.45 Z M-1,.6 L1,.6 L1,.85 L-1,.85 Z "
    "M.35,-.35 C.3,-.75 .55,-1 1,-1.05 C.85,-.7 .8,-.35 .5,-.2 Z",
}
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
# Paths that many cards use, by the id under which a page holds them once.
_SHARED: Final = {
    words: f"p-{name}"
    for name, words in (
        *_SUIT.items(),
        *((f"court-{rank}", words) for rank, words in _COURT.items()),
        ("star", STAR),
        ("jester", JESTER),
    )
}
# The room of the ten, the only rank of two digits.
_TEN_WIDTH: Final = 32


@cache
def face(card: int) -> tuple[Shape, ...]:
    """The shapes of a card type on its paper, or of a back (`BACK`)."""
    if card == BACK:
        return (frame(7, "back"), *(Path(_SUIT["D"], "lace", x, y, 7) for x, y in _lattice()))
    if card == JOKER:
        return (
            Path(STAR, "joker", 19, 24, 14),
            Path(JESTER, "joker", 58, 72, 27),
            *(Path(STAR, "wild", x, y, 6) for x, y in ((24, 80), (60, 30), (90, 84), (60, 114))),
        )
    suit, rank = SUITS[card // RANK_COUNT], card % RANK_COUNT
    name = RANK_NAMES[rank]
    corner: tuple[Shape, ...] = (
        Rank(name, suit, 19, 23, 34, _TEN_WIDTH if len(name) > 1 else 0),
        Path(_SUIT[suit], suit, 19, 56, 12),
    )
    if rank == ACE:
        return (*corner, Path(_SUIT[suit], suit, 62, 78, 29))
    if is_wild(card):
        return (*corner, Path(_SUIT[suit], suit, 62, 92, 22), Path(STAR, "wild", 80, 24, 11))
    if RANK_NAMES[rank] in _COURT:
        court = Path(_COURT[RANK_NAMES[rank]], suit, 64, 46, 21)
        return (Path(box(36, 12, 92, 128, 6), "frame"), *corner, court, Path(_SUIT[suit], suit, 64, 97, 20))
    pips = (
        Path(_SUIT[suit], suit, _PIP_CENTRE + _PIP_COLUMN * column, _PIP_TOP + _PIP_ROWS * row, 8.5)
        for column, row in _PIPS[rank + 1]
    )
    return (*corner, *pips)


def suit_symbol(suit: str) -> str:
    """A suit by itself as an SVG symbol `s-S`."""
    use = f'<use href="#{_SHARED[_SUIT[suit]]}" fill="var(--{suit})"/>'
    return f'<symbol id="s-{suit}" viewBox="-1.1 -1.1 2.2 2.2">{use}</symbol>'


@cache
def sprite() -> str:
    """All cards, the back and the suits as one hidden SVG."""
    cards = (symbol(name_of(card), face(card), _SHARED) for card in (*range(TYPE_COUNT), BACK))
    return sprite_of((*cards, *map(suit_symbol, SUITS)), _SHARED)


def name_of(card: int) -> str:
    """Name of a card as symbols and data attributes have it; the back is `back`."""
    if card == BACK:
        return "back"
    return "JK" if card == JOKER else RANK_NAMES[card % RANK_COUNT] + SUITS[card // RANK_COUNT]


def _lattice() -> Iterator[tuple[float, float]]:
    """Places of the diamonds on a back."""
    for row in range(7):
        for column in range(4 + row % 2):
            yield 50 + 19 * (column - (3 + row % 2) / 2), 70 + 17.5 * (row - 3)


__all__ = ["BACK", "INKS", "face", "name_of", "sprite"]
