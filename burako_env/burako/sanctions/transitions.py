"""What an infraction costs: each function takes the games in which a seat has just broken a rule, and trusts it.

Low to high, and the order at the bottom of the stock, are those of `annul.py`. A 2 or joker neither returns to the hand
nor goes to the pile. Sanctions that discard end the turn as a discard does (`transitions.after_discard`).
"""

from __future__ import annotations

import numpy as np

from burako_env.burako.lookups import Lookups
from burako_env.burako.melds.accept import refresh_runs, refresh_sets
from burako_env.burako.melds.closing import close_groups
from burako_env.burako.melds.groups import FOREIGN_RANK, MAX_CARDS
from burako_env.burako.sanctions.annul import put_under, remove_groups, take_lowest
from burako_env.burako.sanctions.legality import group_lengths, hand_of
from burako_env.burako.sanctions.wrong_runs import FOREIGN, wrong_runs
from burako_env.burako.state import NATURALS, ONE, TYPE_MASK, WILDS, ZERO, Bools, Bytes, State, Words, mask_of
from burako_env.burako.turn.actions import FIRST_RUN, NONE, WILD_GROUP
from burako_env.burako.turn.transitions import add_cards, after_discard, end_turn, lay, onto_pile, take_from_hand
from burako_env.cards import RANK_COUNT, SUIT_COUNT
from burako_env.kit.fields import Index, gather


