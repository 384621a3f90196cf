"""Exchanging suits in what has been collected: another look at the same decision, as likely as the first.

Features of the card game lie in one block a suit (`agents/learned/encoder.py`), so exchanging suits exchanges
blocks. Networks of kind `suits` know the symmetry already; an `mlp` learns it from this.
"""

from __future__ import annotations

import dataclasses
from typing import TYPE_CHECKING

import numpy as np

from agents.burako.network.suits import PERMUTATIONS, suit_tables
from agents.learned.encoder import U8
from burako_env.batch import Ints
from burako_env.burako.rules import PRESETS, burako_rules
from burako_env.cards import JOKER, TYPE_COUNT
from burako_env.errors import UserError
from burako_env.kit.rng import U64, combine
from experiments.train.rollout import Rollout, unpack

if TYPE_CHECKING:
    from experiments.train.algorithm import Workshop

_STREAM = 401


def exchange_suits(rollout: Rollout, workshop: Workshop, updates: int, epoch: int) -> Rollout:
    """The rollout with a random permutation of suits for each decision; a pure function of seed, round and epoch."""
    game = workshop.game.name
    if game not in PRESETS:
        raise UserError(f"{game} has no suits to exchange: leave ppo.augment out")
    rules = burako_rules(game, workshop.config)
    seed = combine(workshop.settings.seed, _STREAM, updates, epoch, workshop.team.rank)
    which = np.random.default_rng(int(seed[0])).integers(len(PERMUTATIONS), size=len(rollout))
    features, words = rollout.features.copy(), rollout.words.copy()
    hidden, actions, advice = rollout.hidden.copy(), rollout.actions.copy(), rollout.advice.copy()
    for number in range(1, len(PERMUTATIONS)):
        rows = np.flatnonzero(which == number)
        tables = suit_tables(rules, number)
        features[rows] = permute_blocks(features[rows], workshop.learner.encoder.block, number)
        words[rows] = permute_words(words[rows], tables.actions)
        actions[rows] = tables.actions[actions[rows]]
        if len(advice):
            advice[rows] = tables.actions[advice[rows]]
        if hidden.shape[1]:
            hidden[rows] = _permute_hands(hidden[rows], number)
    return dataclasses.replace(rollout, features=features, words=words, hidden=hidden, actions=actions, advice=advice)


def permute_blocks(features: U8, block: int, number: int) -> U8:
    """Features uint8 `[n, D]` with the blocks of the suits exchanged; a copy."""
    suits = list(PERMUTATIONS[number])
    out = features.copy()
    split = len(suits) * block
    old = features[:, :split].reshape(-1, len(suits), block)
    out[:, :split].reshape(-1, len(suits), block)[:, suits] = old
    return out


def permute_words(words: U64, actions: Ints) -> U64:
    """Legal words uint64 `[n, W]` with each action replaced by `actions[action]`."""
    legal = unpack(words)
    out = np.zeros_like(legal)
    out[:, actions] = legal
    return np.packbits(out, axis=1, bitorder="little").view(np.uint64)


def _permute_hands(hidden: U8, number: int) -> U8:
    """Counts by type of the other hands, uint8 `[n, (seats - 1) * 53]`."""
    suits = list(PERMUTATIONS[number])
    hands = hidden.reshape(len(hidden), -1, TYPE_COUNT)
    out = hands.copy()
    rows = out[:, :, :JOKER].reshape(len(hidden), hands.shape[1], len(suits), -1)
    new = rows.copy()
    new[:, :, suits] = rows
    out[:, :, :JOKER] = new.reshape(len(hidden), hands.shape[1], JOKER)
    return out.reshape(hidden.shape)
