"""Discard strategies, one a file; all use the same facts and differ in nothing else.

A new one is a file with a `DiscardStrategy` and a line in `STRATEGIES`: it is then an option of the heuristic
(`heuristic:discard=NAME`) and takes part in `burako discards`.
"""

from typing import TYPE_CHECKING, Final, Literal, TypeAlias

from agents.discard.base import DiscardStrategy
from agents.discard.cooperative import CooperativeDiscard
from agents.discard.fitted import FittedDiscard
from agents.discard.highest import HighestDiscard
from agents.discard.isolated import IsolatedDiscard
from agents.discard.lowest import LowestDiscard
from agents.discard.memory import MemoryDiscard
from agents.discard.random import RandomDiscard
from agents.discard.safe import SafeDiscard
from agents.discard.seed import SeedDiscard

STRATEGIES: Final[dict[str, type[DiscardStrategy]]] = {
    "random": RandomDiscard,
    "highest": HighestDiscard,
    "lowest": LowestDiscard,
    "isolated": IsolatedDiscard,
    "safe": SafeDiscard,
    "seed": SeedDiscard,
    "memory": MemoryDiscard,
    "cooperative": CooperativeDiscard,
    "fitted": FittedDiscard,
}

if TYPE_CHECKING:
    StrategyName: TypeAlias = str
else:
    # An agent's options are read from its annotations, so the names stand there without being listed twice.
    StrategyName = Literal[tuple(STRATEGIES)]

__all__ = ["STRATEGIES", "DiscardStrategy", "StrategyName"]
