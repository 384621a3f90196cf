"""From the rows of a contest to the numbers of its summary."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final

import numpy as np

from experiments import stats
from experiments.contest import Contest
from experiments.parts import PairRows, read_pair
from experiments.ratings import Meetings, pair_indices, rate
from experiments.schedule import HANDS_PER_BOARD, Pair, chunks_of

# Seeds of the bootstraps: the same rows always give the same summary.
PAIR_SEED: Final = 1
RATING_SEED: Final = 2


def collect(contest: Contest, folder: Path) -> list[PairRows]:
    """The rows of every pair."""
    chunks = chunks_of(contest.pairs, contest.boards)
    return [read_pair(folder, [chunk for chunk in chunks if chunk.pair == pair]) for pair in contest.pairs]


def pair_result(pair: Pair, rows: PairRows) -> dict[str, Any]:
    """The summary of a pair: points per hand and win rate of a over b, with intervals over boards."""
    mean = stats.mean_interval(stats.board_points(rows.points), PAIR_SEED)
    wins = stats.win_interval(stats.board_wins(rows.points))
    return {
        "a": pair.a,
        "b": pair.b,
        "boards": len(rows.points),
        "mean": mean.value,
        "ci": [mean.low, mean.high],
        "win_rate": wins.value,
        "win_ci": [wins.low, wins.high],
    }


def agent_results(contest: Contest, rows: Sequence[PairRows], anchor: str) -> list[dict[str, Any]]:
    """The summary of every agent, best first."""
    names = contest.names
    meetings = Meetings(
        agents=names,
        pairs=pair_indices(names, [(pair.a, pair.b) for pair in contest.pairs]),
        points=np.stack([stats.board_points(found.points) for found in rows]),
        wins=np.stack([stats.board_wins(found.points) for found in rows]),
    )
    ratings = rate(meetings, anchor, RATING_SEED)
    hands, errors = dict.fromkeys(names, 0), dict.fromkeys(names, 0)
    for pair, found in zip(contest.pairs, rows):
        for name, failed in zip((pair.a, pair.b), found.errors):
            hands[name] += HANDS_PER_BOARD * len(found.points)
            errors[name] += failed
    results = [
        {
            "name": name,
            "points": points.value,
            "points_ci": [points.low, points.high],
            "elo": elo.value,
            "elo_ci": [elo.low, elo.high],
            "hands": hands[name],
            "errors": errors[name],
        }
        for name, points, elo in zip(names, ratings.points, ratings.elo)
    ]
    return sorted(results, key=lambda result: -float(result["points"]))


def error_lines(rows: Sequence[PairRows], most: int = 5) -> list[str]:
    """Why hands were forfeited, the first few reasons."""
    reasons = list(dict.fromkeys(reason for found in rows for reason in found.reasons))
    lines = [f"  {reason}" for reason in reasons[:most]]
    return (
        ["Forfeited hands:", *lines, *([f"  and {len(reasons) - most} more"] if len(reasons) > most else [])]
        if lines
        else []
    )
