"""Cards and actions of the card game as text, both ways, as case files have them.

Reading an action takes two steps, so that a malformed one is found before anything is played: `read_action` turns text
into `ActionText` (what it says), `action_id` looks this up in a position (what it means).

Bad text raises `UserError` with one sentence; who knows the place adds it.
"""

from collections.abc import Iterable, Sequence
from typing import Final

from burako_env.burako.action_text import RUN_NAME, ActionText, group_number, group_text, read_card
from burako_env.burako.sanctions.texts import read_foul, read_group, sanction_id, sanction_text
from burako_env.burako.turn.actions import FIRST_RUN, NONE, SPECIALS, ActionTable, Kind
from burako_env.cards import JOKER, RANK_COUNT, RANK_NAMES, SUITS, card_name, is_wild
from burako_env.errors import UserError, unknown

_TEXT_OF_KIND: Final = {kind: kind.name.lower().replace("_", " ") for kind in SPECIALS}
_SPECIALS: Final = {text: kind for kind, text in _TEXT_OF_KIND.items()}


def parse_cards(text: str) -> list[int]:
    """Card types of a text such as `8S 10H JK`, in its order; `UserError` for a word that is no card."""
    return [read_card(word) for word in text.split()]


def format_cards(cards: Iterable[int]) -> str:
    """Cards as text, in the order given."""
    return " ".join(card_name(card) for card in cards)


def read_action(text: str) -> ActionText:
    """What an action's text says; `UserError` if it is malformed."""
    words = text.split()
    special = _SPECIALS.get(" ".join(words))
    if special is not None:
        return ActionText(special)
    match words:
        case ["discard", name]:
            return ActionText(Kind.DISCARD, read_card(name))
        case ["lay", name, "set", *rank]:
            return _read_set(text, read_card(name), rank)
        case ["lay", name, "run", "new"]:
            return ActionText(Kind.LAY, read_card(name), "run")
        case ["lay", name, "run", run]:
            card, found = read_card(name), RUN_NAME.fullmatch(run)
            if found is None:
                raise UserError(f"'{text}' is not an action: a run is new, or a suit and a number from 1, as in S1")
            return ActionText(Kind.LAY, card, "run", suit=SUITS.index(found[1]), slot=int(found[2]) - 1)
        case ["lay", name, "wild"]:
            return ActionText(Kind.LAY, read_card(name), "wild")
        case ["take", "wild"]:
            return ActionText(Kind.TAKE_WILD)
        case ["close", *group]:
            return ActionText(Kind.CLOSE, **read_group(text, group))
        case ["foul", *foul]:
            return read_foul(text, foul)
        case ["lay", *_]:
            raise UserError(
                f"'{text}' is not an action: a lay is 'lay CARD set', 'lay WILD set RANK', 'lay CARD run S1', "
                "'lay CARD run new' or 'lay WILD wild'"
            )
    raise unknown("action", text, [*_SPECIALS, "lay CARD set", "lay CARD run new", "lay CARD wild", "discard CARD"])


def action_id(table: ActionTable, said: ActionText, run_counts: Sequence[int]) -> int | None:
    """The id of an action in a position.

    `run_counts` are the open runs of the actor's team in each suit (clubs, diamonds, hearts, spades), a half open one
    included. None for an action that is never legal there: it names an absent group, or one that no rule could allow.
    """
    if said.kind >= Kind.CLOSE:
        return sanction_id(table, said, run_counts)
    card = said.card
    if card is None:
        return table.special(said.kind)
    if said.kind == Kind.DISCARD:
        return table.discard(card)
    group = group_number(table, said, card, run_counts)
    if group is None:
        return None
    try:
        return table.lay(card, group)
    except KeyError:
        return None


def parse_action(table: ActionTable, text: str, run_counts: Sequence[int]) -> int | None:
    """The id of an action's text: `read_action`, then `action_id`."""
    return action_id(table, read_action(text), run_counts)


def format_action(table: ActionTable, action: int, run_counts: Sequence[int]) -> str:
    """The canonical text of an action: `lay 9S run S1`, `lay JK set 8`, `keep hand`.

    `run_counts` as in `action_id`: a card on the slot after its suit's last open run opens a new one. `parse_action`
    gives the same id back, but for runs that are not there, which only error messages name. Padding is `unused ID`.
    """
    row = table.rows[action]
    kind, card, group = Kind(row["kind"]), int(row["card"]), int(row["group"])
    if kind == Kind.UNUSED:
        return f"unused {action}"
    if kind >= Kind.CLOSE:
        return sanction_text(table, kind, card, group)
    if card == NONE:
        return _TEXT_OF_KIND[kind]
    if kind == Kind.DISCARD:
        return f"discard {card_name(card)}"
    place = group_text(group, table.run_slots)
    if group >= FIRST_RUN:
        suit, slot = divmod(group - FIRST_RUN, table.run_slots)
        if slot == run_counts[suit] and card != JOKER and card // RANK_COUNT == suit:
            place = "run new"
    elif not is_wild(card):
        place = "set"
    return f"lay {card_name(card)} {place}"


def _read_set(text: str, card: int, rank: list[str]) -> ActionText:
    """A lay on a set: a natural never names its rank, a wild always does."""
    if not is_wild(card):
        if rank:
            raise UserError(
                f"'{text}' is not an action: {card_name(card)} names its rank itself, write 'lay {card_name(card)} set'"
            )
        return ActionText(Kind.LAY, card, "set", rank=card % RANK_COUNT)
    if len(rank) != 1 or rank[0] not in RANK_NAMES:
        raise UserError(
            f"'{text}' is not an action: a wild names the rank of its set, as in 'lay {card_name(card)} set 8'"
        )
    return ActionText(Kind.LAY, card, "set", rank=RANK_NAMES.index(rank[0]))
