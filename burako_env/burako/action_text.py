"""What the text of an action says, and the group it names: shared by strict play and sanctions play."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, Literal

from burako_env.burako.turn.actions import FIRST_RUN, WILD_GROUP, ActionTable, Kind
from burako_env.cards import JOKER, RANK_COUNT, RANK_NAMES, SUITS, TWO, card_type
from burako_env.errors import UserError

RUN_NAME: Final = re.compile(rf"([{SUITS}])([1-9][0-9]{{0,8}})")


@dataclass(frozen=True)
class ActionText:
    """What the text of an action says, whatever the position.

    Attributes:
        kind: what it does. card: the card laid or discarded, None for an action without one.
        target: of a lay: `set` (`rank` says which), `run` (`suit` and `slot` say which, neither: a new one) or `wild`.
    """

    kind: Kind
    card: int | None = None
    target: Literal["set", "run", "wild"] | None = None
    rank: int | None = None
    suit: int | None = None
    slot: int | None = None


def read_card(name: str) -> int:
    """`card_type` with the error a user sees."""
    try:
        return card_type(name)
    except ValueError as error:
        raise UserError(str(error)) from None


def group_number(table: ActionTable, said: ActionText, card: int, run_counts: Sequence[int]) -> int | None:
    """The group number a lay names; None for a group that is not there."""
    if said.target == "wild":
        return WILD_GROUP
    if said.target == "set":
        return None if said.rank == TWO else said.rank
    if said.suit is not None and said.slot is not None:
        return table.run_group(said.suit, said.slot) if said.slot < run_counts[said.suit] else None
    # A new run is of the card's own suit, which a joker does not have; the slots of a suit may all be taken (GROUP-8).
    if card == JOKER or run_counts[card // RANK_COUNT] >= table.run_slots:
        return None
    suit = card // RANK_COUNT
    return table.run_group(suit, run_counts[suit])


def group_text(group: int, run_slots: int, *, slot: bool = True) -> str:
    """The name of a group: `set 9`, `wild`, `run S1`; without its slot `run S`."""
    if group < FIRST_RUN:
        return "wild" if group == WILD_GROUP else f"set {RANK_NAMES[group]}"
    suit, number = divmod(group - FIRST_RUN, run_slots)
    return f"run {SUITS[suit]}{number + 1 if slot else ''}"
