"""Cards, actions and positions of the card game as text, both ways: the words of the case files.

Reading an action takes two steps, so that a malformed one is found before anything is played: `read_action` turns text
into `ActionText` (what it says), `action_id` looks these up in a position (what it means). A position is written here
as the YAML of a case file and read back by `burako_env.cases`, which can name the line of a mistake.

Bad text raises `UserError` with one sentence; who knows the place adds it.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final

from burako_env.burako.action_text import RUN_NAME, ActionText, group_number, read_card
from burako_env.burako.position import Position
from burako_env.burako.sanctions.texts import read_foul, read_group, sanction_id, sanction_text
from burako_env.burako.turn.actions import FIRST_RUN, NONE, WILD_GROUP, ActionTable, Kind, Special
from burako_env.cards import JOKER, RANK_COUNT, RANK_NAMES, SUITS, card_name, is_wild
from burako_env.errors import UserError, unknown

SPECIAL_TEXTS: Final = {
    "draw stock": Special.DRAW_STOCK,
    "draw pile": Special.DRAW_PILE,
    "keep": Special.KEEP,
    "reject": Special.REJECT,
    "take burako": Special.TAKE_BURAKO,
    "keep hand": Special.KEEP_HAND,
    "ask": Special.ASK,
    "yes": Special.YES,
    "no": Special.NO,
    "end hand": Special.END_HAND,
}
_TEXT_OF_KIND: Final = {Kind[special.name]: text for text, special in SPECIAL_TEXTS.items()}


def parse_cards(text: str) -> list[int]:
    """Card types of a text such as `8S 10H JK`, in its order; `UserError` for a word that is no card."""
    return [read_card(word) for word in text.split()]


def format_cards(cards: Iterable[int]) -> str:
    """Cards as text, in the order given."""
    return " ".join(card_name(card) for card in cards)


def read_action(text: str) -> ActionText:
    """What an action's text says; `UserError` if it is malformed."""
    words = text.split()
    special = SPECIAL_TEXTS.get(" ".join(words))
    if special is not None:
        return ActionText(Kind[special.name])
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
    raise unknown("action", text, [*SPECIAL_TEXTS, "lay CARD set", "lay CARD run new", "lay CARD wild", "discard CARD"])


def action_id(table: ActionTable, said: ActionText, run_counts: Sequence[int]) -> int | None:
    """The id of an action in a position.

    `run_counts` are the open runs of the actor's team in each suit (clubs, diamonds, hearts, spades), a half open one
    included. None for an action that is never legal there: it names an absent group, or one that no rule could allow.
    """
    if said.kind >= Kind.CLOSE:
        return sanction_id(table, said, run_counts)
    card = said.card
    if card is None:
        return table.special(Special[said.kind.name])
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
    if group == WILD_GROUP:
        return f"lay {card_name(card)} wild"
    if group < FIRST_RUN:
        return f"lay {card_name(card)} set{' ' + RANK_NAMES[group] if is_wild(card) else ''}"
    suit, slot = divmod(group - FIRST_RUN, table.run_slots)
    opens = slot == run_counts[suit] and card != JOKER and card // RANK_COUNT == suit
    return f"lay {card_name(card)} run {'new' if opens else f'{SUITS[suit]}{slot + 1}'}"


def format_position(position: Position) -> str:
    """The `position` mapping of a case file, as lines of YAML.

    Every card is written out, so reading it back gives the same position; only the seat that cut, the card it saw and a
    drawn card that is no longer in the hand have no place in a case file. Raises `UserError` for a hand that is over: a
    case starts from a live one.
    """
    if position.phase == "over":
        raise UserError("the hand is over: a case file starts from a live one")
    opening = position.opening
    tables = [
        [group for group in table if opening is None or len(group) > len(opening[1])] for table in position.tables
    ]
    lines = [
        f"turn: {position.turn}",
        f"phase: {position.phase}",
        f"hands: {_by_seat(position.hands)}",
        f"tables: {_by_team(tables)}",
        f"closed: {_by_team(position.closed)}",
        f'pile: "{format_cards(position.pile)}"',
        f'stock: "{format_cards(position.stock[: len(position.stock) - position.annulled])}"',
        f"burakos: {_by_team(position.burakos)}",
        f"burakos_taken_by: {position.taken_by}",
        f"turns: {position.turns}",
    ]
    if position.first_draw:
        lines.append("first_draw: true")
    if position.drawn is not None and position.drawn in position.hands[_whose_turn(position)]:
        lines.append(f"drawn: {card_name(position.drawn)}")
    if position.asker is not None:
        lines.append(f"asker: {position.asker}")
    if position.answer != "none":
        lines.append("asked: true" if position.answer == "asked" else f"answer: {position.answer}")
    if position.single is not None:
        lines.append(f"single: {card_name(position.single)}")
        lines.append(f"single_laid: {str(position.single_laid).lower()}")
    if any(position.shown):
        lines.append(f"shown: {_by_seat(position.shown)}")
    if any(position.known):
        lines.append(f"known: {_by_seat(position.known)}")
    if position.final_turns is not None:
        lines.append(f"final_turns: {position.final_turns}")
    if position.annulled:
        lines.append(f'annulled: "{format_cards(position.stock[-position.annulled :])}"')
    if position.apart:
        lines.append(f'apart: "{format_cards(position.apart)}"')
    if position.offer is not None:
        lines.append(f"offer: {card_name(position.offer)}")
    if position.must_pass:
        lines.append(f"must_pass: {position.must_pass}")
    if opening is not None:
        lines.append(f'opening: [{_group_text(opening[0], position)}, "{format_cards(opening[1])}"]')
    return "\n".join(lines) + "\n"


def _whose_turn(position: Position) -> int:
    """The seat whose turn it is: not the one to act in the answer phase."""
    return position.turn if position.asker is None else position.asker


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


def _group_text(group: int, position: Position) -> str:
    """A group number in the words of the `opening` key."""
    if group == WILD_GROUP:
        return "wild"
    if group < FIRST_RUN:
        return f"set {RANK_NAMES[group]}"
    return f"run {SUITS[(group - FIRST_RUN) // position.rules.run_slots]}"


def _by_seat(hands: Iterable[Iterable[int]]) -> str:
    """One quoted text of cards for each seat."""
    return "[" + ", ".join(f'"{format_cards(hand)}"' for hand in hands) + "]"


def _by_team(teams: Iterable[Iterable[Iterable[int]]]) -> str:
    """A list of groups for each team."""
    return "[" + ", ".join(_by_seat(groups) for groups in teams) + "]"
