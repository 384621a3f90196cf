"""Collecting decisions: the batched game is stepped, the learner's real choices are kept.

A decision with a single legal action is played but not kept. Chance comes from the games' keys, and deals from a
schedule fixed in advance (of S slots over all ranks, slot s plays deals s, s + S, s + 2 S, ...), so that what is
collected depends on nothing but the players.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any, Protocol

import numpy as np
import numpy.typing as npt

from agents import Agent
from agents.learned.agent import advice_of
from agents.learned.checkpoint import Arrays
from agents.learned.encoder import U8, Encoder
from burako_env.batch import BatchGame, Bools, Ints
from burako_env.choice import random_legal
from burako_env.errors import UserError
from burako_env.kit.rng import U64
from burako_env.layout import View
from experiments.train.returns import Streams

F32 = npt.NDArray[np.float32]
Slots = npt.NDArray[np.intp]

SELF = -1
# The fields of a View that hold what a seat keeps hidden.
HANDS = ("hand", "rack")


@dataclass
class Situation:
    """m decisions to be taken now.

    slots: int64 `[m]`. view: of who acts. words: legal actions, uint64 `[m, W]`. keys: uint64 `[m]`. hidden: the
    others' hands (or racks) for an oracle critic, uint8 `[m, X]`, X = 0 without one. encoder, advisor: of the player.
    """

    slots: Slots
    view: View
    words: U64
    keys: U64
    hidden: U8
    encoder: Encoder
    advisor: Agent | None = None

    @cached_property
    def features(self) -> U8:
        """Features of the Views, uint8 `[m, D]`."""
        return self.encoder.encode(self.view.buffer)

    @cached_property
    def legal(self) -> Bools:
        """Legal actions, bool `[m, A]`."""
        return unpack(self.words)

    @cached_property
    def advice(self) -> Ints:
        """What the advisor would play, int64 `[m]`; `[0]` without one."""
        return advice_of(self.advisor, self.view, self.legal, self.keys)


@dataclass(frozen=True)
class Choice:
    """Answers to a situation: `played` int64 `[m]`; `wanted`, what is kept as the decision (a teacher's, where noise
    was played); log-probability of `wanted` and value of the position, float32 `[m]`.
    """

    played: Ints
    wanted: Ints
    logp: F32
    value: F32


class Player(Protocol):
    """Whose decisions are collected."""

    def choose(self, situation: Situation) -> Choice:
        """Actions and values."""

    def values(self, features: U8, hidden: U8) -> F32:
        """What positions are worth to who acts, float32 `[n]`."""


class Seating(Protocol):
    """Who plays against the player. Opponent SELF is the player itself."""

    def opponents(self, deal_ids: Ints) -> tuple[Ints, Ints]:
        """Opponent and the player's side for hands about to start, int64 `[n]` each."""

    def act(self, opponent: int, situation: Situation) -> Ints:
        """Actions of an opponent, int64 `[m]`."""

    def record(self, opponents: Ints, points: F32) -> None:
        """Hands that have ended: who was the opponent, and the player's points minus the others'."""


@dataclass(frozen=True)
class Rollout:
    """N decisions: features uint8 `[N, D]`, words uint64 `[N, W]`, hidden uint8 `[N, X]`, actions and slots int64
    `[N]`, advice int64 `[N]` or `[0]` without an advisor, the rest float32 `[N]`, in units of the collector's scale.
    stepped: decisions played in all.
    """

    features: U8
    words: U64
    hidden: U8
    actions: Ints
    advice: Ints
    slots: Slots
    logp: F32
    values: F32
    advantages: F32
    returns: F32
    stepped: int
    finished: dict[str, float]

    def __len__(self) -> int:
        return len(self.actions)

    def metrics(self) -> dict[str, float]:
        """For the group game/: length of the hands that ended, share of decisions that were real choices."""
        hands = self.finished["hands"]
        found = {"game/hands": hands, "game/kept": len(self) / self.stepped}
        if hands:
            found["game/decisions_per_hand"] = self.finished["decisions"] / hands
            found["game/truncated"] = self.finished["truncated"] / hands
        return found


