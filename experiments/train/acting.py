"""Who decides in a rollout and about what: situations, the actor that learns from its choices, and its opponents."""

from dataclasses import dataclass
from functools import cached_property
from typing import Protocol

import numpy as np
import numpy.typing as npt

from agents import Agent
from agents.learned.agent import advice_of
from agents.learned.encoder import U8, Encoder
from burako_env.batch import Bools, Ints
from burako_env.chance.rng import U64
from burako_env.layout import View

F32 = npt.NDArray[np.float32]
Slots = npt.NDArray[np.intp]

# The opponent of a hand in which the actor plays all sides.
SELF = -1


@dataclass
class Situation:
    """m decisions to be taken now.

    slots: int64 `[m]`. view: that of the seat to act. words: legal actions, uint64 `[m, W]`. keys: uint64 `[m]`.
    hidden: the others' hands for an oracle critic, uint8 `[m, X]`, X = 0 without one. encoder, advisor: those of the
    actor.
    """

    slots: Slots
    view: View
    words: U64
    keys: U64
    hidden: U8
    encoder: Encoder
    advisor: Agent | None = None

    @cached_property
    def features(self) -> U8:
        """Features of the Views, uint8 `[m, D]`."""
        return self.encoder.encode(self.view.buffer)

    @cached_property
    def legal(self) -> Bools:
        """Legal actions, bool `[m, A]`."""
        return unpack(self.words)

    @cached_property
    def advice(self) -> Ints:
        """The advisor's actions, int64 `[m]`; `[0]` without one."""
        return advice_of(self.advisor, self.view, self.legal, self.keys)


@dataclass(frozen=True)
class Choice:
    """Answers to a situation: `played` int64 `[m]`; `wanted`, the decisions to keep (a teacher's, where noise was
    played); log-probability of `wanted` and value of the position, float32 `[m]`.
    """

    played: Ints
    wanted: Ints
    logp: F32
    value: F32


class Actor(Protocol):
    """The agent whose decisions are collected."""

    def choose(self, situation: Situation) -> Choice:
        """Actions and values."""

    def values(self, features: U8, hidden: U8) -> F32:
        """The value of each position to the seat to act, float32 `[n]`."""


class Opponents(Protocol):
    """The opponents of the actor, by number. Opponent SELF is the actor itself."""

    def assign(self, deal_ids: Ints) -> tuple[Ints, Ints]:
        """The opponent and the actor's side in hands about to start, int64 `[n]` each."""

    def act(self, opponent: int, situation: Situation) -> Ints:
        """Actions of an opponent, int64 `[m]`."""

    def record(self, opponents: Ints, points: F32) -> None:
        """Note hands that have ended: the opponent, and the actor's points minus the mean of the others'."""


class SelfPlay:
    """The opponents of an actor that plays all seats: none."""

    def assign(self, deal_ids: Ints) -> tuple[Ints, Ints]:
        return np.full(len(deal_ids), SELF, dtype=np.int64), np.zeros(len(deal_ids), dtype=np.int64)

    def act(self, opponent: int, situation: Situation) -> Ints:
        raise AssertionError("in self-play there are no opponents")

    def record(self, opponents: Ints, points: F32) -> None:
        return None


def unpack(words: U64) -> Bools:
    """Words uint64 `[n, W]` as bool `[n, 64 W]`."""
    return np.unpackbits(words.view(np.uint8), axis=1, bitorder="little").view(np.bool_)
