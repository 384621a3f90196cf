"""The rollout worker steps a batched game and keeps the decisions that are learned from.

A decision with a single legal action is played but not kept. Chance comes from the games' keys, and deals from a
schedule fixed in advance: of S slots in the process group, slot s plays deals s, s + S, s + 2 S, ... So what is
collected depends on nothing but the actor and its opponents.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from agents import Agent
from agents.learned.checkpoint import Arrays
from agents.learned.encoder import U8, Encoder
from burako_env.batch import BatchGame, Ints
from burako_env.chance.rng import U64
from burako_env.choice import random_legal
from burako_env.errors import UserError
from experiments.train.acting import F32, SELF, Actor, Choice, Opponents, Situation, Slots
from experiments.train.returns import Streams


@dataclass(frozen=True)
class Rollout:
    """N decisions: features uint8 `[N, D]`, words uint64 `[N, W]`, hidden uint8 `[N, X]`, actions and slots int64
    `[N]`, advice int64 `[N]` or `[0]` without an advisor, the rest float32 `[N]`, in units of the worker's scale.
    stepped: decisions played in all, with forced ones and the opponents'. finished: sums over the hands that ended.
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


class RolloutWorker:
    """Slots of a game that are played on and on.

    Args:
        game: B slots, not yet dealt. encoder, advisor: those of the actor. scale: points that count 1.
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
        if oracle and not game.private_fields:
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
        return (self.game.seats - 1) * int(np.prod(self.game.layout.shapes[self.game.private_fields[0]]))

    def take_seats(self, opponents: Ints) -> None:
        """Let the actor take over the seats of opponents that have left."""
        self.opponent[np.isin(self.opponent, opponents)] = SELF

    def collect(self, steps: int, actor: Actor, opponents: Opponents, lam: float) -> Rollout:
        """Take `steps` decisions in every slot; returns the actor's real ones, with GAE of `lam`."""
        game = self.game
        if not self.started:
            self._deal(np.arange(game.size), opponents)
            self.started = True
        points = self._points_now()
        streams = Streams(game.size, game.sides)
        situations: list[Situation] = []
        choices: list[Choice] = []
        finished = {"hands": 0.0, "decisions": 0.0, "truncated": 0.0}
        for _ in range(steps):
            situation, choice, sides = self._step(actor, opponents)
            situations.append(situation)
            choices.append(choice)
            after, done = self._points(), game.done
            won = after - points if self.dense else after * done[:, None]
            streams.add(situation.slots, sides, choice.value, won, done)
            points = after
            over = np.flatnonzero(done)
            if over.size:
                finished["hands"] += over.size
                finished["decisions"] += float(game.decisions[over].sum())
                finished["truncated"] += float(game.truncated[over].sum())
                self._end(over, after[over], opponents)
                points[over] = 0
        advantages = streams.advantages(lam, *self._last_values(actor))
        asked = {
            name: np.concatenate([getattr(situation, name) for situation in situations])
            for name in ("features", "words", "hidden", "advice", "slots")
        }
        actions, logp, values = (
            np.concatenate([getattr(choice, name) for choice in choices]) for name in ("wanted", "logp", "value")
        )
        return Rollout(
            **asked,
            actions=actions,
            logp=logp,
            values=values,
            advantages=advantages,
            returns=advantages + values,
            stepped=steps * game.size,
            finished=finished,
        )

    def _step(self, actor: Actor, opponents: Opponents) -> tuple[Situation, Choice, Ints]:
        """One decision of every slot; returns the actor's real ones, and their sides."""
        game = self.game
        words, keys = game.legal_packed(), game.keys()
        options = np.bitwise_count(words).sum(axis=1, dtype=np.int64)
        acting = game.side_of[game.to_act]
        mine = (self.opponent == SELF) | (acting == self.side)
        actions = np.zeros(game.size, dtype=np.int64)
        forced = np.flatnonzero(options == 1)
        actions[forced] = random_legal(words[forced], keys[forced])
        kept = np.flatnonzero(mine & (options > 1))
        situation = self._situation(kept, words, keys)
        if kept.size:
            choice = actor.choose(situation)
            actions[kept] = choice.played
        else:
            ints, floats = np.zeros(0, dtype=np.int64), np.zeros(0, dtype=np.float32)
            situation.advisor, choice = None, Choice(ints, ints, floats, floats)
        others = ~mine & (options > 1)
        for opponent in np.unique(self.opponent[others]).tolist():
            slots = np.flatnonzero(others & (self.opponent == opponent))
            actions[slots] = opponents.act(opponent, self._situation(slots, words, keys))
        game.step(actions, validate=False)
        return situation, choice, acting[kept]

    def _end(self, over: Slots, points: F32, opponents: Opponents) -> None:
        """Note hands that have ended with points `[n, sides]`, and deal their slots anew."""
        opponents.record(self.opponent[over], points[np.arange(len(over)), self.side[over]] * self.scale)
        self.deals[over] += self.stride
        self._deal(over, opponents)

    def _deal(self, slots: Slots, opponents: Opponents) -> None:
        self.game.reset(self.deals[slots], games=slots)
        self.opponent[slots], self.side[slots] = opponents.assign(self.deals[slots])

    def _points(self) -> F32:
        """Each side's points minus the mean of the others', float32 `[B, sides]`."""
        scores = self.game.scores.astype(np.float32)
        total = scores.sum(axis=1, keepdims=True)
        points: F32 = (scores - (total - scores) / np.float32(self.game.sides - 1)) / self.scale
        return points

    def _points_now(self) -> F32:
        """As `_points`, but 0 at the deal, so that the points of a hand's decisions add up to its result."""
        return self._points() * (self.game.decisions > 0)[:, None]

    def _situation(self, slots: Slots, words: U64, keys: U64) -> Situation:
        hidden, view = self._hidden(slots, self.game.to_act[slots]), self.game.view(games=slots)
        return Situation(slots, view, words[slots], keys[slots], hidden, self.encoder, self.advisor)

    def _hidden(self, slots: Slots, seats: npt.NDArray[Any]) -> U8:
        """The others' hands where the critic sees them, uint8 `[m, X]`."""
        if not self.oracle or not len(slots):
            return np.zeros((len(slots), self.hidden_width), dtype=np.uint8)
        return self.game.hidden(slots, seats)

    def _last_values(self, actor: Actor) -> tuple[Ints, F32]:
        """Where the rollout stops: side and value of the position in each stream, `[streams]`."""
        game = self.game
        everyone = np.arange(game.size)

        def values(seats: npt.NDArray[Any]) -> F32:
            view = game.view(seats=seats)
            return actor.values(self.encoder.encode(view.buffer), self._hidden(everyone, seats))

        if game.sides == 2:
            return game.side_of[game.to_act], values(game.to_act)
        first = [int(np.flatnonzero(game.side_of == side)[0]) for side in range(game.sides)]
        found = np.stack([values(np.full(game.size, seat)) for seat in first], axis=1)
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
