"""Tables for the terminal."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any, Final

from rich.console import Console
from rich.markup import escape
from rich.table import Table

# Width of tables that go to a file or a pipe.
PLAIN_WIDTH: Final = 140


def console() -> Console:
    """Standard output; as wide as the terminal, or `PLAIN_WIDTH` where there is none."""
    out = Console(highlight=False)
    return out if out.is_terminal else Console(highlight=False, width=PLAIN_WIDTH)


def interval(value: float, bounds: Sequence[float], digits: int = 0, sign: bool = True) -> str:
    """`+12 [+3, +21]`."""
    plus = "+" if sign else ""

    def text(number: float) -> str:
        # Adding 0 turns -0 into 0.
        return "?" if math.isnan(number) else f"{number + 0.0:{plus}.{digits}f}"

    if bounds[0] == value == bounds[1]:
        return text(value)
    return f"{text(value)} [{text(bounds[0])}, {text(bounds[1])}]"


def percent(value: float, bounds: Sequence[float]) -> str:
    """`97.1% [96.2, 97.9]`."""
    if math.isnan(bounds[0]):
        return f"{100 * value:.1f}% [?, ?]"
    return f"{100 * value:.1f}% [{100 * bounds[0]:.1f}, {100 * bounds[1]:.1f}]"


def ranking(agents: Sequence[Mapping[str, Any]]) -> Table:
    """Agents in the order given, best first."""
    table = Table(
        "", "agent", "points a hand [95%]", "Elo [95%]", "hands", "errors", title="Ranking", title_justify="left"
    )
    for column in table.columns[2:]:
        column.justify = "right"
    for place, agent in enumerate(agents, start=1):
        points = interval(agent["points"], agent["points_ci"])
        elo = interval(agent["elo"], agent["elo_ci"], sign=False)
        table.add_row(str(place), escape(agent["name"]), points, elo, str(agent["hands"]), str(agent["errors"]))
    return table


def cross_table(names: Sequence[str], pairs: Sequence[Mapping[str, Any]]) -> Table:
    """Points a hand of the agent in the row minus the one in the column, with interval and win rate."""
    table = Table(
        "row minus column",
        *map(escape, names),
        title="Points a hand [95%], wins",
        title_justify="left",
        show_lines=True,
    )
    cells: dict[tuple[str, str], str] = {}
    for pair in pairs:
        low, high = pair["ci"]
        cells[pair["a"], pair["b"]] = f"{interval(pair['mean'], (low, high))}\n{100 * pair['win_rate']:.1f}%"
        cells[pair["b"], pair["a"]] = f"{interval(-pair['mean'], (-high, -low))}\n{100 - 100 * pair['win_rate']:.1f}%"
    for name in names:
        table.add_row(escape(name), *(cells.get((name, other), "") for other in names))
    return table


def pair_lines(pair: Mapping[str, Any]) -> list[str]:
    """One pair in words."""
    return [
        f"{pair['a']} against {pair['b']}: {pair['boards']} boards of two hands",
        f"  points a hand  {interval(pair['mean'], pair['ci'], 1)}",
        f"  wins           {percent(pair['win_rate'], pair['win_ci'])}",
    ]
