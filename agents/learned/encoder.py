"""From a View to what a network reads: `encode` turns int8 `[n, F]` into uint8 features `[n, D]`.

Features are small counts and flags, one byte each, so that a rollout stores them as they are and a minibatch becomes
float32 by one conversion. Columns come in two parts: `blocks` equal blocks of `block` columns (for the card game one a
suit: exchanging suits exchanges blocks and changes nothing else), then `rest` columns that belong to no block. A
child's level has one a character. Games for which there is no encoder of their own have no blocks, and every column of
the View as it is.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt
from torch import Tensor

from burako_env.burako.rules import PRESETS, burako_rules
from burako_env.layout import I8, ViewLayout
from burako_env.ruibal.rules import PRESETS as LEVELS
from burako_env.ruibal.rules import ruibal_rules

U8 = npt.NDArray[np.uint8]


@dataclass(frozen=True)
class Feature:
    """A named part of the features: columns within a block (or within the rest), and what it means."""

    name: str
    width: int
    meaning: str


def slices_of(features: Sequence[Feature]) -> dict[str, slice]:
    """Where each feature lies within its block or within the rest."""
    found, start = {}, 0
    for feature in features:
        found[feature.name] = slice(start, start + feature.width)
        start += feature.width
    return found


class Encoder(ABC):
    """Attributes: blocks, block, rest (see above); width = D = blocks * block + rest; bias: subtracted from the
    features when they become floats; scale: what they are multiplied with then; block_features, rest_features: the
    columns by name, nothing where they have none; block_actions: whether actions belong to blocks as features do.
    """

    blocks: int = 0
    block: int = 0
    rest: int
    bias: float = 0.0
    scale: float = 1.0
    block_features: tuple[Feature, ...] = ()
    rest_features: tuple[Feature, ...] = ()
    block_actions: bool = False

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
    """The encoder of a game: the card game and the children's levels have their own, others the plain one."""
    if game in PRESETS:
        from agents.burako.network.encoder import BurakoEncoder

        return BurakoEncoder(burako_rules(game, config))
    if game in LEVELS:
        from agents.ruibal.network.encoder import RuibalEncoder

        return RuibalEncoder(ruibal_rules(game, config))
    return PlainEncoder(layout)
