"""Two pictures, each as PNG and SVG: regret by situation, and the ranking at the table."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Final

from burako_env.inputs.files import whole
from experiments.discards.situations import AXES

_DPI: Final = 144
_DOT: Final = {"fmt": "o", "markersize": 5, "capsize": 3, "linewidth": 1.2}


def draw(summary: Mapping[str, Any], folder: Path) -> list[Path]:
    """Write the pictures of what has been measured; the paths of the PNG files."""
    written = []
    if summary["play"]:
        written.append(_save(_play_ranking(summary["play"]), folder / "play"))
    if summary["strategies"]:
        written.append(_save(_regret_by_situation(summary["strategies"]), folder / "regret"))
    return written


def _play_ranking(play: Mapping[str, Mapping[str, Any]]) -> Any:
    """A panel for each game: points per hand of every strategy with its interval, best on top."""
    figure = _figure(4.0 * len(play), 0.8 + 0.35 * max(len(found["agents"]) for found in play.values()))
    for place, (game, found) in enumerate(play.items(), start=1):
        axes = figure.add_subplot(1, len(play), place)
        agents = found["agents"][::-1]
        _dots(axes, "points", agents, range(len(agents)))
        axes.set_yticks(range(len(agents)), [agent["name"] for agent in agents])
        axes.axvline(0, color="0.8", zorder=0)
        axes.set_title(game, loc="left")
        axes.set_xlabel(f"points per hand, {found['anchor']} = 0")
    return figure


def _regret_by_situation(strategies: Sequence[Mapping[str, Any]]) -> Any:
    """A panel for each axis of the situations, and one for all: regret of every strategy with its interval."""
    count = len(strategies)
    figure = _figure(15.0, 1.6 + 0.55 * count)
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
    return figure


def _dots(axes: Any, key: str, rows: Sequence[Mapping[str, Any]], heights: Sequence[float], label: str = "") -> None:
    """A dot for each row at its value of the key, with its interval, if there is one, as whiskers."""
    values = [row[key] for row in rows]
    bounds = [row[f"{key}_ci"] for row in rows]
    low = [max(value - own[0], 0.0) if not math.isnan(own[0]) else 0.0 for value, own in zip(values, bounds)]
    high = [max(own[1] - value, 0.0) if not math.isnan(own[1]) else 0.0 for value, own in zip(values, bounds)]
    axes.errorbar(values, heights, xerr=[low, high], label=label, **_DOT)


def _figure(width: float, height: float) -> Any:
    """A figure without a window. matplotlib takes a second to load, so it is imported only when something is drawn."""
    from matplotlib.figure import Figure

    return Figure(figsize=(width, height), layout="constrained")


def _save(figure: Any, path: Path) -> Path:
    """The same numbers give the same files: no date, ids from a fixed salt."""
    import matplotlib

    with matplotlib.rc_context({"svg.hashsalt": path.name}), whole(path.with_suffix(".svg")) as file:
        figure.savefig(file, format="svg", metadata={"Date": None})
    with whole(path.with_suffix(".png")) as file:
        figure.savefig(file, format="png", dpi=_DPI)
    return path.with_suffix(".png")
