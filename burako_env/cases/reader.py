"""From a file to cases: what all games have in common."""

from pathlib import Path
from pkgutil import resolve_name
from typing import Any, Final

from burako_env.cases.nodes import Node, ReadingError, read_nodes
from burako_env.cases.play import STEP_KINDS, Case, Play, Step
from burako_env.families import family_of, game_names

CASE_KEYS: Final = ("name", "rules", "game", "config", "position", "steps")
# By family of games: the function that makes a case's start of the game's name, `config` and `position`.
STARTERS: Final = {
    "burako": "burako_env.cases.burako.play:start_burako",
    "ruibal": "burako_env.cases.ruibal.play:start_ruibal",
}


def read_cases(path: Path) -> list[Case]:
    """The cases of a file, each in its start position. `ReadingError` names the first place that cannot be read."""
    root = read_nodes(path)
    items = [] if root is None else root.items("a case file")
    if not items:
        raise ReadingError(path, 1, "holds no cases: a case file is a list of cases, each beginning with '- name: ...'")
    return [_read_case(item) for item in items]


def _read_case(node: Node) -> Case:
    fields = node.fields("case", CASE_KEYS, required=("name", "game", "steps"))
    name = " ".join(fields["name"].text("name").split())
    if not name:
        raise fields["name"].error("name is empty: it is what reports call the case")
    rules = tuple(rule.text("a rule id") for rule in fields["rules"].items("rules")) if "rules" in fields else ()
    game = fields["game"].word("game", [name for name in game_names() if family_of(name).name in STARTERS])
    with fields["game"].placed():
        start = resolve_name(STARTERS[family_of(game).name])
        play: Play = start(game, fields.get("config"), fields.get("position"))
    steps = fields["steps"].items("steps")
    if not steps:
        raise fields["steps"].error("steps is empty: a case without steps shows nothing")
    read = tuple(_read_step(number, step, play) for number, step in enumerate(steps, start=1))
    return Case(node.path, node.line, name, rules, play, read)


def _read_step(number: int, node: Node, play: Play) -> Step:
    fields = node.fields("step", STEP_KINDS)
    if len(fields) != 1:
        raise node.error(f"a step is one of {', '.join(STEP_KINDS)}: this one has {len(fields)} keys")
    kind, value = next((kind, fields[kind]) for kind in STEP_KINDS if kind in fields)
    if kind != "expect":
        return Step(number, node.line, kind, actions=_read_actions(kind, value, play))
    keys = value.fields("expect", play.expect_keys)
    if not keys:
        raise value.error("expect is empty: it says nothing")
    expected = {key: play.read_expected(key, item) for key, item in keys.items()}
    return Step(number, node.line, kind, expected=expected)


def _read_actions(kind: str, node: Node, play: Play) -> tuple[tuple[str, Any], ...]:
    """One action or a list of them; `only: []` says that no action is legal."""
    nodes = node.items(kind) if node.is_list else [node]
    if not nodes and kind != "only":
        raise node.error(f"{kind} is empty: it names no action")
    actions = []
    for item in nodes:
        text = " ".join(item.text_or_flag("an action").split())
        with item.placed():
            actions.append((text, play.read_action(text)))
    return tuple(actions)
