"""Which cards make a set, a run or a wild group: readings spelled out as GROUP-1 to GROUP-6 and GROUP-9 say.

A reading gives every card of a group its place and says whether the card is there itself or as a wild. Places of a
run are 1 (low ace), 2 .. 13 (king), 14 (high ace). Suits do not matter inside a run, so its cards are reduced to
tokens: the rank of a card of the run's suit, "W" for a joker or a 2 of another suit.
"""

from dataclasses import dataclass, field
from functools import lru_cache

from .cards import CARDS, JOKER, RANKS, SUITS, WILDS, in_order, rank_of, suit_of

SMALLEST = 3  # GROUP-1
FULL = 7  # GROUP-1: the seventh card closes
MAX_WILDS = 1  # GROUP-4
MIN_NATURALS = 2  # GROUP-2, GROUP-3
LOW_ACE, HIGH_ACE = 1, 14
FOREIGN = "W"
# Answers that are remembered: enough for what is on the tables of many hands, not for all of a long run.
KEPT = 1 << 15


@dataclass
class Group:
    """An open or closed group. `key` is the rank of a set, the suit of a run, "2" for a wild group (GROUP-9)."""

    kind: str
    key: str
    cards: list[str] = field(default_factory=list)

    def copy(self) -> "Group":
        return Group(self.kind, self.key, list(self.cards))


def first_place(ace: str) -> int:
    """The lowest place of a run: `ace` = high has no place below the 2, for a wild neither (GROUP-3)."""
    return 2 if ace == "high" else LOW_ACE


def last_place(ace: str) -> int:
    """The highest place of a run: `ace` = low has no place above the king, for a wild neither (GROUP-3)."""
    return 13 if ace == "low" else HIGH_ACE


def natural_places(token: str, ace: str) -> list[int]:
    """Where a card of the run's suit stands as itself; the ace has two places unless `ace` says otherwise (GROUP-3)."""
    if token == FOREIGN:
        return []
    places = [LOW_ACE, HIGH_ACE] if token == "A" else [RANKS.index(token) + 1]
    return [place for place in places if first_place(ace) <= place <= last_place(ace)]


@lru_cache(KEPT)
def run_readings(tokens: tuple[str, ...], ace: str, max_wilds: int = MAX_WILDS) -> frozenset:
    """All readings of cards as a run: pairs (places of the naturals, places of the wilds), each a sorted tuple.

    Card by card: it stands at a place of its own, or, if it is a joker or any 2, anywhere as a wild. What counts is
    that the places are all different and follow each other, with no more wilds than GROUP-4 allows and two naturals
    (GROUP-3). An own-suit 2 in its place is a natural (GROUP-5).
    """
    anywhere = range(first_place(ace), last_place(ace) + 1)
    found = set()

    def assign(rest: tuple[str, ...], naturals: tuple[int, ...], wilds: tuple[int, ...]) -> None:
        taken = naturals + wilds
        if taken and max(taken) - min(taken) >= len(tokens):
            return  # these can never all follow each other
        if not rest:
            if len(naturals) >= MIN_NATURALS:
                found.add((tuple(sorted(naturals)), tuple(sorted(wilds))))
            return
        token, later = rest[0], rest[1:]
        own_places = natural_places(token, ace)
        for place in own_places:
            if place not in taken:
                assign(later, naturals + (place,), wilds)
        if token in ("2", FOREIGN) and len(wilds) < max_wilds:
            for place in anywhere:
                # A 2 in its own place is no wild.
                if place not in taken and place not in own_places:
                    assign(later, naturals, wilds + (place,))

    # Wilds last: fewer dead ends, the same readings.
    assign(tuple(sorted(tokens, key=lambda token: token in ("2", FOREIGN))), (), ())
    return frozenset(found)


def run_tokens(cards: list[str] | tuple[str, ...], suit: str) -> tuple[str, ...] | None:
    """The tokens of cards in a run of a suit, or None if a card can have no place in it."""
    tokens = []
    for card in cards:
        if card != JOKER and suit_of(card) == suit:
            tokens.append(rank_of(card))
        elif card in WILDS:
            tokens.append(FOREIGN)
        else:
            return None
    return tuple(sorted(tokens))


