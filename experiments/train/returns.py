"""Advantages by GAE (Schulman et al. 2016) over the decisions of many hands that are played side by side.

With two sides one stream holds the decisions of both: the game is zero-sum, so the value of the other side's next
position counts against this side. With s = +1 where the next decision is the same side's, -1 where it is not, and 0 at
the end of the hand,

    delta(t) = points(t) + s(t) V(t + 1) - V(t)        A(t) = delta(t) + lambda s(t) A(t + 1)

where points(t) is the change of (own - others') points until the next decision of the stream. With more sides each
has its own stream, and s is never -1. The targets of the critic, the lambda-returns, are A(t) + V(t).
"""

from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt

from burako_env.batch import Bools, Ints

F32 = npt.NDArray[np.float32]


@dataclass
class Streams:
    """The steps of B slots of a game, for the backward pass."""

    slots: int
    sides: int
    _steps: list[tuple[npt.NDArray[np.intp], Ints, F32, F32, Bools]] = field(default_factory=list)

    def add(self, slots: npt.NDArray[np.intp], sides: Ints, values: F32, points: F32, done: Bools) -> None:
        """A step: slots, sides and values of its decisions, `[m]` each, then the points that every side won by it
        `[B, sides]`, and which games it ended `[B]`.
        """
        self._steps.append((slots, sides, values, points, done.copy()))

    def advantages(self, lam: float, last_sides: Ints, last_values: F32) -> F32:
        """Advantages of all decisions in the order of the steps, float32 `[N]`.

        `last_sides`, `last_values` `[streams]`: the position in which each stream stops; streams are slots with two
        sides, else `slot * sides + side`.
        """
        shared = self.sides == 2
        next_value, next_side = last_values.copy(), last_sides.copy()
        next_advantage = np.zeros(len(next_value), dtype=np.float32)
        pending = np.zeros((self.slots, self.sides), dtype=np.float32)
        found: list[F32] = []
        for slots, sides, values, points, done in reversed(self._steps):
            over = np.flatnonzero(done)
            if over.size:
                # What comes later belongs to the next hand.
                pending[over] = 0
                streams = over if shared else (over[:, None] * self.sides + np.arange(self.sides)).reshape(-1)
                next_value[streams] = 0
                next_advantage[streams] = 0
            pending += points
            stream = slots if shared else slots * self.sides + sides
            sign = np.where(next_side[stream] == sides, np.float32(1), np.float32(-1))
            delta = pending[slots, sides] + sign * next_value[stream] - values
            advantage = delta + np.float32(lam) * sign * next_advantage[stream]
            next_value[stream], next_advantage[stream], next_side[stream] = values, advantage, sides
            if shared:
                pending[slots] = 0
            else:
                pending[slots, sides] = 0
            found.append(advantage)
        return np.concatenate(found[::-1])
