"""`burako rules`: the rules of a game as a table of ids, keys and values."""

from pkgutil import resolve_name
from typing import Annotated, Any, Final, Literal

import tyro
from pydantic import Field
from rich.table import Table

from burako_env.families import Family, family_of, rules_of
from experiments.runs.printing import console
from experiments.runs.settings import Settings

# By family: the function that says what stands above and below the table. Others have one line above it.
_ABOUT: Final = {"burako": "experiments.commands.burako.rules:about"}


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
    family = family_of(settings.game)
    enforced = hasattr(family.presets[settings.game], "enforcement")
    rules = rules_of(settings.game, {"enforcement": settings.enforcement} if enforced else None)
    table = Table("rule", "key", "value", "meaning", box=None, header_style="bold", pad_edge=False)
    for row in rule_rows(rules):
        table.add_row(*row)
    about, below = _about(family, rules)
    out = console()
    out.print(f"{settings.game}: {about}\n", style="bold")
    for part in (table, *below):
        out.print(part)
    return 0


def _about(family: Family, rules: Any) -> tuple[str, list[Any]]:
    """The line above the table, and what stands below it."""
    if family.name in _ABOUT:
        found: tuple[str, list[Any]] = resolve_name(_ABOUT[family.name])(rules)
        return found
    keys = " and ".join(family.seating) or "no key"
    return f"of these {keys} can be changed; docs/{family.name}.md has the rules in words", []


def rule_rows(rules: Any) -> list[tuple[str, str, str, str]]:
    """(rule id, key, value, meaning) of every field; none for a game without rule keys."""
    rows = []
    for key, field in getattr(type(rules), "model_fields", {}).items():
        extra = field.json_schema_extra
        rule = str(extra["rule"]) if isinstance(extra, dict) else ""
        rows.append((rule, key, _text(getattr(rules, key)), field.description or ""))
    return rows


def _text(value: Any) -> str:
    if isinstance(value, bool):
        return str(value).lower()
    return " ".join(map(str, value)) if isinstance(value, tuple) else str(value)
