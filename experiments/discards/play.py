"""Strategies at the table: a round robin on duplicate boards, all else equal, for each number of players."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

from experiments.contest.contest import Contest, chunks_played, collect, play_all
from experiments.contest.pairings import round_robin
from experiments.contest.rows import files_of
from experiments.report.results import contest_results
from experiments.runs.figures import kept

# The agent that differs in nothing but the discard.
PLAYER = "heuristic:discard="


def contest_of(game: str, rules: Sequence[str], names: Sequence[str], boards: int, seed: int) -> Contest:
    """The round robin of some strategies."""
    pairs = round_robin([PLAYER + name for name in names])
    return Contest(game, tuple(rules), seed, tuple(pairs), boards)


def play(contest: Contest, folder: Path, workers: int, batch: int) -> dict[str, Any]:
    """Play what the folder does not hold yet; ranking and pairs, under the strategies' names alone."""
    play_all(contest, folder, workers, batch)
    anchor = PLAYER + "random"
    if anchor not in contest.names:
        anchor = contest.names[0]

    def answer() -> tuple[dict[str, Any], list[Path]]:
        return contest_results(contest, collect(contest, folder), anchor), []

    chunks = itertools.chain(*chunks_played(contest, folder))
    found = kept(folder, {"contest": asdict(contest), "anchor": anchor}, files_of(folder, chunks), answer)

    def short(row: dict[str, Any], *keys: str) -> dict[str, Any]:
        return {**row, **{key: row[key].removeprefix(PLAYER) for key in keys}}

    agents = [short(agent, "name") for agent in found["agents"]]
    pairs = [short(pair, "a", "b") for pair in found["pairs"]]
    return {"anchor": anchor.removeprefix(PLAYER), "agents": agents, "pairs": pairs, "failures": found["failures"]}
