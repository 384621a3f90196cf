"""The action table of the card game: every action a seat can ever take, as words of 64 bits.

An action id is `word * 64 + bit`. Legal actions are computed as these words (see `legality.py`), so the layout
follows what a word can answer at once. With S run slots there are S + 4 words:

    word 0          SETS       bit c: card type c on the open set of its rank, or opening it; a wild: on the wild group
    word 1 .. S     RUNS       bit c < 52: card c on run slot k = word - 1 of its own suit, or opening it;
                               bit 52 + 3 s + j: the j-th foreign two (suits in order, s left out) on slot k of suit s
    word S + 1      WILD_SETS  bit 12 w + i: wild w (0-3 the twos by suit, 4 the joker) on the i-th set rank (A 3 .. K)
    word S + 2      DISCARDS   bit c: discard card type c
    word S + 3      SPECIALS   bits 0-9: see `SPECIALS`; bit 16 + 4 k + s: joker on run slot k of suit s

Unused bits are never legal. A *group* of a team is numbered 0 to 12 for the set of that rank (1, the twos, is the wild
group) and `13 + suit * S + slot` for a run; slots of a suit are in the order in which the runs were opened, without
gaps.
"""

from dataclasses import dataclass
from enum import IntEnum
from functools import cache
from typing import Final

import numpy as np
import numpy.typing as npt

from burako_env.cards import JOKER, RANK_COUNT, SUIT_COUNT, TWO, TYPE_COUNT, WILD_TYPES, is_wild

NONE: Final = 255
WILD_GROUP: Final = TWO
FIRST_RUN: Final = RANK_COUNT
SET_RANKS: Final = (0, *range(2, RANK_COUNT))
SPECIAL_BITS: Final = 16


class Kind(IntEnum):
    """What an action does; `UNUSED` fills the padding."""

    UNUSED = 0
    LAY = 1
    DISCARD = 2
    DRAW_STOCK = 3
    DRAW_PILE = 4
    KEEP = 5
    REJECT = 6
    TAKE_BURAKO = 7
    KEEP_HAND = 8
    ASK = 9
    YES = 10
    NO = 11
    END_HAND = 12
    # Only in sanctions play; see `sanctions/actions.py`.
    CLOSE = 13
    TAKE_WILD = 14
    FOUL_LAY = 15
    FOUL_DISCARD = 16
    FOUL_EARLY = 17
    FOUL_RUN = 18
    FOUL_SET = 19


# What needs no card, in the order of the bits of the SPECIALS word.
SPECIALS: Final = tuple(kind for kind in Kind if Kind.DRAW_STOCK <= kind <= Kind.END_HAND)


@dataclass(frozen=True)
class ActionTable:
    """All actions for a number of run slots.

    Attributes:
        run_slots: open runs a team may have in a suit (GROUP-8).
        words: 64-bit words of a legal set.
        size: number of action ids, `64 * words`.
        rows: structured array `[size]` of (kind uint8, card uint8, group uint8); 255 where there is none.
    """

    run_slots: int
    words: int
    size: int
    rows: npt.NDArray[np.void]

    @property
    def wild_sets(self) -> int:
        """Index of the WILD_SETS word."""
        return self.run_slots + 1

    @property
    def discards(self) -> int:
        """Index of the DISCARDS word."""
        return self.run_slots + 2

    @property
    def specials(self) -> int:
        """Index of the SPECIALS word."""
        return self.run_slots + 3

    @property
    def groups(self) -> int:
        """Groups of a team: 13 sets (the twos are the wild group) and the run slots of each suit."""
        return RANK_COUNT + SUIT_COUNT * self.run_slots

    def run_group(self, suit: int, slot: int) -> int:
        """Group number of a run slot."""
        return FIRST_RUN + suit * self.run_slots + slot

    def lay(self, card: int, group: int) -> int:
        """Action id of laying a card type on a group; raises `KeyError` if no rule could ever allow it."""
        if group < FIRST_RUN:
            if group == WILD_GROUP:
                if not is_wild(card):
                    raise KeyError((card, group))
                return card
            if is_wild(card):
                return self.wild_sets * 64 + WILD_TYPES.index(card) * len(SET_RANKS) + SET_RANKS.index(group)
            if card % RANK_COUNT != group:
                raise KeyError((card, group))
            return card
        suit, slot = divmod(group - FIRST_RUN, self.run_slots)
        if card == JOKER:
            return self.specials * 64 + SPECIAL_BITS + SUIT_COUNT * slot + suit
        if card // RANK_COUNT == suit:
            return (1 + slot) * 64 + card
        if not is_wild(card):
            raise KeyError((card, group))
        return (1 + slot) * 64 + 52 + 3 * suit + foreign_index(suit, card // RANK_COUNT)

    def discard(self, card: int) -> int:
        """Action id of discarding a card type."""
        return self.discards * 64 + card

    def special(self, kind: Kind) -> int:
        """Action id of an action without a card."""
        return self.specials * 64 + SPECIALS.index(kind)


def foreign_index(suit: int, two_suit: int) -> int:
    """Position of a foreign two among the three of a run of `suit`."""
    return two_suit - (two_suit > suit)


@cache
def action_table(run_slots: int) -> ActionTable:
    """The table for `run_slots` open runs per team and suit; cached, read-only."""
    words = run_slots + 4
    rows = np.zeros(64 * words, dtype=[("kind", "u1"), ("card", "u1"), ("group", "u1")])
    rows["card"] = rows["group"] = NONE
    table = ActionTable(run_slots=run_slots, words=words, size=64 * words, rows=rows)
    for group in range(table.groups):
        for card in range(TYPE_COUNT):
            try:
                rows[table.lay(card, group)] = (Kind.LAY, card, group)
            except KeyError:
                continue
    for card in range(TYPE_COUNT):
        rows[table.discard(card)] = (Kind.DISCARD, card, NONE)
    for kind in SPECIALS:
        rows[table.special(kind)] = (kind, NONE, NONE)
    rows.setflags(write=False)
    return table
