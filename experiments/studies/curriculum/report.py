"""The comparison: points of the arms at the end, what the curriculum gains on the others, and the curves on the way.

Two intervals answer two questions. Over boards: what these very networks are worth, however many there are. Over seeds:
what to expect of another run; it has as many values as there are seeds, each the difference of two runs that share
their seed and their boards.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Final

import numpy as np
from scipy import stats

from burako_env.inputs.files import whole
from experiments.studies.curriculum.plan import ARMS, Plan, Stage
from experiments.studies.curriculum.run import boards_of, curve_of, seconds_of

Runs = Mapping[tuple[str, int], Sequence[Stage]]
_DPI: Final = 144
_LEVEL: Final = 0.95


def interval(values: Sequence[float]) -> list[float | None]:
    """Student's 95% interval of a mean; nothing for a single value."""
    sample = np.asarray(values, dtype=np.float64)
    if len(sample) < 2:
        return [None, None]
    half = stats.t.ppf((1 + _LEVEL) / 2, len(sample) - 1) * sample.std(ddof=1) / len(sample) ** 0.5
    return [float(sample.mean() - half), float(sample.mean() + half)]


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
    what = f"against {difference['opponent']} the curriculum ends {difference['points']:+.0f} points a hand"
    if low is None:
        return f"{what} from {other[difference['than']]}: one seed decides nothing"
    between = f"{what} [{low:+.0f}, {high:+.0f}] from {other[difference['than']]}"
    if low > 0:
        return f"{between}: it helps"
    return f"{between}: it hurts" if high < 0 else f"{between}: no difference that these seeds could show"


def table(summary: Mapping[str, Any]) -> str:
    """The results as Markdown."""
    lines = ["| arm | against | points a hand [95% over boards] | each seed | wins |", "|---|---|---|---|---|"]
    for row in summary["results"]:
        lines.append(
            f"| {row['arm']} | {row['opponent']} | {row['points']:+.0f} {_span(row['ci_boards'])} | "
            f"{_seeds(row['seeds'])} | {100 * row['wins']:.1f}% |"
        )
    lines += ["", "| curriculum minus | points a hand [over seeds] | [over boards] | each seed |", "|---|---|---|---|"]
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


def draw(plan: Plan, runs: Runs, path: Path) -> None:
    """Curves of the goal against the first opponent: the mean over seeds, each seed thin behind it."""
    from matplotlib.figure import Figure

    goal, opponent = runs[ARMS[0], plan.seeds[0]][-1].settings.game, plan.opponents[0]
    figure = Figure(figsize=(8, 4.5), layout="constrained")
    axes = figure.add_subplot()
    for number, arm in enumerate(ARMS):
        curves = []
        for seed in plan.seeds:
            entries = [entry for entry in curve_of(runs[arm, seed]) if entry["game"] == goal]
            curves.append([(entry["decisions"], entry["points"][opponent]) for entry in entries])
            axes.plot(*zip(*curves[-1]), color=f"C{number}", alpha=0.3, linewidth=0.8)
        shortest = min(map(len, curves))
        mean = np.mean([curve[:shortest] for curve in curves], axis=0)
        axes.plot(mean[:, 0], mean[:, 1], color=f"C{number}", marker="o", markersize=3, label=arm)
    axes.set_xlabel("decisions, those of the levels counted")
    axes.set_ylabel(f"points a hand against {opponent}")
    axes.set_title(goal)
    axes.legend()
    with whole(path) as file:
        figure.savefig(file, format="png", dpi=_DPI)
