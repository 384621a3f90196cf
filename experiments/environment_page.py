"""docs/environments.md, made from the code: `python -m experiments.environment_page` writes it, a test compares it."""

from __future__ import annotations

from pathlib import Path
from typing import Final

from burako_env.burako.actions import Kind, action_table
from burako_env.burako.rules import PRESETS
from burako_env.burako.view_layout import view_layout

PAGE: Final = Path("docs/environments.md")

_INTRO: Final = """# Environments: observations and actions

Written by `python -m experiments.environment_page`; do not edit by hand.

`burako_env.make(name, batch)` gives a batch of games, `burako_env.burako_v0.env(players=4)` a PettingZoo AEC
environment of one. Both show the same two things: the View, an int8 row, and the legal actions, a mask.

```python
from burako_env import burako_v0

env = burako_v0.env(players=4)
env.reset(seed=1)
observation, reward, termination, truncation, info = env.last()
action = env.action_space(env.agent_selection).sample(observation["action_mask"])
env.step(action)
```
"""

_KIND_TEXT: Final = {
    Kind.LAY: "lay a card on a group, or open one with it",
    Kind.DISCARD: "discard a card (wilds: never legal)",
    Kind.DRAW_STOCK: "draw from the stock",
    Kind.DRAW_PILE: "take the pile",
    Kind.KEEP: "second look: keep the card",
    Kind.REJECT: "second look: reject it",
    Kind.TAKE_BURAKO: "take a burako while holding wilds",
    Kind.KEEP_HAND: "end the turn without a discard; decline a burako",
    Kind.ASK: "ask about going out",
    Kind.YES: "answer yes",
    Kind.NO: "answer no",
    Kind.END_HAND: "end the hand at an empty stock",
}


def page() -> str:
    """The whole page as Markdown."""
    return "\n".join([_INTRO, _sizes(), _views(), _actions()])


def _sizes() -> str:
    lines = ["## Sizes", "", "| game | View (int8) | actions | of them used |", "|---|---|---|---|"]
    for name, rules in PRESETS.items():
        table = action_table(rules.run_slots)
        used = int((table.rows["kind"] != Kind.UNUSED).sum())
        lines.append(f"| {name} | {view_layout(rules).width} | {table.size} | {used} |")
    return "\n".join([*lines, ""])


def _views() -> str:
    lines = [
        "## View",
        "",
        "Seats are counted from the observer to the left, team 0 is its own. Columns are those of each game.",
        "",
        "| field | shape (burako-4) | " + " | ".join(PRESETS) + " | meaning |",
        "|---|---|" + "---|" * len(PRESETS) + "---|",
    ]
    layouts = [view_layout(rules) for rules in PRESETS.values()]
    for field in layouts[0]:
        columns = []
        for layout in layouts:
            part = layout[field.name]
            columns.append(f"{part.start}" if part.stop - part.start == 1 else f"{part.start} to {part.stop - 1}")
        shape = " x ".join(map(str, field.shape)) or "1"
        lines.append(f"| {field.name} | {shape} | {' | '.join(columns)} | {field.meaning} |")
    return "\n".join([*lines, ""])


def _actions() -> str:
    lines = ["## Actions", "", "Ids by kind; `docs/core.md` draws the words they are laid out in.", ""]
    lines += ["| kind | " + " | ".join(PRESETS) + " | what it does |", "|---|" + "---|" * len(PRESETS) + "---|"]
    for kind, text in _KIND_TEXT.items():
        columns = []
        for rules in PRESETS.values():
            ids = (action_table(rules.run_slots).rows["kind"] == kind).nonzero()[0]
            columns.append(str(ids[0]) if len(ids) == 1 else f"{len(ids)} ids, {ids[0]} to {ids[-1]}")
        lines.append(f"| {kind.name} | {' | '.join(columns)} | {text} |")
    return "\n".join([*lines, ""])


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
