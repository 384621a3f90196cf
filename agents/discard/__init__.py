"""Discard strategies, one a file; all use the same facts and differ in nothing else."""

from typing import Final

from agents.discard.base import DiscardStrategy
from agents.discard.highest import HighestDiscard
from agents.discard.random import RandomDiscard
from agents.discard.safe import SafeDiscard

STRATEGIES: Final[dict[str, type[DiscardStrategy]]] = {
    "highest": HighestDiscard,
    "random": RandomDiscard,
    "safe": SafeDiscard,
}

__all__ = ["STRATEGIES", "DiscardStrategy"]
