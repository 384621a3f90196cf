"""Agents for the card game with its penalties (SANCTION-1 to -20)."""
