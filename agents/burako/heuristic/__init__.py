"""A rule-based player of the card game, made of exchangeable parts."""

from agents.burako.heuristic.agent import HeuristicAgent

__all__ = ["HeuristicAgent"]
