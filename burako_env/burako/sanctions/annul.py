"""Annulled cards: off the table, out of the hand, to the bottom of the stock; and which card is the lowest.

Cards annulled together lie in the order of their types (suits C D H S, in each A 2 .. K, jokers last), the first of
them topmost, beneath whatever the stock holds. Everyone saw them go: `state.annulled` counts those still there.
"""

import numpy as np

from burako_env.burako.lookups import Lookups
from burako_env.burako.melds.accept import refresh_groups
from burako_env.burako.melds.closing import take_groups
from burako_env.burako.melds.groups import ACE_HIGH
from burako_env.burako.state import State, reserve_rows
from burako_env.burako.turn.actions import FIRST_RUN
from burako_env.burako.zones import (
    ACES,
    BITS_PER_DECK,
    NATURALS,
    ONE,
    ZERO,
    Bools,
    Bytes,
    Words,
    first_of,
    mask_of,
    union,
)
from burako_env.kit.fields import Index, flat, gather


def remove_groups(
    state: State, lookups: Lookups, games: Index, team: Index, groups: Index
) -> tuple[list[Words], Bools]:
    """Take open groups, one a game, off the table: their cards, one array a deck, and whether an ace in it is high."""
    before = gather(state.groups, team * lookups.groups + groups, games)
    is_run = groups >= FIRST_RUN
    words = take_groups(state, lookups, games, team, groups)
    refresh_groups(state, lookups, games, team, groups)
    return words, is_run & (before & ACE_HIGH != 0)


def take_lowest(words: list[Words], high_ace: Bools) -> tuple[list[Words], Bytes]:
    """Take the lowest natural out of `words`, one array a deck: its words, and its type (meaningless if there is none).

    Low to high is A 3 .. K by suit C D H S; where `high_ace` an ace stands above the king.
    """
    naturals = union(words) & NATURALS
    first = naturals & ~(ACES & mask_of(high_ace))
    among = np.where(first != 0, first, naturals)
    lowest = among & (ZERO - among)
    taken = first_of(words, lowest)
    words[:] = [word ^ found for word, found in zip(words, taken)]
    return taken, np.bitwise_count(lowest - ONE)


def put_under(state: State, lookups: Lookups, games: Index, words: list[Words]) -> None:
    """Lay cards, one array a deck, beneath the stock."""
    count = sum((np.bitwise_count(word).astype(np.int16) for word in words), np.zeros(len(games), dtype=np.int16))
    _make_room(state, games, count)
    rest = list(words)
    deck_rows, end = flat(state.deck), state.stock_end[games].astype(np.intp)
    for step in range(int(count.max(initial=0))):
        lowest = union(rest)
        lowest = lowest & (ZERO - lowest)
        bit = np.bitwise_count(lowest - ONE)
        for deck, found in enumerate(first_of(rest, lowest)):
            rest[deck] = rest[deck] ^ found
            here = (found != 0).nonzero()[0]
            deck_rows[(end[here] + step) * state.size + games[here]] = bit[here] + np.uint8(BITS_PER_DECK * deck)
    state.stock_end[games] += count
    state.annulled[games] += count.astype(np.uint8)


def _make_room(state: State, games: Index, count: np.ndarray) -> None:
    """Move stocks up to their first row where `count` more cards would not fit behind them."""
    tight = games[state.stock_end[games] + count > state.deck.shape[0]]
    if not tight.size:
        return
    first = reserve_rows(state.rules)
    size = state.stock_end[tight] - state.stock_next[tight]
    for row in range(int(size.max(initial=0))):
        inside = tight[row < size]
        from_row = state.stock_next[inside].astype(np.intp) + row
        state.deck[first + row, inside] = gather(state.deck, from_row, inside)
    state.stock_next[tight] = first
    state.stock_end[tight] = first + size