def unpack(words: U64) -> Bools:
    """Words uint64 `[n, W]` as bool `[n, 64 W]`."""
    return np.unpackbits(words.view(np.uint8), axis=1, bitorder="little").view(np.bool_)


class Collector:
    """Slots of a game that play on and on.

    Args:
        game: B slots, not yet dealt. encoder, advisor: of the player. scale: points that count 1.
        first, stride: slot s plays deals first + s + n * stride.
        dense: points as they come, else all at the end of the hand. oracle: whether the hidden hands are collected.
    """

    def __init__(
        self,
        game: BatchGame,
        encoder: Encoder,
        *,
        first: int,
        stride: int,
        scale: float,
        dense: bool = True,
        oracle: bool = False,
        advisor: Agent | None = None,
    ) -> None:
        self.hand = next((name for name in HANDS if name in game.layout), "")
        if oracle and not self.hand:
            raise UserError(f"{game.name} has no hands to show to an oracle critic: use critic local")
        self.game, self.encoder, self.advisor = game, encoder, advisor
        self.stride, self.scale, self.dense, self.oracle = stride, np.float32(scale), dense, oracle
        self.deals = first + np.arange(game.size)
        self.opponent = np.full(game.size, SELF, dtype=np.int64)
        self.side = np.zeros(game.size, dtype=np.int64)
        self.started = False

    @property
    def hidden_width(self) -> int:
        """X."""
        if not self.oracle:
            return 0
        return (self.game.seats - 1) * int(np.prod(self.game.layout.shapes[self.hand]))

    def take_seats(self, opponents: Ints) -> None:
        """The player takes over the seats of opponents that have left."""
        self.opponent[np.isin(self.opponent, opponents)] = SELF

    def collect(self, steps: int, player: Player, seating: Seating, lam: float) -> Rollout:
        """Take `steps` decisions in every slot; the player's real ones come back, with GAE of `lam`."""
        if not self.started:
            self._deal(np.arange(self.game.size), seating)
            self.started = True
        game = self.game
        # Points of a hand count from 0, so that those of its decisions add up to its result.
        points = self._points() * (game.decisions > 0)[:, None]
        streams = Streams(game.size, game.sides)
        situations: list[Situation] = []
        choices: list[Choice] = []
        finished = {"hands": 0.0, "decisions": 0.0, "truncated": 0.0}
        for _ in range(steps):
            situation, choice, acting = self._step(player, seating)
            situations.append(situation)
            choices.append(choice)
            after, done = self._points(), game.done
            streams.add(
                situation.slots, acting, choice.value, after - points if self.dense else after * done[:, None], done
            )
            points = after
            over = np.flatnonzero(done)
            if over.size:
                finished["hands"] += over.size
                finished["decisions"] += float(game.decisions[over].sum())
                finished["truncated"] += float(game.truncated[over].sum())
                seating.record(self.opponent[over], after[over, self.side[over]] * self.scale)
                self.deals[over] += self.stride
                self._deal(over, seating)
                points[over] = 0
        advantages = streams.advantages(lam, *self._last_values(player))
        values = np.concatenate([choice.value for choice in choices])
        return Rollout(
            features=np.concatenate([situation.features for situation in situations]),
            words=np.concatenate([situation.words for situation in situations]),
            hidden=np.concatenate([situation.hidden for situation in situations]),
            actions=np.concatenate([choice.wanted for choice in choices]),
            advice=np.concatenate([situation.advice for situation in situations]),
            slots=np.concatenate([situation.slots for situation in situations]),
            logp=np.concatenate([choice.logp for choice in choices]),
            values=values,
            advantages=advantages,
            returns=advantages + values,
            stepped=steps * game.size,
            finished=finished,
        )

    def _step(self, player: Player, seating: Seating) -> tuple[Situation, Choice, Ints]:
        """One decision of every slot; the player's real ones, and their sides."""
        game = self.game
        words, keys = game.legal_packed(), game.keys()
        choices = np.bitwise_count(words).sum(axis=1, dtype=np.int64)
        acting = game.side_of[game.to_act]
        mine = (self.opponent == SELF) | (acting == self.side)
        actions = np.zeros(game.size, dtype=np.int64)
        forced = np.flatnonzero(choices == 1)
        actions[forced] = random_legal(words[forced], keys[forced])
        kept = np.flatnonzero(mine & (choices > 1))
        if kept.size:
            situation = self._situation(kept, words, keys)
            choice = player.choose(situation)
            actions[kept] = choice.played
        else:
            situation, choice = self._nothing()
        others = ~mine & (choices > 1)
        for opponent in np.unique(self.opponent[others]).tolist():
            slots = np.flatnonzero(others & (self.opponent == opponent))
            actions[slots] = seating.act(opponent, self._situation(slots, words, keys))
        game.step(actions, validate=False)
        return situation, choice, acting[kept]

    def _deal(self, slots: Slots, seating: Seating) -> None:
        self.game.reset(self.deals[slots], games=slots)
        self.opponent[slots], self.side[slots] = seating.opponents(self.deals[slots])

    def _points(self) -> F32:
        """Own minus the mean of the others', for every side, float32 `[B, sides]`."""
        scores = self.game.scores.astype(np.float32)
        total = scores.sum(axis=1, keepdims=True)
        points: F32 = (scores - (total - scores) / np.float32(self.game.sides - 1)) / self.scale
        return points

    def _situation(self, slots: Slots, words: U64, keys: U64) -> Situation:
        hidden = self._hidden(slots, self.game.to_act[slots])
        view = self.game.view(games=slots)
        return Situation(slots, view, words[slots], keys[slots], hidden, self.encoder, self.advisor)

    def _nothing(self) -> tuple[Situation, Choice]:
        """A step at which no slot had a real choice."""
        ints, floats = np.zeros(0, dtype=np.int64), np.zeros(0, dtype=np.float32)
        view = View(np.zeros((0, self.game.layout.width), dtype=np.int8), self.game.layout)
        words = np.zeros((0, self.game.num_actions // 64), dtype=np.uint64)
        hidden = np.zeros((0, self.hidden_width), dtype=np.uint8)
        situation = Situation(ints, view, words, ints.view(np.uint64), hidden, self.encoder)
        return situation, Choice(ints, ints, floats, floats)

    def _hidden(self, slots: Slots, seats: npt.NDArray[Any]) -> U8:
        """The hands of all but the given seats, in the order of play from them, uint8 `[m, X]`."""
        if not self.oracle:
            return np.zeros((len(slots), 0), dtype=np.uint8)
        others = [(seats.astype(np.int64) + offset) % self.game.seats for offset in range(1, self.game.seats)]
        hands = [self.game.view(games=slots, seats=seat).field(self.hand).reshape(len(slots), -1) for seat in others]
        return np.concatenate(hands, axis=1).view(np.uint8)

    def _last_values(self, player: Player) -> tuple[Ints, F32]:
        """Where the rollout stops: side and value of the position in each stream, `[streams]`."""
        game = self.game
        everyone = np.arange(game.size)
        if game.sides == 2:
            view, seats = game.view(), game.to_act
            return game.side_of[seats], player.values(self.encoder.encode(view.buffer), self._hidden(everyone, seats))
        found = np.zeros((game.size, game.sides), dtype=np.float32)
        for side in range(game.sides):
            seats = np.full(game.size, int(np.flatnonzero(game.side_of == side)[0]))
            view = game.view(seats=seats)
            found[:, side] = player.values(self.encoder.encode(view.buffer), self._hidden(everyone, seats))
        return np.tile(np.arange(game.sides), game.size), found.reshape(-1)

    def state(self) -> Arrays:
        """Everything by name, for a resumed run."""
        own = {"deals": self.deals, "opponent": self.opponent, "side": self.side, "started": np.array([self.started])}
        games = self.game.state_dict() if self.started else {}
        return own | {f"game.{name}": array for name, array in games.items()}

    def load_state(self, state: Arrays) -> None:
        """Put a saved state back."""
        self.deals, self.opponent, self.side = state["deals"], state["opponent"], state["side"]
        self.started = bool(state["started"][0])
        if self.started:
            games = {name.removeprefix("game."): array for name, array in state.items() if name.startswith("game.")}
            self.game.load_state_dict(games)
