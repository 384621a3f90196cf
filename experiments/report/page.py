"""`report.html`: the results of a run as one page that needs nothing else, made from its `summary.json`."""

import math
import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Final

from markupsafe import Markup

from burako_env.inputs.files import read_json, write_text
from experiments.report import charts
from experiments.report.numbers import PROFILE, number, p_text
from experiments.statistics.intervals import LEVEL

TEMPLATE: Final = "page.html.j2"
# Effect size at which a cell of the cross table has its full colour.
_FULL_COLOUR: Final = 0.5


def write_page(folder: Path) -> Path:
    """Write the page of a run folder and return its path."""
    path = folder / "report.html"
    write_text(path, render(read_json(folder / "summary.json")))
    return path


def render(summary: Mapping[str, Any]) -> str:
    """The page of a summary, as read from its JSON."""
    import jinja2  # late: only a finished run needs it

    environment = jinja2.Environment(
        loader=jinja2.FileSystemLoader(Path(__file__).parent),
        autoescape=True,
        trim_blocks=True,
        lstrip_blocks=True,
        undefined=jinja2.StrictUndefined,
    )
    least = summary.get("digits", 0)
    environment.filters.update(
        signed=lambda value, digits=0: number(value, max(digits, least), sign=True),
        plain=number,
        percent=lambda value: f"{number(None if value is None else 100 * value, 1)}%",
        bounds=lambda bounds, sign=True: _bounds(bounds, sign, least if sign else 0),
        percents=lambda bounds: f"[{', '.join(number(None if b is None else 100 * b, 1) for b in bounds)}]",
        name=_breakable,
        p=p_text,
    )
    agents, pairs = summary["agents"], summary["pairs"]
    ranked = [(_float(agent["points"]), list(map(_float, agent["points_ci"]))) for agent in agents if "elo" in agent]
    return environment.get_template(TEMPLATE).render(
        s=summary,
        title=_title(summary),
        units=summary["config"]["play"],
        ranked=bool(ranked),
        hands=sum(hands_of_board(pair) * pair["boards"] for pair in pairs),
        errors=sum(row["hands"] for row in summary["failures"]),
        whisker=lambda value, bounds, scale: charts.whisker(_float(value), list(map(_float, bounds)), scale),
        rank_scale=charts.whisker_scale(ranked),
        cells=_cells(pairs),
        sequential=any(pair["sequential_test"] for pair in pairs),
        profiles=[agent for agent in agents if agent["profile"]],
        measures={
            key: measure
            for key, measure in PROFILE.items()
            if any(agent["profile"].get(key) is not None for agent in agents)
        },
        settings=_settings(summary),
        **_score_charts(summary),
    )


def hands_of_board(pair: Mapping[str, Any]) -> int:
    """Hands of a board, from the results that one can have: 2 h + 1 for h hands."""
    return len(pair["board_results"]) // 2


def _title(summary: Mapping[str, Any]) -> str:
    pairs = summary["pairs"]
    if len(pairs) == 1:
        return f"{pairs[0]['a']} against {pairs[0]['b']}"
    return f"{summary['kind'].capitalize()}: {len(summary['agents'])} teams, {len(pairs)} pairs"


def _cells(pairs: Sequence[Mapping[str, Any]]) -> dict[tuple[str, str], dict[str, Any]]:
    """The cells of the cross table, both ways round."""
    cells = {}
    for pair in pairs:
        for first, second, sign in (("a", "b", 1), ("b", "a", -1)):
            cells[pair[first], pair[second]] = {
                "mean": sign * _float(pair["mean"]),
                "ci": [sign * _float(bound) for bound in pair["ci"][::sign]],
                "wins": _float(pair["win_rate"]) if sign == 1 else 1 - _float(pair["win_rate"]),
                "p": pair["p_holm"],
                "sure": _float(pair["p_holm"]) < 1 - LEVEL,
                "colour": _colour(sign * _float(pair["effect"]["t"])),
            }
    return cells


def _colour(strength: float) -> str:
    """Green for a win, red for a loss, stronger for a larger effect."""
    share = 0.0 if math.isnan(strength) else min(abs(strength) / _FULL_COLOUR, 1.0)
    return f"rgba({'46,140,87' if strength > 0 else '196,78,62'},{0.35 * share:.2f})"


def _score_charts(summary: Mapping[str, Any]) -> dict[str, Any]:
    """A histogram a team, all on one scale, best team first."""
    spread = {
        agent["name"]: {int(low): hands for low, hands in summary["scores"][agent["name"]]["hands"].items()}
        for agent in summary["agents"]
        if agent["name"] in summary["scores"]
    }
    if not spread:
        return {"charts": [], "ticks": []}
    step = summary["scores"][next(iter(spread))]["step"]
    scale = charts.common_steps(list(spread.values()), step)
    return {
        "charts": [{"name": name, "svg": charts.histogram(counts, step, scale)} for name, counts in spread.items()],
        "ticks": charts.axis(scale),
    }


def _settings(summary: Mapping[str, Any]) -> list[tuple[str, str]]:
    """Settings, versions and machine as a flat list."""
    rows = {**summary["config"], **summary["versions"], **summary["machine"]}
    rows |= {"commit": summary["commit"], "seconds": summary["wall_seconds"]}
    return [(key, _text(value)) for key, value in rows.items()]


def _text(value: Any) -> str:
    if value is None:
        return "-"
    if isinstance(value, list):
        return ", ".join(" and ".join(item) if isinstance(item, list) else str(item) for item in value) or "-"
    return str(value).lower() if isinstance(value, bool) else str(value)


def _float(value: float | None) -> float:
    """JSON's null as NaN."""
    return math.nan if value is None else float(value)


def _bounds(bounds: Sequence[float | None], sign: bool = True, digits: int = 0) -> str:
    """`[+3, +21]`; nothing for an interval of no width."""
    low, high = bounds
    return "" if low == high is not None else f"[{number(low, digits, sign)}, {number(high, digits, sign)}]"


def _breakable(name: str) -> Markup:
    """A spec that may break into lines where its parts end."""
    return Markup("<wbr>").join(re.split(r"(?<=[:=,+/.])", name))
