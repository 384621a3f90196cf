"""A position of the card game as plain data: what case files describe, and how states enter and leave the core."""

from dataclasses import dataclass, field, fields
from typing import Any, Final, Literal, get_args

from burako_env.burako.rules import Rules
from burako_env.burako.turn.actions import NONE
from burako_env.burako.view.layout import ANSWERS, PHASES

Cards = list[int]
Phase = Literal["draw", "look", "lay", "answer", "burako", "over"]
Reason = Literal["out", "exhausted", "truncated"]


@dataclass(frozen=True)
class Number:
    """How a state holds a number, a flag or a text of a position, in its field of the same name.

    Attributes:
        none: what stands for None. texts: the texts that numbers from 0 stand for; without them it is a number.
        flag: it is a truth value. sanctions: only sanctions play has it.
    """

    none: int | None = None
    texts: tuple[str | None, ...] = ()
    flag: bool = False
    sanctions: bool = False

    def stored(self, value: Any) -> Any:
        """The number that a state holds."""
        return self.texts.index(value) if self.texts else self.none if value is None else value

    def found(self, number: int) -> Any:
        """The value that a position holds."""
        if self.texts:
            return self.texts[number]
        return None if number == self.none else bool(number) if self.flag else number


# What each number of a position is, as metadata of its field.
_COUNT: Final = {"number": Number()}
_FLAG: Final = {"number": Number(flag=True)}
_PERHAPS: Final = {"number": Number(none=NONE)}


def _teams() -> list[Any]:
    return [[], []]


@dataclass
class Position:
    """One game, complete. Cards are types (`cards.py`), seats are absolute.

    Attributes:
        rules: the configuration.
        turn: seat to act; in the answer phase the seat that answers, `asker` then being the one whose turn it is.
        phase: `draw`, `look`, `lay`, `answer`, `burako`, or `over` (then `turn` is the last to act).
        hands: cards by seat. tables: open groups by team in the order they were opened, a half open one last of its
            suit.
        closed: closed bazas by team. pile: bottom to top. stock: top first. burakos: those left, by team, next one
            first.
        taken_by: by team, the seats that took its burakos, in order.
        first_draw: nobody has drawn in this hand yet. drawn: card just drawn from the stock in this turn.
        answer: OUT-3 this turn. single, single_laid: TURN-5. shown: public wilds by seat. known: cards from the pile
            by seat.
        turns: turns completed. final_turns: END-1, turns to come after the one in play; None while the stock lasts.
        opening: group number (see `actions.py`) of the half open group of the seat to act and its cards in the order
            laid; the group is in `tables` as well. For a run the number is that of its slot.
        cutter: seat. bottom: natural the cutter saw at the stock's bottom.
        reason: why the hand ended: `out`, `exhausted`, `truncated`. out_seat: who went out.
        In sanctions play. apart: wilds that lie apart; offer: the one that the next player to draw may take;
            must_pass: seats that pass their next turn; annulled: how many of the stock's last cards are annulled ones.
    """

    rules: Rules
    turn: int
    phase: Phase = field(metadata={"number": Number(texts=(*PHASES, "over"))})
    hands: list[Cards]
    tables: list[list[Cards]] = field(default_factory=_teams)
    closed: list[list[Cards]] = field(default_factory=_teams)
    pile: Cards = field(default_factory=list)
    stock: Cards = field(default_factory=list)
    burakos: list[list[Cards]] = field(default_factory=_teams)
    taken_by: list[list[int]] = field(default_factory=_teams)
    first_draw: bool = field(default=False, metadata=_FLAG)
    drawn: int | None = field(default=None, metadata=_PERHAPS)
    asker: int | None = None
    answer: Literal["none", "asked", "yes", "no"] = field(default="none", metadata={"number": Number(texts=ANSWERS)})
    single: int | None = field(default=None, metadata=_PERHAPS)
    single_laid: bool = field(default=False, metadata=_FLAG)
    shown: list[Cards] = field(default_factory=list)
    known: list[Cards] = field(default_factory=list)
    turns: int = field(default=0, metadata=_COUNT)
    final_turns: int | None = field(default=None, metadata={"number": Number(none=-1)})
    opening: tuple[int, Cards] | None = None
    cutter: int = field(default=0, metadata=_COUNT)
    bottom: int | None = field(default=None, metadata=_PERHAPS)
    reason: Reason | None = field(default=None, metadata={"number": Number(texts=(None, *get_args(Reason)))})
    out_seat: int | None = field(default=None, metadata=_PERHAPS)
    apart: Cards = field(default_factory=list)
    offer: int | None = field(default=None, metadata={"number": Number(none=NONE, sanctions=True)})
    must_pass: list[int] = field(default_factory=list)
    annulled: int = field(default=0, metadata={"number": Number(sanctions=True)})

    @property
    def turn_seat(self) -> int:
        """The seat whose turn it is: not the one to act in the answer phase."""
        return self.turn if self.asker is None else self.asker

    @property
    def under(self) -> Cards:
        """The annulled cards at the bottom of the stock, topmost first."""
        return self.stock[len(self.stock) - self.annulled :]


def numbers(rules: Rules) -> dict[str, Number]:
    """The fields of a position that are one number in a state of these rules."""
    declared = {one.name: one.metadata["number"] for one in fields(Position) if "number" in one.metadata}
    return {name: number for name, number in declared.items() if rules.sanctions or not number.sanctions}


class PositionError(ValueError):
    """A position that no game of these rules can be in; the message says what is wrong, as case files name it."""
