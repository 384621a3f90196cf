"""The run and set tables against the reference's reading of GROUP-1 to GROUP-6, for every group there can be.

The reference tries all places for all cards; the tables are looked up. Nothing is shared but the bits of a state, which
are spelled out here again from the drawing in `groups.py`.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from itertools import combinations

import numpy as np
import pytest

from burako_env.burako.lookups import lookups_for
from burako_env.burako.melds.groups import add_to_run, run_lookups
from burako_env.burako.rules import PRESETS
from tests.reference.groups import FOREIGN, is_legal, run_readings
from tests.reference.openings import run_openings

RULES = {
    "GROUP-1": ["test_runs", "test_sets"],
    "GROUP-2": ["test_sets"],
    "GROUP-3": ["test_runs", "test_what_runs_accept"],
    "GROUP-4": ["test_runs", "test_what_runs_accept", "test_sets"],
    "GROUP-5": ["test_runs", "test_own_suit_twos"],
    "GROUP-6": ["test_runs", "test_own_suit_twos"],
    "GROUP-12": ["test_opened_pairs"],
}
ACES = pytest.mark.parametrize("ace", ["both", "low", "high"])
RANKS = ("A", "2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K")
# Bit of a natural by rank; the ace has two. Own twos are counted from bit 13, bit 15 is a wild from outside.
BIT = {rank: 1 << place for place, rank in enumerate(RANKS[2:], start=1)}
ACE_LOW, ACE_HIGH, TWO, OUTSIDE = 1 << 0, 1 << 12, 1 << 13, 1 << 15
Tokens = tuple[str, ...]


def multisets() -> Iterator[Tokens]:
    """All of 3 to 7 cards that a state can hold: naturals once each, up to two own twos and one wild from outside."""
    others = [rank for rank in RANKS if rank != "2"]
    for size in range(8):
        for naturals in combinations(others, size):
            for twos in range(3):
                for wilds in range(2):
                    if 3 <= size + twos + wilds <= 7:
                        yield tuple(sorted(naturals + ("2",) * twos + (FOREIGN,) * wilds))


@cache
def readings(tokens: Tokens, ace: str) -> frozenset[tuple[tuple[int, ...], tuple[int, ...]]]:
    """What the reference makes of the cards; nothing of more than 7 (GROUP-1)."""
    if len(tokens) > 7:
        return frozenset()
    found: frozenset[tuple[tuple[int, ...], tuple[int, ...]]] = run_readings(tuple(sorted(tokens)), ace)
    return found


def state_of(tokens: Tokens, ace_bit: int) -> int:
    """The state that holds the cards, its ace at the given end."""
    bits = {**BIT, "A": ace_bit, "2": TWO, FOREIGN: OUTSIDE}
    return sum(bits[token] for token in tokens)


@ACES
def test_runs(ace: str) -> None:
    """Legal and clean, card by card as the reference reads them, whichever end the state has the ace at."""
    tables, seen = run_lookups(ace), 0
    legal = []
    for tokens in multisets():
        for place, ace_bit in ((1, ACE_LOW), (14, ACE_HIGH)) if "A" in tokens else ((None, 0),):
            state = state_of(tokens, ace_bit)
            here = [wilds for naturals, wilds in readings(tokens, ace) if place is None or place in naturals]
            assert tables.legal[state] == bool(here), tokens
            assert tables.clean[state] == (() in here), tokens
            assert tables.length[state] == len(tokens), tokens
            seen += 1
            legal += [state] if here else []
    assert seen > 15_000
    # What is no multiset above is no run: no other state is legal.
    assert sorted(legal) == np.flatnonzero(tables.legal).tolist()


@ACES
def test_what_runs_accept(ace: str) -> None:
    """Every card on every run of 3 to 6, copies of what lies there and a third own two among them."""
    tables, asked = run_lookups(ace), 0
    for tokens in multisets():
        if not readings(tokens, ace):
            continue
        naturals, _ = next(iter(readings(tokens, ace)))
        state = state_of(tokens, ACE_LOW if 1 in naturals else ACE_HIGH)
        for index, token in enumerate((*RANKS, FOREIGN)):
            after = readings((*tokens, token), ace)
            assert bool(tables.accepts[state] >> index & 1) == bool(after), (tokens, token)
            if after:
                assert tables.legal[add_to_run(state, index)], (tokens, token)
            asked += 1
        held = {RANKS.index(token) for token in tokens if token != FOREIGN}
        assert tables.types[state] == sum(1 << rank for rank in held)
    assert asked > 5_000


@ACES
def test_opened_pairs(ace: str) -> None:
    """GROUP-12: the third card by what lies; a state of two cards that no opening goes through takes nothing."""
    tables = run_lookups(ace)
    own = tuple(f"{rank}S" for rank in RANKS for _ in range(2))
    thirds: dict[tuple[str, str], set[str]] = {}
    for first, second, third in run_openings(own, ("JK", "2C"), "S", ace):
        thirds.setdefault((first[:-1], second[:-1]), set()).add(third)
    expected = {}
    for (first, second), cards in thirds.items():
        # An ace laid first is low, a later one high.
        bits = [{**BIT, "A": end, "2": TWO}[rank] for rank, end in ((first, ACE_LOW), (second, ACE_HIGH))]
        assert ("JK" in cards) == ("2C" in cards)
        named = {card[:-1] for card in cards if card not in ("JK", "2C")}
        expected[sum(bits)] = sum(1 << RANKS.index(rank) for rank in named) | ("JK" in cards) << 13
    assert len(expected) == len(thirds)
    assert len(thirds) == {"both": 25, "low": 23, "high": 23}[ace]
    two_cards = np.flatnonzero(tables.length == 2)
    assert {int(state): int(tables.accepts[state]) for state in two_cards if tables.accepts[state]} == expected


@pytest.mark.parametrize(
    ("cards", "legal", "clean"),
    [
        ("2 3 4 5 6 W 8", True, False),  # GROUP-5: the example of the rules page
        ("3 2 5 6 7", True, False),  # GROUP-6: 2 as the 4
        ("3 2 4 5 6 7", True, True),  # with the 4 it is clean
        ("2 2 3 4", True, False),  # one in its place, one a wild
        ("2 2 3 W", False, False),  # a 2 and the joker: two wilds
        ("A 2 3", True, True),
        ("A 2 W", True, False),
        ("A 2 K", True, False),  # the 2 as the queen: K and A are two naturals
        ("2 2 K", False, False),
        ("2 W 7", False, False),
    ],
)
def test_own_suit_twos(cards: str, legal: bool, clean: bool) -> None:
    tables, tokens = run_lookups("both"), tuple(cards.split())
    states = [state_of(tokens, end) for end in (ACE_LOW, ACE_HIGH)]
    assert (any(tables.legal[states]), any(tables.clean[states])) == (legal, clean)


def test_sets() -> None:
    """Naturals in bits 0 to 2, a wild in bit 3: what may join, opening or later, and how many cards lie there."""
    tables = lookups_for(PRESETS["burako-8"])

    def nines(naturals: int, wilds: int) -> bool:
        return is_legal("set", "9", ["9C"] * naturals + ["JK"] * wilds, "both")

    for naturals in range(8):
        for wild in range(2):
            if not nines(naturals, wild) and not (naturals in (1, 2) and not wild):
                continue
            state = naturals | wild << 3
            assert tables.set_length[state] == naturals + wild
            # With one natural the next card is a natural (GROUP-12), with two it is the third of the set.
            takes = nines(naturals + 1, wild) or naturals == 1
            assert bool(tables.set_takes[state]) == takes
            assert bool(tables.set_takes_wild[state]) == nines(naturals, wild + 1)
    for wilds in range(1, 8):
        grows = is_legal("wild", "2", ["JK"] * (wilds + 1), "both") or wilds == 1
        assert bool(tables.set_takes[wilds]) == grows
