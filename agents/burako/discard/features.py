"""Features of a card as a discard, for `fitted`: what the other strategies look at, and what depends on it together.

Each is a name and a value `[n, 4, 13]`, or `[n, 1, 13]` for one of ranks.
"""

from collections.abc import Iterator
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from agents.burako.discard.measures import (
    NEXT,
    beside,
    chance_of_run,
    chance_of_set,
    closed,
    completions,
    dead,
    expected_in_hand,
    in_runs,
    known_to,
    suited,
)
from agents.burako.facts import Facts, add_up
from burako_env.burako.melds.groups import MAX_CARDS
from burako_env.cards import ACE, RANK_COUNT, SUIT_COUNT

Feature = tuple[str, npt.NDArray[Any]]

# Cards of the next player below which he may soon empty his hand; cards of the own hand up to which it may.
_FEW: Final = 3
_SMALL: Final = 4
# Piles and hands count in units of so many cards.
_PILE: Final = np.float32(5)
_HAND: Final = np.float32(10)
# The middle of a suit, where most runs pass, and its distance from the ends.
_EIGHT: Final = 7
_SPAN: Final = np.float32(6)


def features(facts: Facts) -> Iterator[Feature]:
    """All features."""
    yield from _own_hand(facts)
    yield from _partners(facts)
    yield from _their_table(facts)
    yield from _their_hands(facts)
    yield from _card(facts)


def _own_hand(facts: Facts) -> Iterator[Feature]:
    """What would be torn apart: companions, and what they still need; they matter most in a small hand."""
    held = facts.suited
    small, wild = _every(facts.hand_size <= _SMALL), _every(facts.wilds > 0)
    pair = (facts.rank_count >= 2)[:, None, :]
    near, second = beside(held, 1.0, 0.0), beside(held, 0.0, 1.0)
    unseen = np.maximum(facts.alive - held - suited(facts.view.pile), 0)
    left = add_up(unseen, 1)[:, None, :] / np.float32(facts.lookups.rules.decks)
    needed = completions(held, unseen)
    yield "pair", pair
    yield "pair in a small hand", pair & small
    yield "pair and a wild", pair & wild
    yield "pair, by ranks unseen", pair * left
    yield "single, by ranks unseen", ~pair * left
    yield "third of its rank", (facts.rank_count >= 3)[:, None, :]
    yield "twice in the hand", held > 1
    yield "neighbours", near
    yield "neighbours in a small hand", near * small
    yield "neighbours and a wild", near * wild
    yield "two away", second
    yield "two away and a wild", second * wild
    yield "cards that would make a run", needed
    yield "the same in a small hand", needed * small
    yield "dead for the own team", dead(facts, 0)
    yield "in own runs", in_runs(facts)[:, 0]


def _partners(facts: Facts) -> Iterator[Feature]:
    """What a partner knows how to use."""
    known = known_to(facts, slice(2, None, 2))
    yield "goes with a partner's", (add_up(known, 1)[:, None, :] > 0) | (beside(known, 1.0, 1.0) > 0)
    theirs = sum(expected_in_hand(facts, seat) for seat in range(2, facts.lookups.rules.players, 2))
    yield "partners open a set", chance_of_set(np.asarray(theirs), 2)[:, None, :]
    yield "partners open a run", chance_of_run(np.asarray(theirs))


def _their_table(facts: Facts) -> Iterator[Feature]:
    """What the others could lay on their groups."""
    view, fits = facts.view, facts.fit[:, 1]
    five, six = (facts.fits(sizes_from=MAX_CARDS - missing)[:, 1] for missing in (2, 1))
    few = _every(view.hand_sizes[:, NEXT] < _FEW)
    pile = _every(view.pile_size / _PILE)
    fitting = (suited(view.pile) > 0) & fits
    yield "fits", fits
    yield "fits, next holds few", fits & few
    yield "fits, he may take a burako", fits & few & _every(view.burakos_left[:, 1] > 0)
    yield "fits, pile there", fits & _every(view.pile_size > 0)
    yield "fits, by pile", fits * pile
    yield "fits, as a pile card does", fits & _every(fitting.sum(axis=(1, 2)) > 0)
    yield "fits five", five
    yield "fits five, next holds few", five & few
    yield "closes", six
    yield "closes their first", six & ~_every(facts.justified[:, 1])
    yield "closes, by pile", six * pile
    yield "in their runs", in_runs(facts)[:, 1]
    yield "dead for them", dead(facts, 1)


def _their_hands(facts: Facts) -> Iterator[Feature]:
    """What the next player, or another one of theirs, could open with it."""
    view = facts.view
    few = _every(view.hand_sizes[:, NEXT] < _FEW)
    pile, his = suited(view.pile), expected_in_hand(facts, NEXT)
    by_set, by_run = chance_of_set(his + pile, 2)[:, None, :], chance_of_run(his + pile)
    yield "opens a set", chance_of_set(his, 2)[:, None, :]
    yield "opens a set, next holds few", chance_of_set(his, 2)[:, None, :] * few
    yield "opens a run", chance_of_run(his)
    yield "opens a set with the pile", by_set
    yield "opens a run with the pile", by_run
    yield "opens with it, by pile", np.maximum(by_set, by_run) * _every(view.pile_size / _PILE)
    yield "he holds its rank", chance_of_set(his, 1)[:, None, :]
    yield "he holds it", his
    others = sum(expected_in_hand(facts, seat) for seat in range(NEXT + 2, facts.lookups.rules.players, 2))
    yield "another opens a set", chance_of_set(np.asarray(others), 2)[:, None, :]
    known = known_to(facts, NEXT)
    yield "rank known to be his", add_up(known, 1)[:, None, :] > 0
    yield "neighbour known to be his", beside(known, 1.0, 1.0) > 0
    paired = add_up(pile, 1)[:, None, :] > 0
    yield "pairs with the pile", paired
    yield "pairs with it, next holds few", paired & few
    yield "beside a pile card", beside(pile, 1.0, 1.0)
    yield "lies in the pile", pile > 0


def _card(facts: Facts) -> Iterator[Feature]:
    """The card itself."""
    rows = facts.rows
    points = facts.lookups.value[: SUIT_COUNT * RANK_COUNT].reshape(1, SUIT_COUNT, RANK_COUNT)
    late = _every(facts.stage > 0)
    ace = np.arange(RANK_COUNT)[None, None, :] == ACE
    yield "ranks left", add_up(facts.alive, 1)[:, None, :] / np.float32(facts.lookups.rules.decks)
    yield "closed", closed(facts)
    yield "points", np.broadcast_to(points, (rows, SUIT_COUNT, RANK_COUNT))
    yield "points late", points * late
    yield "points, by hand", points * _every(facts.hand_size.astype(np.float32) / _HAND)
    yield "ace", np.broadcast_to(ace, (rows, 1, RANK_COUNT))
    yield "ace late", ace & late
    yield "far from the eight", np.broadcast_to(np.abs(np.arange(RANK_COUNT) - _EIGHT) / _SPAN, (rows, 1, RANK_COUNT))


def _every(values: npt.NDArray[Any]) -> npt.NDArray[Any]:
    """Something by decision `[n]`, to be used beside `[n, 4, 13]`."""
    return values[:, None, None]
