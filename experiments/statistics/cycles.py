"""Intransitivity: how far the results are from a single strength per agent.

The mean points between agents are split by the discrete Hodge decomposition into differences of strengths and a rest,
in which everything that runs in circles is (Jiang, Lim, Yao, Ye 2011; Balduzzi et al. 2018 for games). The rest is
never exactly 0, as means are noisy, so its share comes with what noise alone would give.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Final

import numpy as np

from experiments.statistics.intervals import LEVEL, Floats
from experiments.statistics.ratings import Meetings, incidence, mean_covariance

SIMULATIONS: Final = 4999


@dataclass(frozen=True)
class Intransitivity:
    """share: |rest|^2 / |means|^2. by_chance: what noise alone gives on average. p: how often it gives as much."""

    share: float
    by_chance: float
    p: float


def intransitivity(meetings: Meetings, seed: int) -> Intransitivity | None:
    """The share of the rest, with a parametric bootstrap under "the rest is 0"; None where no circle was played.

    Pairs of a single board are left out: nothing is known of their noise.
    """
    meetings = meetings.only(np.flatnonzero(meetings.boards > 1))
    pairs = len(meetings.pairs)
    design = incidence(meetings)
    if not pairs or pairs == np.linalg.matrix_rank(design):
        return None
    means = meetings.means
    # Projection on the differences of strengths; what it leaves is the rest.
    strengths = design @ np.linalg.pinv(design)
    transitive = strengths @ means
    rng = np.random.default_rng(seed)
    # Pairs share their boards' cards, so their means are correlated.
    spread = mean_covariance(meetings)
    noise = rng.multivariate_normal(np.zeros(pairs), spread, SIMULATIONS, check_valid="ignore", method="eigh")
    simulated = transitive + noise
    by_chance = _share(simulated, simulated - simulated @ strengths)
    found = float(_share(means[None], (means - transitive)[None])[0])
    # Counting the sample itself keeps the p-value valid, and above 0 (Davison, Hinkley 1997, section 4.2).
    p = (1 + int((by_chance >= found).sum())) / (1 + SIMULATIONS)
    return Intransitivity(found, float(by_chance.mean()), p)


def _share(means: Floats, rest: Floats) -> Floats:
    """|rest|^2 / |means|^2 by row, 0 where all is 0."""
    whole = (means**2).sum(axis=1)
    return np.asarray((rest**2).sum(axis=1) / np.where(whole > 0, whole, 1.0))


def significant_cycles(
    names: Sequence[str], means: Mapping[tuple[str, str], float], p_values: Mapping[tuple[str, str], float]
) -> list[tuple[str, str, str]]:
    """Triples (x, y, z) in which x beats y, y beats z and z beats x, each significantly.

    `means` and adjusted `p_values` by pair as it was played, in one order or the other.
    """
    beats = {pair if mean > 0 else pair[::-1] for pair, mean in means.items() if mean and p_values[pair] < 1 - LEVEL}
    circles = (circle for x, y, z in combinations(names, 3) for circle in ((x, y, z), (x, z, y)))
    return [(x, y, z) for x, y, z in circles if {(x, y), (y, z), (z, x)} <= beats]
