"""Deal anew everything hidden from a seat, in any game: what a client of an environment gets must not change.

`redrawn` makes a second world that the seat to act cannot tell from the first. Two environments, one in each world, are
then given the same actions; as long as the observations are the same, every other byte must be the same, too.
"""

from __future__ import annotations

import copy
from collections.abc import Mapping
from typing import Any, Final

import numpy as np

from burako_env.batch import BatchGame

# What an environment or its user chose and what has been counted is not hidden. The keys of agents stay too, so that
# the random players of both worlds decide alike.
KEPT: Final = ("deal_ids", "agent_key", "decisions", "swapped", "turned", "bound_hits")


def redrawn(game: BatchGame, seed: int) -> tuple[BatchGame, np.ndarray]:
    """A copy in which live games with seat 0 to act hold other hidden cards; and which games these are, indices."""
    rows = np.flatnonzero(~game.done & (game.to_act == 0))
    other = game.clone()
    if rows.size:
        keys = game.keys(rows) + np.uint64(seed)
        drawn, state = game.sample_states(game.view(rows), 1, keys).state_dict(), game.state_dict()
        for name, array in state.items():
            if name not in KEPT and not name.startswith("match."):
                array[..., rows] = drawn[name]
        other.load_state_dict(state)
    return other, rows


def in_world(envs: Any, game: BatchGame) -> Any:
    """A copy of a `GameVectorEnv` that goes on with another game."""
    other = _copied(envs)
    other.seated = _copied(envs.seated)
    other.seated.game = game
    return other


def _copied(thing: Any) -> Any:
    other = copy.copy(thing)
    other.__dict__.update({name: value.copy() for name, value in vars(thing).items() if isinstance(value, np.ndarray)})
    return other


def differences(one: Any, two: Any, rows: np.ndarray | slice = slice(None), path: str = "") -> list[str]:
    """Where two values differ in some rows of their arrays: names of dictionary keys and places of sequences."""
    if isinstance(one, Mapping):
        if one.keys() != two.keys():
            return [f"{path}: keys {sorted(one)} and {sorted(two)}"]
        return [found for key in one for found in differences(one[key], two[key], rows, f"{path}/{key}")]
    if isinstance(one, list | tuple):
        if len(one) != len(two):
            return [f"{path}: lengths {len(one)} and {len(two)}"]
        return [found for at, (a, b) in enumerate(zip(one, two)) for found in differences(a, b, rows, f"{path}/{at}")]
    if isinstance(one, np.ndarray) and one.dtype == object:
        return [
            found for at in np.arange(len(one))[rows] for found in differences(one[at], two[at], path=f"{path}/{at}")
        ]
    if isinstance(one, np.ndarray):
        same = one.dtype == two.dtype and one.shape == two.shape and one[rows].tobytes() == two[rows].tobytes()
        return [] if same else [f"{path}: {one[rows].tolist()} and {two[rows].tolist()}"[:300]]
    return [] if type(one) is type(two) and one == two else [f"{path}: {one!r} and {two!r}"]
