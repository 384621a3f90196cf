"""Which encoder a game has."""

from collections.abc import Mapping
from pkgutil import resolve_name
from typing import Any

from agents.learned.encoder import Encoder, PlainEncoder
from agents.registry import parts_of
from burako_env.families import rules_of
from burako_env.layout import ViewLayout


def encoder_for(game: str, config: Mapping[str, Any] | None, layout: ViewLayout) -> Encoder:
    """The encoder of the game's family, for the game's rules; the plain one for a family without."""
    place = parts_of(game).encoder
    encoder: Encoder = resolve_name(place)(rules_of(game, config)) if place else PlainEncoder(layout)
    return encoder
