"""Symmetries of a game: another look at the same decision, as likely as the first.

Networks of kind `suits` know the symmetry already; an `mlp` learns it from this.
"""

import dataclasses
from pkgutil import resolve_name
from typing import Final, Protocol

import numpy as np

from agents.learned.encoder import U8
from burako_env.batch import BatchGame, Ints
from burako_env.chance.rng import U64, combine
from burako_env.errors import UserError
from experiments.train.acting import unpack
from experiments.train.rollout import Rollout

_STREAM: Final = 401


class Symmetries(Protocol):
    """The ways to rename a game's cards that change nothing but names, numbered from 0, which changes nothing.

    They are built from the rules and the columns of a block of the features.
    """

    count: int

    def actions(self, number: int) -> Ints:
        """The action that each action becomes, int64 `[A]`."""

    def features(self, features: U8, number: int) -> U8:
        """Features of the renamed positions, uint8 `[n, D]`; a copy."""

    def hidden(self, hidden: U8, number: int) -> U8:
        """Hands of the others renamed, uint8 `[n, X]`; a copy."""


# By family. The others have no symmetry that is known here.
SYMMETRIES: Final = {"burako": "agents.burako.network.exchange:SuitExchange"}


def symmetries_of(game: BatchGame, block: int) -> Symmetries:
    """The symmetries of a game; `UserError` for a game without any."""
    if game.family not in SYMMETRIES:
        raise UserError(f"{game.name} has no suits to exchange: leave ppo.augment out")
    found: Symmetries = resolve_name(SYMMETRIES[game.family])(game.rules, block)
    return found


def augmented(rollout: Rollout, game: BatchGame, block: int, *key: int) -> Rollout:
    """The rollout with a random symmetry applied to each decision; a pure function of the key."""
    symmetries = symmetries_of(game, block)
    seed = combine(key[0], _STREAM, *key[1:])
    which = np.random.default_rng(int(seed[0])).integers(symmetries.count, size=len(rollout))
    names = ("features", "words", "hidden", "actions", "advice")
    found = {name: getattr(rollout, name).copy() for name in names}
    for number in range(1, symmetries.count):
        rows = np.flatnonzero(which == number)
        actions = symmetries.actions(number)
        found["features"][rows] = symmetries.features(found["features"][rows], number)
        found["words"][rows] = permute_words(found["words"][rows], actions)
        found["actions"][rows] = actions[found["actions"][rows]]
        if len(rollout.advice):
            found["advice"][rows] = actions[found["advice"][rows]]
        if rollout.hidden.shape[1]:
            found["hidden"][rows] = symmetries.hidden(found["hidden"][rows], number)
    return dataclasses.replace(rollout, **found)


def permute_words(words: U64, actions: Ints) -> U64:
    """Legal words uint64 `[n, W]` with each action replaced by `actions[action]`."""
    legal = unpack(words)
    out = np.zeros_like(legal)
    out[:, actions] = legal
    return np.packbits(out, axis=1, bitorder="little").view(np.uint64)
