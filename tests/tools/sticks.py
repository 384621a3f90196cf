"""A family that the project does not know: Nim. Two players take one to three sticks; the last to take one wins."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import gymnasium
import numpy as np

from burako_env import families
from burako_env.batch import REASONS, BatchGame, IllegalAction, as_games
from burako_env.envs.registration import env_id
from burako_env.families import Family
from burako_env.layout import Field, View, ViewLayout


class SticksGame(BatchGame):
    """Action a takes a + 1 sticks; 16 to 31 sticks are dealt."""

    name, family, seats, sides, num_actions = "sticks", "sticks", 2, 2, 64
    side_of = np.array([0, 1])
    layout = ViewLayout((Field("sticks", (), "sticks left"),))

    def __init__(self, size: int, root_seed: int) -> None:
        self.size, self.root_seed = size, root_seed
        self.state = {name: np.zeros(size, dtype=np.int64) for name in ("left", "actor", "deal", "turned", "count")}

    left = property(lambda self: self.state["left"])
    to_act = property(lambda self: self.state["actor"])
    deal_ids = property(lambda self: self.state["deal"])
    swapped = property(lambda self: self.state["turned"] == 1)
    decisions = property(lambda self: self.state["count"].astype(np.int32))
    turns = property(lambda self: self.state["count"].astype(np.int16))
    done = property(lambda self: self.left == 0)
    truncated = property(lambda self: np.zeros(self.size, dtype=bool))
    reason_codes = property(lambda self: (self.done * REASONS.index("out")).astype(np.uint8))
    public_scores = property(lambda self: self.scores)

    @property
    def scores(self) -> Any:
        won = self.done[:, None] & (self.to_act[:, None] == np.arange(2))
        return (5 * won).astype(np.int32)

    def reset(self, deal_ids: Any, games: Any = None, swap_sides: Any = False) -> None:
        part = slice(None) if games is None else games
        for name, value in {"deal": deal_ids, "turned": swap_sides, "actor": swap_sides, "count": 0}.items():
            self.state[name][part] = value
        self.left[part] = 16 + (self.state["deal"][part] * 7 + self.root_seed) % 16

    def legal_packed(self, games: Any = None) -> Any:
        left = self.left if games is None else self.left[games]
        return ((np.uint64(1) << np.minimum(left, 3).astype(np.uint64)) - np.uint64(1))[:, None]

    def step(self, actions: Any, games: Any = None, *, validate: bool = True) -> None:
        idx = np.arange(self.size) if games is None else as_games(games, self.size)
        for game, action in zip(idx, np.asarray(actions)):
            if self.done[game]:
                continue
            if validate and not 0 <= action < min(self.left[game], 3):
                raise IllegalAction(f"game {game} of sticks: player {self.to_act[game]} cannot take {action + 1}")
            self.left[game] -= action + 1
            self.state["count"][game] += 1
            if self.left[game]:
                self.state["actor"][game] ^= 1

    def view(self, games: Any = None, seats: Any = None) -> View:
        left = self.left if games is None else self.left[games]
        return View(left.astype(np.int8)[:, None], self.layout)

    def select(self, games: Any) -> SticksGame:
        other = SticksGame(len(games), self.root_seed)
        other.state = {name: array[games] for name, array in self.state.items()}
        return other

    def clone(self) -> SticksGame:
        return self.select(np.arange(self.size))

    def state_dict(self) -> dict[str, Any]:
        return {name: array.copy() for name, array in self.state.items()}

    def load_state_dict(self, state: Any) -> None:
        self.state, self.size = {name: np.array(array) for name, array in state.items()}, len(state["left"])

    def sample_states(self, view: View, k: int, keys: Any) -> SticksGame:
        other = SticksGame(len(view) * k, self.root_seed)
        other.left[:] = np.repeat(view.sticks, k)
        return other

    def action_text(self, action: int, game: int = 0) -> str:
        return f"take {action + 1}"

    def phase_text(self, game: int) -> str:
        return "over" if self.done[game] else "take"


STICKS = Family(
    "sticks",
    {"sticks": None},
    lambda name, config: None,
    lambda rules, batch, root_seed, name: SticksGame(batch, root_seed),
    unit="points",
    scale=5.0,
    forfeit=10,
)


@contextmanager
def sticks() -> Iterator[str]:
    """The family is registered within the block; gives the name of its game."""
    families.register(STICKS)
    try:
        yield "sticks"
    finally:
        del families._FAMILIES["sticks"], gymnasium.registry[env_id("sticks")]
