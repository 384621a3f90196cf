"""What a game is made of, and what happens in it, as plain data."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from burako_env.errors import UserError


@dataclass(frozen=True)
class Setup:
    """What is played and by whom.

    Attributes:
        game: name. rules: keys that differ from its preset. match: hands until somebody reaches the target.
        players: an agent's spec by seat, None for the person.
        root_seed, deal: which cards; without a root seed every game has one of its own, drawn by the system.
        seconds: the time that an agent has for a decision.
        hints: agents that may be asked for advice. record: file to which finished games are appended.
    """

    game: str
    players: tuple[str | None, ...]
    rules: Mapping[str, Any] = field(default_factory=dict)
    match: bool = False
    root_seed: int | None = 0
    deal: int = 0
    seconds: float = 60.0
    hints: tuple[str, ...] = ()
    record: Path | None = None

    @property
    def seat(self) -> int:
        """The person's."""
        return self.players.index(None)


@dataclass(frozen=True)
class Reason:
    """Why not: the rule, and the key of the sentence; `values` go into it (cards, tiles and ranks by name)."""

    rule: str
    key: str
    values: dict[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class Event:
    """Something that the person saw: `key` names it, cards are in the order in which they were laid.

    Attributes:
        seat: who; None for something nobody did. group: number of the group cards were laid on, or of a place.
        closed: kind of the baza that this closed. burako: it made the hand take a burako. why: what went wrong.
        text: the action as a record has it.
        crowns: gained by it. got: tiles that came to the person's rack with it, which nobody else is told.
    """

    key: str
    seat: int | None = None
    cards: tuple[int, ...] = ()
    group: int | None = None
    closed: str = ""
    burako: bool = False
    why: str = ""
    text: str = ""
    crowns: int = 0
    got: tuple[int, ...] = ()


@dataclass(frozen=True)
class Ending:
    """A hand that is over: points by side, reason, who went out; with a match its totals, and whether it is over.

    `winner`: side that won the match, -1 for none. `sheets`: the points of each side item by item, where the game has
    them. `history`: points by side of the hands of the match, this one the last.
    """

    scores: tuple[int, ...]
    reason: str
    turns: int
    out: int | None = None
    totals: tuple[int, ...] | None = None
    match_over: bool = False
    winner: int = -1
    sheets: tuple[Any, ...] = ()
    history: tuple[tuple[int, ...], ...] = ()


class Refused(UserError):
    """An answer that was refused; nothing has changed. `key` and `reason` tell the person why."""

    def __init__(self, key: str, reason: Reason | None = None) -> None:
        super().__init__(key if reason is None else reason.key)
        self.key, self.reason = key, reason
