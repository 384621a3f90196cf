"""Tables for the terminal."""

from collections.abc import Mapping, Sequence
from typing import Any, Final

from rich.console import RenderableType
from rich.table import Table

from experiments.report.numbers import PROFILE, number, p_text

MOST_FAILURES: Final = 10
MOST_COLUMNS: Final = 4


def interval(value: float, bounds: Sequence[float], digits: int = 0, sign: bool = True) -> str:
    """`+12 [+3, +21]`; the value alone where the interval has no width."""
    text, low, high = (number(one, digits, sign) for one in (value, *bounds))
    return text if bounds[0] == value == bounds[1] else f"{text} [{low}, {high}]"


def percent(value: float, bounds: Sequence[float]) -> str:
    """`97.1% [96.2, 97.9]`."""
    text, low, high = (number(100 * one, 1) for one in (value, *bounds))
    return f"{text}% [{low}, {high}]"


def table(title: str, left: Sequence[str], right: Sequence[str] = (), **options: Any) -> Table:
    """A table with a title; the columns of `right` hold numbers."""
    found = Table(*left, title=title, title_justify="left", **options)
    for name in right:
        found.add_column(name, justify="right")
    return found


def tables(summary: Mapping[str, Any]) -> list[RenderableType]:
    """Everything a tournament prints."""
    agents, pairs = summary["agents"], summary["pairs"]
    shown: list[RenderableType] = [
        ranking(agents, summary["digits"]),
        cross_table([agent["name"] for agent in agents], pairs, summary["digits"]),
        profile([agent for agent in agents if agent["profile"]]),
    ]
    if summary["cross_play"]:
        shown.append(cross_play(summary["cross_play"], summary["cross_play_mean"]))
    if summary["failures"]:
        shown.append(failures(summary["failures"]))
    lines = [*circle_lines(summary["intransitivity"]), *sequential_lines(pairs), *forfeit_lines(pairs)]
    lines += summary["warnings"]
    return [*shown, "\n".join(lines)] if lines else shown


def ranking(agents: Sequence[Mapping[str, Any]], digits: int = 0) -> Table:
    """Agents in the order given, best first."""
    shown = table("Ranking", ("", "agent"), ("points per hand [95%]", "Elo [95%]", "hands", "errors"))
    for place, agent in enumerate(agents, start=1):
        points = interval(agent["points"], agent["points_ci"], digits)
        elo = interval(agent["elo"], agent["elo_ci"], sign=False)
        shown.add_row(str(place), agent["name"], points, elo, str(agent["hands"]), str(agent["errors"]))
    return shown


def cross_table(names: Sequence[str], pairs: Sequence[Mapping[str, Any]], digits: int = 0) -> Table:
    """Points per hand of the agent in the row minus the one in the column, with interval and win rate."""
    headers, labels = _headings(names)
    shown = table("Points per hand [95%], wins", ("row minus column", *headers), show_lines=True)
    shown.columns[0].overflow = "fold"
    cells: dict[tuple[str, str], str] = {}
    for pair in pairs:
        low, high = pair["ci"]
        cells[pair["a"], pair["b"]] = _cell(pair["mean"], (low, high), pair["win_rate"], digits)
        cells[pair["b"], pair["a"]] = _cell(-pair["mean"], (-high, -low), 1 - pair["win_rate"], digits)
    for name, label in zip(names, labels):
        shown.add_row(label, *(cells.get((name, other), "") for other in names))
    return shown


def _cell(mean: float, bounds: Sequence[float], wins: float, digits: int) -> str:
    """`+12  51.3%` over the interval."""
    value, *rest = interval(mean, bounds, digits).split(" ", 1)
    return "\n".join((f"{value}  {number(100 * wins, 1)}%", *rest))


def _headings(names: Sequence[str]) -> tuple[list[str], list[str]]:
    """Headings of columns and of rows: names, or their places in the ranking where there are many."""
    if len(names) <= MOST_COLUMNS:
        return list(names), list(names)
    places = [str(place) for place in range(1, len(names) + 1)]
    return places, [f"{place} {name}" for place, name in zip(places, names)]


