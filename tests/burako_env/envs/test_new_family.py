"""A family of games that is registered by somebody else plays in every environment, without a line changed."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial
from types import SimpleNamespace
from typing import Any, ClassVar

import gymnasium
import numpy as np
import pytest
from pettingzoo.test import api_test

from burako_env import families
from burako_env.batch import BatchGame
from burako_env.envs.aec import BatchGameEnv, wrapped
from burako_env.kit.array_game import ArrayGame
from burako_env.kit.fields import FieldRows, FieldState
from burako_env.kit.rng import STREAM_DEAL, below, combine
from burako_env.layout import Field, View, ViewLayout
from burako_env.render.modes import draw
from burako_env.vector import GameEnv, GameVectorEnv, env_id

RULES: dict[str, list[str]] = {}
_NUMBERS = {"actor": "uint8", "phase": "uint8", "reason": "uint8", "turns": "int16", "decisions": "int32"}
_FIELDS = tuple(
    FieldRows(name, dtype, None, (0,)) for name, dtype in {**_NUMBERS, "deal_ids": "int64", "swapped": "bool"}.items()
) + (FieldRows("hands", "int8", 2, (0, 0)), FieldRows("bids", "int8", 2, (0, 0)))
_LAYOUT = ViewLayout(
    (
        Field("actor", (), "seat to act"),
        Field("phase", (1,), "1 in a live game"),
        Field("hand", (), "own number"),
        Field("bids", (2,), "what both have bid"),
    )
)


@dataclass(frozen=True)
class Bidding:
    """The rules: two players, each with a secret number, bid once; the number minus the bid is won if it is higher."""

    players: int = 2

    def digest(self) -> str:
        return "bidding"


class BiddingGame(ArrayGame[Any]):
    """A toy: actions 0 to 9 are bids."""

    family = "bidding"
    phases: ClassVar = ("bid",)
    over: ClassVar = 1
    end_reasons: ClassVar = ("", "out")
    private_fields = ("hand",)
    layout = _LAYOUT
    seats = sides = turns_of_table = 2
    side_of = np.arange(2)
    table: Any = SimpleNamespace(size=64, rows=np.zeros(64, dtype=[("kind", np.uint8)]))

    def __init__(self, rules: Bidding, size: int, root_seed: int, name: str) -> None:
        self.rules, self.name = rules, name
        self._begin(size, root_seed)

    @property
    def swapped(self) -> Any:
        return self._state.swapped

    def _fresh(self, size: int) -> Any:
        return FieldState(_FIELDS, size)

    def _deal(self, games: Any, deal_ids: Any, swapped: Any) -> None:
        state = self._state
        state.clear(games)
        state.deal_ids[games], state.swapped[games] = deal_ids, swapped
        for seat in range(2):
            state.hands[seat, games] = below(combine(self.root_seed, STREAM_DEAL, deal_ids, seat ^ swapped), 20)

    def _words(self, games: Any) -> Any:
        live = self._state.phase[slice(None) if games is None else games] != self.over
        return np.where(live, np.uint64(1023), np.uint64(0))[None]

    def _act(self, kind: int, games: Any, actions: Any) -> None:
        state = self._state
        state.bids[state.actor[games], games] = actions
        over = games[state.actor[games] == 1]
        state.phase[over], state.reason[over], state.turns[over] = self.over, 1, 2
        state.actor[games] = 1

    def _seen(self, games: Any, seats: Any) -> View:
        at = np.arange(self.size) if games is None else games
        state, other = self._state, 1 - seats
        columns = (seats != state.actor[at], state.phase[at] == 0, state.hands[seats, at])
        return View(np.stack([*columns, state.bids[seats, at], state.bids[other, at]], axis=1).astype(np.int8), _LAYOUT)

    def _sampled(self, view: View, k: int, keys: Any) -> Any:
        raise NotImplementedError

    @property
    def scores(self) -> Any:
        bids = self._state.bids.astype(np.int32)
        return ((self._state.hands - bids) * (bids == bids.max(axis=0))).T

    @property
    def public_scores(self) -> Any:
        return self.scores * self.done[:, None]

    def action_text(self, action: int, game: int = 0) -> str:
        return f"bid {action}"


def _game(rules: Bidding, batch: int, root_seed: int, name: str) -> BatchGame:
    return BiddingGame(rules, batch, root_seed, name)


@pytest.fixture(autouse=True)
def family() -> Iterator[None]:
    """The family of the toy, for one test."""
    presets = {"bidding-2": Bidding()}
    families.register(families.Family("bidding", presets, lambda name, _: presets[name], _game, "points", 1.0, 10))
    yield
    del families._FAMILIES["bidding"], gymnasium.registry[env_id("bidding-2")]


def test_pettingzoo() -> None:
    env = wrapped(BatchGameEnv(partial(families.make, "bidding-2", 1), render_mode="ansi"))
    api_test(env, num_cycles=20)
    env.reset(seed=1)
    assert "seat 0 to act" in env.render()
    for bid in (3, 4):
        env.step(bid)
    assert env.terminations == {"player_0": True, "player_1": True}
    assert sum(env.rewards.values()) == 0
    assert draw(env.unwrapped.game, "ansi") == env.render()


@pytest.mark.filterwarnings("ignore:.*rgb_array")
def test_gymnasium() -> None:
    table = GameEnv("bidding-2")
    observation, info = table.reset(seed=1)
    assert observation["action_mask"].sum() == 10
    assert info["deal_id"] == 0
    assert table.step(5)[2]
    many = GameVectorEnv(4, "bidding-2")
    many.reset(seed=1)
    assert many.step(np.full(4, 2))[2].all()


def test_gymnasium_knows_games_that_are_registered_later() -> None:
    env = gymnasium.make("burako_env/Bidding2-v0")
    env.reset(seed=3)
    assert env.step(1)[2]
    many = gymnasium.make_vec("burako_env/Bidding2-v0", num_envs=3)
    assert many.reset(seed=3)[0]["observation"].shape == (3, _LAYOUT.width)
