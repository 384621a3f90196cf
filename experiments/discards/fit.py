"""Fit the weights of the strategy `fitted` to stored values: `python -m experiments.discards.fit RUN [RUN ...]`.

The runs are folders of `burako discards`; take seeds that no result is reported for. Within each decision the values of
cards are regressed on their features (ridge regression): a weight for all, and what is different about each task of the
team and about tables of four and of more. Prints the table for `agents/burako/discard/fitted.py`.
"""

import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Final

import numpy as np

from agents.burako.discard.features import features
from agents.burako.discard.fitted import FOUR, TASKS
from burako_env.batch import Ints
from burako_env.burako.rules import PRESETS
from burako_env.inputs.extras import needed

with needed("tournament"):
    from experiments.discards.judge import centred, means, stored
    from experiments.discards.store import read, suite_file
    from experiments.discards.suite import Suite
    from experiments.statistics.intervals import Floats

# Pulls weights that the data say little about towards those of all, and these towards 0: chosen by leaving out one run
# after the other.
RIDGE: Final = 8000.0
# A feature that fewer cards have gets no weight at all.
FEWEST: Final = 60


def design(suite: Suite) -> tuple[list[str], Floats, Ints]:
    """Names of the features, their values by card `[m, features]` minus the mean of the decision, and tasks `[m]`."""
    names, columns = [], []
    for name, value in features(suite.facts):
        cards = np.zeros(suite.legal.shape)
        cards[:, :52] = np.broadcast_to(value, (len(suite), 4, 13)).reshape(len(suite), 52)
        names.append(name)
        columns.append(centred(cards, suite.legal))
    return names, np.stack(columns, axis=1), suite.facts.task[np.nonzero(suite.legal)[0]]


def fit(rows: Sequence[tuple[Floats, Ints, Ints, Floats]]) -> Floats:
    """Weights `[features, 2 * TASKS]` from features, tasks, tables and centred values of several suites."""
    x, task, table, y = (np.concatenate(parts) for parts in zip(*rows))
    groups = [*(task == own for own in range(TASKS)), *(table == own for own in (0, 1))]
    every = np.concatenate([x, *(x * group[:, None] for group in groups)], axis=1)
    enough = (every != 0).sum(axis=0) >= FEWEST
    scale = np.where(enough, np.maximum(every.std(axis=0), 1e-9), np.inf)
    scaled = every / scale
    solved = np.linalg.solve(scaled.T @ scaled + RIDGE * np.eye(scaled.shape[1]), scaled.T @ y) / scale
    shared, *own = solved.reshape(1 + len(groups), -1)
    return np.stack([shared + by_table + by_task for by_table in own[TASKS:] for by_task in own[:TASKS]], axis=1)


def main(folders: Sequence[str]) -> None:
    """Print the weights for some runs."""
    rows = []
    names: list[str] = []
    for folder in map(Path, folders):
        _, about = read(suite_file(folder, "discards"))
        game = str(about["game"])
        suite, points, _ = stored(folder, game, PRESETS[game])
        names, x, task = design(suite)
        table = np.full(len(task), int(suite.rules.players > FOUR))
        rows.append((x, task, table, centred(means(points, suite.legal).mean, suite.legal)))
    for name, weights in zip(names, fit(rows)):
        print(f'    "{name}": ({", ".join(f"{weight:.1f}" for weight in weights)}),')


if __name__ == "__main__":
    main(sys.argv[1:])
