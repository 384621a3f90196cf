"""Everything that the other strategies look at, weighted by what it is worth in points: fitted to rollouts."""

from typing import Final

import numpy as np

from agents.burako.discard.base import DiscardStrategy
from agents.burako.discard.features import features
from agents.burako.discard.measures import by_type
from agents.burako.facts import Facts, Floats
from burako_env.cards import RANK_COUNT, SUIT_COUNT
from burako_env.chance.rng import U64

TASKS: Final = 3
FOUR: Final = 4
# Points by the team's task (`Facts.task`: burakos to come, a first baza to close, going out), first at a table of four,
# then of more. From `python -m experiments.discards.fit`, see docs/discards.md.
WEIGHTS: Final[dict[str, tuple[float, ...]]] = {
    "pair": (-4.7, -2.5, 10.1, 2.2, 4.4, 17.0),
    "pair in a small hand": (-37.3, -11.7, -25.6, -17.5, 8.1, -5.8),
    "pair and a wild": (-11.8, -17.8, -26.2, -28.4, -34.4, -42.7),
    "pair, by ranks unseen": (-3.3, -0.1, -4.1, -6.5, -3.3, -7.4),
    "single, by ranks unseen": (4.2, 2.6, 2.6, 5.7, 4.1, 4.2),
    "third of its rank": (-96.6, -64.1, -96.6, -73.9, -41.4, -73.9),
    "twice in the hand": (5.8, 6.9, 5.6, -3.1, -2.1, -3.3),
    "neighbours": (3.3, 2.3, -0.2, 1.7, 0.7, -1.8),
    "neighbours in a small hand": (-2.7, -0.2, -11.9, 3.4, 5.9, -5.8),
    "neighbours and a wild": (-8.4, -10.7, -8.4, -3.2, -5.5, -3.2),
    "two away": (-2.3, 2.7, -0.1, -2.2, 2.8, -0.0),
    "two away and a wild": (-9.4, -13.5, -9.4, -5.3, -9.4, -5.3),
    "cards that would make a run": (-3.9, -2.9, -2.7, -0.8, 0.1, 0.4),
    "the same in a small hand": (-14.4, -9.1, -8.6, -10.3, -5.0, -4.5),
    "dead for the own team": (-36.8, -27.0, -8.8, -36.4, -26.6, -8.4),
    "in own runs": (-9.4, -0.4, 3.5, -11.5, -2.5, 1.4),
    "goes with a partner's": (3.0, 4.6, -0.7, 4.2, 5.8, 0.5),
    "partners open a set": (36.2, 22.9, 37.5, 24.3, 11.0, 25.6),
    "partners open a run": (6.9, 18.8, 2.8, -10.2, 1.7, -14.3),
    "fits": (-19.4, -23.3, -18.7, 6.3, 2.4, 7.0),
    "fits, next holds few": (-13.1, 4.3, 1.0, -22.3, -4.9, -8.2),
    "fits, he may take a burako": (6.6, -22.2, 22.6, 0.3, -28.4, 16.4),
    "fits, pile there": (10.8, -2.5, 7.5, 11.9, -1.4, 8.6),
    "fits, by pile": (17.2, 19.1, 8.0, -5.6, -3.7, -14.8),
    "fits, as a pile card does": (8.7, 11.1, 1.8, 11.1, 13.5, 4.2),
    "fits five": (-34.7, -25.7, -36.5, -6.5, 2.5, -8.3),
    "fits five, next holds few": (-1.3, -10.9, -6.3, 3.9, -5.6, -1.0),
    "closes": (-0.3, -12.0, -31.6, 10.1, -1.6, -21.2),
    "closes their first": (-138.6, -276.2, -249.6, -7.3, -144.8, -118.2),
    "closes, by pile": (59.9, 115.1, 57.5, 23.8, 79.0, 21.4),
    "in their runs": (20.5, 20.3, 7.4, 18.9, 18.7, 5.7),
    "dead for them": (12.5, 9.3, -15.5, 29.0, 25.8, 1.0),
    "opens a set": (-20.6, 17.2, 7.1, -42.0, -4.2, -14.2),
    "opens a set, next holds few": (29.8, -59.3, -9.6, -14.6, -103.8, -54.1),
    "opens a run": (40.0, -112.5, 47.4, 49.1, -103.3, 56.6),
    "opens a set with the pile": (-71.0, -80.6, -30.1, -101.4, -111.0, -60.5),
    "opens a run with the pile": (-24.4, 36.0, -56.8, -9.2, 51.2, -41.7),
    "opens with it, by pile": (-12.5, 7.5, 16.1, 10.8, 30.9, 39.4),
    "he holds its rank": (12.7, 2.9, -5.5, 25.7, 15.9, 7.5),
    "he holds it": (-2.6, 0.2, 9.0, -21.7, -18.9, -10.1),
    "another opens a set": (-52.3, -34.6, -15.7, -29.7, -11.9, 7.0),
    "rank known to be his": (2.2, -11.2, -0.3, 14.5, 1.1, 12.0),
    "neighbour known to be his": (1.3, 5.9, 2.1, 0.5, 5.2, 1.3),
    "pairs with the pile": (13.5, 3.7, 6.6, 14.0, 4.1, 7.0),
    "pairs with it, next holds few": (1.6, -6.5, -2.1, 8.8, 0.7, 5.1),
    "beside a pile card": (2.7, -2.2, 2.8, 1.3, -3.6, 1.4),
    "lies in the pile": (1.6, 7.8, 2.6, -9.8, -3.6, -8.8),
    "ranks left": (3.5, 3.0, 0.3, 0.4, -0.1, -2.8),
    "closed": (0.2, -3.7, -0.3, 7.4, 3.4, 6.9),
    "points": (-0.0, 0.5, 0.7, -0.3, 0.3, 0.5),
    "points late": (1.3, 1.4, 0.9, 1.4, 1.6, 1.1),
    "points, by hand": (-0.9, -2.1, -0.4, -0.8, -1.9, -0.2),
    "ace": (-5.3, 1.4, -15.9, -8.5, -1.9, -19.1),
    "ace late": (5.0, 4.7, 4.7, 7.3, 7.0, 7.0),
    "far from the eight": (4.4, -0.9, 6.4, -1.5, -6.7, 0.6),
}


class FittedDiscard(DiscardStrategy):
    """Throws the card of the highest estimated value: a weighted sum of what hand, tables, pile and players say."""

    def scores(self, facts: Facts, keys: U64) -> Floats:
        total = np.zeros((facts.rows, SUIT_COUNT, RANK_COUNT), dtype=np.float32)
        column = facts.task + TASKS * (facts.lookups.rules.players > FOUR)
        for name, value in features(facts):
            weight = np.array(WEIGHTS[name], dtype=np.float32).take(column)[:, None, None]
            total = total + weight * value.astype(np.float32)
        return by_type(total)
