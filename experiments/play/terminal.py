"""The same table in a terminal: the View as text, actions by number or in the words of the case files."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Final

from burako_env.errors import UserError
from burako_env.render.texts import LANGUAGES, Texts, TextTable
from experiments.play.burako.score_sheet import sheet_text
from experiments.play.happenings import Refused
from experiments.play.page import drawing, event_line, hint_line, languages
from experiments.play.session import Session
from experiments.runs.printing import printable, say

TERMINAL: Final[TextTable] = {
    "help": (
        "Type a number, or an action as it is listed. {more} Others: undo, hint [agent], table, help, quit.",
        "Escriba un número o una acción como aparece. {more} "
        "Además: undo (deshacer), hint [agente] (pista), table (mesa), help (ayuda), quit (salir).",
    ),
    "bye": ("The game ends here.", "El juego termina aquí."),
    "again": ("Enter goes on, quit ends: ", "Enter continúa, quit termina: "),
    "number": ("There is no action number {number}.", "No hay acción número {number}."),
}


def play_in_terminal(
    session: Session,
    language: str = "en",
    *,
    read: Callable[[str], str] = input,
    write: Callable[[str], None] = say,
) -> int:
    """Play until the person quits or the input ends; `read` asks with a prompt, `write` prints."""
    return _Terminal(session, language, read, write).play()


class _Quit(Exception):
    """The person has had enough."""


class _Terminal:
    def __init__(
        self, session: Session, language: str, read: Callable[[str], str], write: Callable[[str], None]
    ) -> None:
        self.session, self.write = session, write
        self._read = read
        self.family = session.family
        self.words: Texts = languages(session.setup.game)[language]
        self.more = Texts(language, TERMINAL)
        self.help = self.more("help", more=self.family.help[LANGUAGES.index(self.more.language)])
        self.pen = drawing(session, self.words)
        self.told = 0

    def play(self) -> int:
        self.write(self.help)
        try:
            while True:
                self.session.play_agents()
                self._tell()
                if self.session.ending is not None:
                    self._ending()
                else:
                    self._turn()
        except (_Quit, EOFError):
            self.write(self.more("bye"))
            return 0

    def _ask(self, text: str) -> str:
        return self._read(printable(text)).strip()

    def _tell(self) -> None:
        """What has happened since the last time."""
        events = self.session.events
        for event in events[min(self.told, len(events)) :]:
            line = event_line(event, self.session, self.pen)
            self.write(f"  {line['name']} {line['text']}" if line["name"] else f"-- {line['text']}")
        self.told = len(events)

    def _show(self) -> None:
        session = self.session
        self.write("")
        self.write(self.family.text(session.hand, session.seat, self.words))

    def _ending(self) -> None:
        session = self.session
        assert session.ending is not None
        lines = self.family.ending_lines(session, self.pen)
        self.write(f"\n{lines['title']}. {lines['text']}")
        for row in lines["rows"]:
            self.write(f"  {row['name']}: {row['shown']}" + (f" -> {row['total']}" if "total" in row else ""))
        if "sheet" in lines:
            self.write(f"\n{lines['sheet']['title']}")
            for line in sheet_text(lines["sheet"]):
                self.write(line)
        if self._ask(f"{lines['next']}. {self.more('again')}") == "quit":
            raise _Quit
        session.go_on(session.version)
        self.told = 0

    def _turn(self) -> None:
        """One answer of the person."""
        session = self.session
        self._show()
        legal = session.legal()
        for line in _columns(
            f"{number:>3} {session.hand.action_text(action)}" for number, action in enumerate(legal, 1)
        ):
            self.write(line)
        while True:
            typed = self._ask(f"{self.family.prompt(session, self.pen)} > ")
            try:
                if self._obey(typed, legal):
                    return
            except Refused as refused:
                reason = refused.reason
                self.write(self.words(refused.key) if reason is None else self.family.reason_text(reason, self.words))
            except UserError as error:
                self.write(str(error))

    def _obey(self, typed: str, legal: list[int]) -> bool:
        """Do what was typed; whether that changed anything."""
        session, command = self.session, typed.split()
        match command:
            case []:
                return False
            case ["quit" | "exit" | "q"]:
                raise _Quit
            case ["help" | "?"]:
                self.write(self.help)
                return False
            case ["table"]:
                return True
            case ["undo"]:
                session.undo(session.version)
                self.told = min(self.told, len(session.events))
                return True
            case ["hint", *agent]:
                spec = typed.partition(" ")[2].strip() if agent else session.setup.hints[0]
                self.write(hint_line(session, session.hint(session.version, spec), spec, self.words)["text"])
                return False
        if typed.isdigit():
            if not 1 <= int(typed) <= len(legal):
                self.write(self.more("number", number=typed))
                return False
            session.act(session.version, legal[int(typed) - 1])
            return True
        found = self.family.command(session.hand, command)
        if found is not None:
            session.play(session.version, found)
            return True
        session.act(session.version, self._find(typed, legal))
        return True

    def _find(self, typed: str, legal: list[int]) -> int:
        """The action that a text means; `Refused` with a reason if it is none that could be played here."""
        session = self.session
        text = " ".join(typed.split())
        for action in legal:
            if session.hand.action_text(action) == text:
                return action
        found = self.family.find(session.hand, text)
        if found is None:
            raise Refused("no.group")
        return found


def _columns(texts: Iterable[str], width: int = 100) -> list[str]:
    """Texts side by side, as many to a line as have room."""
    items = list(texts)
    if not items:
        return []
    wide = max(map(len, items)) + 2
    row = max(1, width // wide)
    return [
        "".join(item.ljust(wide) for item in items[start : start + row]).rstrip() for start in range(0, len(items), row)
    ]
