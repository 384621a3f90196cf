"""Looking ahead at play time: `search:policy=heuristic,candidates=4,redraws=16`."""

from agents.search.agent import SearchAgent

__all__ = ["SearchAgent"]
