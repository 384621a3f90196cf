"""A record played again moment by moment, for looking at it.

for moment in moments(record):       # a record that does not hold raises UserError before the first
    moment.game.view(...)            # a batch of one, at that moment
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from burako_env.batch import BatchGame
from burako_env.errors import UserError
from burako_env.match import MatchGame, make_match
from burako_env.records import Record
from burako_env.registry import make
from burako_env.replay import find_action, verify


@dataclass(frozen=True)
class Moment:
    """A position and how it came about.

    hand: number of the hand, from 0. action: what was just played, None after a deal; seat: by whom. game: a batch of
    one, in this position only until the next moment is asked for.
    """

    hand: int
    action: str | None
    seat: int | None
    game: BatchGame


def moments(record: Record) -> Iterator[Moment]:
    """Every position of a record: after each deal and after each action."""
    failure = verify([record])[0]
    if failure is not None:
        raise UserError(f"{record.kind} {record.deal_id} of {record.game} does not hold: {failure}")
    return _moments(record)


def _moments(record: Record) -> Iterator[Moment]:
    maker = make_match if record.kind == "match" else make
    game: BatchGame = maker(record.game, 1, record.root_seed, record.rules)
    game.reset([record.deal_id], swap_sides=record.swapped)
    for number, hand in enumerate(record.parts):
        yield Moment(number, None, None, game)
        for text in hand.actions:
            seat = int(game.to_act[0])
            action = find_action(game, 0, text, game.legal()[0])
            assert action is not None  # the record holds
            game.step([action], validate=False)
            ended = game.finished_hands if isinstance(game, MatchGame) else None
            yield Moment(number, text, seat, game if ended is None else ended)


__all__ = ["Moment", "moments"]
