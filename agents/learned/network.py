"""Networks: a policy that scores every action, and a value of the position, apart from each other.

`mlp` reads all features at once and serves every game. `suits` is for games whose features and actions come in equal
blocks (`encoder.py`): the same small network reads every block, one more reads the rest, and they hear of each other
through sums, so that exchanging suits exchanges the answers exactly. It has to learn everything once, not four times.
The children's levels have a block a character, but actions over several of them: there the same layers end in scores
that read all blocks at once.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated, Any, Literal

import numpy as np
import torch
from pydantic import Field
from torch import Tensor, nn

from agents.learned.encoder import BlockActions, Encoder

MASKED = -1e9
# Scores beyond these are as good as these: at play, illegal actions must stay the worst whatever a network says.
_MOST = 1e8
# How much better an action looks at first for being the advisor's: 20 times as probable.
TRUST = 3.0


# What a file may ask for; whether its weights are of these widths is seen before anything of that size is made.
Widths = Annotated[tuple[Annotated[int, Field(ge=1, le=2**16)], ...], Field(max_length=64)]


@dataclass(frozen=True)
class NetConfig:
    """What a network looks like: its kind, the widths of its hidden layers, for `suits` also those of a block; of a
    policy also the agent whose choices it hears, if any (`Policy`).
    """

    kind: Literal["mlp", "suits"] = "mlp"
    widths: Widths = (256, 256)
    block_widths: Widths = (96, 96)
    advisor: str = ""


def masked(logits: Tensor, legal: Tensor) -> Tensor:
    """Logits float32 `[n, A]` with those of illegal actions so low that their probability is exactly 0.

    Take `softmax` of it for probabilities: `exp` of a log-probability of -1e9 is forty times slower than of a usual
    number.
    """
    return logits.masked_fill(~legal, MASKED)


def playable(logits: Tensor, legal: Tensor) -> Tensor:
    """As `masked`, for choosing: a legal action is the best one also where the logits are huge or no numbers.

    Not for learning: what is no number has to reach the loss.
    """
    return masked(logits.nan_to_num(0.0).clamp(-_MOST, _MOST), legal)


def _linear(inputs: int, outputs: int, gain: float, generator: torch.Generator, bias: bool = True) -> nn.Linear:
    layer = nn.Linear(inputs, outputs, bias=bias)
    nn.init.orthogonal_(layer.weight, gain, generator=generator)
    if bias:
        nn.init.zeros_(layer.bias)
    return layer


class Mlp(nn.Module):
    """float32 `[n, D]` to `[n, outputs]`."""

    def __init__(
        self, inputs: int, outputs: int, widths: Sequence[int], gain: float, generator: torch.Generator
    ) -> None:
        super().__init__()
        layers: list[nn.Module] = []
        for width in widths:
            layers += [_linear(inputs, width, 2**0.5, generator), nn.ReLU()]
            inputs = width
        layers.append(_linear(inputs, outputs, gain, generator))
        self.layers = nn.Sequential(*layers)

    def forward(self, x: Tensor) -> Tensor:
        out: Tensor = self.layers(x)
        return out


class SuitTrunk(nn.Module):
    """Layers that treat all blocks alike: `[n, D]` to (blocks `[n, k, hb]`, rest `[n, h]`)."""

    def __init__(
        self,
        encoder: Encoder,
        extra: int,
        widths: Sequence[int],
        block_widths: Sequence[int],
        generator: torch.Generator,
    ) -> None:
        super().__init__()
        self.blocks, self.block = encoder.blocks, encoder.block
        inner, outer = encoder.block, encoder.rest + extra
        self.block_own, self.block_rest, self.rest_own, self.rest_blocks = (nn.ModuleList() for _ in range(4))
        gain = 2**0.5
        for width, block_width in zip(widths, block_widths):
            self.block_own.append(_linear(inner, block_width, gain, generator))
            self.block_rest.append(_linear(outer, block_width, gain / 2, generator, bias=False))
            self.rest_own.append(_linear(outer, width, gain, generator))
            self.rest_blocks.append(_linear(inner, width, gain / 2, generator, bias=False))
            inner, outer = block_width, width
        self.inner, self.outer = inner, outer

    def forward(self, x: Tensor) -> tuple[Tensor, Tensor]:
        split = self.blocks * self.block
        blocks = x[:, :split].reshape(-1, self.blocks, self.block)
        rest = x[:, split:]
        for block_own, block_rest, rest_own, rest_blocks in zip(
            self.block_own, self.block_rest, self.rest_own, self.rest_blocks
        ):
            above = rest_own(rest) + rest_blocks(_total(blocks))
            blocks = torch.relu(block_own(blocks) + block_rest(rest)[:, None, :])
            rest = torch.relu(above)
        return blocks, rest


def _total(blocks: Tensor) -> Tensor:
    """Sum over the blocks `[n, k, h]`: adding slices is several times faster than `sum` over a short axis."""
    total = blocks[:, 0]
    for block in range(1, blocks.shape[1]):
        total = total + blocks[:, block]
    return total


class _Columns(torch.autograd.Function):
    """Reorder columns by a permutation: a gather both ways, where indexing would scatter on the way back."""

    @staticmethod
    def forward(ctx: Any, x: Tensor, order: Tensor, inverse: Tensor) -> Tensor:
        ctx.save_for_backward(inverse)
        return x.index_select(1, order)

    @staticmethod
    def backward(ctx: Any, *grads: Tensor) -> tuple[Tensor, None, None]:
        (inverse,) = ctx.saved_tensors
        return grads[0].index_select(1, inverse), None, None


class SuitPolicy(nn.Module):
    """Policy of kind `suits`: float32 `[n, D]` to logits `[n, A]`."""

    order: Tensor
    inverse: Tensor

    def __init__(self, encoder: Encoder, actions: BlockActions, config: NetConfig, generator: torch.Generator) -> None:
        super().__init__()
        self.trunk = SuitTrunk(encoder, 0, config.widths, config.block_widths, generator)
        self.shape = actions
        inner, outer = self.trunk.inner, self.trunk.outer
        outputs = actions.per_block + 2 * actions.pairs
        self.block_own = _linear(inner, outputs, 0.01, generator)
        self.block_rest = _linear(outer, outputs, 0.01, generator, bias=False)
        self.rest_own = _linear(outer, actions.rest, 0.01, generator)
        self.habit = nn.Parameter(torch.zeros(len(actions.order)))
        width = encoder.blocks * actions.per_block + encoder.blocks**2 * actions.pairs + actions.rest + actions.unused
        # Columns that no action uses (a suit paired with itself) read the gradient of an unused action, which is 0.
        inverse = np.full(width, np.flatnonzero(actions.order >= width - actions.unused)[0], dtype=np.int64)
        inverse[actions.order] = np.arange(len(actions.order))
        self.register_buffer("order", torch.from_numpy(actions.order), persistent=False)
        self.register_buffer("inverse", torch.from_numpy(inverse), persistent=False)

    def forward(self, x: Tensor) -> Tensor:
        blocks, rest = self.trunk(x)
        heads = self.block_own(blocks) + self.block_rest(rest)[:, None, :]
        s, n = self.shape, len(x)
        own = heads[:, :, : s.per_block]
        run = heads[:, :, s.per_block : s.per_block + s.pairs]
        card = heads[:, :, s.per_block + s.pairs :]
        pairs = run[:, :, None, :] + card[:, None, :, :]
        columns = torch.cat(
            [own.reshape(n, -1), pairs.reshape(n, -1), self.rest_own(rest), x.new_zeros(n, s.unused)], dim=1
        )
        out: Tensor = _Columns.apply(columns, self.order, self.inverse)  # type: ignore[no-untyped-call]
        return out + self.habit


class FlatPolicy(nn.Module):
    """Policy of kind `suits` where actions belong to no block: float32 `[n, D]` to logits `[n, A]`."""

    def __init__(self, encoder: Encoder, num_actions: int, config: NetConfig, generator: torch.Generator) -> None:
        super().__init__()
        self.trunk = SuitTrunk(encoder, 0, config.widths, config.block_widths, generator)
        self.head = _linear(encoder.blocks * self.trunk.inner + self.trunk.outer, num_actions, 0.01, generator)

    def forward(self, x: Tensor) -> Tensor:
        blocks, rest = self.trunk(x)
        out: Tensor = self.head(torch.cat([blocks.flatten(1), rest], dim=1))
        return out


class SuitValue(nn.Module):
    """Value of kind `suits`: float32 `[n, D + extra]` to `[n, 1]`."""

    def __init__(self, encoder: Encoder, extra: int, config: NetConfig, generator: torch.Generator) -> None:
        super().__init__()
        self.trunk = SuitTrunk(encoder, extra, config.widths, config.block_widths, generator)
        self.head_rest = _linear(self.trunk.outer, 1, 0.1, generator)
        self.head_blocks = _linear(self.trunk.inner, 1, 0.1, generator, bias=False)

    def forward(self, x: Tensor) -> Tensor:
        blocks, rest = self.trunk(x)
        out: Tensor = self.head_rest(rest) + self.head_blocks(_total(blocks))
        return out


class Policy(nn.Module):
    """Scores of all actions: a network's, and if there is an advisor a bonus for what it would play.

    The bonus is a weight for each action, learned with the rest: the network is what is to be done otherwise (residual
    policy learning, Silver et al. 2018).
    """

    def __init__(self, net: nn.Module, num_actions: int, advised: bool) -> None:
        super().__init__()
        self.net = net
        self.trust = nn.Parameter(torch.full((num_actions,), TRUST)) if advised else None

    def forward(self, x: Tensor, advice: Tensor) -> Tensor:
        """Logits float32 `[n, A]` of features `[n, D]`; `advice` int64 `[n]`, or `[0]` for none."""
        logits: Tensor = self.net(x)
        if self.trust is None or not len(advice):
            return logits
        return logits.scatter_add(1, advice[:, None], self.trust[advice][:, None])


def make_policy(config: NetConfig, encoder: Encoder, num_actions: int, seed: int) -> Policy:
    """A fresh policy."""
    generator = torch.Generator().manual_seed(seed)
    net: nn.Module
    if config.kind == "mlp":
        net = Mlp(encoder.width, num_actions, config.widths, 0.01, generator)
    elif encoder.block_actions is None:
        net = FlatPolicy(encoder, num_actions, config, generator)
    else:
        net = SuitPolicy(encoder, encoder.block_actions, config, generator)
    return Policy(net, num_actions, bool(config.advisor))


def make_value(config: NetConfig, encoder: Encoder, extra: int, seed: int) -> nn.Module:
    """A fresh critic: float32 `[n, D + extra]` to `[n, 1]`, the expected rest of (own - others') points."""
    generator = torch.Generator().manual_seed(seed)
    if config.kind == "suits":
        return SuitValue(encoder, extra, config, generator)
    return Mlp(encoder.width + extra, 1, config.widths, 0.1, generator)
