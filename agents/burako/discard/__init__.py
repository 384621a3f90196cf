"""Discard strategies; all use the same facts, and the heuristic is the same with each of them.

A new one is a file with a `DiscardStrategy` and a line in `STRATEGIES`: it is then an option of the heuristic
(`heuristic:discard=NAME`) and takes part in `burako discards`.
"""

from typing import TYPE_CHECKING, Final, Literal, TypeAlias

from agents.burako.discard.base import DiscardStrategy
from agents.burako.discard.cooperative import CooperativeDiscard
from agents.burako.discard.fitted import FittedDiscard
from agents.burako.discard.isolated import IsolatedDiscard
from agents.burako.discard.memory import MemoryDiscard
from agents.burako.discard.plain import HighestDiscard, LowestDiscard, RandomDiscard
from agents.burako.discard.safe import SafeDiscard
from agents.burako.discard.seed import SeedDiscard

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
