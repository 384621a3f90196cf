"""The games' ids in Gymnasium, registered when `burako_env` is imported; nothing is built before an id is used."""

from __future__ import annotations

import gymnasium

from burako_env.families import game_names


def env_id(game: str) -> str:
    """The Gymnasium id of a game: `burako-4` is `burako_env/Burako4-v0`."""
    return f"burako_env/{''.join(part.capitalize() for part in game.split('-'))}-v0"


def register() -> None:
    """Make every game known to `gymnasium.make` and `gymnasium.make_vec`."""
    for name in game_names():
        if env_id(name) not in gymnasium.registry:
            gymnasium.register(
                env_id(name),
                entry_point="burako_env.vector:GameEnv",
                vector_entry_point="burako_env.vector:GameVectorEnv",
                kwargs={"game": name},
            )


__all__ = ["env_id", "register"]
