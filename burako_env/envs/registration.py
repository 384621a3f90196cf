"""The games' ids in Gymnasium; nothing is built before an id is used.

Importing `burako_env` registers every game, and `families.register` those of a family that comes later.
"""

import gymnasium

from burako_env.families import Family, for_every


def env_id(game: str) -> str:
    """The Gymnasium id of a game: `burako-4` is `burako_env/Burako4-v0`."""
    return f"burako_env/{''.join(part.capitalize() for part in game.split('-'))}-v0"


def _register(family: Family) -> None:
    """Make a family's games known to `gymnasium.make` and `gymnasium.make_vec`."""
    for name in family.presets:
        gymnasium.register(
            env_id(name),
            entry_point="burako_env.vector:GameEnv",
            vector_entry_point="burako_env.vector:GameVectorEnv",
            kwargs={"game": name},
        )


for_every(_register)

__all__ = ["env_id"]
