"""Judge strategies against stored values: regret in points a discard, agreement with the best, by situation.

The card that looks best in some redraws is partly the luckiest there (the winner's curse): measured on the same redraws
its lead is too large. So the best card of one half of the redraws is compared with the strategy's card on the other
half, both ways round. What remains is unbiased for the card found best, and so at most the true regret.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from agents.burako.discard import STRATEGIES, DiscardStrategy
from agents.burako.facts import Facts
from agents.burako.lookup import lookups
from burako_env.batch import Bools, Ints
from burako_env.burako.rules import Rules
from experiments.discards.estimates import Floats, weighted_mean
from experiments.discards.rollouts import Points
from experiments.discards.situations import AXES, CELLS, cell_name, cells_in
from experiments.discards.suite import Suite


@dataclass(frozen=True)
class Values:
    """Mean points of every choice, float64 `[n, choices]`, -inf where it is illegal.

    mean: of all redraws. halves: of the even and of the odd ones.
    """

    mean: Floats
    halves: tuple[Floats, Floats]


def means(points: Points, legal: Bools) -> Values:
    """The values of points int32 `[n, choices, redraws]`."""

    def mean(part: Points) -> Floats:
        return np.where(legal, part.mean(axis=2), -np.inf)

    return Values(mean(points), (mean(points[:, :, 0::2]), mean(points[:, :, 1::2])))


def chosen(strategy: DiscardStrategy, suite: Suite, rules: Rules) -> Ints:
    """The card a strategy throws in each position, `[n]`."""
    return strategy.choose(Facts(suite.view, lookups(rules)), suite.legal, suite.keys)


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


def judge(name: str, suite: Suite, values: Values, rules: Rules) -> dict[str, Any]:
    """The results of one strategy."""
    cards = chosen(STRATEGIES[name](), suite, rules)
    lost, best = regrets(values, cards), agreements(values, cards)
    regret, agreement = weighted_mean(lost, suite.weights), weighted_mean(best, suite.weights)
    return {
        "name": name,
        "regret": regret.value,
        "regret_ci": [regret.low, regret.high],
        "agreement": agreement.value,
        "agreement_ci": [agreement.low, agreement.high],
        "situations": [_part(situation, cells_in(situation), suite, lost, best) for situation in _names()],
        "cells": [
            _part(cell_name(cell), np.arange(CELLS) == cell, suite, lost, best)
            for cell in np.unique(suite.cells).tolist()
        ],
    }


def _names() -> list[str]:
    return [name for names in AXES.values() for name in names]


def _part(name: str, cells: Bools, suite: Suite, lost: Floats, best: Floats) -> dict[str, Any]:
    at: npt.NDArray[np.intp] = np.flatnonzero(cells[suite.cells])
    regret = weighted_mean(lost[at], suite.weights[at])
    return {
        "situation": name,
        "positions": len(at),
        "share": float(suite.weights[at].sum()),
        "regret": regret.value,
        "regret_ci": [regret.low, regret.high],
        "agreement": weighted_mean(best[at], suite.weights[at]).value,
    }
