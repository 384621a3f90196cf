"""The keys of `position` in the card game, each declared once: where it has a meaning, and how it is written.

`position.py` reads them; `format_position` writes a position that it reads back as the same one.
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Final

from burako_env.burako.action_text import group_text
from burako_env.burako.notation import format_cards
from burako_env.burako.position import Position
from burako_env.burako.view.layout import PHASES
from burako_env.cards import card_name
from burako_env.errors import UserError


@dataclass(frozen=True)
class Key:
    """A key of `position`.

    Attributes:
        write: its value as YAML; None where a position says nothing under it.
        phases: those in which it says something. sanctions: only sanctions play knows it. required: no position is
            without it.
    """

    write: Callable[[Position], str | None]
    phases: tuple[str, ...] = PHASES
    sanctions: bool = False
    required: bool = False


def _text(cards: Iterable[int]) -> str:
    return f'"{format_cards(cards)}"'


def _by_seat(hands: Iterable[Iterable[int]]) -> str:
    """One quoted text of cards for each seat."""
    return f"[{', '.join(map(_text, hands))}]"


def _by_team(teams: Iterable[Iterable[Iterable[int]]]) -> str:
    """A list of groups for each team."""
    return f"[{', '.join(map(_by_seat, teams))}]"


def _card(card: int | None) -> str | None:
    return None if card is None else card_name(card)


def _tables(at: Position) -> str:
    """The open groups but for the half open one, which `opening` describes."""
    least = 0 if at.opening is None else len(at.opening[1])
    return _by_team([group for group in table if len(group) > least] for table in at.tables)


def _drawn(at: Position) -> str | None:
    """The card just drawn, while it is in the hand."""
    return _card(at.drawn) if at.drawn in at.hands[at.turn_seat] else None


def _opening(at: Position) -> str | None:
    """Its group, a run by its suit only, and its cards."""
    if at.opening is None:
        return None
    group, cards = at.opening
    return f"[{group_text(group, at.rules.run_slots, slot=False)}, {_text(cards)}]"


_IN_TURN: Final = ("lay", "answer", "burako")
KEYS: Final = {
    "turn": Key(lambda at: str(at.turn), required=True),
    "phase": Key(lambda at: at.phase, required=True),
    "hands": Key(lambda at: _by_seat(at.hands), required=True),
    "tables": Key(_tables),
    "closed": Key(lambda at: _by_team(at.closed)),
    "pile": Key(lambda at: _text(at.pile)),
    "stock": Key(lambda at: _text(at.stock[: len(at.stock) - at.annulled])),
    "burakos": Key(lambda at: _by_team(at.burakos)),
    "burakos_taken_by": Key(lambda at: str(at.taken_by)),
    "seed": Key(lambda _: None),
    "turns": Key(lambda at: str(at.turns)),
    "first_draw": Key(lambda at: "true" if at.first_draw else None, ("draw", "look")),
    "drawn": Key(_drawn, ("look", *_IN_TURN)),
    "asker": Key(lambda at: None if at.asker is None else str(at.asker), ("answer",)),
    "asked": Key(lambda at: "true" if at.answer == "asked" else None, _IN_TURN),
    "answer": Key(lambda at: at.answer if at.answer in ("yes", "no") else None, ("lay", "burako")),
    "single": Key(lambda at: _card(at.single), _IN_TURN),
    "single_laid": Key(lambda at: None if at.single is None else str(at.single_laid).lower()),
    "shown": Key(lambda at: _by_seat(at.shown) if any(at.shown) else None),
    "known": Key(lambda at: _by_seat(at.known) if any(at.known) else None),
    "final_turns": Key(lambda at: None if at.final_turns is None else str(at.final_turns)),
    "annulled": Key(lambda at: _text(at.under) if at.annulled else None, sanctions=True),
    "apart": Key(lambda at: _text(at.apart) if at.apart else None, sanctions=True),
    "offer": Key(lambda at: _card(at.offer), sanctions=True),
    "must_pass": Key(lambda at: str(at.must_pass) if at.must_pass else None, sanctions=True),
    "opening": Key(_opening, ("lay",)),
}


def format_position(position: Position) -> str:
    """The `position` mapping of a case file, as lines of YAML.

    Every card is written out, so reading it back gives the same position; only the seat that cut, the card it saw and a
    drawn card that is no longer in the hand have no place in a case file. Raises `UserError` for a hand that is over: a
    case starts from a live one.
    """
    if position.phase == "over":
        raise UserError("the hand is over: a case file starts from a live one")
    values = {key: declared.write(position) for key, declared in KEYS.items()}
    return "".join(f"{key}: {value}\n" for key, value in values.items() if value is not None)
