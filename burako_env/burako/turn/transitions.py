"""What each kind of action does to the state, in the given games (distinct indices); the action is trusted to be legal.

Cards move as physical cards between zones; which copy of a type moves cannot matter, except that a publicly known
copy goes first (INFO-3).
"""

from functools import reduce

import numpy as np

from burako_env.burako.lookups import Lookups
from burako_env.burako.melds.accept import refresh_groups
from burako_env.burako.melds.closing import close_groups
from burako_env.burako.melds.groups import FOREIGN_RANK, MIN_CARDS, SET_WILD, UPPER
from burako_env.burako.state import (
    ANSWER,
    ASKED,
    BURAKO,
    DRAW,
    EXHAUSTED,
    LAY,
    LOOK,
    NOT_ASKED,
    OUT,
    OVER,
    TRUNCATED,
    State,
)
from burako_env.burako.turn.actions import FIRST_RUN, NONE, WILD_GROUP
from burako_env.burako.zones import TYPE_MASK, WILDS, ZERO, Bytes, Words, add_cards, cards_in, first_of, mask_of, union
from burako_env.kit.fields import Index, flat, gather


def draw_stock(state: State, lookups: Lookups, games: Index) -> None:
    """TURN-1, TURN-2: the next card of the stock; the hand's first draw may be looked at."""
    _take_from_stock(state, lookups, games)
    state.phase[games] = np.where(state.first_draw[games] > 0, LOOK, LAY)
    state.first_draw[games] = 0


def draw_pile(state: State, lookups: Lookups, games: Index) -> None:
    """TURN-1, TURN-5, INFO-3: the whole pile; everyone saw its cards."""
    seat, cards = state.turn[games].astype(np.intp), state.pile[:, games]
    add_cards(state.hands, seat, games, list(cards))
    add_cards(state.known, seat, games, list(cards))
    state.pile[:, games] = ZERO
    alone = state.pile_size[games] == 1
    state.single[games] = np.where(alone, state.pile_order[0, games], NONE)
    state.pile_size[games] = 0
    state.phase[games] = LAY
    state.first_draw[games] = 0


def keep(state: State, lookups: Lookups, games: Index) -> None:
    """TURN-2: keep the card looked at."""
    state.phase[games] = LAY


def reject(state: State, lookups: Lookups, games: Index) -> None:
    """TURN-2: the card looked at becomes the first of the pile; another is drawn and kept."""
    hand_to_pile(state, lookups, games, state.drawn[games])
    _take_from_stock(state, lookups, games)
    state.phase[games] = LAY


def lay(state: State, lookups: Lookups, games: Index, cards: Bytes, groups: Index) -> None:
    """TURN-3, GROUP-12, GROUP-1: one card on a group of the team, or the first of a new one; the seventh closes it."""
    seat = state.turn[games].astype(np.intp)
    team = seat % lookups.rules.teams
    moved = take_from_hand(state, lookups, games, seat, cards)
    ranks, suits = lookups.rank_of[cards], lookups.suit_of[cards]
    wild = lookups.is_wild[cards]
    is_run = groups >= FIRST_RUN
    run_suit = (groups - FIRST_RUN) // lookups.slots
    # A wild that stands for another card: on a set always, on a run unless it is the run's own two (the reading
    # decides).
    foreign = wild & np.where(is_run, suits != run_suit, groups != WILD_GROUP)
    to_runs = mask_of(is_run | foreign)
    add_cards(state.sets, team, games, [word & ~to_runs for word in moved])
    add_cards(state.runs, team, games, [word & to_runs for word in moved])

    at = (team * lookups.groups + groups) * state.size + games
    group_states, group_wild = flat(state.groups), flat(state.group_wild)
    before = group_states[at]
    to_run = lookups.run_add[(before & UPPER != 0).astype(np.intp), np.where(foreign, FOREIGN_RANK, ranks)]
    after = before + np.where(is_run, to_run, np.where(foreign, SET_WILD, 1).astype(np.uint16))
    group_states[at] = after
    group_wild[at] |= lookups.wild_code[cards] * foreign

    opening = state.opening[games]
    starts = before == 0
    opening = np.where(starts, 1, np.where(opening > 0, opening + 1, 0))
    state.opening[games] = np.where(opening == MIN_CARDS, 0, opening)
    state.open_group[games] = np.where(starts, groups, state.open_group[games])
    state.single_laid[games] |= cards == state.single[games]

    full = (lookups.lengths(groups, after) == lookups.closes_at).nonzero()[0]
    if full.size:
        close_groups(state, lookups, games[full], team[full], groups[full])
    refresh_groups(state, lookups, games, team, groups)

    empty = (union(cards_in(state.hands, seat, games, lookups.decks)) == 0).nonzero()[0]
    if empty.size:
        _emptied(state, lookups, games[empty])


