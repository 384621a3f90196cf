"""Yardsticks that never change: agents of the past with their own copies of all that they use."""
