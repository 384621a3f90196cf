"""Drawings of the card game, all from one scene."""
