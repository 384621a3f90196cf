"""The canonical texts of expected and found values that all games write alike."""

from collections.abc import Iterable


def listed(texts: Iterable[str]) -> str:
    """A list."""
    return f"[{', '.join(texts)}]"


def numbered(numbers: Iterable[int]) -> str:
    """A list of numbers."""
    return listed(str(int(number)) for number in numbers)


def truth(value: bool) -> str:
    """A truth value."""
    return "true" if value else "false"
