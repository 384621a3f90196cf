"""The summary of a contest: results, what the teams did, how their scores are spread, and the hands recorded."""

from __future__ import annotations

from pathlib import Path
from typing import Any, Final

from experiments import queries, results
from experiments.contest import Contest, collect
from experiments.recording import record_hands

# Points of a step of the score distributions.
STEP: Final = 100


def tournament_summary(contest: Contest, folder: Path, anchor: str, recorded: int) -> dict[str, Any]:
    """What a tournament writes; `recorded` hands of each pair are recorded."""
    found = results.contest_results(contest, collect(contest, folder), anchor)
    return _with_rows(found, contest, folder, recorded)


def evaluation_summary(contest: Contest, folder: Path, recorded: int) -> dict[str, Any]:
    """What an evaluation writes: the pair stands in `pairs` and, being the only one, at the top level too."""
    rows = collect(contest, folder)
    found = _with_rows(results.evaluation_results(contest, rows), contest, folder, recorded)
    return {**found["pairs"][0], "errors": dict(zip("ab", rows[0].errors)), **found}


def _with_rows(found: dict[str, Any], contest: Contest, folder: Path, recorded: int) -> dict[str, Any]:
    """Add what each team did, its scores, and the recorded hands."""
    queries.write_views(folder)
    profiles = queries.profiles(folder)
    for agent in found["agents"]:
        agent["profile"] = profiles.get(agent["name"], {})
    scores = {
        team: {"step": STEP, "hands": {str(low): hands for low, hands in counts.items()}}
        for team, counts in queries.score_steps(folder, STEP).items()
    }
    records, warnings = record_hands(contest, folder, recorded)
    return {**found, "scores": scores, "records": records, "warnings": warnings}
