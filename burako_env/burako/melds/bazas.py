"""Baza kinds: what a closed group counts as, and its points (SCORE-1)."""

from typing import Final

from burako_env.burako.rules import Rules

# The rule key that holds the points of each baza kind.
_POINTS: Final = {
    "clean set": "baza_clean",
    "dirty set": "baza_dirty",
    "clean run": "baza_clean",
    "dirty run": "baza_dirty",
    "clean aces": "baza_aces_clean",
    "dirty aces": "baza_aces_dirty",
    "wilds": "baza_wilds",
}
BAZA_KINDS: Final = tuple(_POINTS)
CLEAN_SET, DIRTY_SET, CLEAN_RUN, DIRTY_RUN, CLEAN_ACES, DIRTY_ACES, WILD_BAZA = range(len(BAZA_KINDS))


def baza_points(rules: Rules) -> list[int]:
    """Points of a baza, in the order of `BAZA_KINDS`."""
    return [getattr(rules, key) for key in _POINTS.values()]
