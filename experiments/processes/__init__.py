"""Agents and workers in processes of their own."""
