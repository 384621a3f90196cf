"""What sanctions play adds to the legal actions: infractions, closing, the wild that lies apart.

An answer to ASK binds (OUT-4): under it nobody breaks a rule. A half open group is completed first (GROUP-12).
"""

import numpy as np

from burako_env.burako.lookups import Lookups
from burako_env.burako.melds.groups import MAX_CARDS
from burako_env.burako.sanctions.actions import (
    CLOSINGS,
    EARLY,
    FIRST_SET_BIT,
    ON_GROUP,
    OPENINGS,
    TAKE_BIT,
    WRONG,
    SanctionTable,
)
from burako_env.burako.sanctions.wrong_runs import FOREIGN, wrong_runs
from burako_env.burako.state import DRAW, LAY, YES, State
from burako_env.burako.turn.actions import FIRST_RUN, NONE, SET_RANKS, WILD_GROUP
from burako_env.burako.turn.legality import Hand
from burako_env.burako.zones import ONE, WILD_TYPE_BITS, ZERO, Words, cards_in, mask_of
from burako_env.cards import RANK_COUNT, SUIT_COUNT, TWO
from burako_env.kit.fields import Index, flat, gather

_OWN_SUIT = np.uint64((1 << RANK_COUNT) - 1)
_TAKE = ONE << np.uint64(TAKE_BIT)


def added_words(state: State, lookups: Lookups, table: SanctionTable, games: Index) -> Words:
    """The words behind the strict ones, uint64 `[W, n]`."""
    words = np.zeros((table.words - table.strict_words, len(games)), dtype=np.uint64)
    phase = state.phase[games]
    drawing = (phase == DRAW).nonzero()[0]
    if drawing.size:
        at = games[drawing]
        words[EARLY, drawing] = words[WRONG, drawing] = hand_of(state, lookups, at).present
        words[CLOSINGS, drawing] = np.where(state.offer[at] != NONE, _TAKE, ZERO)
    laying = ((phase == LAY) & (state.opening[games] == 0)).nonzero()[0]
    if laying.size:
        words[:, laying] = _laying(state, lookups, table, games[laying])
    return words


def hand_of(state: State, lookups: Lookups, games: Index) -> Hand:
    """The hands of the seats in turn."""
    turn = state.turn[games].astype(np.intp)
    return Hand(cards_in(state.hands, turn, games, lookups.decks))


def _laying(state: State, lookups: Lookups, table: SanctionTable, at: Index) -> Words:
    """The laying phase with no group half open, `[W, n]`."""
    words = np.zeros((table.words - table.strict_words, len(at)), dtype=np.uint64)
    hand = hand_of(state, lookups, at)
    team = state.turn[at].astype(np.intp) % lookups.rules.teams
    states = gather(state.groups, team * lookups.groups + np.arange(lookups.groups)[:, None], at)
    banned = states[WILD_GROUP] > 0
    # SANCTION-4: a last card is not discarded wrongly, so nobody goes out or takes a burako by it.
    words[WRONG] = hand.present & WILD_TYPE_BITS & mask_of(hand.size > 1)
    words[OPENINGS] = _openings(lookups, hand, states, banned)

    # Few of the groups are there: each is settled by itself.
    there = flat(states).nonzero()[0]
    group, game = np.divmod(there, len(at))
    state_of = flat(states)[there].astype(np.intp)
    takes = _takes(lookups, group, state_of)
    takes &= ~(mask_of(banned[game] & (group != WILD_GROUP)) & WILD_TYPE_BITS)
    flat(words)[(ON_GROUP + group) * len(at) + game] = hand.present[game] & ~takes
    words &= mask_of(state.answer[at] < YES)

    if lookups.rules.manual_close:
        full = (lookups.lengths(group, state_of) == MAX_CARDS).nonzero()[0]
        np.bitwise_or.at(words[CLOSINGS], game[full], ONE << group[full].astype(np.uint64))
    return words


def _takes(lookups: Lookups, group: Index, states: Index) -> Words:
    """Types that may join each group by GROUP-1 to GROUP-6 and GROUP-9, GROUP-10 apart."""
    is_run = group >= FIRST_RUN
    rank = np.where(is_run, 0, group)
    set_state = np.where(is_run, 0, states)
    in_set = (lookups.rank_types[rank] & lookups.set_takes[set_state]) | (
        WILD_TYPE_BITS & lookups.set_takes_wild[set_state] & mask_of(rank != WILD_GROUP)
    )
    suit = np.where(is_run, (group - FIRST_RUN) // lookups.slots, 0).astype(np.uint64)
    accepted = lookups.run.accepts[np.where(is_run, states, 0)].astype(np.uint64)
    shift = suit * np.uint64(RANK_COUNT)
    foreign = WILD_TYPE_BITS & ~(ONE << (shift + np.uint64(TWO)))
    in_run = ((accepted & _OWN_SUIT) << shift) | (foreign & mask_of(accepted >> np.uint64(RANK_COUNT) > 0))
    takes: Words = np.where(is_run, in_run, in_set)
    return takes


def _openings(lookups: Lookups, hand: Hand, states: Words, banned: np.ndarray) -> Words:
    """SANCTION-12 by the card that does not fit, SANCTION-7 by rank, `[n]`."""
    runs = wrong_runs(lookups.rules.ace)
    foreign, words = np.zeros_like(hand.naturals), np.zeros_like(hand.naturals)
    for suit in range(SUIT_COUNT):
        shift = np.uint64(RANK_COUNT * suit)
        ranks = (hand.naturals >> shift & _OWN_SUIT).astype(np.intp)
        foreign |= mask_of(runs.lowest[FOREIGN, ranks] < runs.none) & ~lookups.suit_types[suit]
        words |= (runs.single[ranks] | runs.double[ranks] & (hand.twice >> shift & _OWN_SUIT)) << shift
    words |= hand.naturals & foreign
    held = hand.triples | (hand.pairs & mask_of((hand.wilds > 0) & ~banned))
    for bit, rank in enumerate(SET_RANKS, start=FIRST_SET_BIT):
        opens = (held >> np.uint64(rank) & ONE) * (states[rank] > 0)
        words |= opens << np.uint64(bit)
    return words
