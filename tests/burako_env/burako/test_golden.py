"""The action tables and the View layouts are frozen: shipped bots and checkpoints depend on every id and every column.

If a change is meant, all bots trained before become worthless: say so in docs/decisions.md, then put what

    python -m tests.burako_env.burako.test_golden

prints in the place of `GOLDEN`.
"""

from __future__ import annotations

import hashlib
from typing import Final

import pytest

from burako_env.burako.rules import PRESETS
from burako_env.burako.turn.actions import Kind, action_table
from burako_env.burako.view.layout import view_layout
from burako_env.families import make
from burako_env.ruibal import LEVELS

# By game: digest of the action table, number of actions, digest of the View's fields and shapes, width of the View.
GOLDEN: Final = {
    "burako-4": ("8894e1f218226c54", 512, "cabe6d63e45debc1", 800),
    "burako-6": ("9bc23c6f2cc3b4d7", 640, "167ce819a574f711", 990),
    "burako-8": ("9bc23c6f2cc3b4d7", 640, "96574dabb57dbf59", 1100),
}
# The same for the children's levels with 4 players.
GOLDEN_LEVELS: Final = {
    "ruibal-1": ("8682ae89b830470e", 64, "9aebe7cb822110ea", 53),
    "ruibal-2": ("d0f3e36ab3f6154f", 256, "92a343b6528f09ce", 129),
    "ruibal-3": ("00a102bded8ead04", 128, "c82dcbc5933bb556", 186),
}
UPDATE: Final = "if this is meant, see the top of tests/burako_env/burako/test_golden.py"


def found(name: str) -> tuple[str, int, str, int]:
    """The values of a game as it is."""
    rules = PRESETS[name]
    table, layout = action_table(rules.run_slots), view_layout(rules)
    actions = ";".join(f"{kind} {card} {group}" for kind, card, group in table.rows.tolist())
    fields = ";".join(f"{field.name} {field.shape}" for field in layout)
    return _digest(actions), table.size, _digest(fields), layout.width


def found_level(name: str) -> tuple[str, int, str, int]:
    """The values of a level as it is."""
    table, layout = LEVELS[name].table, make(name).layout
    actions = ";".join(f"{kind} {tile} {cells}" for kind, tile, cells in table.rows.tolist())
    fields = ";".join(f"{field.name} {field.shape}" for field in layout)
    return _digest(actions), table.size, _digest(fields), layout.width


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()[:16]


@pytest.mark.parametrize("name", PRESETS)
def test_tables_are_the_pinned_ones(name: str) -> None:
    assert found(name) == GOLDEN[name], UPDATE


def test_every_preset_is_pinned() -> None:
    assert list(GOLDEN) == list(PRESETS)


@pytest.mark.parametrize("name", LEVELS)
def test_tables_of_levels_are_the_pinned_ones(name: str) -> None:
    assert found_level(name) == GOLDEN_LEVELS[name], UPDATE


@pytest.mark.parametrize("name", PRESETS)
def test_sizes(name: str) -> None:
    """Whole words of 64 ids; at most 800 columns with 4 players; the game says what its tables say."""
    game = make(name)
    _, actions, _, width = GOLDEN[name]
    assert (game.num_actions, game.layout.width) == (actions, width)
    assert actions % 64 == 0
    assert width <= 800 or name != "burako-4"


@pytest.mark.parametrize("slots", [4, 5, 6])
def test_every_action_once(slots: int) -> None:
    """No two ids do the same; the lays, discards and specials that the rules know are all there.

    Sets: 48 naturals, 5 wilds on 12 ranks; the wild group: 5; a run: 13 of its suit and 4 foreign wilds, on every slot
    of 4 suits. Discards: 53. Specials: draw stock, draw pile, keep, reject, take burako, keep hand, ask, yes, no, end
    hand.
    """
    rows = [row for row in action_table(slots).rows.tolist() if row[0] != Kind.UNUSED]
    assert len(set(rows)) == len(rows) == (48 + 60 + 5) + 4 * slots * 17 + 53 + 10


if __name__ == "__main__":
    print("GOLDEN: Final = {")
    for preset in PRESETS:
        print(f'    "{preset}": {found(preset)},'.replace("'", '"'))
    print("}\nGOLDEN_LEVELS: Final = {")
    for level in LEVELS:
        print(f'    "{level}": {found_level(level)},'.replace("'", '"'))
    print("}")
