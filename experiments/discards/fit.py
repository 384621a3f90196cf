"""Fit the weights of the strategy `fitted` to stored values: `python -m experiments.discards.fit RUN [RUN ...]`.

The runs are folders of `burako discards`; take seeds that no result is reported for. Within each decision the values of
cards are regressed on their features (ridge regression): a weight for all, and what is different about each task of the
team and about tables of four and of more. Prints the table for `agents/burako/discard/fitted.py`.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Final

import numpy as np
import numpy.typing as npt

from agents.burako.discard.features import features
from agents.burako.discard.fitted import FOUR, TASKS
from agents.burako.facts import Facts
from agents.burako.lookup import lookups
from burako_env.burako.rules import PRESETS, Rules
from burako_env.inputs.extras import needed

with needed("tournament"):
    from experiments.discards.judge import means
    from experiments.discards.noise import centred
    from experiments.discards.store import read, read_suite, read_values
    from experiments.discards.suite import Suite

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]

# Pulls weights that the data say little about towards those of all, and these towards 0: chosen by leaving out one run
# after the other.
RIDGE: Final = 8000.0
# Cards with a feature, below which it gets no weight at all.
FEWEST: Final = 60


def design(suite: Suite, rules: Rules) -> tuple[list[str], Floats, Ints]:
    """Names of the features, their values by card `[m, features]` minus the mean of the decision, and tasks `[m]`."""
    facts = Facts(suite.view, lookups(rules))
    legal = suite.legal
    names, columns = [], []
    for name, value in features(facts):
        cards = np.zeros(legal.shape)
        cards[:, :52] = np.broadcast_to(value, (len(suite), 4, 13)).reshape(len(suite), 52)
        names.append(name)
        columns.append(centred(cards, legal))
    return names, np.stack(columns, axis=1), facts.task[np.nonzero(legal)[0]]


def fit(rows: Sequence[tuple[Floats, Ints, Ints, Floats]]) -> Floats:
    """Weights `[features, 2 * TASKS]` from features, tasks, tables and centred values of several suites."""
    x, task, table, y = (np.concatenate(parts) for parts in zip(*rows))
    differences = [
        *(x * (task == own)[:, None] for own in range(TASKS)),
        *(x * (table == own)[:, None] for own in (0, 1)),
    ]
    every = np.concatenate([x, *differences], axis=1)
    enough = (every != 0).sum(axis=0) >= FEWEST
    scale = np.where(enough, np.maximum(every.std(axis=0), 1e-9), np.inf)
    scaled = every / scale
    solved = np.linalg.solve(scaled.T @ scaled + RIDGE * np.eye(scaled.shape[1]), scaled.T @ y) / scale
    shared, *own = solved.reshape(1 + len(differences), -1)
    by_task, by_table = own[:TASKS], own[TASKS:]
    return np.stack([shared + tables_part + task_part for tables_part in by_table for task_part in by_task], axis=1)


def main(folders: Sequence[str]) -> None:
    """Print the weights for some runs."""
    rows = []
    names: list[str] = []
    for folder in map(Path, folders):
        _, about = read(folder / "suite-discards.parquet")
        rules = PRESETS[str(about["game"])]
        suite = read_suite(folder / "suite-discards.parquet", str(about["game"]), rules)
        points, _ = read_values(folder / "values.parquet", suite)
        names, x, task = design(suite, rules)
        table = np.full(len(task), int(rules.players > FOUR))
        rows.append((x, task, table, centred(means(points, suite.legal).mean, suite.legal)))
    for name, weights in zip(names, fit(rows)):
        print(f'    "{name}": ({", ".join(f"{weight:.1f}" for weight in weights)}),')


if __name__ == "__main__":
    main(sys.argv[1:])
