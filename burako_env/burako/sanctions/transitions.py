"""What an infraction costs: each function takes the games in which a seat has just broken a rule, and trusts it.

Low to high, and the order at the bottom of the stock, are those of `annul.py`. A 2 or joker neither returns to the hand
nor goes to the pile. Sanctions that discard end the turn as a discard does (`transitions.after_discard`).
"""

import numpy as np

from burako_env.burako.lookups import Lookups
from burako_env.burako.melds.accept import refresh_groups
from burako_env.burako.melds.closing import close_groups
from burako_env.burako.melds.groups import FOREIGN_RANK, MAX_CARDS
from burako_env.burako.sanctions.annul import put_under, remove_groups, take_lowest
from burako_env.burako.sanctions.legality import hand_of
from burako_env.burako.sanctions.wrong_runs import FOREIGN, wrong_runs
from burako_env.burako.state import DRAW, State
from burako_env.burako.turn.actions import FIRST_RUN, NONE, WILD_GROUP
from burako_env.burako.turn.transitions import after_discard, end_turn, lay, onto_pile, take_from_hand
from burako_env.burako.zones import (
    NATURALS,
    ONE,
    TYPE_MASK,
    WILDS,
    ZERO,
    Bools,
    Bytes,
    Words,
    add_cards,
    cards_in,
    first_of,
    mask_of,
    union,
)
from burako_env.cards import RANK_COUNT, SUIT_COUNT
from burako_env.kit.fields import Index, gather


def close(state: State, lookups: Lookups, games: Index, _: Bytes, groups: Index) -> None:
    """GROUP-1, closed by hand: a group of seven becomes a baza."""
    team = _team(state, lookups, games)
    close_groups(state, lookups, games, team, groups)
    refresh_groups(state, lookups, games, team, groups)


def take_wild(state: State, lookups: Lookups, games: Index) -> None:
    """SANCTION-4: the wild that lies apart, in sight of everyone; the draw is still to come."""
    seat = state.turn[games].astype(np.intp)
    found = first_of(state.apart[:, games], TYPE_MASK[state.offer[games]])
    state.apart[:, games] ^= np.array(found)
    _show(state, games, seat, found)
    state.offer[games] = NONE


def wrong_discard(state: State, lookups: Lookups, games: Index, cards: Bytes) -> None:
    """A discard before drawing (SANCTION-5), or SANCTION-4: a wild, which lies apart; its player passes a turn."""
    early = state.phase[games] == DRAW
    if early.any():
        before_drawing(state, lookups, games[early], cards[early])
        games, cards = games[~early], cards[~early]
    seat = state.turn[games].astype(np.intp)
    state.apart[:, games] |= np.array(take_from_hand(state, lookups, games, seat, cards))
    state.offer[games] = cards
    state.must_pass[games] |= np.left_shift(1, seat).astype(np.uint8)
    after_discard(state, lookups, games)


def before_drawing(state: State, lookups: Lookups, games: Index, cards: Bytes) -> None:
    """SANCTION-5: the turn is lost. Everyone saw the card, which is known from now on; of a type of which a copy was
    known already nothing new is learnt (INFO-3). With the turn goes the look of TURN-2, if it was to come.
    """
    seat = state.turn[games].astype(np.intp)
    known, hand = (cards_in(zones, seat, games, lookups.decks) for zones in (state.known, state.hands))
    wanted = TYPE_MASK[cards] & mask_of(union(known) & TYPE_MASK[cards] == 0)
    add_cards(state.known, seat, games, first_of(hand, wanted))
    state.first_draw[games] = 0
    end_turn(state, lookups, games)


def wrong_lay(state: State, lookups: Lookups, games: Index, cards: Bytes, groups: Index) -> None:
    """A card on a group where it may not lie.

    On a full group that breaks SANCTION-2, else a natural breaks SANCTION-11, and a wild SANCTION-18 if it would fit
    there but for the open wild group, else SANCTION-3.
    """
    team = _team(state, lookups, games)
    states = gather(state.groups, team * lookups.groups + groups, games).astype(np.intp)
    full = lookups.lengths(groups, states) == MAX_CARDS
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
    _show(state, games, seat, take_from_hand(state, lookups, games, seat, low))
    _discard(state, lookups, games, high, take_from_hand(state, lookups, games, seat, high))


def second_set(state: State, lookups: Lookups, games: Index, _: Bytes, ranks: Index) -> None:
    """SANCTION-7: a second set of an open rank, of the lowest three naturals, or two and the lowest wild.

    Both sets are annulled; of the new one the lowest natural returns and the next lowest is discarded.
    """
    seat, team = state.turn[games].astype(np.intp), _team(state, lookups, games)
    hand = hand_of(state, lookups, games)
    words, _high = remove_groups(state, lookups, games, team, ranks)
    three = hand.triples >> ranks.astype(np.uint64) & ONE > 0
    held = [deck & lookups.rank_types[ranks] for deck in hand.decks]
    no_ace = np.zeros(len(games), dtype=np.bool_)
    types = [take_lowest(held, no_ace)[1] for _ in range(3)]
    wilds = (hand.present & ~NATURALS) & (ZERO - (hand.present & ~NATURALS))
    types[2] = np.where(three, types[2], np.bitwise_count(wilds - ONE))
    laid = [take_from_hand(state, lookups, games, seat, kind) for kind in types]
    _show(state, games, seat, laid[0])
    put_under(state, lookups, games, [word | third for word, third in zip(words, laid[2])])
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
    _show(state, games, seat, back)
    put_under(state, lookups, games, [word | wild for word, wild in zip(words, laid)])
    _discard(state, lookups, games, kind, thrown)


def _misplaced(state: State, lookups: Lookups, games: Index, cards: Bytes, team: Index, groups: Index) -> None:
    """SANCTION-2, SANCTION-11: the group is annulled, the card discarded; a wild is annulled with the group."""
    seat = state.turn[games].astype(np.intp)
    laid = take_from_hand(state, lookups, games, seat, cards)
    words, _ = remove_groups(state, lookups, games, team, groups)
    put_under(state, lookups, games, [word | card & WILDS for word, card in zip(words, laid)])
    _discard(state, lookups, games, cards, [card & ~WILDS for card in laid])


def _discard(state: State, lookups: Lookups, games: Index, cards: Bytes, words: list[Words]) -> None:
    """Cards, none where `words` is empty, go to the pile, and the turn ends as after a discard."""
    some = (union(words) != 0).nonzero()[0]
    onto_pile(state, games[some], cards[some], [word[some] for word in words])
    after_discard(state, lookups, games)


def _show(state: State, games: Index, seat: Index, cards: list[Words]) -> None:
    """Cards, one array a deck, into a hand that everyone saw go there (INFO-3)."""
    add_cards(state.hands, seat, games, cards)
    add_cards(state.known, seat, games, cards)
