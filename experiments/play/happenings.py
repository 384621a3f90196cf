"""What a game is made of, and what happens in it, as plain data."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from burako_env.burako.actions import Kind
from burako_env.burako.game import BurakoGame
from burako_env.errors import UserError
from burako_env.render.table import seat_table
from experiments.play.reasons import Reason


@dataclass(frozen=True)
class Setup:
    """What is played and by whom.

    Attributes:
        game: name. rules: keys that differ from its preset. match: hands until somebody reaches the target.
        players: an agent's spec by seat, None for the person. root_seed, deal: which cards.
        hints: agents that may be asked for advice. record: file that finished games are appended to.
    """

    game: str
    players: tuple[str | None, ...]
    rules: Mapping[str, Any] = field(default_factory=dict)
    match: bool = False
    root_seed: int = 0
    deal: int = 0
    hints: tuple[str, ...] = ("heuristic",)
    record: Path | None = None

    @property
    def seat(self) -> int:
        """The person's."""
        return self.players.index(None)


@dataclass(frozen=True)
class Event:
    """Something everybody saw: `key` names it, cards are in the order in which they were laid.

    Attributes:
        seat: who; None for something nobody did. group: number of the group cards were laid on.
        closed: kind of the baza that this closed. burako: it made the hand take a burako. why: what went wrong.
        text: the action as a record has it.
    """

    key: str
    seat: int | None = None
    cards: tuple[int, ...] = ()
    group: int | None = None
    closed: str = ""
    burako: bool = False
    why: str = ""
    text: str = ""


@dataclass(frozen=True)
class Ending:
    """A hand that is over: points by team, reason, who went out; with a match its totals, and whether it is over.

    `winner`: side that won the match, -1 for none.
    """

    scores: tuple[int, int]
    reason: str
    turns: int
    out: int | None
    totals: tuple[int, int] | None = None
    match_over: bool = False
    winner: int = -1


class Refused(UserError):
    """An answer that is not taken, and nothing has changed: the reason for the person."""

    def __init__(self, key: str, reason: Reason | None = None) -> None:
        super().__init__(key if reason is None else reason.key)
        self.key, self.reason = key, reason


@dataclass(frozen=True)
class Counts:
    """What everybody can count: closed bazas by (team, kind), burakos taken by seat."""

    bazas: dict[tuple[int, str], int]
    burakos: tuple[int, ...]


def public_counts(hand: BurakoGame) -> Counts:
    table = seat_table(hand.view(seats=0), hand.rules)
    bazas = {(team.number, kind): count for team in table.teams for kind, count in team.bazas}
    return Counts(bazas, tuple(seat.burakos_taken for seat in table.seats))


def with_outcome(event: Event, before: Counts, after: Counts) -> Event:
    """The event with the baza that it closed, and the burako that came with it."""
    closed = [kind for (team, kind), count in after.bazas.items() if count > before.bazas.get((team, kind), 0)]
    taken = event.key != Kind.TAKE_BURAKO.name and sum(after.burakos) > sum(before.burakos)
    return replace(event, closed=closed[0] if closed else "", burako=taken)
