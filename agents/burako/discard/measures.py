"""What discard strategies measure: by natural of each suit and rank, `[n, 4, 13]`, never by hand-written special cases.

The twos have a column like any rank, but a wild cannot be discarded (TURN-4), so nothing there matters.
"""

from typing import Any, Final

import numpy as np
import numpy.typing as npt

from agents.burako.facts import I8, Facts, Floats, add_up
from agents.burako.lookup import RANK_BITS
from burako_env.batch import Bools
from burako_env.burako.melds.groups import MIN_CARDS
from burako_env.cards import RANK_COUNT, SUIT_COUNT, TWO, TYPE_COUNT

NEXT: Final = 1
# Places in which two cards of a run stand from a third one: below, around and above it.
_WINDOWS: Final = ((-2, -1), (-1, 1), (1, 2))
# Two empty places at either end of a suit, so that windows need no ends.
_BEYOND: Final = ((0, 0), (0, 0), (2, 2))


def suited(cards: npt.NDArray[np.int8]) -> I8:
    """Counts by type `[n, ..., 53]` by suit and rank, `[n, ..., 4, 13]`, the joker left out."""
    return cards[..., :52].reshape(*cards.shape[:-1], SUIT_COUNT, RANK_COUNT)


def by_type(scores: npt.NDArray[np.floating[Any]]) -> Floats:
    """Scores of naturals `[n, 4, 13]` by card type, `[n, 53]`; the joker gets 0."""
    flat = np.zeros((len(scores), TYPE_COUNT), dtype=np.float32)
    flat[:, :52] = scores.reshape(len(scores), 52)
    return flat


def line(cards: Floats) -> Floats:
    """Cards of a suit as the 14 places of a run: the ace at both ends, `[n, 4, 13]` to `[n, 4, 14]`."""
    return np.concatenate([cards, cards[:, :, :1]], axis=2)


def fold(places: Floats) -> Floats:
    """The 14 places back to 13 ranks: an ace has what both of its places have together."""
    folded = places[:, :, :RANK_COUNT].copy()
    folded[:, :, 0] += places[:, :, RANK_COUNT]
    return folded


def beside(cards: I8, near: float, second: float) -> Floats:
    """Weight of the neighbours of every card among `cards` `[n, 4, 13]`, one and two places away."""
    held = line((cards > 0).astype(np.float32))
    total = np.zeros_like(held)
    for gap, weight in ((1, near), (2, second)):
        total[:, :, gap:] += weight * held[:, :, :-gap]
        total[:, :, :-gap] += weight * held[:, :, gap:]
    return fold(total)


def in_runs(facts: Facts) -> Bools:
    """Cards that lie in an open run of each team, `[n, 2, 4, 13]`."""
    ranks = facts.lookups.runs.types.take(facts.run_state)
    words = ranks[..., 0]
    for slot in range(1, ranks.shape[-1]):
        words = words | ranks[..., slot]
    return RANK_BITS.take(words & 0x1FFF, axis=0).view(np.bool_)


def lies_on(facts: Facts) -> Bools:
    """Cards that lie on each team's table already: in an open run, or of an open set's rank; `[n, 2, 4, 13]`."""
    sets = (facts.set_size > 0)[:, :, None, :]
    return in_runs(facts) | sets


def closed(facts: Facts) -> Bools:
    """ADVICE-1: cards whose baza a team has closed: of a closed set's rank, or in a closed run; `[n, 4, 13]`."""
    view = facts.view
    sets = (add_up(view.closed_sets, 1) > 0)[:, None, :]
    return (suited(add_up(view.closed, 1)) > 0) | sets


