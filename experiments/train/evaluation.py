"""Duplicate boards during training: the policy of the moment against agents that never change.

The boards are the same every time and are none of those trained on. The ranks share them out.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from agents.base import Agent
from burako_env.batch import Ints
from burako_env.registry import make
from burako_env.rng import combine
from experiments.train.ranks import Team

_STREAM: Final = 301
_SLOTS: Final = 512
# Half the width of a 95% interval in standard errors.
_NORMAL: Final = 1.96


@dataclass(frozen=True)
class Result:
    """Points a hand against an opponent with the half-width of their 95% interval over boards, and the share of
    hands won.
    """

    boards: int
    points: float
    margin: float
    wins: float

    def __str__(self) -> str:
        interval = f"[{self.points - self.margin:+.0f}, {self.points + self.margin:+.0f}]"
        return f"{self.points:+.0f} {interval} points a hand, {100 * self.wins:.0f}% wins"


def evaluation_seed(seed: int, purpose: int = 0) -> int:
    """Root seed of the boards: not that of the deals trained on."""
    return int(combine(seed, _STREAM, purpose)[0] >> np.uint64(1))


def play_boards(
    game_name: str, config: Mapping[str, Any], root_seed: int, boards: Ints, players: Sequence[Agent]
) -> npt.NDArray[np.int64]:
    """Points of the first player's side minus the mean of the others', of both hands of each board: int64 `[n, 2]`.

    `players[s]` plays side s; in the second hand the sides' seats are exchanged.
    """
    deals = np.repeat(boards, 2)
    swapped = np.tile([False, True], len(boards))
    points = np.zeros(len(deals), dtype=np.int64)
    game = make(game_name, min(_SLOTS, len(deals)), root_seed, config)
    hand = np.arange(game.size)
    game.reset(deals[hand], swap_sides=swapped[hand])
    live, waiting = np.arange(game.size), game.size
    while live.size:
        sides = game.side_of[game.to_act[live]]
        actions = np.zeros(game.size, dtype=np.int64)
        for side, player in enumerate(players):
            slots = live[sides == side]
            if slots.size:
                actions[slots] = player.act(game.view(games=slots), game.legal(games=slots), game.keys(slots))
        game.step(actions[live], games=live)
        over = live[game.done[live]]
        if not over.size:
            continue
        scores = game.scores[over].astype(np.int64)
        points[hand[over]] = scores[:, 0] - (scores[:, 1:].sum(axis=1) // (game.sides - 1))
        refilled = over[: len(deals) - waiting]
        hand[refilled] = np.arange(waiting, waiting + len(refilled))
        waiting += len(refilled)
        if refilled.size:
            game.reset(deals[hand[refilled]], games=refilled, swap_sides=swapped[hand[refilled]])
        live = np.setdiff1d(live, over[len(refilled) :], assume_unique=True)
    return points.reshape(-1, 2)


def evaluate(
    team: Team,
    game: str,
    config: Mapping[str, Any],
    root_seed: int,
    boards: int,
    agent: Agent,
    opponent: Agent,
    sides: int,
) -> Result:
    """The agent against an opponent on all other sides, over all ranks."""
    mine = np.arange(team.rank, boards, team.size)
    sums = np.zeros(4)
    if mine.size:
        points = play_boards(game, config, root_seed, mine, [agent, *[opponent] * (sides - 1)])
        mean = points.mean(axis=1)
        wins = (np.sign(points).mean(axis=1) + 1) / 2
        sums[:] = len(mine), mean.sum(), (mean**2).sum(), wins.sum()
    count, total, squares, won = team.sum(sums)
    mean_points = total / count
    variance = max(squares / count - mean_points**2, 0.0) * count / max(count - 1, 1)
    return Result(int(count), float(mean_points), float(_NORMAL * (variance / count) ** 0.5), float(won / count))
