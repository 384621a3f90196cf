"""What the benchmark shows: tables for the terminal, and two pictures, each as PNG and SVG."""

import math
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final

from rich.console import RenderableType
from rich.table import Table

from burako_env.inputs.files import whole
from experiments.discards.situations import AXES, NAMES
from experiments.report.tables import cross_table, interval, percent

_DPI: Final = 144
_DOT: Final = {"fmt": "o", "markersize": 5, "capsize": 3, "linewidth": 1.2}


def tables(summary: Mapping[str, Any]) -> list[RenderableType]:
    """Everything the command prints."""
    shown: list[RenderableType] = []
    for game, found in summary["play"].items():
        agents = found["agents"]
        names = [agent["name"] for agent in agents]
        shown += [_ranking(game, agents, found["anchor"]), cross_table(names, found["pairs"])]
    if summary["strategies"]:
        shown += [_regret(summary["strategies"]), _situations(summary["strategies"])]
    if summary["advice"]:
        shown.append(_advice(summary["advice"]))
    if summary["noise"]:
        shown.append(_noise(summary["noise"]))
    return shown


def _table(title: str, *headings: str) -> Table:
    return Table(*headings, title=title, title_justify="left")


def _ranking(game: str, agents: Sequence[Mapping[str, Any]], anchor: str) -> Table:
    """Strategies at the table, best first."""
    table = _table(f"{game}: play, {anchor} is 0", "", "strategy", "points per hand [95%]", "hands")
    for place, agent in enumerate(agents, start=1):
        points = interval(agent["points"], agent["points_ci"])
        table.add_row(str(place), agent["name"], points, str(agent["hands"]))
    return table


def _regret(strategies: Sequence[Mapping[str, Any]]) -> Table:
    """Strategies by the points that they lose per discard."""
    table = _table("Decisions", "", "strategy", "regret per discard [95%]", "agrees with the best [95%]")
    for place, found in enumerate(strategies, start=1):
        lost = interval(found["regret"], found["regret_ci"], 1, sign=False)
        table.add_row(str(place), found["name"], lost, percent(found["agreement"], found["agreement_ci"]))
    return table


def _situations(strategies: Sequence[Mapping[str, Any]]) -> Table:
    """Regret by situation: a row for each strategy."""
    by_name = [{part["situation"]: part for part in found["situations"]} for found in strategies]
    shown = [name for name in NAMES if by_name[0][name]["positions"]]
    table = _table("Regret by situation", "strategy", *shown)
    for found, parts in zip(strategies, by_name):
        table.add_row(found["name"], *(f"{parts[name]['regret']:.0f}" for name in shown))
    table.add_section()
    table.add_row("positions", *(str(by_name[0][name]["positions"]) for name in shown))
    table.add_row("share of play", *(f"{100 * by_name[0][name]['share']:.0f}%" for name in shown))
    return table


def _advice(rows: Sequence[Mapping[str, Any]]) -> Table:
    """What each sentence is worth."""
    table = _table("The rules' advice", "advice", "sentence", "verdict", "points per discard [95%]", "decisions")
    for row in rows:
        gain = interval(row["gain"], row["gain_ci"], 1)
        table.add_row(row["advice"], row["text"], row["verdict"], gain, str(row["decisions"]))
    return table


def _noise(noise: Mapping[str, Any]) -> str:
    """How far the estimates can be trusted."""
    difference = interval(noise["regret_difference"], noise["regret_difference_ci"], 1)
    return (
        f"{noise['positions']} positions estimated twice: correlation of card values {noise['correlation']:.2f}, "
        f"standard error of a value {noise['rmse']:.0f} points,\n"
        f"mean difference of the strategies' regret {difference} points"
    )


