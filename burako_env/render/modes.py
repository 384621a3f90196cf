"""The drawings of every game by Gymnasium's names of render modes."""

from pkgutil import resolve_name
from typing import Any, Final

import numpy as np

from burako_env.batch import BatchGame
from burako_env.errors import unknown

MODES: Final = ("ansi", "html", "rgb_array")
# `human` prints the text of `ansi`.
RENDER_MODES: Final = ("human", *MODES)

# The drawings of a family by mode and the module of its faces, imported when first drawn: training wants neither.
_DRAWINGS: Final = {
    "burako": {
        "ansi": "burako_env.render.burako.text:game_text",
        "html": "burako_env.render.burako.html:table_page",
        "rgb_array": "burako_env.render.burako.picture:table_picture",
        "faces": "burako_env.render.burako.faces",
    },
    "ruibal": {
        "ansi": "burako_env.render.ruibal.text:game_text",
        "html": "burako_env.render.ruibal.html:level_page",
        "rgb_array": "burako_env.render.ruibal.picture:level_picture",
        "faces": "burako_env.render.ruibal.faces",
    },
}


def draw(game: BatchGame, mode: str, number: int = 0) -> Any:
    """The position of one game of a batch with every hand open: text (`ansi`), a page (`html`), or an image
    (`rgb_array`, uint8 `[840, 1120, 3]`). A family without drawings of its own has a text.
    """
    places = _DRAWINGS.get(game.family, {})
    if mode in MODES and mode in places:
        return resolve_name(places[mode])(game, number)
    if mode == "ansi":
        return plain_text(game, number)
    raise unknown(f"drawing of {game.name}", mode, MODES if places else ("ansi",))


def faces_of(family: str) -> Any:
    """The module of a family's faces: `INKS`, the colours by name, and `sprite()`, all of them as one hidden SVG."""
    return resolve_name(_DRAWINGS[family]["faces"])


def plain_text(game: BatchGame, number: int = 0) -> str:
    """The View of every seat, field by field, without those that are all 0."""
    views = game.select(np.full(game.seats, number)).view(seats=np.arange(game.seats))
    lines = [f"{game.name}, {game.phase_text(number)}, seat {int(game.to_act[number])} to act"]
    for seat in range(game.seats):
        fields = ((name, views.field(name)[seat].ravel().tolist()) for name in views.layout.shapes)
        lines += [f"seat {seat}", *(f"  {name}: {' '.join(map(str, cells))}" for name, cells in fields if any(cells))]
    return "\n".join(lines)


def checked_mode(mode: Any, modes: tuple[str, ...]) -> str | None:
    """A render mode, or None."""
    if mode is not None and mode not in modes:
        raise unknown("render mode", str(mode), modes)
    found: str | None = mode
    return found


def shown(game: BatchGame, mode: str, number: int = 0) -> Any:
    """One game of a batch in a render mode; `human` prints it."""
    if mode != "human":
        return draw(game, mode, number)
    print(draw(game, "ansi", number))
    return None


__all__ = ["MODES", "RENDER_MODES", "checked_mode", "draw", "faces_of", "plain_text", "shown"]
