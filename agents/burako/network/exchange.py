"""The symmetries of the card game for training: suits exchanged in features, hands and actions (`suits.py`)."""

import numpy as np

from agents.burako.network.suits import PERMUTATIONS, suit_tables
from agents.learned.encoder import U8
from burako_env.batch import Ints
from burako_env.burako.rules import Rules
from burako_env.cards import JOKER, TYPE_COUNT


class SuitExchange:
    """The permutations of the suits by number; the features have `block` columns for each suit."""

    count = len(PERMUTATIONS)

    def __init__(self, rules: Rules, block: int) -> None:
        self._rules, self._block = rules, block

    def actions(self, number: int) -> Ints:
        """The action that each action becomes, int64 `[A]`."""
        return suit_tables(self._rules, number).actions

    def features(self, features: U8, number: int) -> U8:
        """Features uint8 `[n, D]` with the blocks of the suits exchanged; a copy."""
        return _permuted(features, self._block, number)

    def hidden(self, hidden: U8, number: int) -> U8:
        """Counts by type of the others' hands, uint8 `[n, (seats - 1) * 53]`, with suits exchanged; a copy."""
        hands = hidden.reshape(-1, TYPE_COUNT)
        return _permuted(hands, JOKER // len(PERMUTATIONS[0]), number).reshape(hidden.shape)


def _permuted(rows: U8, block: int, number: int) -> U8:
    """Rows `[n, D]` that begin with a block of columns for each suit; the columns after them are of no suit."""
    suits = list(PERMUTATIONS[number])
    blocks = rows[:, : len(suits) * block].reshape(-1, len(suits), block)
    moved = np.empty_like(blocks)
    moved[:, suits] = blocks
    return np.concatenate([moved.reshape(len(rows), -1), rows[:, len(suits) * block :]], axis=1)
