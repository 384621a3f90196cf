"""From a View to what a network reads: `encode` turns int8 `[n, F]` into uint8 features `[n, D]`.

Features are small counts and flags, one byte each, so that a rollout stores them as they are and a minibatch becomes
float32 by one conversion. Columns come in two parts: `blocks` equal blocks of `block` columns (such as one for each
suit, where exchanging suits exchanges blocks and changes nothing else), then `rest` columns that belong to no block.
"""

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
import numpy.typing as npt
from torch import Tensor

from burako_env.batch import BatchGame
from burako_env.layout import I8, ViewLayout

U8 = npt.NDArray[np.uint8]
# Steps of the thermometers of hand and stock, the same in all games: a curriculum carries such columns over.
SIZES: Final = (1, 2, 3, 4, 6, 8, 11, 15, 20)
STOCK: Final = (1, 2, 4, 6, 8, 12, 16, 20, 26, 32, 40, 50)


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


@dataclass(frozen=True)
class BlockActions:
    """How actions belong to blocks.

    per_block: actions of one block; rest: actions of none. pairs: slots on which a card of one block goes to another
    block's group. order: for each action the column of the concatenated heads `[n, blocks * per_block + blocks *
    blocks * pairs + rest + unused]`, int64 `[A]`.
    """

    per_block: int
    pairs: int
    rest: int
    unused: int
    order: npt.NDArray[np.int64]


class Encoder(ABC):
    """Attributes: blocks, block, rest (see above); width = D = blocks * block + rest; bias: subtracted from the
    features when they become floats; scale: what they are multiplied with then; block_features, rest_features: the
    columns by name, nothing where they have none; block_actions: how actions belong to blocks, None if they do not.
    """

    blocks: int = 0
    block: int = 0
    rest: int
    bias: float = 0.0
    scale: float = 1.0
    block_features: tuple[Feature, ...] = ()
    rest_features: tuple[Feature, ...] = ()
    block_actions: BlockActions | None = None

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

    def action_names(self, game: BatchGame) -> bytes:
        """What each action means: a network is of use only where they are the same."""
        return f"{game.name} {game.num_actions}".encode()


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
