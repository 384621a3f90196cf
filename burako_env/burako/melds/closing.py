"""Closing a group of seven: it becomes a baza, leaves the table and can never change (GROUP-1)."""

import numpy as np

from burako_env.burako.lookups import Lookups
from burako_env.burako.melds.bazas import BAZA_KINDS, CLEAN_ACES, CLEAN_RUN, CLEAN_SET, WILD_BAZA
from burako_env.burako.melds.groups import OWN_TWO, SET_WILD
from burako_env.burako.state import State
from burako_env.burako.turn.actions import FIRST_RUN, WILD_GROUP
from burako_env.burako.zones import JOKER_BIT, JOKERS, ONE, TYPE_MASK, WILDS, ZERO, Words
from burako_env.cards import ACE, RANK_COUNT, TWO, WILD_TYPES
from burako_env.kit.fields import Index, flat, gather

_WILD_MASK = np.array([0, *(TYPE_MASK[card] for card in WILD_TYPES)], dtype=np.uint64)


def baza_kinds(lookups: Lookups, group: Index, states: Index) -> Index:
    """Baza kinds of full groups, from their numbers and states (SCORE-1)."""
    is_run = group >= FIRST_RUN
    clean = np.where(is_run, lookups.run.clean[states], states & SET_WILD == 0)
    kind = np.where(is_run, CLEAN_RUN, np.where(group == ACE, CLEAN_ACES, CLEAN_SET)) + ~clean
    return np.where(group == WILD_GROUP, WILD_BAZA, kind)


def close_groups(state: State, lookups: Lookups, games: Index, team: Index, group: Index) -> None:
    """Turn full groups, one a game, into bazas: cards, counts by kind and rank, and the list of bazas."""
    full = flat(state.groups)[(team * lookups.groups + group) * state.size + games]
    is_run = group >= FIRST_RUN
    rank = np.where(is_run, 0, group)
    count = state.baza_count[games]
    first = count.astype(np.intp) * lookups.decks
    for deck, word in enumerate(take_groups(state, lookups, games, team, group)):
        flat(state.closed)[(team * lookups.decks + deck) * state.size + games] |= word
        flat(state.bazas)[(first + deck) * state.size + games] = word
    state.baza_count[games] = count + 1

    kind = baza_kinds(lookups, group, full)
    flat(state.closed_kinds)[(team * len(BAZA_KINDS) + kind) * state.size + games] += 1
    sets = (~is_run).nonzero()[0]
    flat(state.closed_sets)[(team[sets] * RANK_COUNT + rank[sets]) * state.size + games[sets]] += 1


def take_groups(state: State, lookups: Lookups, games: Index, team: Index, group: Index) -> list[Words]:
    """Take groups, one a game, off the table; their cards as zone words, one array a deck.

    The accept words are stale afterwards: `refresh_sets` or `refresh_runs` must follow.
    """
    at = (team * lookups.groups + group) * state.size + games
    states, wild_codes = flat(state.groups), flat(state.group_wild)
    full, wild = states[at], wild_codes[at]
    is_run = group >= FIRST_RUN
    suit = np.where(is_run, (group - FIRST_RUN) // lookups.slots, 0)
    rank = np.where(is_run, 0, group)

    run_types = lookups.run.types[full].astype(np.uint64) << (suit * RANK_COUNT).astype(np.uint64)
    moved = _take_once(state, lookups, games, team, np.where(is_run, run_types, ZERO) | _WILD_MASK[wild])
    two_twos = (is_run & (full & (2 * OWN_TWO) != 0)).nonzero()[0]
    if two_twos.size:
        own_two = ONE << (suit[two_twos] * RANK_COUNT + TWO).astype(np.uint64)
        for word, second in zip(
            moved, _take_once(state, lookups, games[two_twos], team[two_twos], own_two), strict=True
        ):
            word[two_twos] |= second
    set_types = np.where(is_run, ZERO, np.where(group == WILD_GROUP, WILDS, lookups.rank_types[rank]))
    for deck, word in enumerate(moved):
        index = (team * lookups.decks + deck) * state.size + games
        in_sets = flat(state.sets)[index] & set_types
        flat(state.sets)[index] ^= in_sets
        word |= in_sets

    states[at] = 0
    wild_codes[at] = 0
    runs = is_run.nonzero()[0]
    if runs.size:
        _close_ranks(state, lookups, games[runs], team[runs], group[runs])
    return moved


def _take_once(state: State, lookups: Lookups, games: Index, team: Index, wanted: Words) -> list[Words]:
    """Take one card of every wanted type (for jokers: one) out of the runs' zone."""
    taken = []
    runs = flat(state.runs)
    for deck in range(lookups.decks):
        index = (team * lookups.decks + deck) * state.size + games
        found = runs[index] & wanted
        # Two joker bits in one deck are one type: the lower is enough.
        found &= ~((found & JOKER_BIT) << ONE)
        runs[index] ^= found
        wanted = wanted & ~found & ~np.where(found & JOKERS != 0, JOKERS, ZERO)
        taken.append(found)
    return taken


def _close_ranks(state: State, lookups: Lookups, games: Index, team: Index, group: Index) -> None:
    """GROUP-8: the runs of the suit opened later move down one slot."""
    slots = lookups.slots
    suit, slot = np.divmod(group - FIRST_RUN, slots)
    row = team * lookups.groups + FIRST_RUN + suit * slots + np.arange(slots)[:, None]
    following = np.minimum(row + 1, row[-1])
    moves = np.arange(slots)[:, None] >= slot
    last = np.arange(slots)[:, None] == slots - 1
    for field in (state.groups, state.group_wild):
        here, above = gather(field, row, games), gather(field, following, games)
        shifted = np.where(last, 0, above)
        flat(field)[row * state.size + games] = np.where(moves, shifted, here)
