"""Open groups as cards, from the fields of a View: what text, pages and images show of them."""

from __future__ import annotations

from typing import Any, Final

import numpy.typing as npt

from burako_env.cards import JOKER, RANK_COUNT, TWO, WILD_TYPES

_ACE_LOW: Final = 1
_PLACE_TWO: Final = 2

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


def run_cards(suit: int, low: int, high: int, hole: int, twos: int, wild: int) -> list[int]:
    """Cards of an open run in reading order, from the five numbers of the View's `runs`: a wild in the gap it fills,
    else at the end.
    """
    first = RANK_COUNT * suit
    placed = {
        place: first + (place - 1) % RANK_COUNT
        for place in range(low, high + 1)
        if place and place != hole and not (place == _PLACE_TWO and twos)
    }
    spare = [first + TWO] * twos
    if twos and (low == _ACE_LOW or low == _PLACE_TWO + 1) and (wild or twos > 1 or not hole):
        placed[_PLACE_TWO] = spare.pop()
    if wild:
        spare.append(WILD_TYPES[wild - 1])
    if hole and spare:
        placed[hole] = spare.pop()
    return [placed[place] for place in sorted(placed)] + spare


__all__ = ["open_runs", "open_sets", "run_cards"]
