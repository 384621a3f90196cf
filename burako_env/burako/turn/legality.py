"""Legal actions as words: what the team's table accepts AND what the hand holds, then the phase.

`legal_words` reads top to bottom: the hand in a few words, lays, openings, discards, the specials of each phase.
Games with a half open group and games under an answer to ASK are few and are corrected afterwards. Shapes: n games,
words `[W, n]`.
"""

import numpy as np
import numpy.typing as npt

from burako_env.burako.lookups import TWOS_TO_TOP, Lookups
from burako_env.burako.melds.openings import Climb, run_openings, second_cards
from burako_env.burako.state import ANSWER, BURAKO, DRAW, LAY, LOOK, NOT_ASKED, YES, State
from burako_env.burako.turn import consult
from burako_env.burako.turn.actions import FIRST_RUN, NONE, SPECIALS, WILD_GROUP, Kind
from burako_env.burako.zones import (
    NATURALS,
    ONE,
    SUITED,
    TWOS,
    TYPE_MASK,
    WILD_TYPE_BITS,
    WILDS,
    ZERO,
    Bools,
    Bytes,
    Words,
    cards_in,
    mask_of,
)
from burako_env.cards import RANK_COUNT, SUIT_COUNT
from burako_env.kit.fields import Index, gather

# Ranks as 13 low bits; multiplied by this they stand in all four suits.
_FOUR_SUITS = np.uint64(sum(1 << RANK_COUNT * suit for suit in range(SUIT_COUNT)))
_KEEP = ONE << np.uint64(SPECIALS.index(Kind.KEEP))
_S52, _S53, _S60 = np.uint64(52), np.uint64(53), np.uint64(60)


class Hand:
    """The acting seats' hands as words, all `[n]`.

    Attributes:
        decks: zone words, one array a deck. present: types held. twice: suited types held at least twice.
        naturals: natural types held. size, wilds: cards, wild cards. pattern: wild types held (bit 0-3 twos, 4 joker).
        pairs, triples: ranks (low 13 bits) held as at least 2, 3 naturals.
    """

    def __init__(self, decks: list[Words]) -> None:
        self.decks = decks
        union = decks[0]
        twice: Words = np.zeros_like(union)
        triple: Words = np.zeros_like(union)
        size: Bytes = np.bitwise_count(union)
        wilds: Bytes = np.bitwise_count(union & WILDS)
        for deck in decks[1:]:
            triple = triple | (twice & deck)
            twice = twice | (union & deck)
            union = union | deck
            size = size + np.bitwise_count(deck)
            wilds = wilds + np.bitwise_count(deck & WILDS)
        joker = ((union >> _S52) | (union >> _S53)) & ONE
        self.present = (union & SUITED) | (joker << _S52)
        self.naturals = union & NATURALS
        self.twice = twice
        self.size, self.wilds = size, wilds
        self.pattern = (((union & TWOS) * TWOS_TO_TOP) >> _S60 | joker << np.uint64(4)).astype(np.intp)
        counts: tuple[Words, Words, Words] = (self.naturals, twice & NATURALS, triple & NATURALS)
        for shift in (26, 13):
            counts = _fold(counts, np.uint64(shift))
        low = np.uint64((1 << RANK_COUNT) - 1)
        self.pairs, self.triples = counts[1] & low, counts[2] & low


def _fold(counts: tuple[Words, Words, Words], shift: np.uint64) -> tuple[Words, Words, Words]:
    """Add the upper half of the bits to the lower one, for counters given as at least 1, 2, 3."""
    a1, a2, a3 = counts
    b1: Words = a1 >> shift
    b2: Words = a2 >> shift
    b3: Words = a3 >> shift
    one: Words = a1 | b1
    two: Words = a2 | b2 | (a1 & b1)
    three: Words = a3 | b3 | (a1 & b2) | (a2 & b1)
    return one, two, three


def _special(condition: Bools, kind: Kind) -> Words:
    """The bit of an action without a card where the condition holds."""
    bits: Words = condition.astype(np.uint64) << np.uint64(kind - Kind.DRAW_STOCK)
    return bits


