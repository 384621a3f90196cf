"""The score sheet of a hand as lines: both teams' items side by side, the hands of the match, the totals."""

from __future__ import annotations

from typing import Any, Final

from burako_env.burako.melds.bazas import BAZA_KINDS
from burako_env.burako.sheet import Item
from burako_env.render.texts import Texts, TextTable
from experiments.play.happenings import Ending

SHEET: Final[TextTable] = {
    "sheet": ("Score sheet", "Planilla"),
    "sheet.laid": ("cards laid", "cartas bajadas"),
    "sheet.annulled": ("groups left unclosed", "grupos sin cerrar"),
    "sheet.held": ("cards left in hand", "cartas en la mano"),
    "sheet.taken": ("burakos taken", "burakos cogidos"),
    "sheet.left": ("burakos left", "burakos sin coger"),
    "sheet.out": ("going out", "la ida"),
    "sheet.sum": ("This hand", "Esta mano"),
    "sheet.hand": ("Hand {number}", "Mano {number}"),
    "sheet.total": ("Total (target {target})", "Total (meta {target})"),
}
_ORDER: Final = (*BAZA_KINDS, "laid", "annulled", "held", "taken", "left", "out")


def sheet_lines(ending: Ending, ours: int, words: Texts, target: int) -> dict[str, Any]:
    """The sheet: `head`, the columns; `rows` of items (what, rule, us, them); `totals` (what, us, them).

    A figure is the text of the points, with the number of bazas, cards or burakos before it; "" where a team has none.
    """
    sheets = [{item.key: item for item in ending.sheets[side]} for side in (ours, 1 - ours)]
    rows = []
    for key in _ORDER:
        items = [sheet.get(key) for sheet in sheets]
        if not any(items):
            continue
        rules = dict.fromkeys(item.rule for item in items if item is not None)
        name = words(key if key in BAZA_KINDS else f"sheet.{key}")
        rows.append([name, ", ".join(rules), *(_figure(item) for item in items)])
    sides = (ours, 1 - ours)
    totals = [[words("sheet.sum"), *(f"{ending.scores[side]:+}" for side in sides)]]
    if ending.totals is not None:
        if len(ending.history) > 1:
            totals = [
                [words("sheet.hand", number=number), *(f"{points[side]:+}" for side in sides)]
                for number, points in enumerate(ending.history, start=1)
            ]
        totals.append([words("sheet.total", target=target), *(str(ending.totals[side]) for side in sides)])
    return {"title": words("sheet"), "head": [words("us"), words("them")], "rows": rows, "totals": totals}


def sheet_text(sheet: dict[str, Any]) -> list[str]:
    """The sheet as lines of text."""
    lines = [[row[0], row[1], row[2], row[3]] for row in sheet["rows"]]
    lines += [[row[0], "", row[1], row[2]] for row in sheet["totals"]]
    table = [["", "", *sheet["head"]], *lines]
    wide = [max(len(line[column]) for line in table) for column in range(4)]
    return [f"  {line[0]:<{wide[0]}}  {line[2]:>{wide[2]}}  {line[3]:>{wide[3]}}  {line[1]}".rstrip() for line in table]


def _figure(item: Item | None) -> str:
    if item is None:
        return ""
    return f"{item.points:+}" if item.key == "out" else f"{item.count}: {item.points:+}"


__all__ = ["SHEET", "sheet_lines", "sheet_text"]
