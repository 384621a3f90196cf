"""Agents of burako-selfplay: `load("heuristic:discard=highest")` gives one; `Agent` is the class to write your own."""

from agents.base import Agent
from agents.registry import AgentInfo, describe, load, load_named, names, own_heuristic

__all__ = ["Agent", "AgentInfo", "describe", "load", "load_named", "names", "own_heuristic"]
