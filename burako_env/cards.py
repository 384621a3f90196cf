"""Cards: ids, names and values. The only place that knows them.

A card *type* is `suit * 13 + rank` (0 to 51) or `JOKER` (52). Copies of a type are alike: nothing outside the core's
state tells them apart. A *physical* card is a type and the deck it belongs to.
"""

from typing import Final

import numpy as np

SUITS: Final = "CDHS"
RANK_NAMES: Final = ("A", "2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K")
SUIT_COUNT: Final = 4
RANK_COUNT: Final = 13
JOKER: Final = 52
TYPE_COUNT: Final = 53
ACE: Final = 0
TWO: Final = 1
KING: Final = 12

# DECK-2: by rank, ace first.
RANK_VALUES: Final = (20, 20, 5, 5, 5, 5, 5, 10, 10, 10, 10, 10, 10)
JOKER_VALUE: Final = 20

# The five wild types (2 of each suit, joker) in the order in which wild codes 1 to 5 name them.
WILD_TYPES: Final = (1, 14, 27, 40, JOKER)
WILD_CODE: Final = {card: code for code, card in enumerate(WILD_TYPES, start=1)}

CARD_NAMES: Final = (*(rank + suit for suit in SUITS for rank in RANK_NAMES), "JK")
_TYPE_OF_NAME: Final = {name: card for card, name in enumerate(CARD_NAMES)}


def card_name(card: int) -> str:
    """Name of a card type: `9S`, `10H`, `JK`."""
    return CARD_NAMES[card]


def card_type(name: str) -> int:
    """Card type of a name; raises `ValueError` with what a name looks like."""
    try:
        return _TYPE_OF_NAME[name]
    except KeyError:
        raise ValueError(
            f"'{name}' is not a card: a rank ({' '.join(RANK_NAMES)}) and a suit ({' '.join(SUITS)}), or JK"
        ) from None


def is_wild(card: int) -> bool:
    """Whether the card is a 2 or a joker."""
    return card == JOKER or card % RANK_COUNT == TWO


def type_values(rank_values: tuple[int, ...] = RANK_VALUES, joker_value: int = JOKER_VALUE) -> np.ndarray:
    """Points of each card type, int32 `[53]` (DECK-2)."""
    return np.array([*rank_values] * SUIT_COUNT + [joker_value], dtype=np.int32)
