"""What the seed's advice is worth: cards that follow a sentence against cards that do not, within the same decision."""

from __future__ import annotations

from typing import Any, Final

import numpy as np

from agents.burako.discard.sentences import SENTENCES, Sentence
from agents.burako.facts import Facts
from agents.burako.lookup import lookups
from burako_env.burako.rules import Rules
from burako_env.cards import TYPE_COUNT
from experiments.discards.estimates import Floats, weighted_mean
from experiments.discards.judge import Values
from experiments.discards.suite import Suite
from experiments.statistics.intervals import Estimate

# Decisions below which an interval that rests on the normal distribution says nothing.
FEWEST: Final = 20
# The one sentence of ADVICE-1 to 3 that is about the draw, measured at draws.
TAKE_IT: Final = "ADVICE-3 more cards"
TAKE_IT_TEXT: Final = "pile not empty, next holds more than 3: take it rather than let it grow"


def verdicts(suite: Suite, values: Values, rules: Rules) -> list[dict[str, Any]]:
    """One entry for each sentence about discards."""
    facts = Facts(suite.view, lookups(rules))
    return [_verdict(sentence, facts, suite, values) for sentence in SENTENCES]


def draw_verdict(suite: Suite, values: Values) -> dict[str, Any]:
    """The entry of the sentence about the draw; the suite is one of draws."""
    gain = values.mean[:, 1] - values.mean[:, 0]
    return _entry(TAKE_IT, TAKE_IT_TEXT, gain, suite.weights)


def differences(sentence: Sentence, facts: Facts, suite: Suite, values: Values) -> tuple[Floats, Floats]:
    """Mean value of the legal cards that follow a sentence minus that of the others, and the weights, both `[m]`.

    Of the decisions that it speaks about and in which there are cards of both kinds.
    """
    follows = np.zeros((len(suite), TYPE_COUNT), dtype=np.bool_)
    follows[:, :52] = sentence.follows(facts).reshape(len(suite), 52)
    does, does_not = suite.legal & follows, suite.legal & ~follows
    at = np.flatnonzero(sentence.applies(facts) & does.any(axis=1) & does_not.any(axis=1))
    points = np.where(suite.legal, values.mean, 0.0)

    def mean(cards: np.ndarray[Any, np.dtype[np.bool_]]) -> Floats:
        found: Floats = (points[at] * cards[at]).sum(axis=1) / cards[at].sum(axis=1)
        return found

    return mean(does) - mean(does_not), suite.weights[at]


def _verdict(sentence: Sentence, facts: Facts, suite: Suite, values: Values) -> dict[str, Any]:
    gain, weights = differences(sentence, facts, suite, values)
    return _entry(sentence.name, sentence.text, gain, weights)


def _entry(name: str, text: str, gain: Floats, weights: Floats) -> dict[str, Any]:
    found = weighted_mean(gain, weights)
    return {
        "advice": name,
        "text": text,
        "decisions": len(gain),
        "gain": found.value,
        "gain_ci": [found.low, found.high],
        "verdict": word(found, len(gain)),
    }


def word(found: Estimate, decisions: int) -> str:
    """The verdict that an interval allows."""
    if decisions < FEWEST:
        return "too few decisions"
    if found.low > 0:
        return "helps"
    return "hurts" if found.high < 0 else "no difference"
