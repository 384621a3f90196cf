"""Groups of the card game from their cards: which kind, clean or dirty, or none (GROUP-1 to GROUP-6, GROUP-9).

Written straight from the rules page and apart from the core's tables: it tries every reading. The groups of a case are
checked and named by this code, so that a mistake in the tables cannot hide itself.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final, Literal

from burako_env.burako.melds.groups import MAX_CARDS, MIN_CARDS, MIN_NATURALS
from burako_env.burako.rules import Rules
from burako_env.cards import ACE, JOKER, KING, RANK_COUNT, TWO, is_wild

LOW_ACE_PLACE: Final = 1
HIGH_ACE_PLACE: Final = KING + 2


@dataclass(frozen=True)
class GroupKind:
    """What a group is. `rank` is that of a set, `suit` that of a run; a wild group is always clean."""

    kind: Literal["set", "run", "wild"]
    clean: bool
    rank: int | None = None
    suit: int | None = None

    @property
    def words(self) -> str:
        """The words of the `closed` expectation (SCORE-1): `clean set`, `dirty run`, `clean aces`, `wilds`."""
        if self.kind == "wild":
            return "wilds"
        return f"{'clean' if self.clean else 'dirty'} {'aces' if self.rank == ACE else self.kind}"


def group_kind(cards: Sequence[int], rules: Rules) -> GroupKind | None:
    """What the cards of a group are, None if no group; the clean reading goes first (GROUP-6)."""
    if not MIN_CARDS <= len(cards) <= MAX_CARDS:
        return None
    if all(is_wild(card) for card in cards):
        return GroupKind("wild", clean=True)
    for naturals in _readings(cards):
        clean = len(naturals) == len(cards)
        ranks = {card % RANK_COUNT for card in naturals}
        suits = {card // RANK_COUNT for card in naturals}
        if len(ranks) == 1 and TWO not in ranks:
            return GroupKind("set", clean, rank=ranks.pop())
        if len(suits) == 1 and len(ranks) == len(naturals) and _fits_run(ranks, len(cards), rules.ace):
            return GroupKind("run", clean, suit=suits.pop())
    return None


def run_places(ace: str) -> range:
    """Places of a run under the `ace` key, 1 the low ace to 14 the high one (GROUP-3)."""
    return range(LOW_ACE_PLACE + (ace == "high"), HIGH_ACE_PLACE + (ace != "low"))


def _readings(cards: Sequence[int]) -> Iterator[list[int]]:
    """Naturals of each reading: none of the cards stands for another, or one 2 or joker does (GROUP-4)."""
    for wild in (None, *(at for at, card in enumerate(cards) if is_wild(card))):
        naturals = [card for at, card in enumerate(cards) if at != wild]
        if len(naturals) >= MIN_NATURALS and JOKER not in naturals:
            yield naturals


def _fits_run(ranks: set[int], length: int, ace: str) -> bool:
    """Whether distinct ranks lie within `length` consecutive places; a wild, if there is one, takes the place left."""
    places = run_places(ace)
    for start in places[: len(places) - length + 1]:
        window = range(start, start + length)
        if all(rank + 1 in window or (rank == ACE and HIGH_ACE_PLACE in window) for rank in ranks):
            return True
    return False
