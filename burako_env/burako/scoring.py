"""SCORE-1 to SCORE-6: the points of both teams, always recomputed from the state."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from burako_env.burako.actions import NONE
from burako_env.burako.rules import Rules
from burako_env.burako.state import OUT, State, Words
from burako_env.burako.tables import Tables
from burako_env.burako.view_layout import KINDS

I32 = npt.NDArray[np.int32]


def baza_points(rules: Rules) -> list[int]:
    """SCORE-1 by kind, in the order of `KINDS`."""
    points = {
        "clean set": rules.baza_clean,
        "dirty set": rules.baza_dirty,
        "clean run": rules.baza_clean,
        "dirty run": rules.baza_dirty,
        "clean aces": rules.baza_aces_clean,
        "dirty aces": rules.baza_aces_dirty,
        "wilds": rules.baza_wilds,
    }
    return [points[kind] for kind in KINDS]


def zone_value(tables: Tables, zones: Words) -> I32:
    """Points of the cards in each zone word (DECK-2), same shape."""
    total = np.zeros(zones.shape, dtype=np.int32)
    for value, mask in tables.value_masks:
        total += np.bitwise_count(zones & mask) * np.int32(value)
    return total


def team_scores(state: State, tables: Tables, void: I32 | None = None) -> I32:
    """Points of each team, int32 `[B, 2]`: of a live hand what END-1 would give now (SCORE-6).

    `void`: points of cards on the table that do not count, int32 `[2, B]`.
    """
    rules, size = tables.rules, state.size
    kinds = state.closed_kinds.reshape(2, len(KINDS), size)
    bazas = np.tensordot(np.array(baza_points(rules), dtype=np.int32), kinds.astype(np.int32), axes=(0, 1))
    table = zone_value(tables, state.sets | state.runs).reshape(2, tables.decks, size).sum(axis=1)
    if void is not None:
        table = table - void
    by_seat = zone_value(tables, state.hands).reshape(rules.players // 2, 2, tables.decks, size)
    hands = by_seat.sum(axis=(0, 2))
    left = state.burakos_left.astype(np.int32)
    taken = rules.burakos_per_team - left
    burakos = rules.burako_points * (taken - left)
    justified = kinds.sum(axis=1) > 0

    plain = bazas + table - hands + burakos
    negative = -(table + hands) + burakos
    if rules.unjustified_on_exhaustion == "normal":
        scores = np.where(justified | (state.reason != OUT), plain, negative)
    else:
        scores = np.where(justified, plain, negative)
    out = np.flatnonzero(state.out_seat != NONE)
    if out.size:
        team = (state.out_seat[out] % 2).astype(np.intp)
        fair = justified[team, out]
        scores[team, out] += rules.out_points
        # SCORE-5: they went out unjustified, so whatever the others hold counts for them.
        generous = bazas[1 - team, out] + table[1 - team, out] + hands[1 - team, out] + burakos[1 - team, out]
        scores[1 - team, out] = np.where(fair, scores[1 - team, out], generous)
    return np.ascontiguousarray(scores.T.astype(np.int32))
