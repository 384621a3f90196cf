"""What playing has to know of a kind of games: the card game and the children's levels each say it in their own way.

The session asks what happened and what may be taken back, the page and the terminal how it looks and what it is called.
`family_of` finds the family of a game by its name.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import Any, ClassVar, Protocol

from burako_env.batch import BatchGame
from burako_env.burako.rules import PRESETS
from burako_env.errors import unknown
from burako_env.match import MatchGame
from burako_env.render.page import Player
from burako_env.render.texts import Texts, TextTable
from burako_env.ruibal import LEVELS
from experiments.play.happenings import Ending, Event, Reason, Setup

# The actions that bring something to a place, in order.
Plan = tuple[int, ...]


class Shown(Protocol):
    """What the family's words are about: a session's setup, its hand and what the person may do."""

    setup: Setup
    seat: int
    ending: Ending | None

    @property
    def hand(self) -> BatchGame: ...

    @property
    def yours(self) -> bool: ...

    def table(self) -> Any: ...

    def legal(self) -> list[int]: ...


class Family(ABC):
    """A kind of games at the table. `hand` is always a batch of one."""

    # The agent that plays and advises unless others are named, whether matches are played, and the page's own files.
    adviser: ClassVar[str]
    matches: ClassVar[bool]
    template: ClassVar[str]
    script: ClassVar[str]

    # The game.

    @abstractmethod
    def look(self, hand: BatchGame, seat: int) -> Any:
        """The table as a seat may see it."""

    @abstractmethod
    def happened(self, before: BatchGame, action: int, after: BatchGame, person: int) -> list[Event]:
        """What the person's seat sees of an action; `after` is the hand once it has been played."""

    def noted(self, events: tuple[Event, ...], event: Event) -> tuple[Event, ...]:
        """The events with one more, which may be told together with the last."""
        return (*events, event)

    @abstractmethod
    def may_take_back(self, before: BatchGame, actions: Sequence[int], after: BatchGame) -> bool:
        """Whether the seat that took these actions may undo them: it has learnt nothing by them."""

    @abstractmethod
    def ending(self, hand: BatchGame) -> Ending:
        """How a hand ended."""

    @abstractmethod
    def is_quick(self, hand: BatchGame, action: int) -> bool:
        """Whether an action of an agent is followed by a short pause only."""

    # What the person does.

    @abstractmethod
    def piece(self, name: str) -> int:
        """A card or tile by its name; `ValueError` for any other word."""

    @abstractmethod
    def is_place(self, hand: BatchGame, place: Any) -> bool:
        """Whether something posted is a place of this table."""

    @abstractmethod
    def action(self, hand: BatchGame, kind: str) -> int | None:
        """The action of a kind that needs no cards, None for any other word."""

    @abstractmethod
    def plan(self, hand: BatchGame, pieces: Sequence[int], place: Any, *, theirs: bool = False) -> Plan:
        """The actions that bring chosen cards or tiles to a place. Raises `Refused`."""

    @abstractmethod
    def places(self, hand: BatchGame, pieces: Sequence[int], words: Texts) -> dict[str, Any]:
        """Where chosen cards or tiles may go, for the page."""

    @abstractmethod
    def why_not(self, hand: BatchGame, action: int) -> Reason:
        """Why an action is not legal."""

    @abstractmethod
    def find(self, hand: BatchGame, typed: str) -> int | None:
        """The action that a text means, None for a group that is not there; `UserError` for malformed text."""

    def command(self, hand: BatchGame, typed: Sequence[str]) -> Plan | None:
        """Words of the terminal that are no action, as actions; None for others."""
        return None

    # How it looks and what it is called.

    @abstractmethod
    def words(self, language: str, *more: TextTable) -> Texts:
        """All texts in one language, with `more`."""

    @abstractmethod
    def seat_names(self, words: Texts, relative: int, count: int, seat: int) -> str:
        """What the person calls another player."""

    @abstractmethod
    def pen(self, words: Texts, players: Sequence[Player]) -> Any:
        """What draws the table's parts."""

    @abstractmethod
    def parts(self, shown: Shown, pen: Any) -> dict[str, str]:
        """The table's parts as HTML, by the ids of the page."""

    @abstractmethod
    def facts(self, shown: Shown, words: Texts) -> dict[str, Any]:
        """What else the page is told of the person's choices."""

    @abstractmethod
    def prompt(self, shown: Shown, pen: Any) -> str:
        """What the person is asked for, or whom he waits for."""

    @abstractmethod
    def event_text(self, event: Event, hand: BatchGame, pen: Any) -> str:
        """An event, without the name of who did it."""

    @abstractmethod
    def reason_text(self, reason: Reason, words: Texts) -> str:
        """A reason as a sentence with the rule's id."""

    @abstractmethod
    def advice_text(self, hand: BatchGame, action: int, words: Texts) -> str:
        """An action as advice."""

    @abstractmethod
    def hint(self, hand: BatchGame, action: int) -> dict[str, Any]:
        """What the page marks of an action that is advised."""

    @abstractmethod
    def ending_lines(self, shown: Shown, pen: Any) -> dict[str, Any]:
        """A hand that is over in words: title, text, rows (name, points, shown, perhaps total), next, perhaps sheet."""

    @abstractmethod
    def text(self, hand: BatchGame, seat: int, words: Texts) -> str:
        """The table as text, for the terminal."""

    # A record played again.

    @abstractmethod
    def views(self, hand: BatchGame, pen: Any) -> list[list[str | None]]:
        """Parts of the table with all hands open, then as each seat saw it: status, upper side, middle, lower side, own
        hand, then the other seats; None for a part that there is not.
        """

    @abstractmethod
    def ended(self, hand: BatchGame, pen: Any) -> tuple[str, dict[str, Any] | None]:
        """How a hand ended in a line, "" if it did not, and the lines of its score sheet."""

    @property
    @abstractmethod
    def help(self) -> tuple[str, str]:
        """What can be typed in the terminal, in English and Spanish."""

    @abstractmethod
    def side_of(self, seat: int) -> int:
        """Team or player by which a seat's name is coloured."""


def hand_of(game: BatchGame) -> BatchGame:
    """The hand in play: a match's own, or the game itself."""
    return game.hand if isinstance(game, MatchGame) else game


def play_names() -> tuple[str, ...]:
    """Games that can be played and watched."""
    return (*PRESETS, *LEVELS)


def family_of(name: str) -> Family:
    """The family of a game; `UserError` for an unknown one."""
    if name in PRESETS:
        from experiments.play.burako.family import CardFamily

        return CardFamily()
    if name in LEVELS:
        from experiments.play.ruibal.family import LevelFamily

        return LevelFamily()
    raise unknown("game", name, play_names())
