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
    "second of its rank": (-26.7, -19.1, -12.9),
    "third of its rank": (-53.0, -42.5, -53.0),
    "neighbours": (-7.1, -3.8, -10.8),
    "neighbours two away": (-6.3, -3.6, -9.7),
    "twice in the hand": (1.0, 3.5, -4.9),
    "dead for the own team": (8.9, -9.4, -4.7),
    "ranks left": (7.2, 5.9, 9.2),
    "fits the own table": (-2.7, -10.3, -2.7),
    "goes with a partner's": (10.5, 2.1, 4.9),
    "fits their table": (-17.2, -21.6, -7.7),
    "fits, next holds few": (-19.0, -10.6, -7.6),
    "fits, he may take a burako": (5.6, -8.8, 30.9),
    "closes their baza": (24.1, 22.1, -12.6),
    "closes their first": (-113.3, -299.3, -284.4),
    "fits their five": (-27.0, -32.4, -23.3),
    "in their runs": (20.7, 13.2, 1.9),
    "dead for them": (-25.7, 2.0, 3.1),
    "opens a set": (57.2, -61.1, -16.8),
    "opens a run": (-1.9, 53.0, 19.7),
    "opens a set, next holds few": (-99.6, -16.4, -39.9),
    "opens a set with the pile": (-72.0, -70.1, -53.8),
    "opens a run with the pile": (2.4, -68.2, -18.7),
    "rank known to be his": (-0.9, 16.3, 19.8),
    "neighbour known to be his": (-1.6, 5.0, -0.9),
    "pairs with the pile": (3.9, -0.1, 1.9),
    "pairs with it, next holds few": (2.3, -7.2, -7.4),
    "beside a pile card": (-6.1, 4.4, -4.4),
    "lies in the pile": (2.0, -5.1, 10.1),
    "closed": (-2.3, -7.7, 0.2),
    "points": (-0.7, 0.2, 1.0),
    "fits, pile there": (20.3, 21.1, 3.4),
    "points late": (1.1, 0.9, 0.3),
    "ace": (3.0, -2.3, -9.1),
}


class FittedDiscard(DiscardStrategy):
    """Throws the card of the highest estimated value: a weighted sum of what hand, tables, pile and players say."""

    def scores(self, facts: Facts, keys: U64) -> Floats:
        total = np.zeros((facts.rows, 4, 13), dtype=np.float32)
        for name, value in features(facts):
            weight = np.array(WEIGHTS[name], dtype=np.float32).take(facts.task)[:, None, None]
            total = total + weight * value.astype(np.float32)
        return by_type(total)
