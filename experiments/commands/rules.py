"""`burako rules`: the rules of a game as a table of ids, keys and values."""

from __future__ import annotations

from typing import Annotated, Any, Literal

import tyro
from pydantic import BaseModel, Field
from rich.table import Table

from burako_env.burako.rules import PRESETS, Rules, burako_rules
from burako_env.burako.sanctions.texts import SANCTION_ACTIONS
from burako_env.errors import unknown
from burako_env.ruibal import rules as ruibal
from experiments.report.printing import console
from experiments.runs.settings import Settings


class RulesSettings(Settings):
    """Print the rules of a game: rule id, key, value and meaning. Every key of the card game can be changed."""

    game: Annotated[
        str, tyro.conf.Positional, tyro.conf.arg(metavar="GAME"), Field(description="`burako games` lists them")
    ] = "burako-4"
    enforcement: Annotated[
        Literal["strict", "sanctions"], Field(description="sanctions: the infractions and their prices too")
    ] = "strict"


def run(settings: RulesSettings, line: str) -> int:
    """Print the table, from the configuration that the game is played by."""
    presets: dict[str, BaseModel] = {**PRESETS, **ruibal.PRESETS}
    if settings.game not in presets:
        raise unknown("game", settings.game, presets)
    cards = settings.game in PRESETS
    rules = burako_rules(settings.game, {"enforcement": settings.enforcement}) if cards else presets[settings.game]
    table = Table("rule", "key", "value", "meaning", box=None, header_style="bold", pad_edge=False)
    for rule, key, value, meaning in rule_rows(rules):
        table.add_row(rule, key, value, meaning)
    if isinstance(rules, Rules):
        about = f"{rules.card_count} cards, stock after the deal {rules.stock_size}"
    else:
        about = f"of these {' and '.join(ruibal.KEYS)} can be changed; docs/ruibal.md has the rules in words"
    out = console()
    out.print(f"{settings.game}: {about}\n", style="bold")
    out.print(table)
    if not isinstance(rules, Rules):
        return 0
    if rules.sanctions:
        actions = Table("rule", "action", "what it does", box=None, header_style="bold", pad_edge=False)
        for row in SANCTION_ACTIONS:
            actions.add_row(*row)
        out.print("\nSanctions play: actions beside those of strict play, as case files write them\n")
        out.print(actions)
        out.print("\nAnnulled cards go to the bottom of the stock. GROUP is set 9, run S1 or wild.")
    else:
        out.print("\n`--enforcement sanctions` lists the infractions, their prices and their names in case files.")
    return 0


def rule_rows(rules: BaseModel) -> list[tuple[str, str, str, str]]:
    """(rule id, key, value, meaning) of every field."""
    rows = []
    for key, field in type(rules).model_fields.items():
        extra = field.json_schema_extra
        rule = str(extra["rule"]) if isinstance(extra, dict) else ""
        rows.append((rule, key, _text(getattr(rules, key)), field.description or ""))
    return rows


def _text(value: Any) -> str:
    if isinstance(value, bool):
        return str(value).lower()
    return " ".join(map(str, value)) if isinstance(value, tuple) else str(value)
