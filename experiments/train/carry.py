"""What a network takes over from one that was trained on another game.

Networks of kind `suits` read one block of features a suit (a character in the children's levels) and a rest. Their
layers are the same everywhere but for the first, whose columns are the features. So by name:

    first layers      the columns of features that both games have; what only the new game has begins fresh
    other layers      as they are, if they are of the same width
    heads             fresh: actions and points are the new game's own

A feature of another width carries over where the old game's family says which columns stand for which. New columns that
stand for the same old one share its weights: a hand has twice the cards that a rack has tiles, and should not move the
layers twice as far as they have learned to expect.
"""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from pkgutil import resolve_name
from typing import Final

import numpy as np
import torch
from torch import nn

from agents.learned.checkpoint import Arrays, Header
from agents.learned.encoder import Encoder, Feature, slices_of
from agents.learned.encoders import encoder_for
from burako_env.errors import UserError
from burako_env.families import make
from experiments.train.learner import Learner

# From an old and a new width to the old column that each new column stands for.
Spread = Callable[[int, int], Mapping[int, int]]
# Old columns, the new ones that stand for them, and the share of the old weights that these take, `[k]` each.
Columns = tuple[list[int], list[int], list[float]]

# By the family that is carried over.
SPREADS: Final = {"ruibal": "agents.ruibal.network.ranks:spread"}
_TRUNKS: Final = {"policy": "net.trunk.", "value": "trunk."}


def columns(old: Sequence[Feature], new: Sequence[Feature], spread: Spread) -> Columns:
    """The old columns that the columns of the new features begin with."""
    widths, at, to = {feature.name: feature.width for feature in old}, slices_of(old), slices_of(new)
    found: Columns = ([], [], [])
    for feature in new:
        if feature.name not in widths:
            continue
        width = widths[feature.name]
        places = {n: n for n in range(width)} if width == feature.width else spread(width, feature.width)
        count = Counter(places.values())
        for place, source in places.items():
            found[0].append(at[feature.name].start + source)
            found[1].append(to[feature.name].start + place)
            found[2].append(1 / count[source])
    return found


def carry_over(learner: Learner, header: Header, arrays: Arrays, path: Path) -> None:
    """Take what can be taken from a file of another game; `UserError` if that is nothing."""
    game = make(header.game, 1, 0, header.config)
    encoder = encoder_for(header.game, header.config, game.layout)
    if not learner.encoder.blocks or not encoder.blocks or encoder.digest() != header.encoder:
        raise UserError(f"'{path}' is of {header.game}, whose features have nothing in common with this game's")
    spread: Spread = resolve_name(SPREADS[game.family]) if game.family in SPREADS else lambda old, new: {}
    inputs = _inputs(encoder, learner.encoder, spread)
    nets = {"policy": (learner.policy, learner.policy_config), "value": (learner.value, learner.value_config)}
    for name, (module, config) in nets.items():
        theirs = getattr(header, name)
        for what in ("kind", "widths", "block_widths"):
            if getattr(theirs, what) != getattr(config, what) or config.kind != "suits":
                raise UserError(
                    f"'{path}' is of {header.game}: layers carry over between networks of kind suits with the same "
                    f"widths, its {name} has {what} {getattr(theirs, what)}"
                )
        if f"{name}.{_TRUNKS[name]}block_own.0.weight" in arrays:
            try:
                _fill(module, f"{name}.", _TRUNKS[name], arrays, inputs)
            except (KeyError, IndexError, RuntimeError, TypeError) as error:
                raise UserError(f"'{path}' is damaged: its {name} is not of its widths ({error})") from None


def _inputs(old: Encoder, new: Encoder, spread: Spread) -> dict[str, Columns]:
    """The columns of the first layers, by what they read."""
    block = columns(old.block_features, new.block_features, spread)
    rest = columns(old.rest_features, new.rest_features, spread)
    layers = {"block_own": block, "rest_blocks": block, "rest_own": rest, "block_rest": rest}
    return {f"{name}.0.weight": found for name, found in layers.items()}


@torch.no_grad()
def _fill(module: nn.Module, prefix: str, trunk: str, arrays: Arrays, inputs: dict[str, Columns]) -> None:
    for name, tensor in module.state_dict().items():
        if not name.startswith(trunk):
            continue
        found = torch.from_numpy(np.ascontiguousarray(arrays[prefix + name]))
        if name.removeprefix(trunk) in inputs:
            old, new, share = inputs[name.removeprefix(trunk)]
            tensor[:, new] = found[:, old] * torch.tensor(share)
        else:
            tensor.copy_(found)
