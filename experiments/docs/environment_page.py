"""docs/environments.md, made from the code; `python -m experiments.docs.environment_page` writes it."""

from collections.abc import Mapping
from pathlib import Path
from typing import Final

from burako_env.burako.rules import PRESETS
from burako_env.burako.turn.actions import Kind, action_table
from burako_env.burako.view.layout import view_layout
from burako_env.families import make
from burako_env.layout import ViewLayout
from burako_env.ruibal import LEVELS
from burako_env.ruibal.actions import Kind as LevelKind
from burako_env.ruibal.rules import PLAYERS

PAGE: Final = Path("docs/environments.md")

_INTRO: Final = """# Environments: observations and actions

Written by `python -m experiments.docs.environment_page`; do not edit by hand.

`burako_env.make(name, batch)` gives a batch of games; `burako_env.burako_v0.env(players=4)`,
`ruibal_level1_v0.env(players=4)`, `ruibal_level2_v0` and `ruibal_level3_v0` are PettingZoo AEC environments of one, and
`ruibal_level1_v0.parallel_env()` a parallel one. All show the same two things: the View, an int8 row, and the legal
actions, a mask.

```python
from burako_env import burako_v0

env = burako_v0.env(players=4)
env.reset(seed=1)
observation, reward, termination, truncation, info = env.last()
action = env.action_space(env.agent_selection).sample(observation["action_mask"])
env.step(action)
```

The infos of the PettingZoo environments are numbers, under the same keys in every step, and tell of hands that have
ended only: what is concealed in a live game stands in no info, observation or reward. `state()` is the exception, for a
central critic, and so are drawings, for people. `burako_env.REASONS[info["reason"]]` says in words how a hand ended.

Seeds are integers from 0 to 2**128 - 1 and deal ids from 0 to 2**63 - 1; what is none is refused before anything has
changed. [Gymnasium](vector.md) has the environments for one learner.

`render_mode` of all of them: `"human"` prints every position, `"ansi"` makes `render()` return it as text, `"html"` as
a page that needs nothing else, `"rgb_array"` as an image, uint8 `[840, 1120, 3]`; every hand or rack lies open in them.
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


_LEVEL_KIND_TEXT: Final = {
    LevelKind.POINT: "point at a place, 1 to 20",
    LevelKind.SIT: "sit the call out",
    LevelKind.PLACE: "place tiles on a set of cells of one row or column; rows 1 to 5 first, then columns",
    LevelKind.MAKE: "make a collection of that kind, or complete one to it",
    LevelKind.RELEASE: "put the right tile in a joker's place, L1 to O5",
    LevelKind.ROBA: "play ROBA UNA: steal a tile",
    LevelKind.TOMA: "play TOMA DOS: take two tiles",
    LevelKind.OTRO: "play OTRO TURNO: two more turns",
    LevelKind.DRAW: "draw a tile",
    LevelKind.PASS: "pass, when the pool is empty",
    LevelKind.END: "end the turn after moves or a release",
}


def page() -> str:
    """The whole page as Markdown."""
    levels = [part for name in LEVELS for part in (_level_view(name), _level_actions(name))]
    return "\n".join([_INTRO, _sizes(), _views(), _actions(), _LEVELS_INTRO, *levels])


def _sizes() -> str:
    lines = ["## Sizes", "", "| game | View (int8) | actions | of them used |", "|---|---|---|---|"]
    for name, rules in PRESETS.items():
        table = action_table(rules.run_slots)
        used = int((table.rows["kind"] != Kind.UNUSED).sum())
        lines.append(f"| {name} | {view_layout(rules).width} | {table.size} | {used} |")
    for name in LEVELS:
        for players in PLAYERS:
            game = make(name, config={"players": players})
            lines.append(
                f"| {name}, {players} players | {game.layout.width} | {game.num_actions} | {LEVELS[name].table.used} |"
            )
    return "\n".join([*lines, ""])


def _views() -> str:
    head = (
        "## View of the card game\n\n"
        "Seats are counted from the observer to the left, team 0 is its own. Columns are those of each game."
    )
    layouts = {name: view_layout(rules) for name, rules in PRESETS.items()}
    return _view_table(head, "burako-4", layouts)


def _view_table(head: str, shapes_of: str, layouts: Mapping[str, ViewLayout]) -> str:
    """The fields of a View and their columns in each of some layouts; shapes are those of `shapes_of`."""
    lines = [head, "", _row("field", f"shape ({shapes_of})", *layouts, "meaning"), "|" + "---|" * (len(layouts) + 3)]
    for field in layouts[shapes_of]:
        shape = " x ".join(map(str, field.shape)) or "1"
        lines.append(_row(field.name, shape, *(_columns(one[field.name]) for one in layouts.values()), field.meaning))
    return "\n".join([*lines, ""])


def _row(*cells: str) -> str:
    return f"| {' | '.join(cells)} |"


def _actions() -> str:
    lines = ["## Actions of the card game", "", "Ids by kind; `docs/core.md` draws the words they are laid out in.", ""]
    lines += ["| kind | " + " | ".join(PRESETS) + " | what it does |", "|---|" + "---|" * len(PRESETS) + "---|"]
    for kind, text in _KIND_TEXT.items():
        columns = []
        for rules in PRESETS.values():
            ids = (action_table(rules.run_slots).rows["kind"] == kind).nonzero()[0]
            columns.append(str(ids[0]) if len(ids) == 1 else f"{len(ids)} ids, {ids[0]} to {ids[-1]}")
        lines.append(f"| {kind.name} | {' | '.join(columns)} | {text} |")
    return "\n".join([*lines, ""])


_LEVELS_INTRO: Final = """# The children's levels

Seats are counted from the observer to the left. Tiles by type are L1 to L5, C1 .. C5, T1 .. T5, O1 .. O5, JK, ROBA,
TOMA, OTRO, in this order. `docs/ruibal.md` has the rules.
"""


def _level_view(name: str) -> str:
    layouts = {f"{players} players": make(name, config={"players": players}).layout for players in PLAYERS}
    return _view_table(f"## {name}: View", f"{PLAYERS[-1]} players", layouts)


def _level_actions(name: str) -> str:
    rows = LEVELS[name].table.rows
    lines = [f"## {name}: actions", "", "| kind | ids | what it does |", "|---|---|---|"]
    for kind, text in _LEVEL_KIND_TEXT.items():
        ids = (rows["kind"] == kind).nonzero()[0]
        if ids.size:
            lines.append(f"| {kind.name} | {_columns(slice(ids[0], ids[-1] + 1))} | {text} |")
    return "\n".join([*lines, ""])


def _columns(part: slice) -> str:
    """`7`, or `7 to 9`."""
    return f"{part.start}" if part.stop - part.start == 1 else f"{part.start} to {part.stop - 1}"


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
