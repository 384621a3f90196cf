"""What playing the card game says, in English and Spanish: reasons, events, buttons, and what they are made of."""

from collections.abc import Sequence
from pathlib import Path
from typing import Final

from burako_env.burako.game import BurakoGame
from burako_env.burako.notation import format_cards
from burako_env.burako.turn.actions import FIRST_RUN, WILD_GROUP
from burako_env.render.texts import Texts, TextTable
from experiments.play import texts
from experiments.play.burako.reasons import wish_of
from experiments.play.happenings import Reason

_OWN: Final = texts.text_tables(Path(__file__).parent)
REASONS, SHEET = _OWN["reasons"], _OWN["sheet"]
EVENTS: Final[TextTable] = {**_OWN["events"], **texts.EVENTS}
PAGE: Final[TextTable] = {**texts.PAGE, **_OWN["page"]}
_SIGNS: Final = str.maketrans("CDHS", "♣♦♥♠")


def play_words(language: str = "en", *more: TextTable) -> Texts:
    """All texts of playing in one language, with `more`."""
    reasons = {f"why.{key}": text for key, text in REASONS.items()}
    events = {f"event.{key}": text for key, text in EVENTS.items()}
    return Texts(language, reasons, events, PAGE, SHEET, *more)


def reason_text(reason: Reason, words: Texts) -> str:
    """A reason as a sentence with the rule's id."""
    values = dict(reason.values)
    if "card" in values:
        values["card"] = words.card(values["card"])
    if "rank" in values:
        values["ranks"] = words.rank(values["rank"], many=True)
    if "suit" in values:
        values["suit"] = words(f"suit.{values['suit']}")
    return f"{words(f'why.{reason.key}', **values)} ({reason.rule})"


def action_text(key: str, words: Texts, cards: Sequence[int], group: int | None, run_slots: int) -> str:
    """A text about an action with its cards and its group: `9♠ 10♥`, a joker as a star."""
    shown = format_cards(cards).replace("JK", "★").translate(_SIGNS)
    return words(key, cards=shown, group="" if group is None else _group_text(group, run_slots, words))


def advice_text(hand: BurakoGame, action: int, words: Texts) -> str:
    """An action as advice: `lay 9♠ (trío of 9)`, `draw from the stock`; others as in a record."""
    wish = wish_of(hand, action)
    if (key := f"hint.{wish.kind.name}") not in words:
        return hand.action_text(action)
    return action_text(key, words, () if wish.card is None else (wish.card,), wish.group, hand.rules.run_slots)


def _group_text(number: int, run_slots: int, words: Texts) -> str:
    """A group by its number: `trío of 9`, `escalera de picas`, `comodines`."""
    if number == WILD_GROUP:
        return words("wild")
    if number < FIRST_RUN:
        return words("set", rank=words.rank(number, many=True))
    return words("run", suit=words(f"suit.{(number - FIRST_RUN) // run_slots}"))
