"""Twelve rule bugs that can be planted into the core, to show that the fuzz and the cases would catch them.

    with planted("wild limit"):
        ...  # games made in here have the bug

Each is a mistake that somebody could make: a condition left out, a card counted once too often.
"""

from __future__ import annotations

import copy
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from typing import Any, Final
from unittest import mock

import numpy as np

from agents.burako import lookup as agent_lookups
from burako_env.burako import game
from burako_env.burako.lookups import Lookups, lookups_for
from burako_env.burako.melds import accept, groups
from burako_env.burako.melds.groups import MAX_CARDS, MIN_NATURALS
from burako_env.burako.state import ASKED, LOOK, NOT_ASKED, YES, State
from burako_env.burako.turn import consult, legality, transitions
from burako_env.burako.turn.actions import WILD_GROUP, Kind
from burako_env.burako.zones import ALL, TWOS, ZERO, mask_of
from burako_env.kit.fields import gather

# A planted bug is what it puts in the place of which attributes.
Patches = list[tuple[Any, str, Any]]


@contextmanager
def planted(name: str) -> Iterator[None]:
    """The core with a bug of `BUGS`, while the block runs. Games made before do not have all of it."""
    with ExitStack() as stack:
        _forget_lookups()
        stack.callback(_forget_lookups)
        for target, attribute, replacement in BUGS[name]():
            stack.enter_context(mock.patch.object(target, attribute, replacement))
        yield


def _forget_lookups() -> None:
    """Lookups are cached by rules: those with a bug must not outlive it, nor those without."""
    for cached in (groups.run_lookups, lookups_for, agent_lookups.lookups):
        cached.cache_clear()


def wild_limit() -> Patches:
    """GROUP-4: a set takes a second wild."""
    real = Lookups._set_lookups

    def set_lookups(lookups: Lookups) -> None:
        real(lookups)
        naturals = np.arange(16) & groups.SET_COUNT
        room = (lookups.set_length < MAX_CARDS) & (naturals >= MIN_NATURALS)
        lookups.set_takes_wild = np.where(room, ALL, ZERO)

    return [(Lookups, "_set_lookups", set_lookups)]


def ace_wrap() -> Patches:
    """GROUP-3: with the ace both ways a run goes on above it, K A 2."""
    real = groups.run_places

    def run_places(ace: str) -> range:
        places = real(ace)
        return range(places.start, places.stop + (ace == "both"))

    return [(groups, "run_places", run_places)]


def burako_left() -> Patches:
    """SCORE-3: a burako left costs nothing."""
    real = game.team_scores

    def team_scores(state: State, lookups: Lookups) -> Any:
        scores = real(state, lookups) + lookups.rules.burako_points * state.burakos_left.T
        return scores.astype(np.int32)

    return [(game, "team_scores", team_scores)]


def one_card_pile() -> Patches:
    """TURN-5: the card of a one-card pile may go back at once."""
    return [(legality, "_discards", lambda state, lookups, hand, at: (hand.naturals, np.zeros_like(hand.naturals)))]


def second_look() -> Patches:
    """TURN-2: a wild may be rejected."""
    real = legality._other_phases

    def other_phases(state: State, lookups: Lookups, at: Any, phase: Any) -> Any:
        stock = state.stock_next[at] < state.stock_end[at]
        reject = ((phase == LOOK) & stock).astype(np.uint64) << np.uint64(Kind.REJECT - Kind.DRAW_STOCK)
        return real(state, lookups, at, phase) | reject

    return [(legality, "_other_phases", other_phases)]


def last_round() -> Patches:
    """END-1: the last round is one turn too long."""
    real = transitions._take_from_stock

    def take_from_stock(state: State, lookups: Lookups, games: Any) -> None:
        real(state, lookups, games)
        state.final_turns[games[state.stock_next[games] == state.stock_end[games]]] += 1

    return [(transitions, "_take_from_stock", take_from_stock)]


