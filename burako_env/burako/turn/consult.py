"""OUT-4: what an answer to ASK forbids in the laying phase.

NO binds hard: nothing may empty the hand, and every lay must leave a discard that keeps a card. For a single lay
that is a count. For an opening it is judged on the hand after the third card: with plenty of naturals nothing can go
wrong, and the hands in which something can are so few that each is settled by trying all openings (plain Python,
exact).
"""

from collections import Counter
from collections.abc import Iterator

import numpy as np

from burako_env.batch import Bools
from burako_env.burako.lookups import Lookups
from burako_env.burako.melds.groups import MIN_CARDS, run_places
from burako_env.burako.state import NO, State
from burako_env.burako.turn.actions import FIRST_RUN, WILD_GROUP
from burako_env.burako.zones import ALL, BITS_PER_DECK, NATURALS, SUITED, WILDS, ZERO, Words
from burako_env.cards import JOKER, RANK_COUNT, SUIT_COUNT, WILD_TYPES, is_wild
from burako_env.kit.fields import Index

Opening = tuple[int, tuple[int, int, int]]


def may_not_go_out(state: State, at: Index) -> Bools:
    """Games whose player may not go out in this turn, `[n]`: NO was answered (OUT-4)."""
    barred: Bools = state.answer[at] == NO
    return barred


def restrict(
    state: State,
    lookups: Lookups,
    at: Index,
    under_no: Index,
    words: Words,
    on_groups: Words,
    decks: list[Words],
    withheld: Words,
) -> None:
    """Take what goes out from the columns `under_no` of `words` `[W, n]`.

    `on_groups`: the lays on groups that are there, before openings were added. `decks`: the hands. `withheld`: the
    type that TURN-5 keeps from being discarded.
    """
    games, opening = at[under_no], state.opening[at[under_no]]
    hands = [deck[under_no] for deck in decks]
    back = withheld[under_no]
    size = sum(np.bitwise_count(deck).astype(np.int64) for deck in hands)
    # Cards that could be discarded now; the sole copy of a TURN-5 card cannot, unless it is laid first.
    spare = sum(np.bitwise_count(deck & NATURALS).astype(np.int64) for deck in hands) - (back != 0)
    columns = words[:, under_no]
    single_lays = np.where(opening == 0, on_groups[:, under_no], np.where(opening == 1, ZERO, columns))
    chains = columns & ~single_lays

    # One card: the hand after it must hold two, one of them a discard.
    cards = np.where((size >= 3) & (spare >= 2), ALL, np.where((size >= 3) & (spare >= 1), WILDS | back, ZERO))
    with_wild = np.where(cards & WILDS != 0, ALL, ZERO)
    slots, table = lookups.slots, lookups.actions
    single_lays[0] &= cards
    single_lays[1 : slots + 1] &= (cards & SUITED) | (with_wild & ~SUITED)
    single_lays[slots + 1] &= with_wild
    single_lays[table.specials] &= with_wild

    # An opening, or the rest of one.
    to_lay = MIN_CARDS - opening.astype(np.int64)
    settled = np.where((size >= to_lay + 2) & (spare > to_lay), ALL, ZERO)
    allowed = chains & settled
    open_question = (settled == 0) & (size >= to_lay + 2) & (spare > 0) & chains[: slots + 1].any(axis=0)
    for column in np.flatnonzero(open_question).tolist():
        sets, runs = _tried(state, lookups, int(games[column]), [deck[column] for deck in hands])
        allowed[0, column] = chains[0, column] & sets
        allowed[1 : slots + 1, column] = chains[1 : slots + 1, column] & runs
    allowed[table.discards] = np.where(size >= 2, chains[table.discards], ZERO)
    words[:, under_no] = allowed | single_lays


def _tried(state: State, lookups: Lookups, game: int, hand: list[np.uint64]) -> tuple[np.uint64, np.uint64]:
    """Types whose lay still leads to an opening that leaves a discard, as words: on sets or wilds, and on runs."""
    cards = Counter(min(bit, JOKER) for deck in hand for bit in range(BITS_PER_DECK) if int(deck) >> bit & 1)
    team = int(state.turn[game]) % lookups.rules.teams
    group = int(state.open_group[game])
    laid: list[int] = []
    if state.opening[game]:
        laid = [_first_card(state, lookups, game, team, group)]
        cards.update(laid)
    wild_group_open = bool(state.groups[team * lookups.groups + WILD_GROUP, game])
    banned = wild_group_open and not (laid and group == WILD_GROUP)
    barred = not (lookups.rules.rediscard_single_pile or state.single_laid[game])
    single = int(state.single[game]) if barred else None
    found = [0, 0]
    for kind, opened in _openings(cards, lookups.rules.ace, banned):
        if laid and (opened[0] != laid[0] or kind != min(group, FIRST_RUN)):
            continue
        rest = cards - Counter(opened)
        free = None if single in opened else single
        if rest.total() >= 2 and any(not is_wild(card) and (card != free or count > 1) for card, count in rest.items()):
            found[kind == FIRST_RUN] |= 1 << opened[len(laid)]
    return np.uint64(found[0]), np.uint64(found[1])


def _first_card(state: State, lookups: Lookups, game: int, team: int, group: int) -> int:
    """Type of the one card laid of the half open group (any of the type's rank for a set: only its rank matters)."""
    if group < FIRST_RUN:
        zone = 0
        for deck in range(lookups.decks):
            zone |= int(state.sets[team * lookups.decks + deck, game]) & int(
                lookups.rank_types[group] | WILDS * (group == WILD_GROUP)
            )
        return min(zone.bit_length() - 1, JOKER)
    ranks = int(lookups.run.types[state.groups[team * lookups.groups + group, game]])
    return (group - FIRST_RUN) // lookups.slots * RANK_COUNT + ranks.bit_length() - 1


def _openings(cards: Counter[int], ace: str, banned: bool) -> Iterator[Opening]:
    """All openings a hand holds, as (13 for a run, else the set's rank, cards in the order laid): GROUP-12.

    `banned`: GROUP-10, no wild may be laid.
    """
    wilds = [] if banned else [card for card in WILD_TYPES if cards[card]]
    candidates: list[Opening] = []
    for rank in range(RANK_COUNT):
        if rank == WILD_GROUP:
            candidates += [(rank, (a, b, c)) for a in wilds for b in wilds for c in wilds]
            continue
        same = [suit * RANK_COUNT + rank for suit in range(SUIT_COUNT) if cards[suit * RANK_COUNT + rank]]
        candidates += [(rank, (a, b, c)) for a in same for b in same for c in same + wilds]
    places = run_places(ace)
    for suit in range(SUIT_COUNT):

        def at_place(place: int, suit: int = suit) -> int:
            return suit * RANK_COUNT + (place - 1) % RANK_COUNT

        for low in places:
            for high in range(low + 1, min(low + 3, places.stop)):
                pair = (at_place(low), at_place(high))
                if banned and any(is_wild(card) for card in pair):
                    continue
                thirds = [*wilds]
                if high == low + 1 and high + 1 in places:
                    thirds.append(at_place(high + 1))
                candidates += [(FIRST_RUN, (*pair, third)) for third in thirds]
    for kind, opened in candidates:
        if not Counter(opened) - cards:
            yield kind, opened
