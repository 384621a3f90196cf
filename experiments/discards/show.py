"""The benchmark's tables for the terminal."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from rich.console import RenderableType
from rich.table import Table

from experiments.discards.situations import AXES
from experiments.report.tables import cross_table, interval, percent


def tables(summary: Mapping[str, Any]) -> list[RenderableType]:
    """Everything the command prints."""
    shown: list[RenderableType] = []
    for game, found in summary["play"].items():
        shown += [
            ranking(game, found["agents"], found["anchor"]),
            cross_table([agent["name"] for agent in found["agents"]], found["pairs"]),
        ]
    if summary["strategies"]:
        shown += [regret(summary["strategies"]), situations(summary["strategies"])]
    if summary["advice"]:
        shown.append(advice(summary["advice"]))
    if summary["noise"]:
        shown.append("\n".join(noise_lines(summary["noise"])))
    return shown


def ranking(game: str, agents: Sequence[Mapping[str, Any]], anchor: str) -> Table:
    """Strategies at the table, best first."""
    table = Table("", "strategy", "points a hand [95%]", "hands", title=f"{game}: play, {anchor} is 0")
    table.title_justify = "left"
    for place, agent in enumerate(agents, start=1):
        points = interval(agent["points"], agent["points_ci"])
        table.add_row(str(place), agent["name"], points, str(agent["hands"]))
    return table


def regret(strategies: Sequence[Mapping[str, Any]]) -> Table:
    """Strategies by the points they lose a discard."""
    table = Table("", "strategy", "regret a discard [95%]", "agrees with the best [95%]", title="Decisions")
    table.title_justify = "left"
    for place, found in enumerate(strategies, start=1):
        table.add_row(
            str(place),
            found["name"],
            interval(found["regret"], found["regret_ci"], 1, sign=False),
            percent(found["agreement"], found["agreement_ci"]),
        )
    return table


def situations(strategies: Sequence[Mapping[str, Any]]) -> Table:
    """Regret by situation: a row a strategy."""
    names = [name for own in AXES.values() for name in own]
    by_name = [{part["situation"]: part for part in found["situations"]} for found in strategies]
    shown = [name for name in names if by_name[0][name]["positions"]]
    table = Table("strategy", *shown, title="Regret by situation", title_justify="left")
    for found, parts in zip(strategies, by_name):
        table.add_row(found["name"], *(f"{parts[name]['regret']:.0f}" for name in shown))
    table.add_section()
    table.add_row("positions", *(str(by_name[0][name]["positions"]) for name in shown))
    table.add_row("share of play", *(f"{100 * by_name[0][name]['share']:.0f}%" for name in shown))
    return table


def advice(rows: Sequence[Mapping[str, Any]]) -> Table:
    """What each sentence is worth."""
    table = Table("advice", "sentence", "verdict", "points a discard [95%]", "decisions", title="The seed's advice")
    table.title_justify = "left"
    for row in rows:
        table.add_row(
            row["advice"], row["text"], row["verdict"], interval(row["gain"], row["gain_ci"], 1), str(row["decisions"])
        )
    return table


def noise_lines(noise: Mapping[str, Any]) -> list[str]:
    """How far the estimates can be trusted."""
    return [
        f"{noise['positions']} positions estimated twice: correlation of card values {noise['correlation']:.2f}, "
        f"standard error of a value {noise['rmse']:.0f} points,",
        f"mean difference of the strategies' regret "
        f"{interval(noise['regret_difference'], noise['regret_difference_ci'], 1)} points",
    ]
