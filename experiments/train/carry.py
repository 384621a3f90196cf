"""What a network takes over from one that was trained on another game of the family.

Networks of kind `suits` read one block a suit (a character in the children's levels) and a rest. Their layers are the
same everywhere but for the first, whose columns are the features. So by name:

    first layers      the columns of features that both games have; what only the new game has begins fresh
    other layers      as they are, if they are of the same width
    heads             fresh: actions and points are the new game's own

A tile's number has no one rank. The five numbers are laid along the ranks there and back, so that neighbours stay
neighbours: 3 4 5 6 7 are 1 2 3 4 5, then 8 9 10 J Q K A are 4 3 2 1 2 3 4. A two is wild and begins fresh.
The ranks of a number share its weights: a hand has twice the cards that a rack has tiles, and should not move the
layers twice as far as they have learned to expect.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import numpy as np
import torch
from torch import nn

from agents.learned.checkpoint import Arrays, Header
from agents.learned.encoder import Encoder, Feature, slices_of
from agents.learned.encoders import encoder_for
from burako_env.cards import RANK_COUNT
from burako_env.errors import UserError
from burako_env.families import make
from burako_env.ruibal.tiles import NUMBER_COUNT
from experiments.train.learner import Learner


@dataclass(frozen=True)
class Columns:
    """Old columns, the new ones that they stand for, and what is taken of their weights, `[k]` each."""

    old: list[int]
    new: list[int]
    share: list[float]


_THERE_AND_BACK: Final = (*range(NUMBER_COUNT), *range(NUMBER_COUNT - 2, 0, -1))
_RANKS: Final = (*range(2, RANK_COUNT), 0)
# Rank to number - 1, for every rank that a number stands for.
NUMBER_OF_RANK: Final = {rank: _THERE_AND_BACK[place % len(_THERE_AND_BACK)] for place, rank in enumerate(_RANKS)}
_TRUNKS: Final = {"policy": "net.trunk.", "value": "trunk."}


def columns(old: Sequence[Feature], new: Sequence[Feature]) -> Columns:
    """What the columns of the new features begin with."""
    widths, at, to = {feature.name: feature.width for feature in old}, slices_of(old), slices_of(new)
    ranks = Counter(NUMBER_OF_RANK.values())
    found = Columns([], [], [])
    for feature in new:
        if widths.get(feature.name) == feature.width:
            places = [(place, place, 1.0) for place in range(feature.width)]
        elif (widths.get(feature.name), feature.width) == (NUMBER_COUNT, RANK_COUNT):
            places = [(number, rank, 1 / ranks[number]) for rank, number in NUMBER_OF_RANK.items()]
        else:
            continue
        for source, place, share in places:
            found.old.append(at[feature.name].start + source)
            found.new.append(to[feature.name].start + place)
            found.share.append(share)
    return found


def carry_over(learner: Learner, header: Header, arrays: Arrays, path: Path) -> None:
    """Take what can be taken from a file of another game; `UserError` if that is nothing."""
    game = make(header.game, 1, 0, header.config)
    encoder = encoder_for(header.game, header.config, game.layout)
    nets = {"policy": (learner.policy, learner.policy_config), "value": (learner.value, learner.value_config)}
    if not learner.encoder.blocks or not encoder.blocks or encoder.digest() != header.encoder:
        raise UserError(f"'{path}' is of {header.game}, whose features have nothing in common with this game's")
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
                _fill(module, f"{name}.", _TRUNKS[name], arrays, _inputs(encoder, learner.encoder))
            except (KeyError, IndexError, RuntimeError, TypeError) as error:
                raise UserError(f"'{path}' is damaged: its {name} is not of its widths ({error})") from None


def _inputs(old: Encoder, new: Encoder) -> dict[str, Columns]:
    """The columns of the first layers, by what they read."""
    return {
        "block_own.0.weight": columns(old.block_features, new.block_features),
        "rest_blocks.0.weight": columns(old.block_features, new.block_features),
        "rest_own.0.weight": columns(old.rest_features, new.rest_features),
        "block_rest.0.weight": columns(old.rest_features, new.rest_features),
    }


@torch.no_grad()
def _fill(module: nn.Module, prefix: str, trunk: str, arrays: Arrays, inputs: dict[str, Columns]) -> None:
    for name, tensor in module.state_dict().items():
        if not name.startswith(trunk):
            continue
        found = torch.from_numpy(np.ascontiguousarray(arrays[prefix + name]))
        reads = inputs.get(name.removeprefix(trunk))
        if reads is None:
            tensor.copy_(found)
        else:
            tensor[:, reads.new] = found[:, reads.old] * torch.tensor(reads.share)
