"""Random play in PettingZoo environments, for their tests."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from burako_env import burako_v0
from burako_env.chance.rng import mix

SHORT: dict[str, dict[str, Any]] = {"hand": {}, "match": {"max_hands": 2, "max_turns": 30}}


def short_env(players: int = 4, episode: str = "hand", **kwargs: Any) -> Any:
    return burako_v0.env(players=players, episode=episode, rules=SHORT[episode], **kwargs)


def choose(env: Any, observation: dict[str, Any], number: int) -> int:
    """A random legal action, the same for equal positions and numbers."""
    legal = observation["action_mask"].nonzero()[0]
    return int(legal[int(mix(np.array([number], dtype=np.uint64))[0]) % len(legal)])


def play(env: Any, decisions: int = 10**6) -> Iterator[tuple[str, dict[str, Any], int]]:
    """Play at random, without the steps of ended agents; yields agent, observation and action before each step."""
    for number in range(decisions):
        agent = env.agent_selection
        observation, _, termination, truncation, _ = env.last()
        if termination or truncation:
            return
        action = choose(env, observation, number)
        yield agent, observation, action
        env.step(action)


def finish(env: Any) -> dict[str, float]:
    """Take the steps of ended agents; returns the reward of each, as `last` gives it."""
    paid = {}
    while env.agents:
        agent = env.agent_selection
        _, reward, termination, truncation, _ = env.last()
        assert termination or truncation
        assert agent not in paid
        paid[agent] = reward
        env.step(None)
    return paid
