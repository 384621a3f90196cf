"""The summary of a contest: results, what the teams did, how their scores are spread, and the hands recorded."""

import itertools
from collections.abc import Mapping, Sequence
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


def contest_summary(contest: Contest, folder: Path, recorded: int, anchor: str = "") -> dict[str, Any]:
    """What a tournament writes, or without an anchor an evaluation: its one pair stands at the top level too.

    `recorded` hands of each pair are recorded. If the folder holds the figures of these rows, they are taken from it.
    """

    def answer() -> tuple[dict[str, Any], list[Path]]:
        found = _with_rows(_results(contest, collect(contest, folder), anchor), contest, folder, recorded)
        return found, [folder / record["file"] for record in found["records"]]

    question = {"contest": asdict(contest), "anchor": anchor, "recorded": recorded}
    chunks = itertools.chain(*chunks_played(contest, folder))
    found: dict[str, Any] = kept(folder, question, files_of(folder, chunks), answer)
    if anchor and found["anchor"] != anchor:
        found["warnings"].append(f"{anchor} forfeited every board: ratings are relative to {found['anchor']}")
    return found


def _results(contest: Contest, rows: Sequence[PairRows], anchor: str) -> dict[str, Any]:
    if anchor:
        return results.contest_results(contest, rows, anchor)
    found = results.evaluation_results(contest, rows)
    return {**found["pairs"][0], "errors": dict(zip("ab", rows[0].errors)), **found}


def _with_rows(found: dict[str, Any], contest: Contest, folder: Path, recorded: int) -> dict[str, Any]:
    """Add what each team did, its scores, and the recorded hands."""
    queries.write_views(folder)
    profiles = queries.profiles(folder)
    for agent in found["agents"]:
        agent["profile"] = profiles.get(agent["name"], {})
    # Steps of the score distributions: 100 points, or 2 crowns.
    step = max(family_of(contest.game).forfeit // 10, 1)
    scores = {team: {"step": step, "hands": counts} for team, counts in queries.score_steps(folder, step).items()}
    records, warnings = record_hands(contest, folder, recorded)
    return {**found, "scores": scores, "records": records, "warnings": warnings, "digits": FEW_DIGITS * (step < 10)}


def over_games(summaries: Mapping[str, Mapping[str, Any]]) -> dict[str, Any]:
    """The summary of a tournament of several games: each agent's means over the games, and every pair of each.

    The games are played apart, so the half-widths of the intervals add as independent errors do.
    """
    found: dict[str, list[Mapping[str, Any]]] = {}
    for agent in itertools.chain.from_iterable(summary["agents"] for summary in summaries.values()):
        found.setdefault(agent["name"], []).append(agent)
    agents = [
        {
            "name": name,
            **_mean("points", rows),
            **_mean("elo", rows),
            **{key: sum(row[key] for row in rows) for key in ("hands", "errors")},
        }
        for name, rows in found.items()
    ]
    return {
        "agents": sorted(agents, key=lambda agent: (np.isnan(agent["elo"]), -agent["elo"])),
        "pairs": [{"game": game, **pair} for game, summary in summaries.items() for pair in summary["pairs"]],
        "games": {game: f"{game}/summary.json" for game in summaries},
        "digits": max(summary["digits"] for summary in summaries.values()),
    }


def _mean(key: str, rows: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    """The mean of the independent estimates of some rows with its interval."""
    values, bounds = np.array([row[key] for row in rows]), np.array([row[f"{key}_ci"] for row in rows])
    low, high = np.sqrt(np.square(bounds - values[:, None]).sum(axis=0)) / len(rows)
    mean = float(values.mean())
    return {key: mean, f"{key}_ci": [mean - low, mean + high]}
