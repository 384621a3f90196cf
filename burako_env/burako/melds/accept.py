"""What a team's table accepts, as words kept up to date where a group changes.

Rows of a team in `state.accept`, with S run slots:

    0           naturals for open sets of their rank, wilds for an open wild group      (bits as in the SETS word)
    1 .. S      cards for the run on slot k of each suit                                (RUNS words)
    S + 1       wilds for open sets                                                     (WILD_SETS word)
    S + 2       types whose set (wilds: the wild group) may be opened: GROUP-7, GROUP-9
    S + 3       jokers for runs                                                         (SPECIALS word)
    S + 4 + k   types whose run would be opened on slot k

So the legal lays of a seat are these words AND what its hand holds. The ban of GROUP-10 is not in them: it depends
on a third group and is applied when they are read.
"""

import numpy as np
import numpy.typing as npt

from burako_env.burako.lookups import Lookups
from burako_env.burako.state import State
from burako_env.burako.turn.actions import FIRST_RUN, SPECIAL_BITS, WILD_GROUP
from burako_env.burako.zones import ALL, ZERO
from burako_env.cards import RANK_COUNT, SUIT_COUNT
from burako_env.kit.fields import Index, flat, gather

_FOREIGN_BITS = np.uint64(7)


def refresh_sets(state: State, lookups: Lookups, games: Index, teams: Index, ranks: Index) -> None:
    """Recompute the words that the set of a rank (the twos: the wild group) sets, one group a game."""
    size, first = state.size, teams * lookups.accept_rows
    accept = flat(state.accept)
    group = gather(state.groups, teams * lookups.groups + ranks, games)
    types, wild_bits = lookups.rank_types[ranks], lookups.wild_set_bits[ranks]
    barred = group > 0
    if lookups.rules.one_set_per_rank_ever:
        closed = gather(state.closed_sets, teams * RANK_COUNT + ranks, games) > 0
        barred |= closed & (ranks != WILD_GROUP)
    for row, bits, value in (
        (0, types, lookups.set_takes[group]),
        (lookups.slots + 1, wild_bits, lookups.set_takes_wild[group]),
        (lookups.slots + 2, types, np.where(barred, ZERO, ALL)),
    ):
        _put(accept, (first + row) * size + games, bits, value)


def refresh_runs(state: State, lookups: Lookups, games: Index, teams: Index, suits: Index) -> None:
    """Recompute the words that the runs of a suit set, one suit a game."""
    size, slots, first = state.size, lookups.slots, teams * lookups.accept_rows
    accept = flat(state.accept)
    slot = np.arange(slots)[:, None]
    suits64 = suits.astype(np.uint64)
    runs = gather(state.groups, teams * lookups.groups + FIRST_RUN + suits * slots + slot, games)
    taken = lookups.run.accepts[runs].astype(np.uint64)
    wild = taken >> np.uint64(RANK_COUNT)
    own = (taken & np.uint64(0x1FFF)) << (suits64 * np.uint64(RANK_COUNT))
    value = own | (wild * _FOREIGN_BITS) << (suits64 * np.uint64(3) + np.uint64(52))
    _put(accept, (first + 1 + slot) * size + games, lookups.run_bits[suits], value)
    jokers = wild << (suits64 + slot.astype(np.uint64) * np.uint64(SUIT_COUNT) + np.uint64(SPECIAL_BITS))
    _put(accept, (first + slots + 3) * size + games, lookups.joker_bits[suits], np.bitwise_or.reduce(jokers, axis=0))
    open_runs = (runs > 0).sum(axis=0)
    opens = np.where(open_runs == slot, ALL, ZERO)
    _put(accept, (first + slots + 4 + slot) * size + games, lookups.suit_types[suits], opens)
    full = flat(state.full_suits)
    at, bit = teams * size + games, np.left_shift(1, suits).astype(np.uint8)
    full[at] = np.where(open_runs == slots, full[at] | bit, full[at] & ~bit)


def refresh_groups(state: State, lookups: Lookups, games: Index, teams: Index, groups: Index) -> None:
    """Recompute the words that groups set, one group a game."""
    sets, runs = (groups < FIRST_RUN).nonzero()[0], (groups >= FIRST_RUN).nonzero()[0]
    if sets.size:
        refresh_sets(state, lookups, games[sets], teams[sets], groups[sets])
    if runs.size:
        refresh_runs(state, lookups, games[runs], teams[runs], (groups[runs] - FIRST_RUN) // lookups.slots)


def refresh_all(state: State, lookups: Lookups) -> None:
    """Recompute everything from the groups, for states that were not reached by play."""
    games = np.arange(state.size)
    for team in range(lookups.rules.teams):
        teams = np.full(state.size, team)
        for rank in range(RANK_COUNT):
            refresh_sets(state, lookups, games, teams, np.full(state.size, rank))
        for suit in range(SUIT_COUNT):
            refresh_runs(state, lookups, games, teams, np.full(state.size, suit))


def _put(
    accept: npt.NDArray[np.uint64], at: Index, bits: npt.NDArray[np.uint64], value: npt.NDArray[np.uint64]
) -> None:
    """Replace those bits of the words at flat positions `at`."""
    word = accept.take(at)
    accept[at] = word ^ ((word ^ value) & bits)
