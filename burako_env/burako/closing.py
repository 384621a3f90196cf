"""Closing a group of seven: it becomes a baza, leaves the table and can never change (GROUP-1)."""

from __future__ import annotations

from typing import Final

import numpy as np

from burako_env.burako.actions import FIRST_RUN, WILD_GROUP
from burako_env.burako.groups import MAX_CARDS, OWN_TWO, SET_WILD
from burako_env.burako.state import JOKER_BIT, JOKERS, ONE, TYPE_MASK, WILDS, ZERO, Index, State, Words, flat, gather
from burako_env.burako.tables import Tables
from burako_env.burako.view_layout import KINDS
from burako_env.cards import ACE, JOKER, RANK_COUNT, TWO, WILD_TYPES

CLEAN_SET, DIRTY_SET, CLEAN_RUN, DIRTY_RUN, CLEAN_ACES, DIRTY_ACES, WILD_BAZA = range(len(KINDS))
# Bit position of the team in a word of `state.bazas`, above the seven card codes.
TEAM_SHIFT: Final = np.uint64(56)
_WILD_MASK = np.array([0, *(TYPE_MASK[card] for card in WILD_TYPES)], dtype=np.uint64)


def close_groups(state: State, tables: Tables, games: Index, team: Index, group: Index) -> None:
    """Turn full groups, one a game, into bazas: cards, counts by kind and rank, and the list of bazas."""
    at = (team * tables.groups + group) * state.size + games
    states, wild_codes = flat(state.groups), flat(state.group_wild)
    full, wild = states[at], wild_codes[at]
    is_run = group >= FIRST_RUN
    suit = np.where(is_run, (group - FIRST_RUN) // tables.slots, 0)
    rank = np.where(is_run, 0, group)

    run_types = tables.run.types[full].astype(np.uint64) << (suit * RANK_COUNT).astype(np.uint64)
    own_two = np.uint64(1) << (suit * RANK_COUNT + TWO).astype(np.uint64)
    second_two = np.where(is_run & (full & (2 * OWN_TWO) != 0), own_two, ZERO)
    set_types = np.where(is_run, ZERO, np.where(group == WILD_GROUP, WILDS, tables.rank_types[rank]))
    moved = [ZERO] * tables.decks
    for wanted in (np.where(is_run, run_types, ZERO), second_two, _WILD_MASK[wild]):
        taken = _take_once(state, tables, games, team, wanted)
        moved = [a | b for a, b in zip(moved, taken, strict=True)]
    for deck in range(tables.decks):
        index = (team * tables.decks + deck) * state.size + games
        in_sets = flat(state.sets)[index] & set_types
        flat(state.sets)[index] ^= in_sets
        moved[deck] = moved[deck] | in_sets
        flat(state.closed)[index] |= moved[deck]

    clean = np.where(is_run, tables.run.clean[full], full & SET_WILD == 0)
    kind = np.where(is_run, CLEAN_RUN, np.where(rank == ACE, CLEAN_ACES, CLEAN_SET)) + ~clean
    kind = np.where(group == WILD_GROUP, WILD_BAZA, kind)
    flat(state.closed_kinds)[(team * len(KINDS) + kind) * state.size + games] += 1
    sets = np.flatnonzero(~is_run)
    flat(state.closed_sets)[(team[sets] * RANK_COUNT + rank[sets]) * state.size + games[sets]] += 1

    count = state.baza_count[games]
    flat(state.bazas)[count.astype(np.intp) * state.size + games] = baza_word(moved, team)
    state.baza_count[games] = count + 1
    states[at] = 0
    wild_codes[at] = 0
    runs = np.flatnonzero(is_run)
    if runs.size:
        _close_ranks(state, tables, games[runs], team[runs], group[runs])


def _take_once(state: State, tables: Tables, games: Index, team: Index, wanted: Words) -> list[Words]:
    """Take one card of every wanted type (for jokers: one) out of the runs' zone."""
    taken = []
    runs = flat(state.runs)
    for deck in range(tables.decks):
        index = (team * tables.decks + deck) * state.size + games
        found = runs[index] & wanted
        # Two joker bits in one deck are one type: the lower is enough.
        found &= ~((found & JOKER_BIT) << ONE)
        runs[index] ^= found
        wanted = wanted & ~found & ~np.where(found & JOKERS != 0, JOKERS, ZERO)
        taken.append(found)
    return taken


def _close_ranks(state: State, tables: Tables, games: Index, team: Index, group: Index) -> None:
    """GROUP-8: the runs of the suit opened later move down one slot."""
    slots = tables.slots
    suit, slot = np.divmod(group - FIRST_RUN, slots)
    row = team * tables.groups + FIRST_RUN + suit * slots + np.arange(slots)[:, None]
    following = np.minimum(row + 1, row[-1])
    moves = np.arange(slots)[:, None] >= slot
    last = np.arange(slots)[:, None] == slots - 1
    for field in (state.groups, state.group_wild):
        here, above = gather(field, row, games), gather(field, following, games)
        shifted = np.where(last, 0, above)
        flat(field)[row * state.size + games] = np.where(moves, shifted, here)


def baza_word(cards: list[Words], team: Index) -> Words:
    """Seven cards as bytes `type + 1` and the team above them."""
    rest = [np.array(word, dtype=np.uint64) for word in np.broadcast_arrays(*cards)]
    word = team.astype(np.uint64) << TEAM_SHIFT
    for place in range(MAX_CARDS):
        low = np.zeros_like(word)
        for deck, zone in enumerate(rest):
            bit = np.where(low == 0, zone & (ZERO - zone), ZERO)
            rest[deck] = zone ^ bit
            low |= bit
        index = np.minimum(np.bitwise_count(low - ONE), JOKER).astype(np.uint64)
        word |= (index + ONE) << np.uint64(8 * place)
    return word


def baza_cards(word: int) -> tuple[int, list[int]]:
    """Team and card types of a word of `state.bazas`."""
    return word >> int(TEAM_SHIFT), [(word >> 8 * place & 0xFF) - 1 for place in range(MAX_CARDS)]

