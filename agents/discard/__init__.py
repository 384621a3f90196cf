"""Discard strategies, for users' own: `from agents.discard import DiscardStrategy` (they live in `burako/discard/`)."""

from agents.burako.discard import STRATEGIES, DiscardStrategy, StrategyName

__all__ = ["STRATEGIES", "DiscardStrategy", "StrategyName"]
