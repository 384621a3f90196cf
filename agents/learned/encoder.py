"""From a View to what a network reads: `encode` turns int8 `[n, F]` into uint8 features `[n, D]`.

Features are small counts and flags, one byte each, so that a rollout stores them as they are and a minibatch becomes
float32 by one conversion. Columns come in two parts: `blocks` equal blocks of `block` columns (for the card game one a
suit: exchanging suits exchanges blocks and changes nothing else), then `rest` columns that belong to no block. Games
for which there is no encoder of their own have no blocks, and every column of the View as it is.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping
from typing import Any

import numpy as np
import numpy.typing as npt
from torch import Tensor

from burako_env.burako.rules import PRESETS
from burako_env.layout import I8, ViewLayout
from burako_env.registry import burako_rules

U8 = npt.NDArray[np.uint8]


class Encoder(ABC):
    """Attributes: blocks, block, rest (see above); width = D = blocks * block + rest; bias: subtracted from the
    features when they become floats; scale: what they are multiplied with then.
    """

    blocks: int = 0
    block: int = 0
    rest: int
    bias: float = 0.0
    scale: float = 1.0

    @property
    def width(self) -> int:
        """D."""
        return self.blocks * self.block + self.rest

    @abstractmethod
    def encode(self, buffer: I8) -> U8:
        """Features of n Views, uint8 `[n, D]`; `buffer` int8 `[n, F]`."""

    @abstractmethod
    def digest(self) -> str:
        """Names the features: a network is of use only with the encoder it was trained on."""


class PlainEncoder(Encoder):
    """Every column of the View as one number: value / 32, for games without an encoder of their own."""

    bias = 128.0
    scale = 1 / 32

    def __init__(self, layout: ViewLayout) -> None:
        self.rest = layout.width
        self._digest = f"plain-{layout.digest()}"

    def encode(self, buffer: I8) -> U8:
        return buffer.view(np.uint8) ^ np.uint8(128)

    def digest(self) -> str:
        return self._digest


def floats(encoder: Encoder, features: Tensor) -> Tensor:
    """Features uint8 `[n, D]` as a network reads them, float32."""
    x = features.float()
    if encoder.bias or encoder.scale != 1:
        x.sub_(encoder.bias).mul_(encoder.scale)
    return x


def encoder_for(game: str, config: Mapping[str, Any] | None, layout: ViewLayout) -> Encoder:
    """The encoder of a game: its own for the card game, else the plain one."""
    if game in PRESETS:
        from agents.learned.burako_encoder import BurakoEncoder

        return BurakoEncoder(burako_rules(game, config))
    return PlainEncoder(layout)