def legal_words(state: State, lookups: Lookups, games: Index | None = None) -> Words:
    """Legal actions of every seat to act, uint64 `[W, n]`."""
    at = np.arange(state.size) if games is None else games
    phase = state.phase if games is None else state.phase[at]
    laying = phase == LAY
    if laying.all():
        return _lay_phase(state, lookups, at)
    words = np.zeros((lookups.words, len(at)), dtype=np.uint64)
    words[lookups.actions.specials] = _other_phases(state, lookups, at, phase)
    if laying.any():
        words[:, laying] = _lay_phase(state, lookups, at[laying])
    return words


def _other_phases(state: State, lookups: Lookups, at: Index, phase: npt.NDArray[np.uint8]) -> Words:
    """Specials of the phases draw, look, answer and burako, `[n]`."""
    stock = state.stock_next[at] < state.stock_end[at]
    pile = state.pile_size[at] > 0
    if lookups.rules.exhaustion == "end":
        pile &= stock  # END-1: at an empty stock END_HAND is then the only action.
    draw = _special(stock, Kind.DRAW_STOCK) | _special(~stock, Kind.END_HAND) | _special(pile, Kind.DRAW_PILE)
    words = draw & mask_of(phase == DRAW)
    # TURN-2: a wild cannot be rejected, and nothing when no card could replace it.
    looking = phase == LOOK
    if looking.any():
        may_reject = stock & ~lookups.is_wild[state.drawn[at]]
        look = _KEEP | _special(may_reject, Kind.REJECT)
        words = np.where(looking, look, words)
    choosing = phase >= ANSWER
    if choosing.any():
        answer, burako = phase == ANSWER, phase == BURAKO
        words |= _special(answer, Kind.YES) | _special(answer, Kind.NO)
        words |= _special(burako, Kind.TAKE_BURAKO) | _special(burako, Kind.KEEP_HAND)
    return words


def _lay_phase(state: State, lookups: Lookups, at: Index) -> Words:
    """All actions of games in the laying phase, `[W, n]`."""
    slots, table = lookups.slots, lookups.actions
    turn = state.turn[at].astype(np.intp)
    team = turn % lookups.rules.teams
    hand = Hand(cards_in(state.hands, turn, at, lookups.decks))
    rows = team * lookups.accept_rows + np.arange(lookups.accept_rows)[:, None]
    accept = gather(state.accept, rows, at)
    ban = gather(state.groups, team * lookups.groups + WILD_GROUP, at) > 0

    words = accept[: lookups.words]
    openable = words[slots + 2].copy()
    words[slots + 2] = ZERO
    # GROUP-10: while the wild group is open its twos and jokers have no other place.
    free = mask_of(~ban)
    held = hand.present & SUITED & (free | NATURALS)
    pattern = hand.pattern * ~ban
    words[0] &= hand.present
    words[1 : slots + 1] &= held | lookups.hold_foreign[pattern]
    words[slots + 1] &= lookups.hold_wild_sets[pattern]
    words[slots + 3] &= mask_of(pattern >= 16)
    opening = state.opening[at]
    answer = state.answer[at]
    half_open, barred = opening.any(), np.flatnonzero(consult.may_not_go_out(state, at))
    on_groups = words.copy() if half_open or barred.size else words

    one_wild, two_wilds = mask_of(hand.wilds >= 1) & free, mask_of(hand.wilds >= 2) & free
    runs = run_openings(Climb(lookups.rules.ace), held, one_wild, two_wilds)
    ranks = (hand.triples | (hand.pairs & one_wild)) * _FOUR_SUITS
    wild_group = mask_of(hand.wilds >= 3) & WILD_TYPE_BITS & hand.present
    sets = (ranks & hand.naturals | wild_group) & openable
    words[0] |= sets
    words[1 : slots + 1] |= runs & accept[slots + 4 :]

    discards, withheld = _discards(state, lookups, hand, at)
    words[slots + 2] = discards
    if half_open:
        _half_open(state, lookups, at, words, on_groups, held, one_wild, two_wilds)
    if barred.size:
        consult.restrict(state, lookups, at, barred, words, on_groups, hand.decks, withheld)
    words[table.specials] |= _lay_specials(state, lookups, hand, at, team, turn, words, answer)
    return words


