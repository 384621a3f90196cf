"""Physical cards of a saved state: counted, and edited one by one (hidden cards dealt anew, copies or suits exchanged).

A physical card is `54 * deck + bit`; bits 0 to 51 are the card types, 52 and 53 its two jokers (see state.py).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Final

import numpy as np

from burako_env.burako.rules import Rules
from burako_env.burako.state import State

PER_DECK: Final = 54
JOKER: Final = 52
NOTHING: Final = 255
# Fields of the state that are zones.
ZONES: Final = ("hands", "known", "pile", "sets", "runs", "closed", "bazas")


def type_of(card: int) -> int:
    """The card type of a physical card."""
    return min(card % PER_DECK, JOKER)


def cards_in(words: Sequence[int]) -> list[int]:
    """Physical cards of a zone, given as one word for each deck."""
    return [PER_DECK * deck + bit for deck, word in enumerate(words) for bit in range(PER_DECK) if int(word) >> bit & 1]


def zone_of(cards: Iterable[int], decks: int) -> np.ndarray:
    """The zone of physical cards, uint64 `[decks]`."""
    words = [0] * decks
    for card in cards:
        words[card // PER_DECK] |= 1 << card % PER_DECK
    return np.array(words, dtype=np.uint64)


def apart(state: State) -> np.ndarray:
    """The zone of the wilds that lie apart, which only sanctions play has, `[decks, B]`."""
    return state.apart if state.rules.sanctions else np.zeros((state.rules.decks, state.size), dtype=np.uint64)


def annulled(state: State, game: int) -> int:
    """How many of the stock's last cards everyone knows (SANCTION)."""
    return int(state.annulled[game]) if state.rules.sanctions else 0


def face_down(state: State) -> tuple[np.ndarray, np.ndarray]:
    """Cards of the burakos left and of the stock: their words `[decks, B]` and their number `[B]`."""
    rules = state.rules
    row = np.arange(len(state.deck))[:, None]
    there = (state.stock_next <= row) & (row < state.stock_end)
    for team in range(2):
        stop = (team + 1) * rules.burakos_per_team * rules.burako_size
        there |= (stop - state.burakos_left[team].astype(int) * rules.burako_size <= row) & (row < stop)
    deck, bit = np.divmod(state.deck.astype(np.uint64), np.uint64(PER_DECK))
    words = np.zeros((rules.decks, state.size), dtype=np.uint64)
    for index in range(rules.decks):
        here = np.where(there & (deck == index), np.uint64(1) << bit, np.uint64(0))
        words[index] = np.bitwise_or.reduce(here, axis=0)
    return words, there.sum(axis=0)


def expect_partition(state: State) -> None:
    """Assert that every physical card of the decks lies in exactly one zone, and that known cards are held."""
    decks, bits = state.rules.decks, 52 + state.rules.jokers_per_deck
    zones = np.concatenate([state.hands, state.pile, state.sets, state.runs, state.closed, apart(state)])
    down, count = face_down(state)
    union = np.bitwise_or.reduce(zones.reshape(-1, decks, state.size)) | down
    assert np.all(union == (1 << bits) - 1), "a card is missing"
    assert np.all(np.bitwise_count(zones).sum(axis=0) + count == decks * bits), "a card is there twice"
    assert np.all(state.known & ~state.hands == 0), "a known card is not in the hand"
    assert np.array_equal(np.bitwise_count(state.pile).sum(axis=0), state.pile_size)


def map_cards(state: State, game: int, new: Callable[[int], int]) -> None:
    """Replace every physical card by another, wherever it lies (`new` is a permutation)."""
    decks = state.rules.decks
    for name in (*ZONES, "apart") if state.rules.sanctions else ZONES:
        words = getattr(state, name)
        for first in range(0, len(words), decks):
            rows = slice(first, first + decks)
            if words[rows, game].any():
                words[rows, game] = zone_of(map(new, cards_in(words[rows, game])), decks)
    state.deck[:, game] = [card if card == NOTHING else new(int(card)) for card in state.deck[:, game]]


def exchange_copies(state: State, game: int, generator: np.random.Generator) -> None:
    """Let every card change places with another copy of its type, at random."""
    decks = state.rules.decks
    mapping: dict[int, int] = {}
    for kind in range(JOKER + 1):
        copies = [card for card in range(PER_DECK * decks) if type_of(card) == kind]
        mapping.update(zip(copies, generator.permutation(copies).tolist(), strict=True))
    map_cards(state, game, mapping.__getitem__)


def hidden_places(state: State, game: int, observer: int) -> tuple[dict[int, list[int]], list[int]]:
    """What a seat cannot see (INFO-1 to INFO-3): unknown cards of the other hands by seat, rows of `deck` face down."""
    rules = state.rules
    hands = {}
    for seat in range(rules.players):
        rows = slice(seat * rules.decks, (seat + 1) * rules.decks)
        if seat != observer:
            hands[seat] = cards_in(state.hands[rows, game] & ~state.known[rows, game])
    stock = range(state.stock_next[game], int(state.stock_end[game]) - annulled(state, game))
    rows_down = [*_burako_rows(rules, state.burakos_left[:, game]), *stock]
    knows_bottom = observer == state.cutter[game] and state.bottom[game] != NOTHING
    if knows_bottom and stock:
        rows_down.remove(stock[-1])
    return hands, rows_down


def _burako_rows(rules: Rules, left: np.ndarray) -> list[int]:
    rows: list[int] = []
    for team in range(2):
        stop = (team + 1) * rules.burakos_per_team * rules.burako_size
        rows += range(stop - int(left[team]) * rules.burako_size, stop)
    return rows


def redeal_hidden(state: State, game: int, observer: int, generator: np.random.Generator) -> None:
    """Deal all that a seat cannot see anew; what only other seats know of it (their draw, the bottom) changes too."""
    decks = state.rules.decks
    hands, rows = hidden_places(state, game, observer)
    cards = [card for hand in hands.values() for card in hand] + state.deck[rows, game].tolist()
    cards = generator.permutation(cards).astype(int).tolist()
    for seat, hand in hands.items():
        mine, cards = cards[: len(hand)], cards[len(hand) :]
        zone = slice(seat * decks, (seat + 1) * decks)
        state.hands[zone, game] = zone_of(mine, decks) | state.known[zone, game]
    state.deck[rows, game] = cards
    turn, cutter = int(state.turn[game]), int(state.cutter[game])
    if turn != observer and state.drawn[game] != NOTHING:
        state.drawn[game] = generator.integers(JOKER + 1)
    if cutter != observer or state.stock_next[game] == int(state.stock_end[game]) - annulled(state, game):
        state.bottom[game] = generator.choice([card for card in range(JOKER) if card % 13 != 1])
