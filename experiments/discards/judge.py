"""Judge strategies and the advice against stored values: the decisions part of the summary.

Strategies: regret in points per discard, agreement with the best, by situation. Advice: the cards that follow a
sentence against those that do not, within the same decision.

The card that looks best in some redraws is partly the luckiest there (the winner's curse): measured on the same redraws
its lead is too large. So the best card of one half of the redraws is compared with the strategy's card on the other
half, both ways round. What remains is unbiased for the card found best, and so at most the true regret.

Means are over positions, each counted as often as its situation happens in play, with 95% intervals.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, get_args

import numpy as np
import numpy.typing as npt

from agents.burako.discard import STRATEGIES
from agents.burako.discard.sentences import SENTENCES, Sentence
from burako_env.batch import Bools, Ints
from burako_env.burako.rules import Rules
from burako_env.cards import TYPE_COUNT
from burako_env.errors import UserError
from experiments.discards.situations import CELLS, NAMES, cell_name, cells_with
from experiments.discards.store import VALUES_SCHEMA, Points, read, read_suite, read_values, suite_file
from experiments.discards.suite import Kind, Suite
from experiments.discards.values import PARTS
from experiments.statistics.intervals import NOTHING, Estimate, Floats

# Two-sided 95% of the normal distribution: positions come from different hands and there are hundreds of them.
_Z: Final = 1.959964
# Decisions below which an interval that rests on the normal distribution says nothing.
FEWEST: Final = 20


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


def advice_verdicts(suite: Suite, values: Values) -> list[dict[str, Any]]:
    """One entry for each sentence about discards."""
    return [_verdict(one.name, one.text, *differences(one, suite, values)) for one in SENTENCES]


def draw_verdict(suite: Suite, values: Values) -> dict[str, Any]:
    """The entry of the one sentence of ADVICE-1 to 3 that is about the draw; the suite is one of draws."""
    text = "pile not empty, next holds more than 3: take it rather than let it grow"
    return _verdict("ADVICE-3 more cards", text, values.mean[:, 1] - values.mean[:, 0], suite.weights)


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


def files_of(folder: Path) -> list[Path]:
    """The suites and values in a run folder."""
    suites = [suite_file(folder, kind) for kind in get_args(Kind)]
    return [path for path in (*suites, *(folder / f"{name}.parquet" for name in PARTS)) if path.exists()]


def stored(folder: Path, game: str, rules: Rules) -> tuple[Suite, Points, dict[str, Any]]:
    """The suite of a run, the points of its discards and what they belong to.

    Refuses files that belong to other rules or do not fit together.
    """
    suite = read_suite(suite_file(folder, "discards"), game, rules)
    return suite, *read_values(folder / "values.parquet", suite)


def results(folder: Path, game: str, rules: Rules, names: Sequence[str], situations: Sequence[str]) -> dict[str, Any]:
    """What the summary says of decisions, from the files of a folder; positions of some situations only."""
    suite, points, about = stored(folder, game, rules)
    kept = np.flatnonzero(cells_with(situations)[suite.cells])
    if not kept.size:
        raise UserError(f"{folder} has no position of {', '.join(situations)}")
    part = suite.take(kept)
    values = means(points[kept], part.legal)
    judged = [judge(name, part, values) for name in names]
    sentences = advice_verdicts(part, values)
    if suite_file(folder, "draws").exists():
        draws = read_suite(suite_file(folder, "draws"), game, rules)
        taken, _ = read_values(folder / "draws.parquet", draws)
        sentences.append(draw_verdict(draws, means(taken, draws.legal)))
    return {
        "suite": {
            "digest": suite.digest(),
            "rules_digest": rules.digest(),
            "positions": len(part),
            "cards": float(part.legal.sum(axis=1).mean()),
            "cells": {cell_name(cell): int((part.cells == cell).sum()) for cell in range(CELLS)},
        },
        "values": about,
        "strategies": sorted(judged, key=lambda found: float(found["regret"])),
        "advice": sentences,
        "noise": _noise(folder / "repeat.parquet", suite, points, names),
    }


def _noise(path: Path, suite: Suite, points: Points, names: Sequence[str]) -> dict[str, Any] | None:
    """How far the positions that were estimated twice agree; None where there are none."""
    if not path.exists():
        return None
    table, _ = read(path, VALUES_SCHEMA.names)
    count = 1 + int(max(table["position"].to_numpy(), default=0))
    again = suite.take(range(min(count, len(suite))))
    second, _ = read_values(path, again)
    return repeat_noise(again, means(points[: len(again)], again.legal), means(second, again.legal), names)
