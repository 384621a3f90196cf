"""The seed's advice on discards, ADVICE-1 to ADVICE-3, sentence by sentence: when it speaks, and which cards follow it.

The strategy `seed` obeys these, and `burako discards` measures them.
"""

from collections.abc import Callable, Collection
from dataclasses import dataclass
from typing import Final

import numpy as np

from agents.burako.discard.measures import NEXT, beside, closed, dead, known_to, lies_on, suited
from agents.burako.facts import Facts, Floats, add_up
from burako_env.batch import Bools
from burako_env.cards import RANK_COUNT, SUIT_COUNT


@dataclass(frozen=True)
class Sentence:
    """One piece of advice.

    Attributes:
        name: ADVICE id and what tells the sentences of one apart.
        text: the advice in words.
        applies: decisions it speaks about, bool `[n]`.
        follows: naturals that follow it, bool `[n, 4, 13]`.
        letter: part of the advice as written; the others say what it is meant for in another way.
    """

    name: str
    text: str
    applies: Callable[[Facts], Bools]
    follows: Callable[[Facts], Bools]
    letter: bool = True

    @property
    def number(self) -> int:
        """Of the ADVICE it belongs to."""
        return int(self.name.split()[0].removeprefix("ADVICE-"))


def _situation(pile: bool, cards: int) -> Callable[[Facts], Bools]:
    """Decisions with the pile empty or not, and so many cards in the next player's hand."""

    def applies(facts: Facts) -> Bools:
        view = facts.view
        there: Bools = ((view.pile_size > 0) == pile) & (view.hand_sizes[:, NEXT] == cards)
        return there

    return applies


def _always(facts: Facts) -> Bools:
    return np.ones(facts.rows, dtype=np.bool_)


def off_his_table(facts: Facts) -> Bools:
    """Does not lie on the other team's table."""
    return ~lies_on(facts)[:, 1]


def unfit_for_his_table(facts: Facts) -> Bools:
    """Cannot be laid on the other team's table."""
    return ~facts.fit[:, 1]


def blocked(facts: Facts) -> Bools:
    """The own team can never lay it (without a wild)."""
    return dead(facts, 0)


def helps_partner(facts: Facts) -> Bools:
    """A team-mate is publicly known to hold its rank, or a neighbour in its suit."""
    known = known_to(facts, slice(2, None, 2))
    helps: Bools = (add_up(known, 1)[:, None, :] > 0) | (beside(known, 1.0, 1.0) > 0)
    return helps


def on_a_table(facts: Facts) -> Bools:
    """Lies on a table, either team's."""
    both = lies_on(facts)
    return both[:, 0] | both[:, 1]


def no_pair_in_pile(facts: Facts) -> Bools:
    """No card of its rank is in the pile."""
    ranks = add_up(suited(facts.view.pile), 1)[:, None, :]
    return np.broadcast_to(ranks == 0, (facts.rows, 4, ranks.shape[2]))


SENTENCES: Final[tuple[Sentence, ...]] = (
    Sentence("ADVICE-1", "a card whose baza is closed", _always, closed),
    Sentence(
        "ADVICE-2 one card",
        "pile empty, next holds 1: not one on his team's table",
        _situation(False, 1),
        off_his_table,
    ),
    Sentence(
        "ADVICE-2 one card, fit",
        "the same, read by its purpose: not one that he could lay on his team's table",
        _situation(False, 1),
        unfit_for_his_table,
        letter=False,
    ),
    Sentence(
        "ADVICE-2 one card, blocked",
        "pile empty, next holds 1: one that is blocked for the own team",
        _situation(False, 1),
        blocked,
    ),
    Sentence(
        "ADVICE-2 one card, partner",
        "pile empty, next holds 1: one that helps a partner open",
        _situation(False, 1),
        helps_partner,
    ),
    Sentence(
        "ADVICE-2 two cards", "pile empty, next holds 2: one that lies on a table", _situation(False, 2), on_a_table
    ),
    Sentence(
        "ADVICE-2 three cards", "pile empty, next holds 3: one that lies on a table", _situation(False, 3), on_a_table
    ),
    Sentence(
        "ADVICE-3 one card",
        "pile not empty, next holds 1: not one that pairs with a pile card",
        _situation(True, 1),
        no_pair_in_pile,
    ),
    Sentence(
        "ADVICE-3 two cards", "pile not empty, next holds 2: one that lies on a table", _situation(True, 2), on_a_table
    ),
)

# What the advice puts first counts more than all that it puts after it; "rather" are its second wishes.
_FIRST: Final = np.float32(512)
_RATHER: Final = np.float32(128)
_CLOSED: Final = np.float32(64)
_SECOND_WISHES: Final = ("ADVICE-2 one card, blocked", "ADVICE-2 one card, partner")


def obedience(facts: Facts, numbers: Collection[int]) -> Floats:
    """How well each natural follows some of ADVICE-1 to 3, float32 `[n, 4, 13]`: what comes first counts 512."""
    score = np.zeros((facts.rows, SUIT_COUNT, RANK_COUNT), dtype=np.float32)
    for sentence in SENTENCES:
        if not sentence.letter or sentence.number not in numbers:
            continue
        weight = _FIRST
        if sentence.number == 1:
            weight = _CLOSED
        elif sentence.name in _SECOND_WISHES:
            weight = _RATHER
        applies = sentence.applies(facts)
        if applies.any():
            score += weight * (applies[:, None, None] & sentence.follows(facts))
    return score
