"""Parts of the documentation made from the code: `python -m experiments.docs.parts` writes them, a test compares them.

A part stands between two comments of its page, `<!-- begin NAME -->` and `<!-- end -->`; the rest is written by hand.
"""

import re
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Final

import agents
from burako_env.burako.rules import PRESETS
from burako_env.burako.sanctions.texts import SANCTION_ACTIONS
from burako_env.ruibal import rules as ruibal
from experiments.cli import COMMANDS
from experiments.commands.rules import rule_rows
from experiments.runs.settings import preset_folder

_MARKED: Final = re.compile(r"(<!-- begin ([a-z-]+) -->\n).*?(<!-- end -->)", re.DOTALL)


def rule_keys() -> str:
    """Every key of the card game with its value for 4, 6 and 8 players."""
    columns = [rule_rows(rules) for rules in PRESETS.values()]
    rows = []
    for same in zip(*columns):
        rule, key, _, meaning = same[0]
        values = list(dict.fromkeys(value for _, _, value, _ in same))
        rows.append((rule, f"`{key}`", values[0] if len(values) == 1 else ", ".join(row[2] for row in same), meaning))
    return _table(("rule", "key", "value, or those of 4, 6 and 8 players", "meaning"), rows)


def level_keys() -> str:
    """Every number of the children's levels."""
    columns = [rule_rows(rules) for rules in ruibal.PRESETS.values()]
    rows = [
        (same[0][0], f"`{same[0][1]}`", ", ".join(value for _, _, value, _ in same), same[0][3])
        for same in zip(*columns)
    ]
    return _table(("rule", "key", "value in levels 1, 2 and 3", "meaning"), rows)


def infractions() -> str:
    """The actions that sanctions play has in addition to those of strict play."""
    return _table(
        ("rule", "action", "what it does"), [(rule, f"`{name}`", text) for rule, name, text in SANCTION_ACTIONS]
    )


def agent_table() -> str:
    """The agents by name with their options."""
    rows = []
    for name in agents.names():
        info = agents.describe(name)
        options = [re.sub(r"^(\S*)", r"`\1`", option) for option in info.options]
        rows.append((f"`{name}`", info.summary, "<br>".join(options) or "none"))
    return _table(("agent", "what it does", "options, with their defaults"), rows)


def command_table() -> str:
    """The commands with their lines of the help."""
    return _table(
        ("command", "what it does"), [(f"`burako {name}`", found.summary) for name, found in COMMANDS.items()]
    )


def preset_table() -> str:
    """The presets that ship, with the comment that each begins with."""
    rows = []
    for name in COMMANDS:
        for path in sorted(preset_folder(name).glob("*.yaml")):
            rows.append((f"`burako {name} --config {path.stem}`", _comment(path)))
    return _table(("preset", "what it is"), rows)


def _comment(path: Path) -> str:
    """The comment at the top of a file as one line."""
    words = []
    for row in path.read_text(encoding="utf-8").splitlines():
        if not row.startswith("#"):
            break
        words.append(row.lstrip("# "))
    return " ".join(words)


PARTS: Final[dict[str, dict[str, Callable[[], str]]]] = {
    "docs/agents.md": {"agents": agent_table},
    "docs/experiments.md": {"commands": command_table, "presets": preset_table},
    "docs/rules.md": {"keys": rule_keys, "infractions": infractions, "levels": level_keys},
}


def filled(page: str, text: str) -> str:
    """The text of a page with its parts as they should be; `ValueError` if its comments are not those of `PARTS`."""
    parts = PARTS[page]
    found = [match[2] for match in _MARKED.finditer(text)]
    if found != list(parts):
        raise ValueError(f"{page} has the parts {found}, not {list(parts)}")
    return _MARKED.sub(lambda match: f"{match[1]}{parts[match[2]]()}\n{match[3]}", text)


def _table(head: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """A table in Markdown."""
    lines = [head, ["---"] * len(head), *([cell.replace("|", "\\|") for cell in row] for row in rows)]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


if __name__ == "__main__":
    for name in PARTS:
        path = Path(name)
        path.write_text(filled(name, path.read_text(encoding="utf-8")), encoding="utf-8")
