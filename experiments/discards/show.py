"""The benchmark's tables for the terminal."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from rich.console import RenderableType
from rich.table import Table

from experiments.discards.situations import NAMES
from experiments.report.tables import cross_table, interval, percent


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
