"""The drawings of every game by Gymnasium's names of render modes."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from burako_env.batch import BatchGame
from burako_env.burako.rules import PRESETS
from burako_env.errors import unknown
from burako_env.ruibal.rules import PRESETS as LEVELS

Drawing = Callable[[BatchGame, int], Any]
MODES: Final = ("ansi", "html", "rgb_array")
# `human` prints the text of `ansi`.
RENDER_MODES: Final = ("human", *MODES)

# Imported when first drawn: pages and images are not wanted in training.


def _table_text(game: BatchGame, number: int) -> str:
    from burako_env.render.burako.text import game_text

    return game_text(game, number)


def _table_page(game: BatchGame, number: int) -> str:
    from burako_env.render.burako.html import table_page

    return table_page(game, number)


def _table_picture(game: BatchGame, number: int) -> npt.NDArray[np.uint8]:
    from burako_env.render.burako.picture import table_picture

    return table_picture(game, number)


def _level_text(game: BatchGame, number: int) -> str:
    from burako_env.render.ruibal.text import game_text

    return game_text(game, number)


def _level_page(game: BatchGame, number: int) -> str:
    from burako_env.render.ruibal.html import level_page

    return level_page(game, number)


def _level_picture(game: BatchGame, number: int) -> npt.NDArray[np.uint8]:
    from burako_env.render.ruibal.picture import level_picture

    return level_picture(game, number)


_TABLE: Final[dict[str, Drawing]] = {"ansi": _table_text, "html": _table_page, "rgb_array": _table_picture}
_LEVEL: Final[dict[str, Drawing]] = {"ansi": _level_text, "html": _level_page, "rgb_array": _level_picture}
_DRAWINGS: Final = {**dict.fromkeys(PRESETS, _TABLE), **dict.fromkeys(LEVELS, _LEVEL)}


def draw(game: BatchGame, mode: str, number: int = 0) -> Any:
    """The position of one game of a batch with every hand open: text (`ansi`), a page (`html`), or an image
    (`rgb_array`, uint8 `[840, 1120, 3]`).
    """
    return _DRAWINGS[game.name][mode](game, number)


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


__all__ = ["MODES", "RENDER_MODES", "checked_mode", "draw", "shown"]