def close(state: State, lookups: Lookups, games: Index, groups: Index) -> None:
    """GROUP-1, closed by hand: a group of seven becomes a baza."""
    team = _team(state, lookups, games)
    close_groups(state, lookups, games, team, groups)
    sets, runs = (groups < FIRST_RUN).nonzero()[0], (groups >= FIRST_RUN).nonzero()[0]
    if sets.size:
        refresh_sets(state, lookups, games[sets], team[sets], groups[sets])
    if runs.size:
        refresh_runs(state, lookups, games[runs], team[runs], (groups[runs] - FIRST_RUN) // lookups.slots)


def take_wild(state: State, lookups: Lookups, games: Index) -> None:
    """SANCTION-4: the wild that lies apart, in sight of everyone; the draw is still to come."""
    seat = state.turn[games].astype(np.intp)
    wanted = TYPE_MASK[state.offer[games]]
    for deck in range(lookups.decks):
        found = state.apart[deck, games] & wanted
        found &= ZERO - found
        wanted = wanted & mask_of(found == 0)
        state.apart[deck, games] ^= found
        _show(state, lookups, games, seat, deck, found)
    state.offer[games] = NONE


def wrong_discard(state: State, lookups: Lookups, games: Index, cards: Bytes) -> None:
    """SANCTION-4: a wild is discarded; it lies apart, and the offender passes his next turn."""
    seat = state.turn[games].astype(np.intp)
    for deck, word in enumerate(take_from_hand(state, lookups, games, seat, cards)):
        state.apart[deck, games] |= word
    state.offer[games] = cards
    state.must_pass[games] |= np.left_shift(1, seat).astype(np.uint8)
    after_discard(state, lookups, games)


def before_drawing(state: State, lookups: Lookups, games: Index, cards: Bytes) -> None:
    """SANCTION-5: the turn is lost. Everyone saw the card, which is known from now on; of a type of which a copy was
    known already nothing new is learnt (INFO-3). With the turn goes the look of TURN-2, if it was to come.
    """
    seat = state.turn[games].astype(np.intp)
    rows = [seat * lookups.decks + deck for deck in range(lookups.decks)]
    known = sum((gather(state.known, row, games) & TYPE_MASK[cards] for row in rows), np.zeros(len(games), np.uint64))
    wanted = TYPE_MASK[cards] & mask_of(known == 0)
    for row in rows:
        found = gather(state.hands, row, games) & wanted
        found &= ZERO - found
        wanted = wanted & mask_of(found == 0)
        add_cards(state.known, row, games, found)
    state.first_draw[games] = 0
    end_turn(state, lookups, games)


def wrong_lay(state: State, lookups: Lookups, games: Index, cards: Bytes, groups: Index) -> None:
    """A card on a group where it may not lie: SANCTION-2 on a full one, else SANCTION-11 for a natural; a wild breaks
    SANCTION-18 if it would fit there but for the open wild group, else SANCTION-3.
    """
    team = _team(state, lookups, games)
    states = gather(state.groups, team * lookups.groups + groups, games).astype(np.intp)
    full = group_lengths(lookups, groups, states) == MAX_CARDS
    wild = lookups.is_wild[cards]
    banned = wild & ~full & _takes_wild(lookups, cards, groups, states)
    second = wild & ~full & ~banned
    for chosen, punish in ((banned, _elsewhere), (second, _second_wild), (~banned & ~second, _misplaced)):
        some = chosen.nonzero()[0]
        if some.size:
            punish(state, lookups, games[some], cards[some], team[some], groups[some])


def wrong_run(state: State, lookups: Lookups, games: Index, cards: Bytes) -> None:
    """SANCTION-12: a run opened with a pair of a suit and this card, which does not fit it.

    The pair is the lowest such one in the hand: its lower card returns, the other is discarded, `cards` are annulled.
    """
    seat = state.turn[games].astype(np.intp)
    put_under(state, lookups, games, take_from_hand(state, lookups, games, seat, cards))
    runs, naturals = wrong_runs(lookups.rules.ace), hand_of(state, lookups, games).naturals
    low, high = np.zeros_like(cards), np.zeros_like(cards)
    for suit in reversed(range(SUIT_COUNT)):
        ranks = (naturals >> np.uint64(RANK_COUNT * suit)).astype(np.intp) & (1 << RANK_COUNT) - 1
        rank = np.where(lookups.suit_of[cards] == suit, lookups.rank_of[cards], FOREIGN)
        pair = runs.lowest[rank, ranks]
        there, first = pair < runs.none, np.uint8(RANK_COUNT * suit)
        low, high = np.where(there, first + runs.low[pair], low), np.where(there, first + runs.high[pair], high)
    # The lower one has been seen and is known to have come back.
    for deck, word in enumerate(take_from_hand(state, lookups, games, seat, low)):
        _show(state, lookups, games, seat, deck, word)
    _discard(state, lookups, games, high, take_from_hand(state, lookups, games, seat, high))


def second_set(state: State, lookups: Lookups, games: Index, ranks: Index) -> None:
    """SANCTION-7: a second set of an open rank, of the lowest three naturals, or two and the lowest wild.

    Both sets are annulled; of the new one the lowest natural returns and the next lowest is discarded.
    """
    seat, team = state.turn[games].astype(np.intp), _team(state, lookups, games)
    hand = hand_of(state, lookups, games)
    words, _ = remove_groups(state, lookups, games, team, ranks)
    three = hand.triples >> ranks.astype(np.uint64) & ONE > 0
    held = [deck & lookups.rank_types[ranks] for deck in hand.decks]
    no_ace = np.zeros(len(games), dtype=np.bool_)
    types = [take_lowest(held, no_ace)[1] for _ in range(3)]
    wilds = (hand.present & ~NATURALS) & (ZERO - (hand.present & ~NATURALS))
    types[2] = np.where(three, types[2], np.bitwise_count(wilds - ONE))
    laid = [take_from_hand(state, lookups, games, seat, kind) for kind in types]
    for deck in range(lookups.decks):
        words[deck] |= laid[2][deck]
        _show(state, lookups, games, seat, deck, laid[0][deck])
    put_under(state, lookups, games, words)
    _discard(state, lookups, games, types[1], laid[1])


def _team(state: State, lookups: Lookups, games: Index) -> Index:
    team: Index = state.turn[games].astype(np.intp) % lookups.rules.teams
    return team


def _takes_wild(lookups: Lookups, cards: Bytes, groups: Index, states: Index) -> Bools:
    """Whether groups below seven cards would take these wilds if GROUP-10 did not ban them."""
    is_run = groups >= FIRST_RUN
    suit = (groups - FIRST_RUN) // lookups.slots
    rank = np.where(lookups.suit_of[cards] == suit, lookups.rank_of[cards], FOREIGN_RANK)
    by_run = lookups.run.accepts[np.where(is_run, states, 0)] >> np.where(is_run, rank, 0) & 1 > 0
    by_set = lookups.set_takes_wild[np.where(is_run, 0, states)] > 0
    takes: Bools = np.where(is_run, by_run, by_set)
    return takes


def _elsewhere(state: State, lookups: Lookups, games: Index, cards: Bytes, team: Index, groups: Index) -> None:
    """SANCTION-18: the wild group is annulled; the wild stays where it was laid, and the turn goes on."""
    words, _ = remove_groups(state, lookups, games, team, np.full(len(games), WILD_GROUP))
    put_under(state, lookups, games, words)
    lay(state, lookups, games, cards, groups)


def _second_wild(state: State, lookups: Lookups, games: Index, cards: Bytes, team: Index, groups: Index) -> None:
    """SANCTION-3: the group is annulled; its lowest natural returns, the next lowest is discarded."""
    seat = state.turn[games].astype(np.intp)
    laid = take_from_hand(state, lookups, games, seat, cards)
    words, high_ace = remove_groups(state, lookups, games, team, groups)
    back, _ = take_lowest(words, high_ace)
    thrown, kind = take_lowest(words, high_ace)
    for deck in range(lookups.decks):
        words[deck] |= laid[deck]
        _show(state, lookups, games, seat, deck, back[deck])
    put_under(state, lookups, games, words)
    _discard(state, lookups, games, kind, thrown)


def _misplaced(state: State, lookups: Lookups, games: Index, cards: Bytes, team: Index, groups: Index) -> None:
    """SANCTION-2, SANCTION-11: the group is annulled, the card discarded; a wild is annulled with the group."""
    seat = state.turn[games].astype(np.intp)
    laid = take_from_hand(state, lookups, games, seat, cards)
    words, _ = remove_groups(state, lookups, games, team, groups)
    for deck in range(lookups.decks):
        words[deck] |= laid[deck] & WILDS
        laid[deck] &= ~WILDS
    put_under(state, lookups, games, words)
    _discard(state, lookups, games, cards, laid)


def _discard(state: State, lookups: Lookups, games: Index, cards: Bytes, words: list[Words]) -> None:
    """Cards, none where `words` is empty, go to the pile, and the turn ends as after a discard."""
    there = words[0]
    for word in words[1:]:
        there = there | word
    some = (there != 0).nonzero()[0]
    onto_pile(state, games[some], cards[some], [word[some] for word in words])
    after_discard(state, lookups, games)


def _show(state: State, lookups: Lookups, games: Index, seat: Index, deck: int, words: Words) -> None:
    """Cards into a hand that everyone saw go there (INFO-3)."""
    add_cards(state.hands, seat * lookups.decks + deck, games, words)
    add_cards(state.known, seat * lookups.decks + deck, games, words)


__all__ = ["before_drawing", "close", "second_set", "take_wild", "wrong_discard", "wrong_lay", "wrong_run"]
