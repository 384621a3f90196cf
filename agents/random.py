"""Uniform play over the legal actions: the floor that every other agent is measured against."""

import numpy as np

from agents.base import Agent
from burako_env.batch import Bools, Ints
from burako_env.chance.rng import U64, mix
from burako_env.choice import random_legal
from burako_env.layout import View


class RandomAgent(Agent):
    """Every legal action with the same probability, in any game."""

    knows_sanctions = True

    def act(self, view: View, legal: Bools, keys: U64) -> Ints:
        words = np.packbits(legal, axis=1, bitorder="little").view(np.uint64)
        return random_legal(words, mix(keys))
