"""Which runs a hand may open, found for whole words by shifts (GROUP-12)."""

import numpy as np

from burako_env.burako.zones import ACES, ONE, SUITED, TWOS, Words

_KINGS = ACES << np.uint64(12)
_QUEENS = ACES << np.uint64(11)


class Climb:
    """The next places of a run, for whole words."""

    def __init__(self, ace: str) -> None:
        self.ace_high = ace != "low"
        # GROUP-12: with `ace` = high no run opens with an ace.
        self.first = SUITED if ace != "high" else SUITED & ~ACES

    def up1(self, types: Words) -> Words:
        """Types one place below one of `types`."""
        below = (types >> ONE) & ~_KINGS
        return below | ((types & ACES) << np.uint64(12)) if self.ace_high else below

    def up2(self, types: Words) -> Words:
        """Types two places below one of `types`."""
        below = (types >> np.uint64(2)) & ~(_KINGS | _QUEENS)
        return below | ((types & ACES) << np.uint64(11)) if self.ace_high else below

    def above1(self, types: Words) -> Words:
        """Types one place above; kings lead to the high ace."""
        above = ((types & ~_KINGS) << ONE) & SUITED
        return above | ((types & _KINGS) >> np.uint64(12)) if self.ace_high else above

    def above2(self, types: Words) -> Words:
        """Types two places above; queens lead to the high ace."""
        above = ((types & ~(_KINGS | _QUEENS)) << np.uint64(2)) & SUITED
        return above | ((types & _QUEENS) >> np.uint64(11)) if self.ace_high else above


def run_openings(climb: Climb, held: Words, one_wild: Words, two_wilds: Words) -> Words:
    """Types that may open a run (GROUP-12): with two more naturals upwards, or one and a wild as the third card.

    `held`: suited types in hand, own twos among them unless banned. `one_wild`, `two_wilds`: all ones where the hand
    has that many wild cards; a pair that itself contains a two needs a second one to be its wild.
    """
    next1, next2 = climb.up1(held), climb.up2(held)
    beside_two = ACES | TWOS
    with_wild = (next1 & ((one_wild & ~beside_two) | two_wilds)) | (next2 & ((one_wild & ~TWOS) | two_wilds))
    return held & climb.first & ((next1 & next2) | with_wild)


def second_cards(climb: Climb, laid: Words, held: Words, one_wild: Words, two_wilds: Words) -> Words:
    """Types that may follow `laid`, the first card of a run: naturals one or two places up that leave a third card."""
    next1 = held & climb.above1(laid)
    next2 = held & climb.above2(laid)
    third = (held & climb.above1(next1)) != 0
    # An own two that comes second as a natural cannot be the wild as well.
    wild = np.where(next1 & TWOS != 0, two_wilds, one_wild)
    second: Words = np.where(third, next1, next1 & wild) | (next2 & one_wild)
    return second
