"""Chance of learned agents: a pure function of the keys of their decisions."""

import numpy as np
import numpy.typing as npt
import torch
from torch import Tensor

from burako_env.chance.rng import U64, mix

_SHIFT = np.uint64(40)


def uniform(keys: U64, purpose: int = 0) -> npt.NDArray[np.float32]:
    """A number in [0, 1) for each key and purpose, float32 `[n]`, a multiple of 2**-24."""
    words = mix(keys + np.uint64(purpose))
    return (words >> _SHIFT).astype(np.float32) * np.float32(2.0**-24)


def probabilities(logits: Tensor, legal: Tensor, temperature: float) -> Tensor:
    """Softmax of playable logits over a temperature above 0, float64 `[n, A]`; exactly 0 for illegal actions."""
    # The temperature comes before the mask, and the best action's 0 before the temperature: nothing overflows.
    scaled = (logits - logits.amax(dim=1, keepdim=True)).double() / temperature
    return scaled.masked_fill(~legal, -torch.inf).softmax(dim=1)


def draw(probabilities: Tensor, chance: Tensor) -> Tensor:
    """An action for each row of probabilities `[n, A]`: where the running sum passes `chance` in [0, 1); int64 `[n]`.

    Actions of probability 0 are never drawn: the sum does not move there.
    """
    sums = probabilities.cumsum(dim=1)
    return (sums <= chance[:, None] * sums[:, -1:]).sum(dim=1)