@lru_cache(KEPT)
def wild_counts(kind: str, key: str, cards: tuple[str, ...], ace: str, max_wilds: int = MAX_WILDS) -> frozenset[int]:
    """With how many wilds the cards can be read as such a group: empty if they cannot."""
    if not SMALLEST <= len(cards) <= FULL:  # GROUP-1
        return frozenset()
    if kind == "wild":  # GROUP-9: nothing in it stands for another card
        return frozenset({0}) if all(card in WILDS for card in cards) else frozenset()
    if kind == "set":  # GROUP-2; there is no set of 2s (GROUP-9)
        naturals = [card for card in cards if card not in WILDS and rank_of(card) == key]
        wilds = [card for card in cards if card in WILDS]
        legal = len(naturals) + len(wilds) == len(cards) and len(wilds) <= max_wilds and len(naturals) >= MIN_NATURALS
        return frozenset({len(wilds)}) if legal else frozenset()
    tokens = run_tokens(cards, key)
    if tokens is None:
        return frozenset()
    return frozenset(len(wilds) for _, wilds in run_readings(tokens, ace, max_wilds))


def is_legal(kind: str, key: str, cards: list[str] | tuple[str, ...], ace: str, max_wilds: int = MAX_WILDS) -> bool:
    """Whether the cards are such a group in at least one reading (GROUP-6)."""
    return bool(wild_counts(kind, key, tuple(in_order(cards)), ace, max_wilds))


@lru_cache(KEPT)
def accepted(kind: str, key: str, cards: tuple[str, ...], ace: str, max_wilds: int = MAX_WILDS) -> frozenset[str]:
    """The cards one of which may join a group of 3 to 6 cards, by GROUP-1 to GROUP-6 and GROUP-9 alone."""
    of_kind = (card for card in CARDS if card in WILDS or key == {"set": card[:-1], "run": card[-1]}.get(kind))
    return frozenset(card for card in of_kind if is_legal(kind, key, cards + (card,), ace, max_wilds))


def accepts(group: Group, ace: str, max_wilds: int = MAX_WILDS) -> frozenset[str]:
    """`accepted` for a group."""
    return accepted(group.kind, group.key, tuple(group.cards), ace, max_wilds)


def identify(cards: list[str], ace: str) -> Group:
    """The group that complete cards make; no cards make two (a set repeats a natural rank, a run never does)."""
    ranks = {rank_of(card) for card in cards if card not in WILDS}
    names = [("set", rank) for rank in ranks] + [("run", suit) for suit in SUITS] + [("wild", "2")]
    found = [(kind, key) for kind, key in names if is_legal(kind, key, cards, ace)]
    if len(found) != 1:
        raise ValueError(f"{' '.join(cards)} is no legal group")
    return Group(*found[0], in_order(cards))


def baza_kind(group: Group, ace: str) -> str:
    """The name of a closed group."""
    return _baza_kind(group.kind, group.key, tuple(group.cards), ace)


@lru_cache(KEPT)
def _baza_kind(kind: str, key: str, cards: tuple[str, ...], ace: str) -> str:
    """Clean if at least one reading has no wild (GROUP-6)."""
    if kind == "wild":
        return "wilds"
    clean = 0 in wild_counts(kind, key, tuple(in_order(cards)), ace)
    what = "aces" if (kind, key) == ("set", "A") else kind
    return f"{'clean' if clean else 'dirty'} {what}"


def wild_made_float(before: list[str], after: list[str], suit: str, ace: str) -> bool:
    """Whether a natural took the place of a run's wild (GROUP-6): no reading leaves the wild where it was."""
    old = run_readings(run_tokens(before, suit), ace)
    new = run_readings(run_tokens(after, suit), ace)
    if not all(wilds for _, wilds in old):
        return False
    return not any(set(wilds) <= set(now) for _, wilds in old for _, now in new)
