"""Cards as strings: "9S", "10H", "JK" (DECK-1, DECK-2)."""

from collections import Counter
from collections.abc import Iterable

SUITS = ("C", "D", "H", "S")
RANKS = ("A", "2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K")
JOKER = "JK"
CARDS = tuple(rank + suit for suit in SUITS for rank in RANKS) + (JOKER,)
ORDER = {card: place for place, card in enumerate(CARDS)}
TWOS = tuple("2" + suit for suit in SUITS)
WILDS = frozenset(TWOS) | {JOKER}
JOKERS_PER_DECK = 2

# DECK-2: joker, 2, ace 20; K Q J 10 9 8 are 10; 7 6 5 4 3 are 5.
_RANK_VALUE = {"A": 20, "2": 20, **dict.fromkeys("34567", 5), **dict.fromkeys(("8", "9", "10", "J", "Q", "K"), 10)}
VALUE = {card: 20 if card == JOKER else _RANK_VALUE[card[:-1]] for card in CARDS}


def rank_of(card: str) -> str:
    """The rank of a card that is not a joker."""
    return card[:-1]


def suit_of(card: str) -> str:
    """The suit of a card that is not a joker."""
    return card[-1]


def in_order(cards: Iterable[str]) -> list[str]:
    """The cards sorted by suit C D H S, then by rank A 2 .. K, jokers last."""
    return sorted(cards, key=ORDER.__getitem__)


def text(cards: Iterable[str]) -> str:
    """Cards as a case file writes them, sorted."""
    return " ".join(in_order(cards))


def value(cards: Iterable[str]) -> int:
    """The summed value of cards (DECK-2)."""
    return sum(map(VALUE.__getitem__, cards))


def full_pack(decks: int) -> list[str]:
    """All cards of `decks` decks, sorted: 52 cards and 2 jokers each (DECK-1)."""
    return in_order([card for card in CARDS if card != JOKER] * decks + [JOKER] * JOKERS_PER_DECK * decks)


def split(cards: str | Iterable[str]) -> list[str]:
    """A list of known cards from "9S JK" or from a list of cards."""
    found = cards.split() if isinstance(cards, str) else list(cards)
    for card in found:
        if card not in ORDER:
            raise ValueError(f"{card!r} is no card")
    return found


def remove(cards: Counter, card: str) -> None:
    """Take one copy out of a Counter and leave no zero behind."""
    if cards[card] < 1:
        raise ValueError(f"there is no {card} to take away")
    cards[card] -= 1
    if not cards[card]:
        del cards[card]