def draw(summary: Mapping[str, Any], folder: Path) -> list[Path]:
    """Write the pictures of what has been measured; the paths of the PNG files."""
    drawn = []
    if play := summary["play"]:
        height = 0.8 + 0.35 * max(len(found["agents"]) for found in play.values())
        with _picture(folder / "play.png", 4.0 * len(play), height) as figure:
            _play_ranking(figure, play)
        drawn.append(folder / "play.png")
    if strategies := summary["strategies"]:
        with _picture(folder / "regret.png", 15.0, 1.6 + 0.55 * len(strategies)) as figure:
            _regret_by_situation(figure, strategies)
        drawn.append(folder / "regret.png")
    return drawn


@contextmanager
def _picture(path: Path, width: float, height: float) -> Iterator[Any]:
    """A figure without a window; when the block ends, it is written as PNG and SVG.

    The same numbers give the same files: no date, ids from a fixed salt.
    """
    # matplotlib takes a second to load, so it is imported only when something is drawn.
    import matplotlib
    from matplotlib.figure import Figure

    figure = Figure(figsize=(width, height), layout="constrained")
    yield figure
    with matplotlib.rc_context({"svg.hashsalt": path.stem}), whole(path.with_suffix(".svg")) as file:
        figure.savefig(file, format="svg", metadata={"Date": None})
    with whole(path) as file:
        figure.savefig(file, format="png", dpi=_DPI)


def _play_ranking(figure: Any, play: Mapping[str, Mapping[str, Any]]) -> None:
    """A panel for each game: points per hand of every strategy with its interval, best on top."""
    for place, (game, found) in enumerate(play.items(), start=1):
        axes = figure.add_subplot(1, len(play), place)
        agents = found["agents"][::-1]
        _dots(axes, "points", agents, range(len(agents)))
        axes.set_yticks(range(len(agents)), [agent["name"] for agent in agents])
        axes.axvline(0, color="0.8", zorder=0)
        axes.set_title(game, loc="left")
        axes.set_xlabel(f"points per hand, {found['anchor']} = 0")


def _regret_by_situation(figure: Any, strategies: Sequence[Mapping[str, Any]]) -> None:
    """A panel for each axis of the situations, and one for all: regret of every strategy with its interval."""
    count = len(strategies)
    by_name = [{"all": found, **{part["situation"]: part for part in found["situations"]}} for found in strategies]
    shared = None
    for place, (title, names) in enumerate({"all": ("all",), **AXES}.items(), start=1):
        axes = figure.add_subplot(1, 1 + len(AXES), place, sharex=shared)
        shared = shared or axes
        for line, name in enumerate(names):
            known = [(row, parts[name]) for row, parts in enumerate(by_name) if not math.isnan(parts[name]["regret"])]
            # Side by side around the strategy's row.
            offset = 0.6 * (line / max(len(names) - 1, 1) - 0.5) * (len(names) > 1)
            _dots(axes, "regret", [part for _, part in known], [row + offset for row, _ in known], label=name)
        axes.set_yticks(range(count), [found["name"] if place == 1 else "" for found in strategies])
        axes.invert_yaxis()
        axes.set_title(title, loc="left")
        axes.set_xlabel("regret, points per discard")
        axes.grid(axis="x", color="0.9")
        if place > 1:
            below = (0.5, -0.12 - 0.5 / count)
            axes.legend(fontsize="small", ncols=2, loc="upper center", bbox_to_anchor=below)


def _dots(axes: Any, key: str, rows: Sequence[Mapping[str, Any]], heights: Sequence[float], label: str = "") -> None:
    """A dot for each row at its value of the key, with its interval, if there is one, as whiskers."""
    values = [row[key] for row in rows]
    below, above = (
        [0.0 if math.isnan(bound) else max(sign * (bound - value), 0.0) for value, bound in zip(values, bounds)]
        for sign, bounds in ((-1, [row[f"{key}_ci"][0] for row in rows]), (1, [row[f"{key}_ci"][1] for row in rows]))
    )
    axes.errorbar(values, heights, xerr=[below, above], label=label, **_DOT)
