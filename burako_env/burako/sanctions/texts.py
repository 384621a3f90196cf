"""The actions of sanctions play as text, both ways."""

from collections.abc import Sequence
from typing import Any, Final

from burako_env.burako.action_text import RUN_NAME, ActionText, group_number, group_text, read_card
from burako_env.burako.sanctions.actions import SanctionTable
from burako_env.burako.turn.actions import NONE, ActionTable, Kind
from burako_env.cards import RANK_NAMES, SUITS, TWO, card_name, is_wild
from burako_env.errors import UserError, unknown

# A `foul` before a lay or discard says that it breaks a rule. GROUP is a group's name: set 9, run S1, wild.
# Rule, form of the action, what it does or costs.
SANCTION_ACTIONS: Final = (
    ("GROUP-1", "close GROUP", "a group of seven becomes a baza (with manual_close)"),
    ("SANCTION-4", "take wild", "before drawing: the wild that the player before has discarded"),
    ("SANCTION-2", "foul lay CARD GROUP", "an eighth card: the group is annulled, the card discarded"),
    ("SANCTION-3", "foul lay WILD GROUP", "a second wild: the group is annulled, a natural returns, one is discarded"),
    (
        "SANCTION-4",
        "foul discard WILD",
        "not as the last card: it lies apart for the next player, the next turn is passed",
    ),
    ("SANCTION-5", "foul lay CARD", "before drawing: the turn is lost, the card has been seen"),
    ("SANCTION-5", "foul discard CARD", "before drawing: the turn is lost, the card has been seen"),
    ("SANCTION-7", "foul open set RANK", "a second set: both are annulled, a natural of it returns, one is discarded"),
    ("SANCTION-10", "", "a complete group left unclosed at the count is worth nothing"),
    ("SANCTION-11", "foul lay CARD GROUP", "a natural that does not fit: the group is annulled, the card discarded"),
    (
        "SANCTION-12",
        "foul lay CARD run new",
        "with a pair of a suit that CARD does not fit: the lower returns, the other is discarded, CARD is annulled",
    ),
    ("SANCTION-18", "foul lay WILD GROUP", "elsewhere than on the open wild group: the wild group is annulled"),
)


def read_group(text: str, group: Sequence[str]) -> dict[str, Any]:
    """The group of a foul lay or of a closing: `set 9`, `wild`, `run S1`."""
    match group:
        case ["set", rank] if rank in RANK_NAMES:
            return {"target": "set", "rank": RANK_NAMES.index(rank)}
        case ["wild"]:
            return {"target": "wild"}
        case ["run", run] if (found := RUN_NAME.fullmatch(run)) is not None:
            return {"target": "run", "suit": SUITS.index(found[1]), "slot": int(found[2]) - 1}
    raise UserError(f"'{text}' is not an action: a group is named 'set 9', 'wild' or 'run S1'")


def read_foul(text: str, words: Sequence[str]) -> ActionText:
    """An infraction, after the word `foul`."""
    match words:
        case ["lay", name]:
            return ActionText(Kind.FOUL_EARLY, read_card(name))
        case ["discard", name]:
            return ActionText(Kind.FOUL_DISCARD, read_card(name))
        case ["open", "set", rank] if rank in RANK_NAMES:
            return ActionText(Kind.FOUL_SET, rank=RANK_NAMES.index(rank))
        case ["lay", name, "run", "new"]:
            return ActionText(Kind.FOUL_RUN, read_card(name))
        case ["lay", name, *group]:
            return ActionText(Kind.FOUL_LAY, read_card(name), **read_group(text, group))
    raise unknown("action", text, [form for _, form, _ in SANCTION_ACTIONS if form])


def sanction_id(table: ActionTable, said: ActionText, run_counts: Sequence[int]) -> int | None:
    """The id of an action of sanctions play; None where strict play is played, or for what is never legal."""
    if not isinstance(table, SanctionTable):
        return None
    card = said.card if said.card is not None else NONE
    match said.kind:
        case Kind.TAKE_WILD:
            return table.take_wild
        case Kind.FOUL_EARLY:
            return table.early(card)
        case Kind.FOUL_DISCARD:
            return table.wrong_discard(card)
        case Kind.FOUL_RUN:
            return None if is_wild(card) else table.wrong_run(card)
        case Kind.FOUL_SET:
            return None if said.rank is None or said.rank == TWO else table.second_set(said.rank)
    group = group_number(table, said, card, run_counts)
    if group is None:
        return None
    return table.close(group) if said.kind == Kind.CLOSE else table.wrong_lay(card, group)


def sanction_text(table: ActionTable, kind: Kind, card: int, group: int) -> str:
    """The text of an action of sanctions play."""
    place = "" if group == NONE else group_text(group, table.run_slots)
    match kind:
        case Kind.TAKE_WILD:
            return "take wild"
        case Kind.CLOSE:
            return f"close {place}"
        case Kind.FOUL_SET:
            return f"foul open {place}"
        case Kind.FOUL_EARLY:
            return f"foul lay {card_name(card)}"
        case Kind.FOUL_DISCARD:
            return f"foul discard {card_name(card)}"
        case Kind.FOUL_RUN:
            return f"foul lay {card_name(card)} run new"
    return f"foul lay {card_name(card)} {place}"
