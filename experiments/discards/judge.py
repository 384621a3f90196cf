"""Judge strategies against stored values: regret in points per discard, agreement with the best, by situation.

The card that looks best in some redraws is partly the luckiest there (the winner's curse): measured on the same redraws
its lead is too large. So the best card of one half of the redraws is compared with the strategy's card on the other
half, both ways round. What remains is unbiased for the card found best, and so at most the true regret.

Means are over positions, each counted as often as its situation happens in play, with 95% intervals.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from agents.burako.discard import STRATEGIES
from burako_env.batch import Bools, Ints
from experiments.discards.situations import NAMES, cell_name, cells_with
from experiments.discards.store import Points
from experiments.discards.suite import Suite
from experiments.statistics.intervals import NOTHING, Estimate, Floats

# Two-sided 95% of the normal distribution: positions come from different hands and there are hundreds of them.
_Z: Final = 1.959964


def weighted_mean(values: npt.ArrayLike, weights: npt.ArrayLike) -> Estimate:
    """Weighted mean of independent values `[n]`; the variance is that of a ratio estimator.

    That positions were drawn by situation would make it smaller; this is left out, so the interval is rather too wide.
    """
    sample, counts = np.asarray(values, dtype=np.float64), np.asarray(weights, dtype=np.float64)
    if not len(sample):
        return NOTHING
    share = counts / counts.sum()
    mean = float(share @ sample)
    if len(sample) < 2:
        return Estimate(mean, np.nan, np.nan)
    correction = len(sample) / (len(sample) - 1)
    margin = _Z * float(np.sqrt(correction * (share**2 @ (sample - mean) ** 2)))
    return Estimate(mean, mean - margin, mean + margin)


def entry(name: str, found: Estimate) -> dict[str, Any]:
    """An estimate and its interval, as the summary has them."""
    return {name: found.value, f"{name}_ci": [found.low, found.high]}


@dataclass(frozen=True)
class Values:
    """Mean points of every choice, float64 `[n, choices]`, -inf where it is illegal.

    mean: of all redraws. halves: of the even and of the odd ones.
    """

    mean: Floats
    halves: tuple[Floats, Floats]


def means(points: Points, legal: Bools) -> Values:
    """The values of points int32 `[n, choices, redraws]`."""
    mean, even, odd = (
        np.where(legal, part.mean(axis=2), -np.inf) for part in (points, points[:, :, 0::2], points[:, :, 1::2])
    )
    return Values(mean, (even, odd))


def centred(values: Floats, legal: Bools) -> Floats:
    """Values of legal choices minus the mean of their position, `[m]`."""
    known = np.where(legal, values, 0.0)
    mean = known.sum(axis=1) / legal.sum(axis=1)
    found: Floats = (known - mean[:, None])[legal]
    return found


def chosen(name: str, suite: Suite) -> Ints:
    """The card that a strategy throws in each position, `[n]`."""
    return STRATEGIES[name]().choose(suite.facts, suite.legal, suite.keys)


def regrets(values: Values, cards: Ints) -> Floats:
    """Points lost against the best card, by position, `[n]`; may be negative, as every estimate."""
    rows = np.arange(len(cards))
    total = np.zeros(len(cards))
    for first, second in (values.halves, values.halves[::-1]):
        total += second[rows, first.argmax(axis=1)] - second[rows, cards]
    return total / 2


def agreements(values: Values, cards: Ints) -> Floats:
    """How often the card is the best of each half, by position, `[n]`: 0, 0.5 or 1."""
    found: Floats = np.mean([half.argmax(axis=1) == cards for half in values.halves], axis=0)
    return found


def judge(name: str, suite: Suite, values: Values) -> dict[str, Any]:
    """The results of one strategy."""
    cards = chosen(name, suite)
    lost, best = regrets(values, cards), agreements(values, cards)

    def part(situation: str, inside: Bools) -> dict[str, Any]:
        at = np.flatnonzero(inside)
        return {
            "situation": situation,
            "positions": len(at),
            "share": float(suite.weights[at].sum()),
            **entry("regret", weighted_mean(lost[at], suite.weights[at])),
            "agreement": weighted_mean(best[at], suite.weights[at]).value,
        }

    return {
        "name": name,
        **entry("regret", weighted_mean(lost, suite.weights)),
        **entry("agreement", weighted_mean(best, suite.weights)),
        "situations": [part(situation, cells_with([situation])[suite.cells]) for situation in NAMES],
        "cells": [part(cell_name(cell), suite.cells == cell) for cell in np.unique(suite.cells).tolist()],
    }


def repeat_noise(suite: Suite, first: Values, second: Values, names: Sequence[str]) -> dict[str, Any]:
    """How far two estimates of the same positions agree, made with different redraws.

    correlation: of the values of cards, each minus the mean of its position. rmse: of such a value, of one estimate.
    regret_difference: second minus first, mean over strategies, with its interval; by_strategy: of each.
    """
    a, b = centred(first.mean, suite.legal), centred(second.mean, suite.legal)
    cards = {name: chosen(name, suite) for name in names}
    lost = {name: regrets(second, own) - regrets(first, own) for name, own in cards.items()}
    overall = weighted_mean(np.mean(list(lost.values()), axis=0), np.ones(len(suite)))
    return {
        "positions": len(suite),
        "cards": len(a),
        "correlation": float(np.corrcoef(a, b)[0, 1]) if len(a) > 1 and a.std() > 0 and b.std() > 0 else float("nan"),
        "rmse": float(np.sqrt(((a - b) ** 2).mean() / 2)),
        **entry("regret_difference", overall),
        "by_strategy": {name: float(difference.mean()) for name, difference in lost.items()},
    }
