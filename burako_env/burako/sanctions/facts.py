"""What a View of sanctions play says about infractions: which sanction each would draw. For agents and experiments."""

from functools import cache
from typing import Final

import numpy as np
import numpy.typing as npt

from burako_env.burako.melds.groups import FOREIGN_RANK, MAX_CARDS, run_lookups
from burako_env.burako.melds.run_codec import decode
from burako_env.burako.rules import Rules
from burako_env.burako.sanctions.actions import SanctionTable, sanction_table
from burako_env.burako.turn.actions import FIRST_RUN, WILD_GROUP, Kind
from burako_env.cards import JOKER, RANK_COUNT, SUIT_COUNT, TWO, TYPE_COUNT, is_wild
from burako_env.layout import View

U8 = npt.NDArray[np.uint8]
# The sanctions that follow an action; SANCTION-10 follows from what is not done.
PENALTIES: Final = (2, 3, 4, 5, 7, 11, 12, 18)
_BY_KIND: Final = {Kind.FOUL_DISCARD: 4, Kind.FOUL_EARLY: 5, Kind.FOUL_RUN: 12, Kind.FOUL_SET: 7, Kind.FOUL_LAY: 11}
_IS_WILD: Final = np.array([is_wild(card) for card in range(TYPE_COUNT)])


def group_lengths(view: View, rules: Rules) -> U8:
    """Cards of each group of the observer's team, `[n, 13 + 4 S]` in the order of group numbers."""
    sets = view.sets[:, 0].astype(np.int64)
    by_rank = sets[:, :JOKER].reshape(-1, SUIT_COUNT, RANK_COUNT).sum(axis=1) + (view.set_wild[:, 0] > 0)
    by_rank[:, TWO] += sets[:, JOKER]
    runs = run_lookups(rules.ace).length[decode(view.runs[:, 0])]
    return np.concatenate([by_rank, runs.reshape(-1, SUIT_COUNT * rules.run_slots)], axis=1).astype(np.uint8)


@cache
def _numbers(run_slots: int) -> tuple[SanctionTable, U8]:
    """The table, and the sanction of every action as far as the action alone says, `[A]`; 0 for no infraction."""
    table = sanction_table(run_slots)
    numbers = np.zeros(table.size, dtype=np.uint8)
    for kind, number in _BY_KIND.items():
        numbers[table.rows["kind"] == kind] = number
    return table, numbers


def penalties(view: View, rules: Rules, legal: npt.NDArray[np.bool_]) -> U8:
    """The number of the sanction that follows each legal action, `[n, A]`; 0 for none, and where it is not legal."""
    table, numbers = _numbers(rules.run_slots)
    found = np.where(legal, numbers, 0).astype(np.uint8)
    found[(view.phase[:, 0] > 0)[:, None] & (found == _BY_KIND[Kind.FOUL_DISCARD])] = 5
    lengths = group_lengths(view, rules)
    row, action = (found == _BY_KIND[Kind.FOUL_LAY]).nonzero()
    row, action = (part[table.rows["kind"][action] == Kind.FOUL_LAY] for part in (row, action))
    card, group = table.rows["card"][action], table.rows["group"][action].astype(np.intp)
    full = lengths[row, group] == MAX_CARDS
    # A wild that would have a place but for the open wild group breaks that ban, else it is a second one.
    wild = np.where((lengths[row, WILD_GROUP] > 0) & _has_place(view, rules, row, card, group), 18, 3)
    found[row, action] = np.where(full, 2, np.where(_IS_WILD[card], wild, 11))
    return found


def _has_place(
    view: View, rules: Rules, row: npt.NDArray[np.intp], card: U8, group: npt.NDArray[np.intp]
) -> npt.NDArray[np.bool_]:
    """Whether groups below seven cards have a place for a wild, GROUP-10 apart."""
    is_run = group >= FIRST_RUN
    suit, slot = np.divmod(np.where(is_run, group - FIRST_RUN, 0), rules.run_slots)
    own = (card != JOKER) & (card // RANK_COUNT == suit)
    states = decode(view.runs[row, 0, suit, slot])
    in_run = run_lookups(rules.ace).accepts[states] >> np.where(own, TWO, FOREIGN_RANK) & 1 > 0
    in_set = view.set_wild[row, 0, np.where(is_run, 0, group)] == 0
    place: npt.NDArray[np.bool_] = np.where(is_run, in_run, in_set)
    return place
