"""Agents against each other on duplicate boards: who plays whom, the play itself, the rows that come of it."""
