"""The rules of the three levels as data: frozen, one preset a level.

`players` is what a user may change (TILE-3); the other numbers belong to the level.
"""

import json
from collections.abc import Mapping
from typing import Any, Final

from pydantic import BaseModel, ConfigDict, Field

from burako_env.errors import UserError, unknown
from burako_env.inputs.checked import shown
from burako_env.kit.digest import keys_named, name_of

PLAYERS: Final = (2, 3, 4)
# The keys that a digest always covers, see `digest.py`.
_ALWAYS: Final = frozenset({"level", "players", "rack_size", "jokers", "max_calls"})


def _rule(rule: str, meaning: str) -> Any:
    return Field(description=meaning, json_schema_extra={"rule": rule})


class RuibalRules(BaseModel):
    """Every number of a level."""

    model_config = ConfigDict(frozen=True, extra="forbid", strict=True)

    level: int = _rule("TILE-3", "which of the three games")
    players: int = _rule("TILE-3", "players, each playing alone: 2, 3 or 4")
    rack_size: int = _rule("L2-1, L3-1", "tiles of a rack after the deal and after a turn's refill; 0: no racks")
    jokers: int = _rule("L2-1, L3-1", "jokers in play")
    max_calls: int = _rule("L1-2", "times a tile is called at most; 0: nothing is called")

    @property
    def game(self) -> str:
        """The name of the level."""
        return f"ruibal-{self.level}"

    def digest(self) -> str:
        """16 hex digits that name these rules; later keys are silent at their default."""
        keys = set(keys_named(self, PRESETS[self.game], _ALWAYS))
        return name_of(json.dumps(self.model_dump(include=keys), sort_keys=True))


# Four racks come with the game, so four play unless something else is said.
PRESETS: Final[dict[str, RuibalRules]] = {
    "ruibal-1": RuibalRules(level=1, players=4, rack_size=0, jokers=0, max_calls=3),
    "ruibal-2": RuibalRules(level=2, players=4, rack_size=5, jokers=2, max_calls=0),
    "ruibal-3": RuibalRules(level=3, players=4, rack_size=6, jokers=3, max_calls=0),
}
# Keys that may differ from the preset.
KEYS: Final = ("players",)


def ruibal_rules(name: str, config: Mapping[str, Any] | None = None) -> RuibalRules:
    """The rules of a level with some keys changed; a bad key or value is a `UserError`."""
    changes = dict(config or {})
    for key in changes:
        if key not in KEYS:
            raise unknown("rule key", key, KEYS)
    players = changes.get("players", PRESETS[name].players)
    if type(players) is not int or players not in PLAYERS:
        raise UserError(f"rules of {name}: players = {shown(players)}: there are games for 2, 3 and 4 players")
    return PRESETS[name].model_copy(update={"players": players})