def _discards(state: State, lookups: Lookups, hand: Hand, at: Index) -> tuple[Words, Words]:
    """Types that may be discarded, and the one that TURN-5 withholds, both `[n]`."""
    allowed = hand.naturals
    if lookups.rules.rediscard_single_pile:
        return allowed, np.zeros_like(allowed)
    single = np.where(state.single_laid[at] > 0, NONE, state.single[at])
    withheld = TYPE_MASK[single] & allowed & ~hand.twice
    return allowed ^ withheld, withheld


def _half_open(
    state: State,
    lookups: Lookups,
    at: Index,
    words: Words,
    on_groups: Words,
    held: Words,
    one_wild: Words,
    two_wilds: Words,
) -> None:
    """GROUP-12: games with a half open group may only go on with it; overwrites their columns of `words`.

    `on_groups`: the lays on groups that are there. With two cards laid these are right: the accept words of such a
    state hold only what completes it. With one card laid, a set or wild group takes any card of its kind (the first
    card was legal because two more are held); for a run the second card must leave a third one.
    """
    half = state.opening[at].nonzero()[0]
    games = at[half]
    group = state.open_group[games].astype(np.intp)
    kept = on_groups[:, half] & lookups.group_bits[:, group]
    first = ((state.opening[games] == 1) & (group >= FIRST_RUN)).nonzero()[0]
    if first.size:
        suit, slot = np.divmod(group[first] - FIRST_RUN, lookups.slots)
        team = state.turn[games[first]].astype(np.intp) % lookups.rules.teams
        run = gather(state.groups, team * lookups.groups + group[first], games[first])
        laid = lookups.run.types[run].astype(np.uint64) << (suit * RANK_COUNT).astype(np.uint64)
        pick = half[first]
        kept[1 + slot, first] = second_cards(
            Climb(lookups.rules.ace), laid, held[pick], one_wild[pick], two_wilds[pick]
        )
    words[:, half] = kept


def _lay_specials(
    state: State,
    lookups: Lookups,
    hand: Hand,
    at: Index,
    team: Index,
    turn: Index,
    words: Words,
    answer: npt.NDArray[np.uint8],
) -> Words:
    """TAKE_BURAKO, ASK and KEEP_HAND of the laying phase, `[n]`; trims discards by OUT-4 YES through `words`."""
    rules, discards = lookups.rules, lookups.actions.discards
    closed_hand = state.opening[at] == 0
    left = gather(state.burakos_left, team, at) > 0
    only_wilds = hand.naturals == 0
    take = left & only_wilds & (hand.wilds <= rules.burako_wilds_max) & closed_hand
    special = _special(take, Kind.TAKE_BURAKO)
    lays = words[0] | words[lookups.actions.specials]
    for word in words[1:discards]:
        lays = lays | word
    if answer.any():
        # OUT-4 YES: while a lay is legal, a discard that keeps cards is not.
        bound = (answer == YES) & (lays != 0) & (hand.size > 1)
        words[discards] &= mask_of(~bound)
    if rules.consult and not left.all():
        first = gather(state.taken_by, team * rules.burakos_per_team, at)
        ask = ~left & (answer == NOT_ASKED) & (first != NONE) & (first != turn) & closed_hand
        ask &= (hand.size >= 2) & ~only_wilds
        special |= _special(ask, Kind.ASK)
    stuck = (lays == 0) & (words[discards] == 0) & ~take
    return special | _special(stuck, Kind.KEEP_HAND)


def bound_withholds(state: State, lookups: Lookups, games: Index) -> npt.NDArray[np.bool_]:
    """GROUP-8: laying games in which an opening is withheld only because its suit has all run slots taken, `[n]`."""
    turn = state.turn[games].astype(np.intp)
    team = turn % lookups.rules.teams
    full = gather(state.full_suits, team, games).astype(np.uint64)
    bits = sum((full >> np.uint64(suit) & ONE) * lookups.suit_types[suit] for suit in range(SUIT_COUNT))
    hand = Hand(cards_in(state.hands, turn, games, lookups.decks))
    free = mask_of(gather(state.groups, team * lookups.groups + WILD_GROUP, games) == 0)
    held = hand.present & SUITED & (free | NATURALS)
    opens = run_openings(
        Climb(lookups.rules.ace), held, mask_of(hand.wilds >= 1) & free, mask_of(hand.wilds >= 2) & free
    )
    withheld: Bools = (opens & bits != 0) & (state.opening[games] == 0)
    return withheld
