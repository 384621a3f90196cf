"""The card game in case files: how a case starts, and its actions and expectations in words."""

from collections.abc import Collection
from typing import Final, Self

from burako_env.burako.action_text import ActionText
from burako_env.burako.game import BurakoGame
from burako_env.burako.melds.groups import MIN_CARDS
from burako_env.burako.notation import action_id, read_action
from burako_env.burako.position import Position, PositionError
from burako_env.burako.rules import FORMER_KEYS, Rules, burako_rules
from burako_env.burako.sanctions.game import game_class
from burako_env.burako.turn.actions import FIRST_RUN, Kind
from burako_env.cards import SUIT_COUNT
from burako_env.cases.burako.expect import EXPECTATIONS
from burako_env.cases.burako.groups import group_kind
from burako_env.cases.burako.keys import KEYS
from burako_env.cases.burako.position import read_position, read_seed
from burako_env.cases.nodes import Node
from burako_env.cases.play import Play

# The root seed of deals in case files: `seed: n` is deal n of it.
ROOT_SEED: Final = 0


class BurakoPlay(Play):
    """A card game in progress."""

    expect_keys: Collection[str] = tuple(EXPECTATIONS)

    def __init__(self, game: BurakoGame) -> None:
        self.game: BurakoGame = game

    def fresh(self) -> Self:
        return type(self)(self.game.clone())

    def read_action(self, text: str) -> ActionText:
        return read_action(text)

    def action_id(self, said: ActionText) -> int | None:
        return action_id(self.game.table, said, run_counts(self.game.position(0)))

    def read_expected(self, key: str, node: Node) -> str:
        form = EXPECTATIONS[key].form
        return form.text(form.read(node, key, self.game.rules))

    def found(self, key: str) -> str:
        expected = EXPECTATIONS[key]
        return expected.form.text(expected.value(self.game, self.game.position(0)))


def start_burako(name: str, config: Node | None, position: Node | None) -> BurakoPlay:
    """A case's start: its position, or a hand dealt from its seed."""
    rules = _read_rules(name, config)
    fields = {} if position is None or position.is_null else position.fields("position", KEYS)
    if position is None or set(fields) <= {"seed"}:
        game = game_class(rules)(rules, 1, ROOT_SEED, name=name)
        game.reset([read_seed(fields)])
        return BurakoPlay(game)
    found = read_position(position, rules)
    try:
        game = game_class(rules).from_positions([found], ROOT_SEED, name)
    except PositionError as error:
        raise position.error(str(error)) from None
    if found.opening is not None and not (game.legal()[0] & (game.table.rows["kind"] == Kind.LAY)).any():
        raise fields["opening"].error("opening cannot be completed from this hand (GROUP-12)")
    return BurakoPlay(game)


def run_counts(position: Position) -> list[int]:
    """Open runs of the actor's team by suit, a half open one included."""
    counts = [0] * SUIT_COUNT
    for cards in position.tables[position.turn % position.rules.teams]:
        kind = group_kind(cards, position.rules) if len(cards) >= MIN_CARDS else None
        if kind is not None and kind.suit is not None:
            counts[kind.suit] += 1
    if position.opening is not None and position.opening[0] >= FIRST_RUN:
        counts[(position.opening[0] - FIRST_RUN) // position.rules.run_slots] += 1
    return counts


def _read_rules(name: str, config: Node | None) -> Rules:
    if config is None or config.is_null:
        return burako_rules(name)
    changes = {key: node.plain() for key, node in config.fields("config", [*Rules.model_fields, *FORMER_KEYS]).items()}
    with config.placed():
        return burako_rules(name, changes)