def profile(agents: Sequence[Mapping[str, Any]]) -> Table:
    """What each team did, on average per hand: a row for each measure, a column for each team."""
    shown = table("What they did", ("per hand",), _headings([agent["name"] for agent in agents])[0])
    for key, measure in PROFILE.items():
        values = [agent["profile"].get(key) for agent in agents]
        if any(value is not None for value in values):
            shown.add_row(measure.short, *map(measure.text, values))
    return shown


def failures(rows: Sequence[Mapping[str, Any]]) -> Table:
    """Why boards were forfeited."""
    title = "Errors: each forfeits its board, which counts in no mean and no rating"
    shown = table(title, ("team", "hands", "reason"))
    for row in rows[:MOST_FAILURES]:
        shown.add_row(row["team"], str(row["hands"]), row["reason"])
    if len(rows) > MOST_FAILURES:
        shown.add_row("", "", f"and {len(rows) - MOST_FAILURES} more reasons, see summary.json")
    return shown


def cross_play(rows: Sequence[Mapping[str, Any]], mean: Mapping[str, Any]) -> Table:
    """What partners gain or lose against teams of one kind; the last row is over all teams, if there are several."""
    shown = table("As partners", ("team", "points per hand [95%]", "p (Holm)"))
    for row in rows:
        shown.add_row(row["team"], interval(row["mean"], row["ci"], 1), p_text(row["p_holm"]))
    if len(rows) > 1:
        shown.add_section()
        shown.add_row("all together", interval(mean["mean"], mean["ci"], 1), p_text(mean["p"]))
    return shown


def circle_lines(found: Mapping[str, Any] | None) -> list[str]:
    """How much of the results no ranking explains."""
    if found is None:
        return []
    lines = [
        f"A single strength per team leaves {100 * found['share']:.1f}% of the variation unexplained; "
        f"noise alone would leave {100 * found['by_chance']:.1f}% (p {p_text(found['p'])})"
    ]
    return lines + [f"  {x} beats {y} beats {z} beats {x}" for x, y, z in found["cycles"]]


def sequential_lines(pairs: Sequence[Mapping[str, Any]]) -> list[str]:
    """What the sequential tests decided."""
    words = {"H0": "t <= {t0:g}", "H1": "t >= {t1:g}", "open": "undecided"}
    lines = [
        f"  {pair['a']} - {pair['b']}: {words[test['decision']].format(**test)} after {test['boards']} boards, "
        f"LLR {test['llr']:.2f}"
        for pair in pairs
        if (test := pair["sequential_test"])
    ]
    return ["Sequential tests (a mean after an early stop is biased away from 0):", *lines] if lines else []


def forfeit_lines(pairs: Sequence[Mapping[str, Any]]) -> list[str]:
    """How many boards of each pair say nothing of its strength."""
    return [
        f"  {pair['a']} - {pair['b']}: {pair['forfeited']} of {pair['boards']} boards forfeited, which count in no mean"
        for pair in pairs
        if pair["forfeited"]
    ]


def pair_lines(pair: Mapping[str, Any]) -> list[str]:
    """One pair in words."""
    forfeited = f", {pair['forfeited']} of them forfeited, which count in no mean" if pair["forfeited"] else ""
    lines = [
        f"{pair['a']} against {pair['b']}: {pair['boards']} boards{forfeited}",
        f"  points per hand  {interval(pair['mean'], pair['ci'], 1)}",
        f"  wins             {percent(pair['win_rate'], pair['win_ci'])}",
    ]
    if pair["win_shares"]:
        shares = pair["win_shares"]
        both = (f"{pair[side]} {percent(shares[side], shares[f'{side}_ci'])}" for side in "ab")
        lines.append(f"  of the table     {', '.join(both)}")
    if pair["without_luck"]:
        narrower = pair["without_luck"]
        lines.insert(2, f"  without luck     {interval(narrower['mean'], narrower['ci'], 1)}")
    needed = pair["effect"]["boards_needed"]
    size = number(pair["effect"]["t"], 3)
    lines.append(f"  effect size      {size}" + (f", seen in {needed} boards" if needed else ""))
    return [*lines, *sequential_lines([pair])]
