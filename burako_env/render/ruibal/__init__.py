"""Drawings of the three levels, all from one scene."""
