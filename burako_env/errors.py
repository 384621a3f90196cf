"""Errors that a user can mend: one clear sentence naming the place and the mend; commands exit with code 2 on them."""

import difflib
from collections.abc import Iterable
from pathlib import Path


class UserError(ValueError):
    """Bad input of any kind. The message is one sentence for the user; commands print it without a traceback."""


class ReadingError(UserError):
    """A file that cannot be read: `FILE:LINE: what is wrong`; `reason` is the last part alone."""

    def __init__(self, path: Path, line: int, text: str) -> None:
        self.reason = " ".join(text.split())
        super().__init__(f"{path}:{line}: {self.reason}")


def unknown(what: str, name: str, valid: Iterable[str]) -> UserError:
    """A `UserError` for a name that does not exist, with the nearest valid names (or all of them)."""
    names, name = sorted(valid), short(name)
    near = difflib.get_close_matches(name, names, n=3, cutoff=0.5)
    if near:
        return UserError(f"unknown {what} '{name}': did you mean {' or '.join(near)}?")
    return UserError(f"unknown {what} '{name}': the {what}s are {', '.join(names)}")


def short(text: str, most: int = 200) -> str:
    """The beginning of a text: sentences quote what the user said, however long that is."""
    return text if len(text) <= most else text[:most] + "..."


def in_words(error: BaseException) -> str:
    """`TypeError: what it says` for any exception, also for one whose own `str` fails."""
    try:
        text = str(error)
    except BaseException:
        text = "(it does not say what)"
    return f"{type(error).__name__}: {text}" if text else type(error).__name__
