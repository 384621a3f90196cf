"""SANCTION-10: what complete groups that nobody closed would have been worth on the table."""

import numpy as np

from burako_env.burako.lookups import Lookups
from burako_env.burako.melds.groups import MAX_CARDS, OWN_TWO, SET_COUNT
from burako_env.burako.scoring import I32, zone_value
from burako_env.burako.state import State
from burako_env.burako.turn.actions import FIRST_RUN, WILD_GROUP
from burako_env.burako.zones import WILDS
from burako_env.cards import RANK_COUNT, TWO, WILD_TYPES
from burako_env.kit.fields import Index, flat, gather


def unclosed_points(state: State, lookups: Lookups) -> I32:
    """Values of the cards in open groups of seven, by team, int32 `[2, B]`."""
    states = flat(state.groups)
    there = states.nonzero()[0]
    row, game = np.divmod(there, state.size)
    team, group = np.divmod(row, lookups.groups)
    full = lookups.lengths(group, states[there].astype(np.intp)) == MAX_CARDS
    row, game, team, group, there = (part[full] for part in (row, game, team, group, there))
    number = states[there].astype(np.intp)
    points = np.where(group >= FIRST_RUN, _run_points(lookups, number), _set_points(lookups, group, number))
    wilds = _wild_group_points(state, lookups, team, game)
    points = np.where(group == WILD_GROUP, wilds, points + _wild_points(lookups)[flat(state.group_wild)[there]])
    total = np.zeros((lookups.rules.teams, state.size), dtype=np.int32)
    np.add.at(total, (team, game), points)
    return total


def _set_points(lookups: Lookups, group: Index, number: Index) -> I32:
    """Naturals of sets."""
    points: I32 = (number & SET_COUNT) * lookups.values[np.where(group < FIRST_RUN, group, 0)]
    return points


def _run_points(lookups: Lookups, number: Index) -> I32:
    """Cards of runs but for a foreign wild; an ace is worth the same at both ends."""
    types = lookups.run.types[number].astype(np.int64)
    points = sum((types >> rank & 1) * int(lookups.values[rank]) for rank in range(RANK_COUNT) if rank != TWO)
    twos: I32 = points + (number // OWN_TWO & 3) * int(lookups.values[TWO])
    return twos


def _wild_points(lookups: Lookups) -> I32:
    """Points of a wild by its code, 0 for none."""
    points: I32 = np.array([0, *(lookups.values[card] for card in WILD_TYPES)], dtype=np.int32)
    return points


def _wild_group_points(state: State, lookups: Lookups, team: Index, game: Index) -> I32:
    """Cards of the teams' wild groups: all the wilds that lie among their sets."""
    zones = gather(state.sets, team * lookups.decks + np.arange(lookups.decks)[:, None], game) & WILDS
    points: I32 = zone_value(lookups, zones).sum(axis=0)
    return points
