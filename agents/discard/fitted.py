"""Everything that the other strategies look at, weighted by what it is worth in points: fitted to rollouts."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

import numpy as np
import numpy.typing as npt

from agents.discard.base import DiscardStrategy
from agents.discard.measures import (
    NEXT,
    beside,
    by_type,
    chance_of_run,
    chance_of_set,
    closed,
    dead,
    expected_in_hand,
    in_runs,
    known_to,
    suited,
)
from agents.facts import Facts, Floats, add_up
from burako_env.burako.groups import MAX_CARDS
from burako_env.cards import ACE
from burako_env.rng import U64

# Cards of the next player from which he is not about to empty his hand.
_MANY: Final = 3


def features(facts: Facts) -> Iterator[tuple[str, npt.NDArray[np.generic]]]:
    """Name and value `[n, 4, 13]` (or `[n, 1, 13]`) of every feature of a card as a discard."""
    view, held = facts.view, facts.suited
    few = (view.hand_sizes[:, NEXT] < _MANY)[:, None, None]
    fits, closes = facts.fit[:, 1], facts.fits(sizes_from=MAX_CARDS - 1)[:, 1]
    # The own hand: what would be torn apart.
    yield "second of its rank", (facts.rank_count == 2)[:, None, :]
    yield "third of its rank", (facts.rank_count >= 3)[:, None, :]
    yield "neighbours", beside(held, 1.0, 0.0)
    yield "neighbours two away", beside(held, 0.0, 1.0)
    yield "twice in the hand", held > 1
    yield "dead for the own team", dead(facts, 0)
    yield "ranks left", add_up(facts.alive, 1)[:, None, :].astype(np.float32) / facts.tables.rules.decks
    # The own table and the partners.
    yield "fits the own table", facts.fit[:, 0]
    partners = known_to(facts, slice(2, None, 2))
    yield "goes with a partner's", (add_up(partners, 1)[:, None, :] > 0) | (beside(partners, 1.0, 1.0) > 0)
    # The other team.
    yield "fits their table", fits
    yield "fits, next holds few", fits & few
    yield "fits, he may take a burako", fits & few & (view.burakos_left[:, 1] > 0)[:, None, None]
    yield "closes their baza", closes
    yield "closes their first", closes & ~facts.justified[:, 1][:, None, None]
    yield "fits their five", facts.fits(sizes_from=MAX_CARDS - 2)[:, 1]
    yield "in their runs", in_runs(facts)[:, 1]
    yield "dead for them", dead(facts, 1)
    his = expected_in_hand(facts, NEXT)
    pile = suited(view.pile)
    yield "opens a set", chance_of_set(his, 2)[:, None, :]
    yield "opens a run", chance_of_run(his)
    yield "opens a set, next holds few", chance_of_set(his, 2)[:, None, :] * few
    yield "opens a set with the pile", chance_of_set(his + pile, 2)[:, None, :]
    yield "opens a run with the pile", chance_of_run(his + pile)
    known = known_to(facts, NEXT)
    yield "rank known to be his", add_up(known, 1)[:, None, :] > 0
    yield "neighbour known to be his", beside(known, 1.0, 1.0) > 0
    yield "pairs with the pile", add_up(pile, 1)[:, None, :] > 0
    yield "pairs with it, next holds few", (add_up(pile, 1)[:, None, :] > 0) & few
    yield "beside a pile card", beside(pile, 1.0, 1.0)
    yield "lies in the pile", pile > 0
    # The card itself.
    yield "closed", closed(facts)
    points = facts.tables.value[:52].reshape(1, 4, 13)
    yield "points", np.broadcast_to(points, (facts.rows, 4, 13))
    yield "fits, pile there", fits & (view.pile_size > 0)[:, None, None]
    yield "points late", points * (facts.stage > 0)[:, None, None]
    ace = np.zeros((1, 1, 13), dtype=np.bool_)
    ace[0, 0, ACE] = True
    yield "ace", np.broadcast_to(ace, (facts.rows, 1, 13))


# Points by the team's task (`Facts.task`): burakos to come, a first baza to close, going out. From
# `python -m experiments.discards.fit`, see docs/discards.md.
WEIGHTS: Final[dict[str, tuple[float, float, float]]] = {
    "second of its rank": (-25.6, -16.4, -18.7),
    "third of its rank": (21.9, 43.7, 21.9),
    "neighbours": (-8.4, -1.7, -16.7),
    "neighbours two away": (-6.1, -7.0, -9.1),
    "twice in the hand": (-2.7, 8.7, -13.4),
    "dead for the own team": (10.5, 16.8, -10.0),
    "ranks left": (4.1, 6.7, 4.2),
    "fits the own table": (-1.2, -2.3, -1.2),
    "goes with a partner's": (11.9, 10.2, 9.7),
    "fits their table": (-21.7, -8.4, -11.8),
    "fits, next holds few": (-20.0, -10.4, -1.8),
    "fits, he may take a burako": (11.6, 1.2, 29.6),
    "closes their baza": (35.1, -16.8, -25.1),
    "closes their first": (-147.6, -261.3, -264.0),
    "fits their five": (-39.0, -29.9, -25.5),
    "in their runs": (21.9, 15.7, -6.9),
    "dead for them": (-0.3, -10.8, 3.2),
    "opens a set": (76.9, 16.7, -11.8),
    "opens a run": (6.9, 34.6, -19.0),
    "opens a set, next holds few": (-42.1, 75.8, 51.5),
    "opens a set with the pile": (-39.7, -70.3, -18.3),
    "opens a run with the pile": (-15.5, -150.4, -16.9),
    "rank known to be his": (-7.0, -1.4, 11.3),
    "neighbour known to be his": (17.1, 6.6, 5.4),
    "pairs with the pile": (-7.9, -11.6, -8.2),
    "pairs with it, next holds few": (-0.1, -16.7, -7.2),
    "beside a pile card": (-6.2, 8.8, -6.3),
    "lies in the pile": (16.7, 0.7, 16.5),
    "closed": (-14.4, -12.9, -7.8),
    "points": (-0.5, 0.5, 0.9),
    "fits, pile there": (19.5, 4.0, -7.7),
    "points late": (0.6, 0.4, 0.6),
    "ace": (6.6, 2.2, -11.1),
}


class FittedDiscard(DiscardStrategy):
    """Throws the card of the highest estimated value: a weighted sum of what hand, tables, pile and players say."""

    def scores(self, facts: Facts, keys: U64) -> Floats:
        total = np.zeros((facts.rows, 4, 13), dtype=np.float32)
        for name, value in features(facts):
            weight = np.array(WEIGHTS[name], dtype=np.float32).take(facts.task)[:, None, None]
            total = total + weight * value.astype(np.float32)
        return by_type(total)
