"""How a group may be opened: all orders of three cards that GROUP-12 allows, spelled out."""

from collections import Counter
from functools import lru_cache
from itertools import permutations

from .cards import RANKS, WILDS, rank_of
from .groups import HIGH_ACE, LOW_ACE, first_place, is_legal, last_place

# Answers that are remembered: enough for the hands of many games, not for all of a long run.
KEPT = 1 << 12
Triples = frozenset[tuple[str, str, str]]


@lru_cache(KEPT)
def set_openings(naturals: tuple[str, ...], wilds: tuple[str, ...]) -> Triples:
    """Two naturals of the rank, then a third one or a wild. `naturals` with their copies, `wilds` each type once."""
    three = set(permutations(naturals, 3))
    two = set(permutations(naturals, 2))
    return frozenset(three | {(first, second, wild) for first, second in two for wild in wilds})


@lru_cache(KEPT)
def wild_openings(wilds: tuple[str, ...]) -> Triples:
    """Any three wilds in any order. `wilds` with their copies."""
    return frozenset(permutations(wilds, 3))


def _place(card: str, opens: bool) -> int:
    """Where a natural of a run stands while it is opened: an ace laid first is low, a later one can only be high."""
    if rank_of(card) == "A":
        return LOW_ACE if opens else HIGH_ACE
    return RANKS.index(rank_of(card)) + 1


@lru_cache(KEPT)
def run_openings(own: tuple[str, ...], foreign: tuple[str, ...], suit: str, ace: str) -> Triples:
    """Naturals upwards; a wild, own-suit 2 included, only as the third card, and there free of the order.

    `own`: the cards of the suit with their copies, its 2s among them; `foreign`: jokers and other 2s, each type once.
    """
    held = Counter(own)
    found = set()
    for first in held:
        low = _place(first, opens=True)
        if low < first_place(ace):
            continue  # `ace` = high: no run opens with an ace
        for second in held:
            middle = _place(second, opens=False)
            if not low < middle <= last_place(ace) or middle - low > 2:
                continue
            for third in (*held, *foreign):
                if third in WILDS:
                    fits = is_legal("run", suit, [first, second, third], ace)
                else:
                    high = _place(third, opens=False)
                    fits = (middle, high) == (low + 1, low + 2) and high <= last_place(ace)
                used = Counter((first, second, third))
                if fits and (third in foreign or used <= held):
                    found.add((first, second, third))
    return frozenset(found)


def all_openings(cards: Counter, wilds_barred: bool, ace: str) -> dict[tuple[str, str], Triples]:
    """Every group that these cards could open, (kind, key) -> orders of three cards. GROUP-10 may bar the wilds."""
    by_suit: dict[str, list[str]] = {}
    by_rank: dict[str, list[str]] = {}
    wilds: list[str] = []
    for card in sorted(cards.elements()):
        if card in WILDS:
            if not wilds_barred:
                wilds.append(card)
        else:
            by_suit.setdefault(card[-1], []).append(card)
            by_rank.setdefault(card[:-1], []).append(card)
    types = tuple(dict.fromkeys(wilds))
    found = {}
    for rank, naturals in by_rank.items():
        if len(naturals) >= 2:
            found["set", rank] = set_openings(tuple(naturals), types)
    for suit, naturals in by_suit.items():
        two = "2" + suit
        own = tuple(naturals + [card for card in wilds if card == two])
        if len(own) >= 2:
            found["run", suit] = run_openings(own, tuple(card for card in types if card != two), suit, ace)
    if len(wilds) >= 3:
        found["wild", "2"] = wild_openings(tuple(wilds))
    return {group: triples for group, triples in found.items() if triples}


@lru_cache(KEPT)
def first_cards(triples: Triples) -> frozenset[str]:
    """The cards that begin an order."""
    return frozenset(triple[0] for triple in triples)
