"""BatchGame: the one interface that every game implements.

A batch is B independent games of the same rules, stepped together. One decision is one action of one seat.
Environments, agents, training, tournaments and tests see games through this interface only.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Any, Final, Self

import numpy as np
import numpy.typing as npt

from burako_env.chance.keys import AgentKeys, decision_keys
from burako_env.chance.rng import U64
from burako_env.errors import UserError
from burako_env.inputs.checked import shown
from burako_env.layout import View, ViewLayout

if TYPE_CHECKING:
    from burako_env.match import MatchGame

Bools = npt.NDArray[np.bool_]
Ints = npt.NDArray[np.int64]
Games = npt.ArrayLike | None


# How a game can end, in the words of case files and records; a reason's code is its place. Codes stay what they are.
# The first is that of a game still in play; `won` is that of a match, the last one that of an environment.
REASONS: Final = ("", "out", "exhausted", "truncated", "forfeits", "passes", "calls", "won", "illegal action")


class IllegalAction(ValueError):
    """An action that is not legal for the seat to act; the message names game, seat, phase and the action in words."""


class BatchGame(ABC):
    """B games side by side.

    Class or instance attributes every game provides:
        name: the game's name, `burako-4`. family: that of its `families.Family`, `burako`. rules: an object with
        `digest()`; None for a game without rule keys.
        seats: players. sides: teams, or players where there are no teams. side_of: int `[seats]`, the side of each
        seat.
        num_actions: A, a multiple of 64. layout: the View's layout (F columns). private_fields: its fields that only
        the View's own seat may know; the first is the hand.
        size: B. root_seed: what the deals come from, together with the deal ids.

    State that can be read at any time, all `[B]` unless noted:
        to_act: seat to act (the last to act in a done game). done, truncated: bool. scores: int32 `[B, sides]`, what
        an end now would give. deal_ids: int64. swapped: bool, or the number of seats turned (see `reset`). decisions:
        int32, actions taken so far. turns: int16, turns completed (level 1 of the children's game: calls). reasons: how
        each game ended in the words of the case files, a list of `[B]`, empty for a live game.
        hand: the hands that a match is made of; a game of one hand is its own. match: the match, None for a game of
        one hand.

    Queries change nothing. A live game always has a legal action. For a done game `legal` is all False, `step`
    ignores its action and `view` is its last one. `games=idx` (distinct indices) restricts `legal`, `view`, `step`
    and `reset` to a part of the batch; their arrays then have `len(idx)` rows.
    """

    name: str
    family: str = ""
    rules: Any = None
    private_fields: tuple[str, ...] = ()
    seats: int
    sides: int
    side_of: Ints
    num_actions: int
    layout: ViewLayout
    size: int
    root_seed: int
    to_act: npt.NDArray[Any]
    done: Bools
    truncated: Bools
    deal_ids: Ints
    swapped: npt.NDArray[Any]
    decisions: npt.NDArray[np.int32]
    turns: npt.NDArray[np.int16]

    @abstractmethod
    def reset(self, deal_ids: npt.ArrayLike, games: Games = None, swap_sides: npt.ArrayLike = False) -> None:
        """Deal new hands: `deal_ids` int `[n]`, from 0 to 2**63 - 1 (else `UserError`, and nothing has changed);
        `swap_sides` (bool or `[n]`) deals the same cards with the sides' seats exchanged. With more than two sides it
        is a number from 0 to sides - 1: by how many seats the table is turned, so that a deal can be played as often
        as there are sides, each side once in every place.
        """

    @abstractmethod
    def legal_packed(self, games: Games = None) -> U64:
        """Legal actions as words, uint64 `[n, A / 64]`: action a is bit a % 64 of word a // 64."""

    def legal(self, games: Games = None) -> Bools:
        """Legal actions, bool `[n, A]`."""
        words = self.legal_packed(games)
        return np.unpackbits(words.view(np.uint8), axis=1, bitorder="little").view(np.bool_)

    @abstractmethod
    def step(self, actions: npt.ArrayLike, games: Games = None, *, validate: bool = True) -> None:
        """Play one action in each live game, int `[n]`. Raises `IllegalAction` before anything changes."""

    @abstractmethod
    def view(self, games: Games = None, seats: npt.ArrayLike | None = None) -> View:
        """What a seat may know: by default the seat to act, else `seats` (int or `[n]`). A fresh buffer, int8 `[n,
        F]`.
        """

    @property
    @abstractmethod
    def scores(self) -> npt.NDArray[np.int32]:
        """Points of each side if the hand ended now, int32 `[B, sides]`."""

    @property
    @abstractmethod
    def public_scores(self) -> npt.NDArray[np.int32]:
        """What everybody can see of the scores, int32 `[B, sides]`: without the concealed cards of a live hand; of a
        done game they are its scores.
        """

    @property
    @abstractmethod
    def reason_codes(self) -> npt.NDArray[np.uint8]:
        """How each game ended, uint8 `[B]`: its place in `REASONS`, 0 while it lives."""

    @property
    def reasons(self) -> list[str]:
        """How each game ended, in the words of `REASONS`; empty while it lives."""
        return [REASONS[code] for code in self.reason_codes.tolist()]

    @property
    def hand(self) -> BatchGame:
        """The hands in play: of a match those it is made of, else the game itself."""
        return self

    @property
    def match(self) -> MatchGame | None:
        """The match that the hands belong to, None if they belong to none."""
        return None

    @property
    def rules_digest(self) -> str:
        """Names the rules in records, suites and checkpoints; empty for a game without rule keys."""
        return "" if self.rules is None else str(self.rules.digest())

    def hidden(self, games: Games = None, seats: npt.ArrayLike | None = None) -> npt.NDArray[np.uint8]:
        """The hands of all but the given seats (by default the seats to act), in the order of play from them, for an
        oracle critic: uint8 `[n, X]`, X = 0 in a game without hands.
        """
        idx = as_games(games, self.size)
        own = self.to_act[slice(None) if idx is None else idx].astype(np.int64)
        if seats is not None:
            own = expect_length("seats", seats, len(own), np.int64)
        if not self.private_fields:
            return np.zeros((len(own), 0), dtype=np.uint8)
        others = [(own + offset) % self.seats for offset in range(1, self.seats)]
        hands = [self.view(idx, other).buffer[:, self.layout[self.private_fields[0]]] for other in others]
        return np.concatenate(hands, axis=1).view(np.uint8)

    @abstractmethod
    def clone(self) -> Self:
        """An independent copy."""

    @abstractmethod
    def select(self, games: npt.ArrayLike) -> Self:
        """A new batch of copies of the given games (indices may repeat)."""

    @abstractmethod
    def state_dict(self) -> dict[str, npt.NDArray[Any]]:
        """Every array of the state by name, copied."""

    @abstractmethod
    def load_state_dict(self, state: Mapping[str, npt.NDArray[Any]]) -> None:
        """Put a saved state back; the batch takes its size."""

    @abstractmethod
    def sample_states(self, view: View, k: int, keys: U64) -> Self:
        """`k` full states that agree with each View: a batch of `len(view) * k` games, view-major.

        Hidden cards are redrawn uniformly among the arrangements that agree with what the View's seat knows; `keys`
        uint64 `[len(view)]`. The observer sits at seat 0 of the new games.
        """

    @abstractmethod
    def action_text(self, action: int, game: int = 0) -> str:
        """The action in the words of the case files, in the position of that game."""

    def check_action_text(self, text: str) -> None:
        """Raise `UserError` for a text that is the name of no action, legal or not."""
        if all(self.action_text(action) != text for action in range(self.num_actions)):
            raise UserError(f"{shown(text)} is no action of {self.name}")

    @abstractmethod
    def phase_text(self, game: int) -> str:
        """Name of the phase of a game: `draw`, `lay`, ..., `over`."""

    def seat_keys(self, games: Games = None) -> U64:
        """What the keys of each seat come from, uint64 `[n, seats]`: for the one who runs the games, not for agents."""
        idx = as_games(games, self.size)
        return self._agent_keys.of(
            self.root_seed, self.deal_ids, self.swapped, slice(None) if idx is None else idx, self.seats
        )

    def keys(self, games: Games = None) -> U64:
        """Keys of the decisions to be taken now, uint64 `[n]`: hash(root, deal, orientation, seat, decision number),
        one-way (`keys.py`).
        """
        idx = as_games(games, self.size)
        part = slice(None) if idx is None else idx
        own, actors = self.seat_keys(idx), self.to_act[part].astype(np.intp)
        return decision_keys(own.reshape(-1).take(np.arange(len(own)) * self.seats + actors), self.decisions[part])

    @cached_property
    def _agent_keys(self) -> AgentKeys:
        return AgentKeys()


def expect_length(name: str, values: npt.ArrayLike, length: int, dtype: npt.DTypeLike) -> npt.NDArray[Any]:
    """`values` as an array `[length]` (a scalar is repeated); a wrong shape or kind is a `ValueError` saying which
    was expected.
    """
    array = np.asarray(values)
    if array.ndim == 0:
        array = np.broadcast_to(array, (length,))
    if array.shape != (length,):
        raise ValueError(f"{name} has shape {list(array.shape)}, expected [{length}]")
    if array.dtype.kind not in "biu":
        raise ValueError(f"{name} has dtype {array.dtype}, expected integers")
    return array.astype(dtype, copy=False)


def as_games(games: Games, size: int) -> npt.NDArray[np.intp] | None:
    """Indices of a part of the batch, checked: integers, in range, distinct. `None` stays None (the whole batch)."""
    if games is None:
        return None
    idx = np.asarray(games)
    if idx.dtype == np.bool_ and idx.shape == (size,):
        return np.flatnonzero(idx)
    if idx.ndim != 1 or (idx.size and idx.dtype.kind not in "iu"):
        raise ValueError(
            f"games has shape {list(idx.shape)} and dtype {idx.dtype}, expected indices [n] or a mask [{size}]"
        )
    idx = idx.astype(np.intp, copy=False)
    if idx.size and (idx.min() < 0 or idx.max() >= size):
        raise ValueError(f"games holds an index outside 0 to {size - 1}")
    if idx.size > 1 and np.bincount(idx).max() > 1:
        raise ValueError("games holds an index twice, expected distinct ones")
    return idx


__all__: Sequence[str] = ["REASONS", "BatchGame", "IllegalAction", "as_games", "expect_length"]
