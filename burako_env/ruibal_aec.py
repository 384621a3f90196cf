"""What the PettingZoo environments of the three levels have in common; each level's module documents its own."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from burako_env.aec import RENDER_MODES, BatchGameEnv
from burako_env.batch import BatchGame
from burako_env.errors import UserError
from burako_env.registry import make
from burako_env.render.ruibal import game_text
from burako_env.ruibal import RuibalGame
from burako_env.ruibal.rules import ruibal_rules

# What an illegal action costs in env(): more than a game is worth.
ILLEGAL_REWARD: Final = -50.0


def _html(game: BatchGame) -> str:
    from burako_env.render.level_html import level_page  # late: pages and images are not wanted in training

    return level_page(game)


def _rgb_array(game: BatchGame) -> npt.NDArray[np.uint8]:
    from burako_env.render.level_picture import level_picture

    return level_picture(game)


DRAWINGS: Final[dict[str, Callable[[BatchGame], Any]]] = {"html": _html, "rgb_array": _rgb_array}
LEVEL_RENDER_MODES: Final = (*RENDER_MODES, *DRAWINGS)


class RuibalEnv(BatchGameEnv):
    """One game of a level."""

    def __init__(
        self,
        name: str,
        players: int,
        *,
        private_fields: tuple[str, ...],
        render_mode: str | None,
        root_seed: int,
    ) -> None:
        ruibal_rules(name, {"players": players})
        super().__init__(
            partial(_make, name, players),
            picture=game_text,
            infos=_infos,
            private_fields=private_fields,
            root_seed=root_seed,
            drawings=DRAWINGS,
            render_mode=render_mode,
        )


def _make(name: str, players: int, root_seed: int, rules: Mapping[str, Any]) -> BatchGame:
    """The game of one episode."""
    if rules.get("players", players) != players:
        raise UserError(f"rules of {name}: players = {rules['players']!r} is not a rule to change but an argument")
    return make(name, 1, root_seed, {**rules, "players": players})


def _infos(game: BatchGame) -> dict[str, Any]:
    """What became of the game that has just ended."""
    assert isinstance(game, RuibalGame)
    position = game.position(0)
    return {
        "scores": position.crowns,
        "reason": position.reason,
        "winners": position.winners,
        "deal_id": int(game.deal_ids[0]),
        "swap_sides": int(game.swapped[0]),
        "decisions": int(game.decisions[0]),
    }
