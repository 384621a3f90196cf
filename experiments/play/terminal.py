"""The same table in a terminal: the View as text, actions by number or in the words of the case files."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

from burako_env.errors import UserError
from experiments.play.happenings import Refused
from experiments.play.page import drawing, event_line, hint_line, languages, refusal
from experiments.play.session import Session
from experiments.runs.printing import printable, say

# Letters of a line of actions.
_WIDTH = 100


class _Quit(Exception):
    """The person has had enough."""


@dataclass
class Terminal:
    """A session in a terminal; `read` asks with a prompt, `write` prints."""

    session: Session
    language: str = "en"
    read: Callable[[str], str] = input
    write: Callable[[str], None] = say

    def __post_init__(self) -> None:
        self.family, self.words = self.session.family, languages(self.session.setup.game)[self.language]
        self.help = self.words("help", more=self.words("help.more"))
        self.pen, self.told = drawing(self.session, self.words), 0

    def play(self) -> None:
        """Play until the person quits or the input ends."""
        self.write(self.help)
        try:
            while True:
                self.session.play_agents()
                self._tell()
                if self.session.ending is None:
                    self._turn()
                else:
                    self._ending()
        except (_Quit, EOFError):
            self.write(self.words("bye"))

    def _ask(self, text: str) -> str:
        return self.read(printable(text)).strip()

    def _tell(self) -> None:
        """What has happened since the last time."""
        events = self.session.events
        for event in events[min(self.told, len(events)) :]:
            line = event_line(event, self.session, self.pen)
            self.write(f"  {line['name']} {line['text']}" if line["name"] else f"-- {line['text']}")
        self.told = len(events)

    def _ending(self) -> None:
        lines = self.family.ending_lines(self.session, self.pen)
        self.write(f"\n{lines['title']}. {lines['text']}")
        for row in lines["rows"]:
            self.write(f"  {row['name']}: {row['shown']}" + (f" -> {row['total']}" if "total" in row else ""))
        if "sheet" in lines:
            self.write(f"\n{lines['sheet']['title']}")
            for line in _sheet(lines["sheet"]):
                self.write(line)
        if self._ask(f"{lines['next']}. {self.words('go.on')}") == "quit":
            raise _Quit
        self.session.go_on(self.session.version)
        self.told = 0

    def _turn(self) -> None:
        """One answer of the person."""
        session = self.session
        self.write("\n" + self.family.text(session.hand, session.seat, self.words))
        legal = session.legal()
        for line in _columns([f"{number:>3} {session.hand.action_text(one)}" for number, one in enumerate(legal, 1)]):
            self.write(line)
        while True:
            typed = self._ask(f"{self.family.prompt(session, self.pen)} > ")
            try:
                if self._obey(typed, legal):
                    return
            except Refused as refused:
                self.write(refusal(refused, session, self.words))
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
                spec = " ".join(agent) or "".join(session.setup.hints[:1])
                self.write(hint_line(session, session.hint(session.version, spec), spec, self.words)["text"])
                return False
        found = self.family.command(session.hand, command)
        if found is not None:
            session.play(session.version, found)
            return True
        action = self._find(" ".join(command), legal)
        if action is not None:
            session.act(session.version, action)
        return action is not None

    def _find(self, text: str, legal: list[int]) -> int | None:
        """The action of a number or a text; None, and the person is told, for a number of none."""
        if text.isdecimal():
            if len(text) < 6 and 1 <= int(text) <= len(legal):
                return legal[int(text) - 1]
            self.write(self.words("no.number", number=text))
            return None
        for action in legal:
            if self.session.hand.action_text(action) == text:
                return action
        found = self.family.find(self.session.hand, text)
        if found is None:
            raise Refused("no.group")
        return found


def _sheet(sheet: dict[str, Any]) -> Iterator[str]:
    """A score sheet as lines of text: what, both sides' figures, the rule."""
    table = [["", "", *sheet["head"]], *sheet["rows"], *([row[0], "", *row[1:]] for row in sheet["totals"])]
    wide = [max(map(len, column)) for column in zip(*table, strict=True)]
    for what, rule, *figures in table:
        shown = "  ".join(f"{figure:>{width}}" for figure, width in zip(figures, wide[2:], strict=True))
        yield f"  {what:<{wide[0]}}  {shown}  {rule}".rstrip()


def _columns(texts: list[str]) -> Iterator[str]:
    """Texts side by side, as many to a line as have room."""
    wide = max(map(len, texts), default=0) + 2
    row = max(1, _WIDTH // wide)
    for start in range(0, len(texts), row):
        yield "".join(text.ljust(wide) for text in texts[start : start + row]).rstrip()
