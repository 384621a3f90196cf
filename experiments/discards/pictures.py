"""Two pictures, each as PNG and SVG: regret by situation, and the ranking at the table."""

from __future__ import annotations

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
        written.append(_save(play_ranking(summary["play"]), folder / "play"))
    if summary["strategies"]:
        written.append(_save(regret_by_situation(summary["strategies"]), folder / "regret"))
    return written


def play_ranking(play: Mapping[str, Mapping[str, Any]]) -> Any:
    """A panel a game: points a hand of every strategy with its interval, best on top."""
    figure = _figure(4.0 * len(play), 0.8 + 0.35 * max(len(found["agents"]) for found in play.values()))
    for place, (game, found) in enumerate(play.items(), start=1):
        axes = figure.add_subplot(1, len(play), place)
        agents = found["agents"][::-1]
        points = [agent["points"] for agent in agents]
        axes.errorbar(points, range(len(agents)), xerr=_whiskers(points, [a["points_ci"] for a in agents]), **_DOT)
        axes.set_yticks(range(len(agents)), [agent["name"] for agent in agents])
        axes.axvline(0, color="0.8", zorder=0)
        axes.set_title(game, loc="left")
        axes.set_xlabel(f"points a hand, {found['anchor']} = 0")
    return figure


def regret_by_situation(strategies: Sequence[Mapping[str, Any]]) -> Any:
    """A panel an axis of the situations, and one of all: regret of every strategy with its interval."""
    figure = _figure(15.0, 1.6 + 0.55 * len(strategies))
    groups = [("all", None), *((axis, names) for axis, names in AXES.items())]
    shared = None
    for place, (title, names) in enumerate(groups, start=1):
        axes = figure.add_subplot(1, len(groups), place, sharex=shared)
        shared = shared or axes
        lines = names or ("all",)
        for line, name in enumerate(lines):
            parts = [_part(found, name) for found in strategies]
            known = [(row, part) for row, part in enumerate(parts) if part["regret"] == part["regret"]]
            values = [part["regret"] for _, part in known]
            heights = [row + 0.6 * (line / max(len(lines) - 1, 1) - 0.5) * (len(lines) > 1) for row, _ in known]
            whiskers = _whiskers(values, [part["regret_ci"] for _, part in known])
            axes.errorbar(values, heights, xerr=whiskers, label=name, **_DOT)
        axes.set_yticks(
            range(len(strategies)), [s["name"] for s in strategies] if place == 1 else [""] * len(strategies)
        )
        axes.invert_yaxis()
        axes.set_title(title, loc="left")
        axes.set_xlabel("regret, points a discard")
        axes.grid(axis="x", color="0.9")
        if names:
            axes.legend(
                fontsize="small", ncols=2, loc="upper center", bbox_to_anchor=(0.5, -0.12 - 0.5 / len(strategies))
            )
    return figure


def _part(found: Mapping[str, Any], name: str) -> Mapping[str, Any]:
    if name == "all":
        return found
    part: Mapping[str, Any] = next(part for part in found["situations"] if part["situation"] == name)
    return part


def _whiskers(values: Sequence[float], bounds: Sequence[Sequence[float]]) -> list[list[float]]:
    """Lengths below and above; 0 where there is no interval."""
    low = [max(value - own[0], 0.0) if own[0] == own[0] else 0.0 for value, own in zip(values, bounds)]
    high = [max(own[1] - value, 0.0) if own[1] == own[1] else 0.0 for value, own in zip(values, bounds)]
    return [low, high]


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
