"""What the advice is worth: cards that follow a sentence against cards that do not, within the same decision."""

from __future__ import annotations

from typing import Any, Final

import numpy as np

from agents.burako.discard.sentences import SENTENCES, Sentence
from burako_env.cards import TYPE_COUNT
from experiments.discards.judge import Values, entry, weighted_mean
from experiments.discards.suite import Suite
from experiments.statistics.intervals import Estimate, Floats

# Decisions below which an interval that rests on the normal distribution says nothing.
FEWEST: Final = 20
# The one sentence of ADVICE-1 to 3 that is about the draw, measured at draws.
TAKE_IT: Final = "ADVICE-3 more cards"
TAKE_IT_TEXT: Final = "pile not empty, next holds more than 3: take it rather than let it grow"


def verdicts(suite: Suite, values: Values) -> list[dict[str, Any]]:
    """One entry for each sentence about discards."""
    return [_verdict(one.name, one.text, *differences(one, suite, values)) for one in SENTENCES]


def draw_verdict(suite: Suite, values: Values) -> dict[str, Any]:
    """The entry of the sentence about the draw; the suite is one of draws."""
    return _verdict(TAKE_IT, TAKE_IT_TEXT, values.mean[:, 1] - values.mean[:, 0], suite.weights)


def differences(sentence: Sentence, suite: Suite, values: Values) -> tuple[Floats, Floats]:
    """Mean value of the legal cards that follow a sentence minus that of the others, and the weights, both `[m]`.

    Of the decisions that it speaks about and in which there are cards of both kinds.
    """
    follows = np.zeros((len(suite), TYPE_COUNT), dtype=np.bool_)
    follows[:, :52] = sentence.follows(suite.facts).reshape(len(suite), 52)
    does, does_not = suite.legal & follows, suite.legal & ~follows
    at = np.flatnonzero(sentence.applies(suite.facts) & does.any(axis=1) & does_not.any(axis=1))
    points = np.where(suite.legal, values.mean, 0.0)
    following, others = ((points[at] * cards[at]).sum(axis=1) / cards[at].sum(axis=1) for cards in (does, does_not))
    return following - others, suite.weights[at]


def _verdict(name: str, text: str, gain: Floats, weights: Floats) -> dict[str, Any]:
    found = weighted_mean(gain, weights)
    count = len(gain)
    return {"advice": name, "text": text, "decisions": count, **entry("gain", found), "verdict": word(found, count)}


def word(found: Estimate, decisions: int) -> str:
    """The verdict that an interval allows."""
    if decisions < FEWEST:
        return "too few decisions"
    if found.low > 0:
        return "helps"
    return "hurts" if found.high < 0 else "no difference"
