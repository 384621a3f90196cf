"""Duplicate boards during training: the present policy against agents that never change.

The boards are the same every time and are none of those trained on. The process group shares them out.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from agents.base import Agent
from burako_env.batch import Ints
from burako_env.chance.rng import combine
from burako_env.families import make
from experiments.contest.outcomes import shares_of_best
from experiments.train.process_group import ProcessGroup

_STREAM: Final = 301
_SLOTS: Final = 512
# Half the width of a 95% interval in standard errors.
_NORMAL: Final = 1.96


@dataclass(frozen=True)
class Result:
    """Points per hand against an opponent with the half-width of their 95% interval over boards, and the share of
    hands won (TILE-3: all sides with the best score share the win).
    """

    boards: int
    points: float
    margin: float
    wins: float

    def __str__(self) -> str:
        # Whole points of the card game, hundredths of crowns.
        digits = 0 if self.margin > 2 else 2
        low, mean, high = (f"{self.points + side * self.margin:+.{digits}f}" for side in (-1, 0, 1))
        return f"{mean} [{low}, {high}] points per hand, {100 * self.wins:.0f}% wins"


def evaluation_seed(seed: int, purpose: int = 0) -> int:
    """Root seed of the boards, another one than that of the deals trained on."""
    return int(combine(seed, _STREAM, purpose)[0] >> np.uint64(1))


def play_boards(
    game_name: str, config: Mapping[str, Any], root_seed: int, boards: Ints, players: Sequence[Agent]
) -> npt.NDArray[np.int64]:
    """Scores of all sides in the hands of each board, one for each way to seat them: int64 `[n, sides, sides]`.

    `players[s]` plays side s; in hand r of a board the table is turned by r seats (with two sides: the seats are
    exchanged), so that every side has held every place.
    """
    sides = len(players)
    deals = np.repeat(boards, sides)
    swapped = np.tile(np.arange(sides), len(boards))
    scores = np.zeros((len(deals), sides), dtype=np.int64)
    game = make(game_name, min(_SLOTS, len(deals)), root_seed, config)
    hand = np.arange(game.size)
    game.reset(deals[hand], swap_sides=swapped[hand])
    live, waiting = np.arange(game.size), game.size
    while live.size:
        acting = game.side_of[game.to_act[live]]
        actions = np.zeros(game.size, dtype=np.int64)
        for side, player in enumerate(players):
            slots = live[acting == side]
            if slots.size:
                actions[slots] = player.act(game.view(games=slots), game.legal(games=slots), game.keys(slots))
        game.step(actions[live], games=live)
        over = live[game.done[live]]
        if not over.size:
            continue
        scores[hand[over]] = game.scores[over]
        refilled = over[: len(deals) - waiting]
        hand[refilled] = np.arange(waiting, waiting + len(refilled))
        waiting += len(refilled)
        if refilled.size:
            game.reset(deals[hand[refilled]], games=refilled, swap_sides=swapped[hand[refilled]])
        live = np.setdiff1d(live, over[len(refilled) :], assume_unique=True)
    return scores.reshape(-1, sides, sides)


def points_of(scores: npt.NDArray[np.int64]) -> npt.NDArray[np.float64]:
    """The first side's score minus the mean of the others', float64 `[..]`; `scores` `[.., sides]`."""
    points: npt.NDArray[np.float64] = scores[..., 0] - scores[..., 1:].mean(axis=-1)
    return points


def wins_of(scores: npt.NDArray[np.int64]) -> npt.NDArray[np.float64]:
    """The first side's share of the win, float64 `[..]`: all with the best score share it; `scores` `[.., sides]`."""
    sides = scores.shape[-1]
    return shares_of_best(scores.reshape(-1, sides))[:, 0].reshape(scores.shape[:-1])


def evaluate(
    group: ProcessGroup,
    game: str,
    config: Mapping[str, Any],
    root_seed: int,
    boards: int,
    agent: Agent,
    opponent: Agent,
    sides: int,
) -> Result:
    """The agent against an opponent on all other sides, over the process group."""
    mine = np.arange(group.rank, boards, group.size)
    sums = np.zeros(4)
    if mine.size:
        scores = play_boards(game, config, root_seed, mine, [agent, *[opponent] * (sides - 1)])
        mean = points_of(scores).mean(axis=1)
        wins = wins_of(scores).mean(axis=1)
        sums[:] = len(mine), mean.sum(), (mean**2).sum(), wins.sum()
    count, total, squares, won = group.sum(sums)
    mean_points = total / count
    variance = max(squares / count - mean_points**2, 0.0) * count / max(count - 1, 1)
    return Result(int(count), float(mean_points), float(_NORMAL * (variance / count) ** 0.5), float(won / count))
