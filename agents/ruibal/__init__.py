"""Rule-based players of the children's levels."""

from agents.ruibal.agent import GreedyAgent

__all__ = ["GreedyAgent"]
