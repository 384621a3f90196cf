"""Agents for the card game: heuristics, discard strategies, networks, players of the penalties."""
