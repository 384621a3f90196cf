"""Actions in plain words, English and Spanish, for people who look on or play."""

from __future__ import annotations

from typing import Final

from burako_env.action_words import ActionWords
from burako_env.burako.actions import Kind
from burako_env.cards import JOKER, RANK_NAMES, SUITS, card_name
from burako_env.notation import read_action

LANGUAGES: Final = ("en", "es")
_SIGNS: Final = dict(zip(SUITS, "♣♦♥♠", strict=True))
_JOKER: Final = {"en": "joker", "es": "comodín"}
_PLAIN: Final[dict[Kind, dict[str, str]]] = {
    Kind.DRAW_STOCK: {"en": "draw from the stock", "es": "tomar del mazo"},
    Kind.DRAW_PILE: {"en": "take the pile", "es": "tomar el pozo"},
    Kind.KEEP: {"en": "keep the card", "es": "quedarse con la carta"},
    Kind.REJECT: {"en": "reject the card", "es": "rechazar la carta"},
    Kind.TAKE_BURAKO: {"en": "take the burako", "es": "tomar el burako"},
    Kind.KEEP_HAND: {"en": "end the turn", "es": "terminar el turno"},
    Kind.ASK: {"en": "ask: may I go out?", "es": "preguntar: ¿puedo cortar?"},
    Kind.YES: {"en": "answer yes", "es": "responder que sí"},
    Kind.NO: {"en": "answer no", "es": "responder que no"},
    Kind.END_HAND: {"en": "end the hand", "es": "terminar la mano"},
}


def action_words(text: str) -> dict[str, str]:
    """An action's text, as notation has it, in each language."""
    return {language: _phrase(read_action(text), language) for language in LANGUAGES}


def action_target(words: ActionWords) -> str | None:
    """The group a lay goes to, by the name a scene gives it; `run new` opens one. None for other actions."""
    if words.target is None:
        return None
    if words.target == "wild":
        return "wild"
    if words.target == "set":
        return f"set {RANK_NAMES[words.rank or 0]}"
    return "run new" if words.suit is None else f"run {SUITS[words.suit]}{(words.slot or 0) + 1}"


def shown_card(card: int, language: str) -> str:
    """A card with its sign: `9♠`."""
    name = card_name(card)
    return _JOKER[language] if card == JOKER else name[:-1] + _SIGNS[name[-1]]


def _phrase(words: ActionWords, language: str) -> str:
    if words.card is None:
        return _PLAIN[words.kind][language]
    card = shown_card(words.card, language)
    english = language == "en"
    if words.kind == Kind.DISCARD:
        return f"{'discard' if english else 'descartar'} {card}"
    return f"{'lay' if english else 'bajar'} {card} {_place(words, english)}"


def _place(words: ActionWords, english: bool) -> str:
    """Where a card is laid."""
    if words.target == "wild":
        return "on the wilds" if english else "al juego de comodines"
    if words.target == "set":
        rank = RANK_NAMES[words.rank or 0]
        return f"on the set of {rank}" if english else f"al trío de {rank}"
    if words.suit is None:
        return "on a new run" if english else "a una escalera nueva"
    run = f"{_SIGNS[SUITS[words.suit]]}{(words.slot or 0) + 1}"
    return f"on the run {run}" if english else f"a la escalera {run}"


__all__ = ["LANGUAGES", "action_target", "action_words", "shown_card"]