def unjustified_beside_unjustified() -> Patches:
    """SCORE-5: the others went out unjustified, yet an unjustified team scores by SCORE-4."""
    real = game.team_scores

    def team_scores(state: State, lookups: Lookups) -> Any:
        scores = real(state, lookups)
        justified = state.closed_kinds.reshape(2, -1, state.size).sum(axis=1) > 0
        taken = lookups.rules.burakos_per_team - 2 * state.burakos_left.astype(np.int32)
        for index in np.flatnonzero(state.out_seat < lookups.rules.players).tolist():
            team = int(state.out_seat[index]) % 2
            if not justified[:, index].any():
                other = 1 - team
                scores[index, other] = 2 * lookups.rules.burako_points * taken[other, index] - scores[index, other]
        return scores

    return [(game, "team_scores", team_scores)]


def own_two_under_the_ban() -> Patches:
    """GROUP-10: while the wild group is open an own-suit 2 may still go on a run."""
    real = legality._lay_phase

    def lay_phase(state: State, lookups: Lookups, at: Any) -> Any:
        words = real(state, lookups, at)
        turn = state.turn[at].astype(np.intp)
        team = turn % lookups.rules.teams
        banned = gather(state.groups, team * lookups.groups + WILD_GROUP, at) > 0
        free = mask_of(banned & (state.opening[at] == 0) & (state.answer[at] == NOT_ASKED))
        held = np.bitwise_or.reduce(
            [gather(state.hands, turn * lookups.decks + deck, at) for deck in range(lookups.decks)]
        )
        rows = team * lookups.accept_rows + np.arange(1, lookups.slots + 1)[:, None]
        words[1 : lookups.slots + 1] |= gather(state.accept, rows, at) & TWOS & held & free
        return words

    return [(legality, "_lay_phase", lay_phase)]


def reopening() -> Patches:
    """GROUP-7: a rank stays barred after its set has been closed, whatever the key says."""
    real = accept.refresh_sets

    def refresh_sets(state: State, lookups: Lookups, *rest: Any) -> None:
        strict = copy.copy(lookups)
        strict.rules = lookups.rules.model_copy(update={"one_set_per_rank_ever": True})
        real(state, strict, *rest)

    return [(accept, "refresh_sets", refresh_sets)]


def answer_no() -> Patches:
    """OUT-4: NO forbids emptying the hand, but not laying all cards that could be discarded."""

    def restrict(
        state: State, lookups: Lookups, at: Any, under_no: Any, words: Any, on_groups: Any, decks: Any, withheld: Any
    ) -> None:
        size = sum(np.bitwise_count(deck[under_no]).astype(np.int64) for deck in decks)
        words[:, under_no[size == 1]] = ZERO

    return [(consult, "restrict", restrict)]


def answer_yes() -> Patches:
    """OUT-4: after YES a player may discard and keep cards although they could lay."""
    real = legality._lay_specials

    def lay_specials(*arguments: Any) -> Any:
        *others, answer = arguments
        return real(*others, np.where(answer == YES, ASKED, answer).astype(answer.dtype))

    return [(legality, "_lay_specials", lay_specials)]


def known_cards() -> Patches:
    """INFO-3: of a type of which some copies are known, an unknown copy leaves the hand first."""
    real = transitions.take_from_hand

    def take_from_hand(state: State, lookups: Lookups, games: Any, seat: Any, cards: Any) -> Any:
        known = state.known.copy()
        state.known[...] = state.hands & ~known
        moved = real(state, lookups, games, seat, cards)
        state.known[...] = state.hands & known
        return moved

    return [(transitions, "take_from_hand", take_from_hand)]


BUGS: Final[dict[str, Callable[[], Patches]]] = {
    "wild limit": wild_limit,
    "ace wrap": ace_wrap,
    "100 a burako left": burako_left,
    "one-card pile": one_card_pile,
    "second look after a wild": second_look,
    "last round one turn too long": last_round,
    "SCORE-4 when the others went out unjustified": unjustified_beside_unjustified,
    "own-suit 2 under the wild ban": own_two_under_the_ban,
    "reopening": reopening,
    "NO": answer_no,
    "YES": answer_yes,
    "known cards": known_cards,
}
