"""What a trained network expects of a position: its file's critic, in points of the game."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

import torch

from agents.learned.checkpoint import Arrays, Header, fill_module
from agents.learned.encoder import Encoder
from agents.learned.network import make_value
from burako_env.errors import UserError, short

# Points that count 1 to a critic whose file does not say so.
_POINTS: Final = 500.0
_MOST: Final = 1e6


class Critic:
    """Points (own side minus others) still to come for the seat to act, from features float32 `[n, D]`."""

    def __init__(self, module: torch.nn.Module, points: float) -> None:
        self.module, self.points = module.requires_grad_(False), points

    @classmethod
    def of(cls, header: Header, arrays: Arrays, encoder: Encoder, path: Path) -> Critic | None:
        """The critic in a file; None if there is none that sees Views alone, or if it says how hands end in all."""
        settings = _mapping(header.training.get("settings"))
        whole_hands = _mapping(settings.get("ppo")).get("rewards", "dense") != "dense"
        if header.hidden or whole_hands or not any(name.startswith("value.") for name in arrays):
            return None
        with torch.device("meta"):
            module = make_value(header.value, encoder, 0, seed=0)
        fill_module(module, arrays, "value", path)
        points = settings.get("points", _POINTS)
        if not isinstance(points, int | float) or not 0 < points < _MOST:
            raise UserError(f"'{path}' is damaged: its critic counts in units of {short(repr(points))} points")
        return cls(module, float(points))

    def values(self, x: torch.Tensor) -> torch.Tensor:
        """float32 `[n]`."""
        found: torch.Tensor = self.module(x)[:, 0] * self.points
        return found


def _mapping(value: Any) -> Mapping[str, Any]:
    """Settings as a header holds them; what is none counts as empty."""
    return value if isinstance(value, Mapping) else {}
