"""The comparison: points of the arms at the end, what the curriculum gains on the others, and the curves on the way.

Two intervals answer two questions. The one over boards says how good these networks are, however few they are. The one
over seeds says what to expect of another run: it has one value per seed, the difference of two runs that share their
seed and their boards.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np

from experiments.studies.curriculum.plan import ARMS, Plan, Stage
from experiments.studies.curriculum.run import boards_of, curve_of, seconds_of
from experiments.studies.trained import Curve, interval

Runs = Mapping[tuple[str, int], Sequence[Stage]]


def summarise(plan: Plan, runs: Runs) -> dict[str, Any]:
    """Everything of `summary.json`."""
    boards = {key: boards_of(stages) for key, stages in runs.items()}
    results, differences = [], []
    for opponent in plan.opponents:
        points = {key: np.array(found[opponent]["points"]) for key, found in boards.items()}
        for arm in ARMS:
            mine = [points[arm, seed] for seed in plan.seeds]
            wins = [np.mean(boards[arm, seed][opponent]["wins"]) for seed in plan.seeds]
            results.append(
                {
                    "arm": arm,
                    "opponent": opponent,
                    "points": float(np.mean(mine)),
                    "ci_boards": interval(np.concatenate(mine).tolist()),
                    "seeds": [float(values.mean()) for values in mine],
                    "wins": float(np.mean(wins)),
                }
            )
        for arm in ARMS[1:]:
            paired = [points["curriculum", seed] - points[arm, seed] for seed in plan.seeds]
            by_seed = [float(values.mean()) for values in paired]
            differences.append(
                {
                    "than": arm,
                    "opponent": opponent,
                    "points": float(np.mean(by_seed)),
                    "ci_boards": interval(np.concatenate(paired).tolist()),
                    "ci_seeds": interval(by_seed),
                    "seeds": by_seed,
                }
            )
    return {
        "decisions": {arm: _decisions(runs[arm, plan.seeds[0]]) for arm in ARMS},
        "seconds": {arm: sum(seconds_of(runs[arm, seed]) for seed in plan.seeds) for arm in ARMS},
        "results": results,
        "differences": differences,
        "verdict": [verdict(difference) for difference in differences[: len(ARMS) - 1]],
    }


def _decisions(stages: Sequence[Stage]) -> dict[str, int]:
    return {stage.folder.name: stage.settings.ppo.decisions for stage in stages}


def verdict(difference: Mapping[str, Any]) -> str:
    """One sentence on a difference, by the interval over seeds."""
    low, high = difference["ci_seeds"]
    other = {"alone": "the goal alone with the whole budget", "short": "the goal alone with its own budget"}
    what = f"against {difference['opponent']} the curriculum ends {difference['points']:+.0f} points per hand"
    if low is None:
        return f"{what} from {other[difference['than']]}: one seed decides nothing"
    between = f"{what} [{low:+.0f}, {high:+.0f}] from {other[difference['than']]}"
    if low > 0:
        return f"{between}: it helps"
    return f"{between}: it hurts" if high < 0 else f"{between}: no difference that these seeds could show"


def table(summary: Mapping[str, Any]) -> str:
    """The results as Markdown."""
    lines = ["| arm | against | points per hand [95% over boards] | each seed | wins |", "|---|---|---|---|---|"]
    for row in summary["results"]:
        lines.append(
            f"| {row['arm']} | {row['opponent']} | {row['points']:+.0f} {_span(row['ci_boards'])} | "
            f"{_seeds(row['seeds'])} | {100 * row['wins']:.1f}% |"
        )
    lines += [
        "",
        "| curriculum minus | points per hand [over seeds] | [over boards] | each seed |",
        "|---|---|---|---|",
    ]
    for row in summary["differences"]:
        name, mean = f"{row['than']}, against {row['opponent']}", f"{row['points']:+.0f} {_span(row['ci_seeds'])}"
        lines.append(f"| {name} | {mean} | {_span(row['ci_boards'])} | {_seeds(row['seeds'])} |")
    return "\n".join([*lines, "", *(f"- {sentence}" for sentence in summary["verdict"]), ""])


def _span(bounds: Sequence[float | None]) -> str:
    low, high = bounds
    return "" if low is None or high is None else f"[{low:+.0f}, {high:+.0f}]"


def _seeds(values: Sequence[float]) -> str:
    return ", ".join(f"{value:+.0f}" for value in values)


def curves(runs: Runs) -> Iterator[tuple[Any, ...]]:
    """A row for each evaluation and opponent, after the table's head."""
    yield ("arm", "seed", "game", "decisions", "opponent", "points")
    for (arm, seed), stages in runs.items():
        for entry in curve_of(stages):
            for opponent, points in entry["points"].items():
                yield (arm, seed, entry["game"], entry["decisions"], opponent, points)


def drawn(plan: Plan, runs: Runs) -> dict[str, list[Curve]]:
    """The curves of the goal against the first opponent by arm, one per seed."""
    goal, opponent = runs[ARMS[0], plan.seeds[0]][-1].settings.game, plan.opponents[0]
    return {
        arm: [
            [(e["decisions"], e["points"][opponent]) for e in curve_of(runs[arm, seed]) if e["game"] == goal]
            for seed in plan.seeds
        ]
        for arm in ARMS
    }
