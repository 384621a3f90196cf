"""The games by name: `make("burako-4", batch=1024)`."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final

from pydantic import ValidationError

from burako_env.batch import BatchGame
from burako_env.burako.rules import PRESETS, Rules
from burako_env.burako.sanctions.game import game_class
from burako_env.errors import UserError, unknown
from burako_env.inputs.checked import complaint
from burako_env.kit import checks
from burako_env.ruibal import LEVELS
from burako_env.ruibal.rules import ruibal_rules

_MAKERS: Final[dict[str, Callable[[str, int, int, Mapping[str, Any]], BatchGame]]] = {}


def game_names() -> tuple[str, ...]:
    """Names that `make` takes."""
    return tuple(_MAKERS)


def make(name: str, batch: int = 1, root_seed: int = 0, config: Mapping[str, Any] | None = None) -> BatchGame:
    """A batch of a game, not yet dealt (call `reset`).

    `root_seed` is an integer from 0 to 2**128 - 1; `config` holds rule keys that differ from the preset. Raises
    `UserError` for an unknown game, key or value.
    """
    if name not in _MAKERS:
        raise unknown("game", name, _MAKERS)
    return _MAKERS[name](name, batch, checks.root_seed(root_seed), config or {})


def burako_rules(name: str, config: Mapping[str, Any] | None = None) -> Rules:
    """The rules of a card game preset with some keys changed; a bad key or value is a `UserError`."""
    if name not in PRESETS:
        raise unknown("game", name, PRESETS)
    changes = dict(config or {})
    for key in changes:
        if key not in Rules.model_fields:
            raise unknown("rule key", key, Rules.model_fields)
    try:
        return Rules.model_validate({**PRESETS[name].model_dump(exclude_unset=True), **changes})
    except ValidationError as error:
        raise UserError(f"rules of {name}: {complaint(error)}") from None


def _make_burako(name: str, batch: int, root_seed: int, config: Mapping[str, Any]) -> BatchGame:
    rules = burako_rules(name, config)
    return game_class(rules)(rules, batch, root_seed, name=name)


def _make_ruibal(name: str, batch: int, root_seed: int, config: Mapping[str, Any]) -> BatchGame:
    return LEVELS[name](ruibal_rules(name, config), batch, root_seed, name=name)


_MAKERS.update(dict.fromkeys(PRESETS, _make_burako))
_MAKERS.update(dict.fromkeys(LEVELS, _make_ruibal))