def dead(facts: Facts, team: int) -> Bools:
    """Cards that a team (0 own, 1 the others) can never lay again without a wild, `[n, 4, 13]`.

    They fit no open group of it, and too many of their rank and of their neighbours are gone for a new group of three.
    For the others the cards of the own hand are gone too, all but the one that would be discarded.
    """
    left = facts.alive if team == 0 else facts.alive - facts.suited
    itself = 0 if team == 0 else 1
    set_left = add_up(left, 1)[:, None, :] + itself >= MIN_CARDS
    there = line((left > 0).astype(np.float32)) > 0
    padded = np.pad(there, _BEYOND)
    width = there.shape[2]
    run = np.zeros_like(there)
    for first, second in _WINDOWS:
        run |= padded[:, :, 2 + first : 2 + first + width] & padded[:, :, 2 + second : 2 + second + width]
    run[:, :, 0] |= run[:, :, RANK_COUNT]
    possible: Bools = facts.fit[:, team] | set_left | run[:, :, :RANK_COUNT]
    return ~possible


def known_to(facts: Facts, seats: slice | int) -> I8:
    """INFO-3: naturals known to be in the hands of some seats together, `[n, 4, 13]`."""
    known = facts.view.known[:, seats]
    return suited(known if known.ndim == 2 else add_up(known, 1))


def expected_in_hand(facts: Facts, seat: int) -> Floats:
    """How many of each natural a seat holds on average: those known, and its share of those unseen; `[n, 4, 13]`.

    Unseen are the cards that are neither in the own hand nor public: they lie in the other hands, stock and burakos.
    """
    view, rules = facts.view, facts.lookups.rules
    others_known = add_up(view.known[:, 1:], 1)
    unseen = facts.alive - suited(facts.hand) - suited(view.pile) - suited(others_known)
    known = view.known.sum(axis=2, dtype=np.int32)
    hidden = np.maximum(view.hand_sizes.astype(np.int32) - known, 0)
    burakos = view.burakos_left.sum(axis=1, dtype=np.int32) * rules.burako_size
    total = hidden[:, 1:].sum(axis=1) + view.stock_size.astype(np.int32) + burakos
    share = hidden[:, seat].astype(np.float32) / np.maximum(total, 1).astype(np.float32)
    expected: Floats = np.maximum(unseen, 0) * share[:, None, None] + suited(view.known[:, seat])
    expected[:, :, TWO] = 0
    return expected.astype(np.float32)


def chance_of_set(expected: Floats, needed: int) -> Floats:
    """Chance to hold `needed` (1 or 2) of each rank where so many are expected, `[n, 13]`, as if Poisson."""
    ranks: Floats = add_up_floats(expected)
    none = np.exp(-ranks)
    return 1 - none if needed == 1 else 1 - none * (1 + ranks)


def chance_of_run(expected: Floats) -> Floats:
    """Chance that a hand holds two cards that make a run of three with each card, about, `[n, 4, 13]`."""
    there = line(1 - np.exp(-expected))
    padded = np.pad(there, _BEYOND)
    width = there.shape[2]
    missing = np.ones_like(there)
    for first, second in _WINDOWS:
        missing *= 1 - padded[:, :, 2 + first : 2 + first + width] * padded[:, :, 2 + second : 2 + second + width]
    chance = 1 - missing
    low: Floats = chance[:, :, :RANK_COUNT].copy()
    low[:, :, 0] = np.maximum(low[:, :, 0], chance[:, :, RANK_COUNT])
    return low


def completions(held: I8, unseen: I8) -> Floats:
    """How many unseen types would make a run of three with each card and one more of the hand, `[n, 4, 13]`."""
    hand, others = (np.pad(line((cards > 0).astype(np.float32)), _BEYOND) for cards in (held, unseen))
    width = hand.shape[2] - 4
    total = np.zeros((*hand.shape[:2], width), dtype=np.float32)
    for first, second in _WINDOWS:
        one, two = (slice(2 + gap, 2 + gap + width) for gap in (first, second))
        total += hand[:, :, one] * others[:, :, two] + hand[:, :, two] * others[:, :, one]
    return fold(total)


def add_up_floats(values: Floats) -> Floats:
    """Sum over the suits, `[n, 4, 13]` to `[n, 13]`, in a fixed order."""
    total: Floats = values[:, 0] + values[:, 1] + values[:, 2] + values[:, 3]
    return total
