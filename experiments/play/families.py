"""What playing has to know of a family of games: `PlayFamily`, and the one table that finds it by the family's name.

The session asks a family what happened and what may be taken back, the page and the terminal how it looks and what it
is called.
"""

from abc import ABC, abstractmethod
from collections.abc import Sequence
from pkgutil import resolve_name
from typing import Any, ClassVar, Final, Generic, Protocol, TypeVar

from burako_env.batch import BatchGame
from burako_env.errors import UserError
from burako_env.families import families, family_of
from burako_env.render.page import Player
from burako_env.render.texts import Texts, TextTable
from experiments.play.happenings import Ending, Event, Reason

# How each family is played at the table, imported when asked.
_TABLES: Final = {
    "burako": "experiments.play.burako.family:CardFamily",
    "ruibal": "experiments.play.ruibal.family:LevelFamily",
}
# The actions that bring something to a place, in order.
Plan = tuple[int, ...]
G = TypeVar("G", bound=BatchGame)
P = TypeVar("P")


class Shown(Protocol):
    """What a family's sentences are about: a session's hand and what the person may do."""

    seat: int
    ending: Ending | None

    @property
    def hand(self) -> Any: ...

    @property
    def yours(self) -> bool: ...

    def table(self) -> Any: ...

    def legal(self) -> list[int]: ...


class PlayFamily(ABC, Generic[G, P]):
    """A family of games G at the table, drawn by a pen P. `hand` is always a batch of one."""

    # The files of the page that are the family's own.
    template: ClassVar[str]
    script: ClassVar[str]

    # The game.

    @abstractmethod
    def look(self, hand: G, seat: int) -> Any:
        """The table as a seat may see it."""

    @abstractmethod
    def happened(self, before: G, action: int, after: G, person: int) -> list[Event]:
        """What the person's seat sees of an action; `after` is the hand once it has been played."""

    def noted(self, events: tuple[Event, ...], event: Event) -> tuple[Event, ...]:
        """The events with one more, which may be told together with the last."""
        return (*events, event)

    @abstractmethod
    def may_take_back(self, before: G, actions: Sequence[int], after: G) -> bool:
        """Whether the seat that took these actions may undo them: it has learnt nothing by them."""

    @abstractmethod
    def ending(self, hand: G) -> Ending:
        """How a hand ended."""

    @abstractmethod
    def is_quick(self, hand: G, action: int) -> bool:
        """Whether an action of an agent is followed by a short pause only."""

    # What the person does.

    @abstractmethod
    def piece(self, name: str) -> int:
        """A card or tile by its name; `ValueError` for any other word."""

    @abstractmethod
    def is_place(self, hand: G, place: Any) -> bool:
        """Whether something posted is a place of this table."""

    @abstractmethod
    def action(self, hand: G, kind: str) -> int | None:
        """The action of a kind that needs no cards, None for any other word."""

    @abstractmethod
    def plan(self, hand: G, pieces: Sequence[int], place: Any, *, theirs: bool = False) -> Plan:
        """The actions that bring chosen cards or tiles to a place. Raises `Refused`."""

    @abstractmethod
    def places(self, hand: G, pieces: Sequence[int], words: Texts) -> dict[str, Any]:
        """Where chosen cards or tiles may go, for the page."""

    @abstractmethod
    def why_not(self, hand: G, action: int) -> Reason:
        """Why an action is not legal."""

    @abstractmethod
    def find(self, hand: G, typed: str) -> int | None:
        """The action that a text means, None for a group that is not there; `UserError` for malformed text."""

    def command(self, hand: G, typed: Sequence[str]) -> Plan | None:
        """What is typed in the terminal and is no action, as actions; None for anything else."""
        return None

    # How it looks and what it is called.

    @abstractmethod
    def words(self, language: str, *more: TextTable) -> Texts:
        """All texts in one language, with `more`."""

    @abstractmethod
    def seat_names(self, words: Texts, relative: int, count: int, seat: int) -> str:
        """What the person calls another player."""

    @abstractmethod
    def pen(self, words: Texts, players: Sequence[Player]) -> P:
        """What draws the table's parts."""

    @abstractmethod
    def parts(self, shown: Shown, pen: P) -> dict[str, str]:
        """The table's parts as HTML, by the ids of the page."""

    @abstractmethod
    def facts(self, shown: Shown, words: Texts) -> dict[str, Any]:
        """What else the page is told of the person's choices."""

    @abstractmethod
    def prompt(self, shown: Shown, pen: P) -> str:
        """What the person is asked for, or whom they wait for."""

    @abstractmethod
    def event_text(self, event: Event, hand: G, pen: P) -> str:
        """An event, without the name of who did it."""

    @abstractmethod
    def reason_text(self, reason: Reason, words: Texts) -> str:
        """A reason as a sentence with the rule's id."""

    @abstractmethod
    def advice_text(self, hand: G, action: int, words: Texts) -> str:
        """An action as advice."""

    @abstractmethod
    def hint(self, hand: G, action: int) -> dict[str, Any]:
        """What the page marks of an action that is advised."""

    @abstractmethod
    def ending_lines(self, shown: Shown, pen: P) -> dict[str, Any]:
        """A hand that is over in words: title, text, rows (name, points, shown, perhaps total), next, perhaps sheet."""

    @abstractmethod
    def text(self, hand: G, seat: int, words: Texts) -> str:
        """The table as text, for the terminal."""

    # A record played again.

    @abstractmethod
    def views(self, hand: G, pen: P) -> list[list[str | None]]:
        """Parts of the table with all hands open, then as each seat saw it: status, upper side, middle, lower side, own
        hand, then the other seats; None for a part that is not there.
        """

    @abstractmethod
    def ended(self, hand: G, pen: P) -> tuple[str, dict[str, Any] | None]:
        """How a hand ended in a line, "" if it did not, and the lines of its score sheet."""


def play_family(game: str) -> PlayFamily[Any, Any]:
    """How a game is played at the table; `UserError` for an unknown game or one of a family without a table."""
    name = family_of(game).name
    if name not in _TABLES:
        known = [one for family in families() if family.name in _TABLES for one in family.presets]
        raise UserError(
            f"{game} has no table to play at in the browser or in the terminal, and no replay: choose one of "
            f"{', '.join(known)}, or let agents play it with `burako evaluate`"
        )
    family: PlayFamily[Any, Any] = resolve_name(_TABLES[name])()
    return family
