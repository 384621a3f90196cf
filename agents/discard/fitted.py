"""Everything that the other strategies look at, weighted by what it is worth in points: fitted to rollouts."""

from __future__ import annotations

from typing import Final

import numpy as np

from agents.discard.base import DiscardStrategy
from agents.discard.features import features
from agents.discard.measures import by_type
from agents.facts import Facts, Floats
from burako_env.cards import RANK_COUNT, SUIT_COUNT
from burako_env.rng import U64

TASKS: Final = 3
FOUR: Final = 4
# Points by the team's task (`Facts.task`: burakos to come, a first baza to close, going out), first at a table of four,
# then of more. From `python -m experiments.discards.fit`, see docs/discards.md.
WEIGHTS: Final[dict[str, tuple[float, ...]]] = {
    "pair": (-4.3, 4.2, 6.8, 3.9, 12.3, 14.9),
    "pair in a small hand": (-38.2, -26.5, -24.0, -16.2, -4.6, -2.1),
    "pair and a wild": (-10.2, -15.7, -23.2, -74.8, -80.2, -87.7),
    "pair, by ranks unseen": (-2.8, -2.7, -3.4, -7.2, -7.1, -7.8),
    "single, by ranks unseen": (4.2, 2.6, 3.3, 6.1, 4.5, 5.2),
    "third of its rank": (12.6, -27.4, 12.6, -71.5, -111.6, -71.5),
    "twice in the hand": (2.0, 3.6, -2.0, -1.9, -0.3, -5.8),
    "neighbours": (-4.6, 1.0, -5.4, 0.2, 5.9, -0.6),
    "neighbours in a small hand": (4.4, -15.5, 1.5, 11.0, -8.9, 8.1),
    "neighbours and a wild": (-5.0, -5.7, -5.0, -5.3, -6.0, -5.3),
    "two away": (-2.2, 3.5, -6.4, -1.4, 4.3, -5.6),
    "two away and a wild": (-7.3, -12.3, -7.3, -4.1, -9.1, -4.1),
    "cards that would make a run": (-1.6, -1.1, -1.5, -4.1, -3.6, -4.0),
    "the same in a small hand": (-18.8, -4.9, -12.9, -9.8, 4.1, -3.8),
    "dead for the own team": (-4.2, -15.4, -0.3, 10.3, -0.8, 14.2),
    "in own runs": (-9.4, 4.6, 4.4, -10.9, 3.1, 2.9),
    "goes with a partner's": (3.5, -5.7, -2.9, 3.5, -5.7, -2.9),
    "partners open a set": (25.8, 48.6, 44.7, 15.7, 38.6, 34.7),
    "partners open a run": (16.2, -2.8, 22.1, 10.8, -8.3, 16.6),
    "fits": (-26.1, -22.2, -18.0, 5.7, 9.7, 13.8),
    "fits, next holds few": (-12.8, -1.1, 2.8, -28.0, -16.3, -12.4),
    "fits, he may take a burako": (6.4, -13.4, 21.3, 0.6, -19.2, 15.5),
    "fits, pile there": (12.5, 12.5, 3.7, 20.4, 20.4, 11.6),
    "fits, by pile": (34.7, -0.1, 7.7, -22.1, -56.9, -49.2),
    "fits, as a pile card does": (-2.3, 6.3, -13.0, 31.5, 40.1, 20.9),
    "fits five": (-35.5, -25.4, -26.8, -16.9, -6.8, -8.2),
    "fits five, next holds few": (-6.7, -18.1, -15.8, 9.7, -1.7, 0.5),
    "closes": (11.8, 6.9, -23.7, 8.1, 3.2, -27.4),
    "closes their first": (-151.6, -282.9, -288.8, -5.1, -136.5, -142.3),
    "closes, by pile": (52.3, 92.5, 66.6, 24.8, 65.0, 39.1),
    "in their runs": (21.7, 16.8, 5.1, 20.2, 15.3, 3.6),
    "dead for them": (4.8, 7.2, -10.8, 16.8, 19.2, 1.2),
    "opens a set": (-9.1, -28.5, -11.0, -25.3, -44.6, -27.2),
    "opens a set, next holds few": (-55.5, -46.1, -49.8, 10.9, 20.3, 16.7),
    "opens a run": (-46.7, 57.4, 8.6, -87.2, 16.9, -32.0),
    "opens a set with the pile": (-85.0, -84.9, -43.4, -109.6, -109.5, -68.0),
    "opens a run with the pile": (25.4, -55.7, -49.4, 47.2, -33.8, -27.6),
    "opens with it, by pile": (-9.4, 46.3, 12.7, -0.8, 54.8, 21.3),
    "he holds its rank": (19.6, -1.1, 15.3, 13.4, -7.3, 9.2),
    "he holds it": (11.7, 9.0, 2.0, 23.6, 20.9, 13.9),
    "another opens a set": (-51.2, -13.0, -17.0, -28.5, 9.7, 5.6),
    "rank known to be his": (8.1, 12.4, 1.3, 18.5, 22.8, 11.7),
    "neighbour known to be his": (-4.0, -0.2, -0.5, 0.8, 4.6, 4.2),
    "pairs with the pile": (7.0, 4.2, 2.4, 20.5, 17.7, 15.9),
    "pairs with it, next holds few": (6.0, -5.8, -10.7, 7.3, -4.5, -9.5),
    "beside a pile card": (-6.0, 1.1, 0.3, -8.9, -1.8, -2.6),
    "lies in the pile": (6.8, -0.3, 7.7, -1.0, -8.1, -0.0),
    "ranks left": (5.3, 2.5, 2.1, -0.2, -2.9, -3.4),
    "closed": (-4.6, -1.8, 2.3, -1.1, 1.7, 5.8),
    "points": (-0.5, 0.7, 0.2, -0.4, 0.7, 0.2),
    "points late": (0.3, 0.6, 0.2, 0.9, 1.3, 0.8),
    "points, by hand": (0.0, -0.6, 0.5, -0.6, -1.2, -0.0),
    "ace": (0.8, -12.6, -2.7, -8.9, -22.3, -12.5),
    "ace late": (1.9, 9.0, 3.3, 4.9, 11.9, 6.2),
    "far from the eight": (0.8, 0.6, -3.0, 5.0, 4.8, 1.2),
}


class FittedDiscard(DiscardStrategy):
    """Throws the card of the highest estimated value: a weighted sum of what hand, tables, pile and players say."""

    def scores(self, facts: Facts, keys: U64) -> Floats:
        total = np.zeros((facts.rows, SUIT_COUNT, RANK_COUNT), dtype=np.float32)
        column = facts.task + TASKS * (facts.tables.rules.players > FOUR)
        for name, value in features(facts):
            weight = np.array(WEIGHTS[name], dtype=np.float32).take(column)[:, None, None]
            total = total + weight * value.astype(np.float32)
        return by_type(total)
