"""The yardsticks that never change: their play is that of the day on which they were frozen."""

from __future__ import annotations

import hashlib

import numpy as np
import pytest

import agents
from burako_env.families import make


@pytest.mark.parametrize(
    ("game", "config", "deals", "decisions", "digest"),
    # As the first version played these deals.
    [
        ("burako-4", {}, 50, 6650, "b25e9f6d4b5ba41e"),
        ("burako-6", {}, 8, 1182, "37c5e24ab7148dff"),
        ("burako-4", {"ace": "high", "run_slots": 6}, 8, 1030, "3f6eedeaf592ba7e"),
    ],
)
def test_the_first_heuristic_plays_as_ever(game: str, config: dict, deals: int, decisions: int, digest: str) -> None:
    """All seats by `heuristic-v0`, but for a random action at every seventh decision of a game."""
    played = make(game, deals, 7, config)
    played.reset(range(deals))
    agent, chance = agents.load("heuristic-v0", game, config), agents.load("random")
    found, asked = hashlib.sha256(), 0
    while not played.done.all():
        live = np.flatnonzero(~played.done)
        situation = played.view(live), played.legal(live), played.keys(live)
        actions = agent.act(*situation)
        found.update(actions.astype(np.int16).tobytes())
        asked += len(actions)
        wild = played.decisions[live] % 7 == 6
        played.step(np.where(wild, chance.act(*situation), actions), live)
    assert (asked, found.hexdigest()[:16]) == (decisions, digest)
