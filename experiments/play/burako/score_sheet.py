"""The score sheet of a hand as lines: both teams' items side by side, the hands of the match, the totals."""

from typing import Any, Final

from burako_env.burako.melds.bazas import BAZA_KINDS
from burako_env.burako.sheet import Item
from burako_env.render.texts import Texts
from experiments.play.happenings import Ending

_ORDER: Final = (*BAZA_KINDS, "laid", "annulled", "held", "taken", "left", "out")


def sheet_lines(ending: Ending, ours: int, words: Texts, target: int) -> dict[str, Any]:
    """The sheet: `head`, the columns; `rows` of items (what, rule, us, them); `totals` (what, us, them).

    A figure is the text of the points, with the number of bazas, cards or burakos before it; "" where a team has none.
    """
    sides = (ours, 1 - ours)
    sheets = [{item.key: item for item in ending.sheets[side]} for side in sides]
    rows = []
    for key in _ORDER:
        items = [sheet.get(key) for sheet in sheets]
        if any(items):
            rules = dict.fromkeys(item.rule for item in items if item is not None)
            rows.append([words(key if key in BAZA_KINDS else f"sheet.{key}"), ", ".join(rules), *map(_figure, items)])
    hands = {words("sheet.sum"): ending.scores}
    if len(ending.history) > 1:
        hands = {words("sheet.hand", number=number): points for number, points in enumerate(ending.history, start=1)}
    totals = [[name, *(f"{points[side]:+}" for side in sides)] for name, points in hands.items()]
    if ending.totals is not None:
        totals.append([words("sheet.total", target=target), *(str(ending.totals[side]) for side in sides)])
    return {"title": words("sheet"), "head": [words("us"), words("them")], "rows": rows, "totals": totals}


def _figure(item: Item | None) -> str:
    if item is None:
        return ""
    return f"{item.points:+}" if item.key == "out" else f"{item.count}: {item.points:+}"


__all__ = ["sheet_lines"]
