"""What the fuzz plays: segments of one policy and one configuration, all from the seed of the run."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import count
from typing import Any, Final

from burako_env.chance.rng import combine

GAMES: Final = ("burako-4", "burako-6", "burako-8")
POLICY_NAMES: Final = ("random", "heuristic", "seeking")
# Every value of every key comes up, half of the time none is changed.
CONFIGS: Final[tuple[dict[str, Any], ...]] = (
    {},
    {"ace": "low", "rediscard_single_pile": True, "cut_look_max": 0},
    {},
    {"ace": "high", "one_set_per_rank_ever": True, "cut_look_max": 11},
    {},
    {"consult": False, "exhaustion": "end", "max_turns": 30},
    {},
    {"unjustified_on_exhaustion": "normal", "exhaustion": "end", "ace": "high", "max_turns": 12},
    {},
    {"one_set_per_rank_ever": True, "unjustified_on_exhaustion": "normal", "ace": "low", "cut_look_max": 11},
)
# The same in sanctions play, which every other segment is.
SANCTIONS: Final[tuple[dict[str, Any], ...]] = tuple(
    {**config, "enforcement": "sanctions", **({"manual_close": False} if number % 3 == 2 else {})}
    for number, config in enumerate(CONFIGS)
)
SLOTS: Final = 32
# Decisions of each game in a segment: long ones reach the end of dealt hands.
STEPS: Final = (40, 80, 160, 400)


@dataclass(frozen=True)
class Segment:
    """A policy and a configuration for `slots` games of `steps` decisions each; whole in its fields."""

    policy: str
    game: str
    seed: int
    config: dict[str, Any] = field(default_factory=dict)
    slots: int = SLOTS
    steps: int = STEPS[0]

    def __str__(self) -> str:
        return f"{self.game} {self.config}, policy {self.policy}, segment seed {self.seed}"

    @property
    def decisions(self) -> int:
        """Decisions it compares."""
        return self.slots * self.steps


BOTH: Final = (CONFIGS, SANCTIONS)


def segments(seed: int, decisions: int, turns: tuple[tuple[dict[str, Any], ...], ...] = BOTH) -> Iterator[Segment]:
    """Segments of at least `decisions` decisions in all, in threes that differ only in the policy.

    `turns` are lists of configurations that take turns.
    """
    for number in count(seed):
        left = -(-decisions // (SLOTS * len(POLICY_NAMES)))
        if left <= 0:
            return
        config = turns[number % len(turns)][number // len(turns) % len(CONFIGS)]
        game = GAMES[(number + number // len(CONFIGS)) % len(GAMES)]
        steps = min(left, STEPS[(number - seed) // 2 % len(STEPS)])
        for policy in POLICY_NAMES:
            segment = Segment(policy, game, int(combine(seed, number)[0] >> 1), config, steps=steps)
            decisions -= segment.decisions
            yield segment
