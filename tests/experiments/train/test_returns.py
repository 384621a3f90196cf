"""Advantages: the backward pass over many slots against a plain loop over each hand."""

from __future__ import annotations

import numpy as np
import pytest

from experiments.train.returns import Streams


def plain(
    decisions: list[tuple[int, float]], points: list[float], lam: float, last: tuple[int, float] | None
) -> list[float]:
    """GAE of one stream by its definition.

    `decisions` are (side, value); `points[t]` what the side of decision t wins until the next one; `last` is the
    position in which the stream stops, None for the end of the hand.
    """
    found: list[float] = []
    following: tuple[int, float, float] | None = None if last is None else (*last, 0.0)
    for (side, value), won in zip(reversed(decisions), reversed(points)):
        sign = 0.0 if following is None else 1.0 if following[0] == side else -1.0
        worth, advantage = (0.0, 0.0) if following is None else following[1:]
        own = won + sign * worth - value + lam * sign * advantage
        found.append(own)
        following = (side, value, own)
    return found[::-1]


@pytest.mark.parametrize("sides", [2, 3])
def test_advantages_of_many_slots_are_those_of_each(sides: int) -> None:
    chance = np.random.default_rng(sides)
    slots, steps, lam = 5, 60, 0.9
    streams = Streams(slots, sides)
    # By stream: hands as lists of (place among all decisions, side, value), and points of every side since.
    hands: dict[int, list[tuple[int, int, float]]] = {}
    won: dict[int, list[np.ndarray]] = {}
    expected: dict[int, float] = {}
    count = 0

    def close(stream: int, last: tuple[int, float] | None) -> None:
        hand = hands.pop(stream, [])
        points = [float(gain[side]) for (_, side, _), gain in zip(hand, won.pop(stream, []))]
        found = plain([(side, value) for _, side, value in hand], points, lam, last)
        expected.update({place: value for (place, _, _), value in zip(hand, found)})

    for _ in range(steps):
        deciding = np.flatnonzero(chance.random(slots) < 0.7)
        acting = chance.integers(sides, size=len(deciding))
        values = chance.normal(size=len(deciding)).astype(np.float32)
        points = chance.normal(size=(slots, sides)).astype(np.float32)
        if sides == 2:
            points[:, 1] = -points[:, 0]
        done = chance.random(slots) < 0.1
        streams.add(deciding, acting, values, points, done)
        for slot, side, value in zip(deciding.tolist(), acting.tolist(), values.tolist()):
            stream = slot if sides == 2 else slot * sides + side
            hands.setdefault(stream, []).append((count, side, value))
            won.setdefault(stream, []).append(np.zeros(sides))
            count += 1
        for slot in range(slots):
            for stream in [slot] if sides == 2 else range(slot * sides, (slot + 1) * sides):
                if stream in won:
                    won[stream][-1] += points[slot]
                if done[slot]:
                    close(stream, None)
    number = slots if sides == 2 else slots * sides
    last_sides = chance.integers(2, size=slots) if sides == 2 else np.tile(np.arange(sides), slots)
    last_values = chance.normal(size=number).astype(np.float32)
    for stream in range(number):
        close(stream, (int(last_sides[stream]), float(last_values[stream])))
    found = streams.advantages(lam, last_sides, last_values)
    np.testing.assert_allclose(found, [expected[place] for place in range(count)], rtol=1e-4, atol=1e-4)