def discard(state: State, lookups: Lookups, games: Index, cards: Bytes) -> None:
    """TURN-4: one card to the pile."""
    hand_to_pile(state, lookups, games, cards)
    after_discard(state, lookups, games)


def after_discard(state: State, lookups: Lookups, games: Index) -> None:
    """What BURAKO-1 to BURAKO-3 and OUT-1 say of the hand that a discard has left, then the end of the turn."""
    seat = state.turn[games].astype(np.intp)
    hand = cards_in(state.hands, seat, games, lookups.decks)
    wilds = reduce(np.add, (np.bitwise_count(word & WILDS) for word in hand))
    no_others = union(hand) & ~WILDS == 0
    left = gather(state.burakos_left, seat % lookups.rules.teams, games) > 0
    empty = no_others & (wilds == 0)
    choice = left & no_others & (wilds > 0) & (wilds <= lookups.rules.burako_wilds_max)
    state.phase[games] = np.where(choice, BURAKO, LAY)
    if empty.any():
        _emptied(state, lookups, games[empty])
    ends = ~choice & ~(empty & ~left)
    if ends.any():
        end_turn(state, lookups, games[ends])


def take_burako(state: State, lookups: Lookups, games: Index) -> None:
    """BURAKO-2, BURAKO-3: take one while holding wilds, which everyone then knows; after a discard the turn ends."""
    seat = state.turn[games].astype(np.intp)
    add_cards(state.known, seat, games, cards_in(state.hands, seat, games, lookups.decks))
    _give_burako(state, lookups, games, seat)
    after_discard = games[state.phase[games] == BURAKO]
    if after_discard.size:
        end_turn(state, lookups, after_discard)


def ask(state: State, lookups: Lookups, games: Index) -> None:
    """OUT-3: the team-mate who took the team's first burako is to answer."""
    team = state.turn[games].astype(np.intp) % lookups.rules.teams
    state.answer[games] = ASKED
    state.phase[games] = ANSWER
    state.actor[games] = gather(state.taken_by, team * lookups.rules.burakos_per_team, games)


def answer(state: State, lookups: Lookups, games: Index, said: int) -> None:
    """OUT-3: YES or NO, which binds for the rest of the turn."""
    state.answer[games] = said
    state.phase[games] = LAY
    state.actor[games] = state.turn[games]


def end_hand(state: State, lookups: Lookups, games: Index) -> None:
    """END-1: at an empty stock the player ends the hand."""
    _finish(state, games, EXHAUSTED)


def end_turn(state: State, lookups: Lookups, games: Index) -> None:
    """The turn passes, unless it was the last one (END-1, then END-3)."""
    turns = state.turns[games] + np.int16(1)
    state.turns[games] = turns
    final = state.final_turns[games]
    exhausted = final == 0
    truncated = ~exhausted & (turns >= lookups.rules.max_turns)
    over = exhausted | truncated
    if over.any():
        _finish(state, games[exhausted], EXHAUSTED)
        _finish(state, games[truncated], TRUNCATED)
        games, final = games[~over], final[~over]
    state.final_turns[games] = np.where(final > 0, final - 1, final)
    following = (state.turn[games] + 1) % lookups.rules.players
    state.turn[games] = following
    state.actor[games] = following
    state.phase[games] = DRAW
    _forget_turn(state, games)


