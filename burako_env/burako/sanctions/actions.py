"""The action table of sanctions play: the strict table, and whole words appended to it.

With S run slots, W = S + 4 strict words and G groups of a team (13 + 4 S) there are W + 4 + G words:

    word W          EARLY      bit c: lay card type c before drawing, wherever (SANCTION-5)
    word W + 1      WRONG      bit c: discard c: before drawing (SANCTION-5), or a wild (SANCTION-4)
    word W + 2      OPENINGS   bit c < 52: open a run with the natural c and a pair that it does not fit (SANCTION-12);
                               bit 52 + i: open a second set of the i-th set rank, A 3 .. K (SANCTION-7)
    word W + 3      CLOSINGS   bit g: close group g of seven (GROUP-1); bit 63: take the wild apart (SANCTION-4)
    word W + 4 + g  ON GROUP g bit c: lay c on group g, where it may not lie (SANCTION-2, 3, 11, 18)

Everything in them but closing and taking the wild breaks a rule; ids below 64 W mean what they mean in strict play.
"""

from functools import cache
from typing import Final

import numpy as np

from burako_env.burako.rules import Rules
from burako_env.burako.turn.actions import NONE, SET_RANKS, ActionTable, Kind, action_table
from burako_env.cards import JOKER, TYPE_COUNT, is_wild

FIRST_SET_BIT: Final = JOKER
TAKE_BIT: Final = 63
EARLY, WRONG, OPENINGS, CLOSINGS, ON_GROUP = range(5)
FOULS: Final = (Kind.FOUL_LAY, Kind.FOUL_DISCARD, Kind.FOUL_EARLY, Kind.FOUL_RUN, Kind.FOUL_SET)


class SanctionTable(ActionTable):
    """A strict table with the words of sanctions play behind its own."""

    @property
    def strict_words(self) -> int:
        """Words of strict play, which come first."""
        return self.run_slots + 4

    def early(self, card: int) -> int:
        """Action id of laying a card before drawing."""
        return (self.strict_words + EARLY) * 64 + card

    def wrong_discard(self, card: int) -> int:
        """Action id of a discard that is none: a wild, or before drawing."""
        return (self.strict_words + WRONG) * 64 + card

    def wrong_run(self, card: int) -> int:
        """Action id of opening a run with a card that does not fit."""
        return (self.strict_words + OPENINGS) * 64 + card

    def second_set(self, rank: int) -> int:
        """Action id of opening a second set of a rank."""
        return (self.strict_words + OPENINGS) * 64 + FIRST_SET_BIT + SET_RANKS.index(rank)

    def close(self, group: int) -> int:
        """Action id of closing a group."""
        return (self.strict_words + CLOSINGS) * 64 + group

    @property
    def take_wild(self) -> int:
        """Action id of taking the wild that lies apart."""
        return (self.strict_words + CLOSINGS) * 64 + TAKE_BIT

    def wrong_lay(self, card: int, group: int) -> int:
        """Action id of laying a card on a group where it may not lie."""
        return (self.strict_words + ON_GROUP + group) * 64 + card


@cache
def sanction_table(run_slots: int) -> SanctionTable:
    """The table for `run_slots` open runs per team and suit; cached, read-only."""
    strict = action_table(run_slots)
    words = strict.words + ON_GROUP + strict.groups
    rows = np.zeros(64 * words, dtype=strict.rows.dtype)
    rows["card"] = rows["group"] = NONE
    rows[: strict.size] = strict.rows
    table = SanctionTable(run_slots=run_slots, words=words, size=64 * words, rows=rows)
    for card in range(TYPE_COUNT):
        rows[table.early(card)] = (Kind.FOUL_EARLY, card, NONE)
        rows[table.wrong_discard(card)] = (Kind.FOUL_DISCARD, card, NONE)
        if not is_wild(card):
            rows[table.wrong_run(card)] = (Kind.FOUL_RUN, card, NONE)
        for group in range(table.groups):
            rows[table.wrong_lay(card, group)] = (Kind.FOUL_LAY, card, group)
    for rank in SET_RANKS:
        rows[table.second_set(rank)] = (Kind.FOUL_SET, NONE, rank)
    for group in range(table.groups):
        rows[table.close(group)] = (Kind.CLOSE, NONE, group)
    rows[table.take_wild] = (Kind.TAKE_WILD, NONE, NONE)
    rows.setflags(write=False)
    return table


def table_of(rules: Rules) -> ActionTable:
    """The action table that a configuration is played by."""
    return sanction_table(rules.run_slots) if rules.sanctions else action_table(rules.run_slots)
