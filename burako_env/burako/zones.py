"""Zones as words: a hand, the pile, a part of a table is a set of physical cards, one uint64 a deck.

Bits 0 to 51 are the card types, bits 52 and 53 the deck's jokers.
"""

from collections.abc import Iterable, Sequence
from functools import reduce
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from burako_env.cards import SUIT_COUNT, WILD_TYPES
from burako_env.kit.fields import Index, flat, gather

Words = npt.NDArray[np.uint64]
Bytes = npt.NDArray[np.uint8]
Bools = npt.NDArray[np.bool_]

BITS_PER_DECK: Final = 54


def _word(bits: Any) -> np.uint64:
    return np.uint64(sum(1 << int(bit) for bit in bits))


ZERO: Final = np.uint64(0)
ONE: Final = np.uint64(1)
ALL: Final = np.uint64(2**64 - 1)
JOKERS: Final = _word((52, 53))
JOKER_BIT: Final = _word((52,))
TWOS: Final = _word(WILD_TYPES[:4])
WILDS: Final = TWOS | JOKERS
WILD_TYPE_BITS: Final = TWOS | JOKER_BIT
ACES: Final = _word(13 * suit for suit in range(SUIT_COUNT))
SUITED: Final = _word(range(52))
NATURALS: Final = SUITED & ~TWOS
# Physical cards of a type in one deck, uint64 [256]; nothing for NONE.
TYPE_MASK: Final = np.array([1 << t for t in range(52)] + [3 << 52] + [0] * 203, dtype=np.uint64)


def mask_of(condition: Bools) -> Words:
    """All ones where the condition holds, else nothing (cheaper than `np.where` on small batches)."""
    mask: Words = np.negative(condition.astype(np.uint64))
    return mask


def cards_in(zones: Words, owner: Index, games: Index, decks: int) -> list[Words]:
    """The cards that owners have in a zone, one array `[n]` a deck."""
    return [gather(zones, owner * decks + deck, games) for deck in range(decks)]


def add_cards(zones: Words, owner: Index, games: Index, cards: Sequence[Words]) -> None:
    """Put cards, one array a deck, into the zones of owners."""
    array = flat(zones)
    for deck, word in enumerate(cards):
        array[(owner * len(cards) + deck) * zones.shape[1] + games] |= word


def first_of(cards: Iterable[Words], wanted: Words) -> list[Words]:
    """One card of those wanted out of `cards`, one array a deck: of the first deck that has it, the lowest bit."""
    found = []
    for word in cards:
        card = word & wanted
        card &= ZERO - card
        wanted = wanted & mask_of(card == 0)
        found.append(card)
    return found


def union(cards: Sequence[Words]) -> Words:
    """Bits set in any deck."""
    return reduce(np.bitwise_or, cards)
