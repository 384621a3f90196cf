"""SCORE-1 to SCORE-6: the points of both teams, always recomputed from the state."""

import dataclasses
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from burako_env.burako.lookups import Lookups
from burako_env.burako.melds.bazas import BAZA_KINDS, baza_points
from burako_env.burako.state import LIVE, OUT, State
from burako_env.burako.turn.actions import NONE
from burako_env.burako.zones import Words

I32 = npt.NDArray[np.int32]


def zone_value(lookups: Lookups, zones: Words) -> I32:
    """Points of the cards in each zone word (DECK-2), same shape."""
    total = np.zeros(zones.shape, dtype=np.int32)
    for value, mask in lookups.value_masks:
        total += np.bitwise_count(zones & mask) * np.int32(value)
    return total


@dataclass(frozen=True)
class Parts:
    """What the points of both teams are made of; arrays int32 `[2, B]`, teams by number.

    Attributes:
        kinds: closed bazas `[2, kinds, B]`, in the order of `BAZA_KINDS`. bazas: their points (SCORE-1).
        table: cards in open groups (SCORE-2). void: those of them that do not count. hands: cards in hands (SCORE-3).
        taken, left: burakos. out: points of going out.
        laid, held: 1 or -1: whether the table, and the hands, count for the team or against it (SCORE-2 to SCORE-6).
    """

    kinds: npt.NDArray[np.uint8]
    bazas: I32
    table: I32
    void: I32
    hands: I32
    taken: I32
    left: I32
    out: I32
    laid: I32
    held: I32

    def total(self, burako_points: int) -> I32:
        """Points of each team, `[2, B]`."""
        cards = self.laid * (self.table - self.void) + self.held * self.hands
        points: I32 = self.bazas + cards + burako_points * (self.taken - self.left) + self.out
        return points


def score_parts(state: State, lookups: Lookups, void: I32 | None = None) -> Parts:
    """The parts of `team_scores`."""
    rules, size = lookups.rules, state.size
    kinds = state.closed_kinds.reshape(rules.teams, len(BAZA_KINDS), size)
    bazas = np.tensordot(np.array(baza_points(rules), dtype=np.int32), kinds.astype(np.int32), axes=(0, 1))
    table = zone_value(lookups, state.sets | state.runs).reshape(rules.teams, lookups.decks, size).sum(axis=1)
    by_seat = zone_value(lookups, state.hands).reshape(-1, rules.teams, lookups.decks, size)
    left = state.burakos_left.astype(np.int32)
    justified = kinds.sum(axis=1) > 0

    # An unjustified team has no bazas: what lies on its table is lost with its hands.
    counts = justified | (state.reason != OUT) if rules.unjustified_on_exhaustion == "normal" else justified
    laid = np.where(counts, 1, -1).astype(np.int32)
    held = np.full_like(laid, -1)
    bonus = np.zeros_like(laid)
    out = np.flatnonzero(state.out_seat != NONE)
    if out.size:
        team = (state.out_seat[out] % rules.teams).astype(np.intp)
        bonus[team, out] = rules.out_points
        # SCORE-5: they went out unjustified, so whatever the others hold counts for them.
        unfair = ~justified[team, out]
        laid[1 - team[unfair], out[unfair]] = held[1 - team[unfair], out[unfair]] = 1
    return Parts(
        kinds=kinds,
        bazas=bazas,
        table=table,
        void=np.zeros_like(table) if void is None else void,
        hands=by_seat.sum(axis=(0, 2)),
        taken=rules.burakos_per_team - left,
        left=left,
        out=bonus,
        laid=laid,
        held=held,
    )


def team_scores(state: State, lookups: Lookups, void: I32 | None = None) -> I32:
    """Points of each team, int32 `[B, 2]`: of a live hand what END-1 would give now (SCORE-6).

    `void`: points of cards on the table that do not count, int32 `[2, B]`.
    """
    points = score_parts(state, lookups, void).total(lookups.rules.burako_points)
    return np.ascontiguousarray(points.T.astype(np.int32))


def public_scores(parts: Parts, state: State, lookups: Lookups) -> I32:
    """Points of each team, int32 `[B, 2]`, without the cards in hands while the hand is played (INFO-2)."""
    shown = dataclasses.replace(parts, hands=parts.hands * (state.reason != LIVE))
    return np.ascontiguousarray(shown.total(lookups.rules.burako_points).T.astype(np.int32))
