"""Learned agents: what a network sees of a View (encoder), the network, its file, and the agent that plays it."""

from burako_env.inputs.extras import needed

with needed("train"):
    from agents.learned.agent import LearnedAgent

__all__ = ["LearnedAgent"]
