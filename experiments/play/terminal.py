"""The table in a terminal: the position as text, the legal actions by number."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from burako_env.render.ansi import game_text, view_text
from burako_env.render.words import action_words
from experiments.play.table import PlayTable, Refused

_HELP: Final = {
    "en": "a number or an action; h hint, u undo, q quit",
    "es": "un número o una acción; h consejo, u deshacer, q salir",
}
_PLAYER: Final = {"en": "Player", "es": "Jugador"}
_HINT: Final = {"en": "hint", "es": "consejo"}


def play_in_terminal(table: PlayTable, language: str, read: Callable[[str], str], write: Callable[[str], None]) -> bool:
    """Play until it is over (True) or the person stops (False); `read` asks for a line, `write` shows text."""
    shown = 0
    while not table.over:
        log = table.situation()["log"]
        shown = min(shown, len(log))
        for line in log[shown:]:
            who = "" if line["by"] is None else f"{_PLAYER[language]} {line['by']}: "
            write(f"  {who}{line['words'][language]}")
        shown = len(log)
        texts = table.legal_texts()
        write("\n" + view_text(table.game.view(), seat=table.seat))
        for place, text in enumerate(texts, start=1):
            write(f"{place:>4}  {action_words(text)[language]}  [{text}]")
        try:
            answer = " ".join(read(f"{_HELP[language]} > ").split())
        except EOFError:
            return False
        if answer == "q":
            return False
        try:
            _do(table, answer, texts, language, write)
        except Refused as refused:
            write(refused.words[language])
    write("\n" + game_text(table.game))
    write(table.situation()["log"][-1]["words"][language])
    return True


def _do(table: PlayTable, answer: str, texts: list[str], language: str, write: Callable[[str], None]) -> None:
    """One answer of the person."""
    if answer == "u":
        table.undo(table.number)
    elif answer == "h":
        write(f"{_HINT[language]}: {action_words(table.hint(table.number))[language]}")
    elif answer.isascii() and answer.isdigit() and 0 < int(answer) <= len(texts):
        table.act(table.number, texts[int(answer) - 1])
    elif answer:
        table.act(table.number, answer)


__all__ = ["play_in_terminal"]
