"""How numbers are written, in the terminal and in the report, and what the measures of a profile mean."""

import math
from dataclasses import dataclass
from typing import Final


def number(value: float | None, digits: int = 0, sign: bool = False) -> str:
    """A number, `?` where there is none; -0 is written as 0."""
    if value is None or math.isnan(value):
        return "?"
    # Rounding first, then adding 0, turns -0.04 into 0.0.
    return f"{round(value, digits) + 0.0:{'+' if sign else ''}.{digits}f}"


def p_text(value: float | None) -> str:
    """A p-value; very small ones as a bound."""
    return "< 0.001" if value is not None and value < 0.001 else number(value, 3)


@dataclass(frozen=True)
class Measure:
    """A line of the profile: its short name, what it means, and how its values are written."""

    short: str
    meaning: str
    digits: int = 2
    percent: bool = False

    def text(self, value: float | None) -> str:
        """The value as written."""
        if value is None:
            return "-"
        return f"{number(100 * value, 1)}%" if self.percent else number(value, self.digits)


# Keys as in `queries.profiles`.
PROFILE: Final[dict[str, Measure]] = {
    "won": Measure("won", "hands or matches won", percent=True),
    "out": Measure("went out", "hands the team went out in", percent=True),
    "clean": Measure("clean bazas", "bazas closed clean, per hand"),
    "dirty": Measure("dirty bazas", "bazas closed dirty, per hand"),
    "wild": Measure("wild bazas", "bazas of wilds, per hand", digits=3),
    "burakos": Measure("burakos", "burakos taken, per hand"),
    "piles": Measure("piles taken", "times the team took the pile, per hand"),
    "held": Measure("points left", "points left in the team's hands at the end", digits=1),
    "unjustified": Measure("unjustified", "hands that ended while the team had no baza", percent=True),
    "decisions": Measure("decisions", "actions taken, per hand", digits=1),
    "turns": Measure("turns", "turns of both teams, per hand", digits=1),
    "ms": Measure("ms per decision", "time for one decision put to the agent, many games at a time", digits=3),
}
