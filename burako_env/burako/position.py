"""A position of the card game as plain data: what case files describe, and how states enter and leave the core as
lists.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

from burako_env.burako.rules import Rules

Cards = list[int]
Phase = Literal["draw", "look", "lay", "answer", "burako", "over"]


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
        laid;
            the group is in `tables` as well. For a run the number is that of its slot.
        cutter: seat. bottom: natural the cutter saw at the stock's bottom.
        reason: why the hand ended: `out`, `exhausted`, `truncated`. out_seat: who went out.
        In sanctions play. apart: wilds that lie apart; offer: the one that the next player to draw may take;
            must_pass: seats that pass their next turn; annulled: how many of the stock's last cards are annulled ones.
    """

    rules: Rules
    turn: int
    phase: Phase
    hands: list[Cards]
    tables: list[list[Cards]] = field(default_factory=lambda: [[], []])
    closed: list[list[Cards]] = field(default_factory=lambda: [[], []])
    pile: Cards = field(default_factory=list)
    stock: Cards = field(default_factory=list)
    burakos: list[list[Cards]] = field(default_factory=lambda: [[], []])
    taken_by: list[list[int]] = field(default_factory=lambda: [[], []])
    first_draw: bool = False
    drawn: int | None = None
    asker: int | None = None
    answer: Literal["none", "asked", "yes", "no"] = "none"
    single: int | None = None
    single_laid: bool = False
    shown: list[Cards] = field(default_factory=list)
    known: list[Cards] = field(default_factory=list)
    turns: int = 0
    final_turns: int | None = None
    opening: tuple[int, Cards] | None = None
    cutter: int = 0
    bottom: int | None = None
    reason: Literal["out", "exhausted", "truncated"] | None = None
    out_seat: int | None = None
    apart: Cards = field(default_factory=list)
    offer: int | None = None
    must_pass: list[int] = field(default_factory=list)
    annulled: int = 0


class PositionError(ValueError):
    """A position that no game of these rules can be in; the message says what is wrong, in the words of the case
    files.
    """
