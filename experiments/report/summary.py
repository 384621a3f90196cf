"""The summary of a contest: results, what the teams did, how their scores are spread, and the hands recorded."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any, Final

import numpy as np

from burako_env.families import family_of
from experiments.contest import queries
from experiments.contest.contest import Contest, chunks_played, collect
from experiments.contest.recording import record_hands
from experiments.contest.rows import PairRows, files_of
from experiments.report import results
from experiments.runs.figures import kept

# Digits after the point with which points are shown where they are few.
FEW_DIGITS: Final = 2


def tournament_summary(contest: Contest, folder: Path, anchor: str, recorded: int) -> dict[str, Any]:
    """What a tournament writes; `recorded` hands of each pair are recorded."""

    def results_of(rows: Sequence[PairRows]) -> dict[str, Any]:
        return results.contest_results(contest, rows, anchor)

    found = _kept(contest, folder, recorded, anchor, results_of)
    if found["anchor"] != anchor:
        found["warnings"].append(f"{anchor} forfeited every board: ratings are relative to {found['anchor']}")
    return found


def evaluation_summary(contest: Contest, folder: Path, recorded: int) -> dict[str, Any]:
    """What an evaluation writes: the pair stands in `pairs` and, being the only one, at the top level too."""

    def results_of(rows: Sequence[PairRows]) -> dict[str, Any]:
        found = results.evaluation_results(contest, rows)
        return {**found["pairs"][0], "errors": dict(zip("ab", rows[0].errors)), **found}

    return _kept(contest, folder, recorded, "", results_of)


def _kept(
    contest: Contest,
    folder: Path,
    recorded: int,
    anchor: str,
    results_of: Callable[[Sequence[PairRows]], dict[str, Any]],
) -> dict[str, Any]:
    """The figures of these rows that the folder holds, or new ones."""

    def answer() -> tuple[dict[str, Any], list[Path]]:
        found = _with_rows(results_of(collect(contest, folder)), contest, folder, recorded)
        return found, [folder / record["file"] for record in found["records"]]

    question = {"contest": asdict(contest), "anchor": anchor, "recorded": recorded}
    chunks = itertools.chain(*chunks_played(contest, folder))
    found: dict[str, Any] = kept(folder, question, files_of(folder, chunks), answer)
    return found


def _with_rows(found: dict[str, Any], contest: Contest, folder: Path, recorded: int) -> dict[str, Any]:
    """Add what each team did, its scores, and the recorded hands."""
    queries.write_views(folder)
    profiles = queries.profiles(folder)
    for agent in found["agents"]:
        agent["profile"] = profiles.get(agent["name"], {})
    # Steps of the score distributions: 100 points, or 2 crowns.
    step = max(family_of(contest.game).forfeit // 10, 1)
    scores = {
        team: {"step": step, "hands": {str(low): hands for low, hands in counts.items()}}
        for team, counts in queries.score_steps(folder, step).items()
    }
    records, warnings = record_hands(contest, folder, recorded)
    return {**found, "scores": scores, "records": records, "warnings": warnings, "digits": FEW_DIGITS * (step < 10)}


def over_games(summaries: Mapping[str, Mapping[str, Any]]) -> dict[str, Any]:
    """The summary of a tournament of several games: each agent's means over the games, and every pair of each.

    The games are played apart, so the half-widths of the intervals add as independent errors do.
    """
    found: dict[str, list[Mapping[str, Any]]] = {}
    for summary in summaries.values():
        for agent in summary["agents"]:
            found.setdefault(agent["name"], []).append(agent)
    agents = []
    for name, rows in found.items():
        points, points_ci = _mean([row["points"] for row in rows], [row["points_ci"] for row in rows])
        elo, elo_ci = _mean([row["elo"] for row in rows], [row["elo_ci"] for row in rows])
        totals = {key: sum(row[key] for row in rows) for key in ("hands", "errors")}
        agents.append({"name": name, "points": points, "points_ci": points_ci, "elo": elo, "elo_ci": elo_ci, **totals})
    return {
        "agents": sorted(agents, key=lambda agent: (np.isnan(agent["elo"]), -agent["elo"])),
        "pairs": [{"game": game, **pair} for game, summary in summaries.items() for pair in summary["pairs"]],
        "games": {game: f"{game}/summary.json" for game in summaries},
        "digits": max(summary["digits"] for summary in summaries.values()),
    }


def _mean(values: Sequence[float], intervals: Sequence[Sequence[float]]) -> tuple[float, list[float]]:
    """The mean of independent estimates with its interval."""
    mean = float(np.mean(values))
    below, above = (
        float(np.sqrt(np.sum(np.square(np.subtract(values, [interval[end] for interval in intervals])))))
        for end in (0, 1)
    )
    return mean, [mean - below / len(values), mean + above / len(values)]
