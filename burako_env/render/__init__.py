"""Positions for people: `ansi` as text."""
