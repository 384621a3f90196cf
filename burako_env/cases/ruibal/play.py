"""The children's levels in case files: how a case starts, and its actions and expectations in words."""

from typing import Self

from burako_env.cases.nodes import Node
from burako_env.cases.play import Play
from burako_env.cases.ruibal.expect import EXPECTATIONS
from burako_env.cases.ruibal.position import SEATS_KEY, read_position
from burako_env.errors import UserError
from burako_env.ruibal import LEVELS, RuibalGame
from burako_env.ruibal.notation import ActionText, read_action
from burako_env.ruibal.rules import KEYS, ruibal_rules


class RuibalPlay(Play):
    """A level in progress."""

    def __init__(self, game: RuibalGame) -> None:
        self.game: RuibalGame = game
        self.expect_keys = tuple(EXPECTATIONS[game.rules.game])

    def fresh(self) -> Self:
        """An independent copy."""
        return type(self)(self.game.clone())

    def read_action(self, text: str) -> ActionText:
        """What an action's text says."""
        return read_action(self.game.table, text)

    def action_id(self, text: ActionText) -> int | None:
        """The id of an action in the present position."""
        return self.game.action_id(text)

    def read_expected(self, key: str, node: Node) -> str:
        """The expected value of a key in canonical words."""
        return EXPECTATIONS[self.game.rules.game][key].read(node, self.game)

    def found(self, key: str) -> str:
        """The value of a key in the present position."""
        return EXPECTATIONS[self.game.rules.game][key].found(self.game, self.game.position(0))


def start_ruibal(name: str, config: Node | None, position: Node | None) -> RuibalPlay:
    """A case's start: these levels always need a position, from which the seats are counted."""
    changes = {}
    if config is not None and not config.is_null:
        changes = {key: node.plain() for key, node in config.fields("config", KEYS).items()}
        with config.placed():
            ruibal_rules(name, changes)
    if position is None or position.is_null:
        raise UserError(f"a case of {name} needs a position with {SEATS_KEY[name]}")
    return RuibalPlay(LEVELS[name].from_positions([read_position(name, changes, position)], name=name))
