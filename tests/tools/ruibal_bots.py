"""Agents for the tests of tournaments."""

from __future__ import annotations

from agents import Agent
from agents.ruibal import GreedyAgent


class Right(GreedyAgent):
    """Greedy under another name."""


class Failing(Agent):
    """Raises at every decision."""

    def act(self, view, legal, keys):
        raise RuntimeError("no idea")
