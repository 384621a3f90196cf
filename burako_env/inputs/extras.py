"""Extras: the bare install is an environment, and `pyproject.toml` says which libraries an extra adds to it."""

from collections.abc import Iterator
from contextlib import contextmanager

from burako_env.errors import UserError
from burako_selfplay import missing


class MissingExtra(UserError, ImportError):
    """A library is not installed. The message is one sentence with the mend."""


@contextmanager
def needed(extra: str = "") -> Iterator[None]:
    """Around imports and whatever makes them: one that fails for want of an extra raises `MissingExtra`.

    `extra` is named where several bring what is missing.
    """
    try:
        yield
    except ModuleNotFoundError as error:
        if (sentence := missing(error, extra)) is None:
            raise
        raise MissingExtra(sentence) from None
