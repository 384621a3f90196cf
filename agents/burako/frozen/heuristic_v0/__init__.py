"""The first heuristic, frozen: the yardstick that stronger ones are measured against. Its play never changes."""

from agents.burako.frozen.heuristic_v0.agent import FirstHeuristic

__all__ = ["FirstHeuristic"]