def _finish(state: State, games: Index, reason: int) -> None:
    state.phase[games] = OVER
    state.reason[games] = reason
    state.actor[games] = state.turn[games]
    _forget_turn(state, games)


def _forget_turn(state: State, games: Index) -> None:
    """What is known of a turn only while it lasts."""
    state.answer[games] = NOT_ASKED
    state.single[games] = NONE
    state.single_laid[games] = 0
    state.drawn[games] = NONE


def _emptied(state: State, lookups: Lookups, games: Index) -> None:
    """BURAKO-1, OUT-1: an empty hand takes a burako or goes out."""
    seat = state.turn[games].astype(np.intp)
    left = gather(state.burakos_left, seat % lookups.rules.teams, games) > 0
    if left.any():
        _give_burako(state, lookups, games[left], seat[left])
    out = games[~left]
    if out.size:
        state.out_seat[out] = state.turn[out]
        _finish(state, out, OUT)


def _give_burako(state: State, lookups: Lookups, games: Index, seat: Index) -> None:
    """BURAKO-4: the team's next burako into the hand."""
    rules = lookups.rules
    team = seat % rules.teams
    left = gather(state.burakos_left, team, games)
    nth = rules.burakos_per_team - left.astype(np.intp)
    flat(state.burakos_left)[team * state.size + games] = left - 1
    flat(state.taken_by)[(team * rules.burakos_per_team + nth) * state.size + games] = seat
    first = (team * rules.burakos_per_team + nth) * rules.burako_size
    physical = gather(state.deck, first + np.arange(rules.burako_size)[:, None], games)
    add_cards(state.hands, seat, games, lookups.zones(physical))


def _take_from_stock(state: State, lookups: Lookups, games: Index) -> None:
    """The next card of the fixed stock into the hand; the last one starts the count of END-1."""
    row = state.stock_next[games].astype(np.intp)
    physical = gather(state.deck, row, games)
    seat = state.turn[games].astype(np.intp)
    at = (seat * lookups.decks + lookups.phys_deck[physical]) * state.size + games
    flat(state.hands)[at] |= lookups.phys_word[physical]
    state.drawn[games] = lookups.phys_type[physical]
    state.stock_next[games] = row + 1
    last = games[row + 1 == state.stock_end[games]]
    if last.size:
        state.final_turns[last] = lookups.rules.players


def take_from_hand(state: State, lookups: Lookups, games: Index, seat: Index, cards: Bytes) -> list[Words]:
    """Remove one card of a type from each hand, a known copy first; returns its bit, one array a deck."""
    mask, decks = TYPE_MASK[cards], lookups.decks
    hands, known = flat(state.hands), flat(state.known)
    at = [(seat * decks + deck) * state.size + games for deck in range(decks)]
    held, public = [hands.take(index) for index in at], [known.take(index) for index in at]
    unknown = mask_of(union(public) & mask == 0)
    moved = first_of((word & (shown | unknown) for word, shown in zip(held, public)), mask)
    for index, word, shown, found in zip(at, held, public, moved):
        hands[index] = word ^ found
        known[index] = shown & ~found
    return moved


def hand_to_pile(state: State, lookups: Lookups, games: Index, cards: Bytes) -> None:
    """One card of a type from the hand onto the pile."""
    seat = state.turn[games].astype(np.intp)
    onto_pile(state, games, cards, take_from_hand(state, lookups, games, seat, cards))


def onto_pile(state: State, games: Index, cards: Bytes, moved: list[Words]) -> None:
    """One card a game, its type and its zone words, onto the pile."""
    for deck, word in enumerate(moved):
        state.pile[deck, games] |= word
    height = state.pile_size[games]
    flat(state.pile_order)[height.astype(np.intp) * state.size + games] = cards
    state.pile_size[games] = height + 1
