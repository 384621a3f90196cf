"""Open groups as cards, from the fields of a View: what text, pages and images show of them."""

from typing import Any

import numpy.typing as npt

from burako_env.burako.melds.run_codec import run_cards
from burako_env.cards import JOKER, RANK_COUNT, TWO, WILD_TYPES

Numbers = npt.NDArray[Any]


def open_sets(sets: Numbers, set_wild: Numbers) -> list[tuple[int, list[int]]]:
    """Rank and cards of a team's open sets, aces first; the wild group, as the rank of the twos, last.

    `sets` `[53]` and `set_wild` `[13]` are the team's rows of the View's fields.
    """
    found = []
    for rank in [rank for rank in range(RANK_COUNT) if rank != TWO]:
        cards = [card for card in range(rank, JOKER, RANK_COUNT) for _ in range(int(sets[card]))]
        code = int(set_wild[rank])
        found.append((rank, cards + ([WILD_TYPES[code - 1]] if code else [])))
    found.append((TWO, [card for card in WILD_TYPES for _ in range(int(sets[card]))]))
    return [(rank, cards) for rank, cards in found if cards]


def open_runs(runs: Numbers) -> list[tuple[int, int, list[int]]]:
    """Suit, slot and cards of a team's open runs; `runs` `[4, slots, 5]` are the team's rows of the View's field."""
    return [
        (suit, slot, run_cards(suit, *(int(number) for number in numbers)))
        for suit, slots in enumerate(runs)
        for slot, numbers in enumerate(slots)
        if numbers.any()
    ]


__all__ = ["open_runs", "open_sets"]
