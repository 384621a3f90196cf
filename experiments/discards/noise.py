"""How noisy the estimates are: some positions a second time, with other redraws."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from agents.burako.discard import STRATEGIES
from burako_env.burako.rules import Rules
from experiments.discards.estimates import Floats, weighted_mean
from experiments.discards.judge import Values, chosen, regrets
from experiments.discards.suite import Suite


def repeat_noise(suite: Suite, first: Values, second: Values, names: Sequence[str], rules: Rules) -> dict[str, Any]:
    """Agreement of two estimates of the same positions.

    correlation: of the values of cards, each minus the mean of its position. rmse: of such a value, of one estimate.
    regret_difference: second minus first, mean over strategies, with its interval; by_strategy: of each.
    """
    a, b = centred(first.mean, suite.legal), centred(second.mean, suite.legal)
    lost = {}
    for name in names:
        cards = chosen(STRATEGIES[name](), suite, rules)
        lost[name] = regrets(second, cards) - regrets(first, cards)
    every = np.ones(len(suite))
    overall = weighted_mean(np.mean(list(lost.values()), axis=0), every)
    return {
        "positions": len(suite),
        "cards": len(a),
        "correlation": float(np.corrcoef(a, b)[0, 1]) if len(a) > 1 and a.std() > 0 and b.std() > 0 else float("nan"),
        "rmse": float(np.sqrt(((a - b) ** 2).mean() / 2)),
        "regret_difference": overall.value,
        "regret_difference_ci": [overall.low, overall.high],
        "by_strategy": {name: float(difference.mean()) for name, difference in lost.items()},
    }


def centred(values: Floats, legal: np.ndarray[Any, np.dtype[np.bool_]]) -> Floats:
    """Values of legal choices minus the mean of their position, `[m]`."""
    known = np.where(legal, values, 0.0)
    mean = known.sum(axis=1) / legal.sum(axis=1)
    found: Floats = (known - mean[:, None])[legal]
    return found
