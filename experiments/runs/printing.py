"""What is printed: names of agents, errors and what files say are text, whatever stands in them.

Nothing of it is read as rich's markup or codes for pictures (`:fire:`), no character steers the terminal, and what a
terminal has no letter for is replaced.
"""

from __future__ import annotations

import sys
import unicodedata
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from rich.console import Console
    from rich.progress import TextColumn

# Width of tables that go to a file or a pipe.
PLAIN_WIDTH: Final = 140

# Control characters, invisible ones that turn the direction of writing, halves of letters, ends of lines.
_STEERING: Final = frozenset(("Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"))


def printable(text: str) -> str:
    """A text with whatever could steer a terminal written out (`\\x1b`), but for the ends of its lines."""
    if text.isprintable():
        return text
    return "".join(
        letter
        if letter == "\n" or unicodedata.category(letter) not in _STEERING
        else letter.encode("unicode_escape", "surrogatepass").decode("ascii")
        for letter in text
    )


def say(text: str, error: bool = False) -> None:
    """Print a text, on stderr if it is an error."""
    print(printable(text), file=sys.stderr if error else sys.stdout, flush=True)


def say_error(error: BaseException) -> None:
    """Print the sentence of an error on one line of stderr."""
    try:
        text = str(error)
    except BaseException:  # foreign code may have derived it
        text = type(error).__name__
    say("error: " + " ".join(text.splitlines()), error=True)


def forgive(*streams: Any) -> None:
    """From now on streams replace what their encoding does not have; they raised on it."""
    for stream in streams:
        if getattr(stream, "errors", None) in ("strict", "surrogateescape") and hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="replace")


def console(stderr: bool = False) -> Console:
    """Where tables and lines are printed; as wide as the terminal, or `PLAIN_WIDTH` where there is none."""
    # The sentence of an error is printed without rich, which the bare install lacks.
    from rich.console import Console
    from rich.text import Text

    class Plain(Console):
        """Prints texts as they are; styles are given apart from them."""

        def render_str(self, text: str, **options: Any) -> Text:
            return super().render_str(printable(text), **{**options, "emoji": False, "markup": False})

    out = Plain(stderr=stderr, highlight=False, markup=False, emoji=False)
    if not out.is_terminal:
        out.width = PLAIN_WIDTH
    return out


def text_column(template: str) -> TextColumn:
    """A column of a progress bar."""
    from rich.progress import TextColumn

    return TextColumn(template, markup=False)
