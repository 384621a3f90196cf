"""What games share that keep all they know in one state.

`HeldGame` has parts of a batch, copies and saved states. `ArrayGame` is for games whose state is a `FieldState`; it
adds everything else that is no rule: the check of actions, actions by kind, legal words that are kept until a step
makes them stale. A game says how it deals, plays and is seen.
"""

from abc import abstractmethod
from collections.abc import Mapping
from operator import attrgetter
from typing import Any, ClassVar, Generic, Protocol, Self, TypeVar

import numpy as np
import numpy.typing as npt

from burako_env.batch import REASONS, BatchGame, Bools, Games, IllegalAction, Ints, as_games, expect_length
from burako_env.chance.rng import U64
from burako_env.kit import checks
from burako_env.kit.fields import Index
from burako_env.layout import View


class Held(Protocol):
    """What a state of B games can do."""

    @property
    def size(self) -> int: ...

    def select(self, games: Index) -> Self: ...

    def save(self) -> dict[str, npt.NDArray[Any]]: ...

    def load(self, saved: dict[str, npt.NDArray[Any]]) -> None: ...


class GameState(Held, Protocol):
    """The fields that the state of every `ArrayGame` has, `[B]` each."""

    actor: npt.NDArray[np.uint8]
    phase: npt.NDArray[np.uint8]
    reason: npt.NDArray[np.uint8]
    turns: npt.NDArray[np.int16]
    decisions: npt.NDArray[np.int32]
    deal_ids: npt.NDArray[np.int64]


class Table(Protocol):
    """The actions of a game: structured rows `[size]` with a field `kind`."""

    @property
    def size(self) -> int: ...

    @property
    def rows(self) -> npt.NDArray[np.void]: ...


H = TypeVar("H", bound=Held)
S = TypeVar("S", bound=GameState)


def of_state(name: str, *, copy: bool = False) -> Any:
    """A property that is the array of the state of that name, or a copy of it."""
    read = attrgetter(f"_state.{name}")
    return property(lambda game: read(game).copy()) if copy else property(read)


class HeldGame(BatchGame, Generic[H]):
    """B games with a state H, which holds all that differs from game to game.

    Attributes:
        turns_of_table: in how many ways the table can be turned: the most that `swap_sides` may be, plus 1.
    """

    turns_of_table: int
    _state: H

    def _hold(self, state: H) -> None:
        """Make `state` this batch's state."""
        self._state = state
        self.size = state.size
        self._all = np.arange(state.size)

    @abstractmethod
    def _fresh(self, size: int) -> H:
        """A state in which nothing is dealt."""

    @abstractmethod
    def _deal(self, games: Index, deal_ids: Ints, swapped: Ints) -> None:
        """Deal into games, distinct indices, by `swapped` seats turned."""

    def _dealt(self, games: Index) -> None:
        """What is to be forgotten of games that have been dealt anew."""

    def reset(self, deal_ids: npt.ArrayLike, games: Games = None, swap_sides: npt.ArrayLike = False) -> None:
        idx = self._index(games)
        ids = checks.deal_ids(deal_ids, len(idx))
        swapped = expect_length("swap_sides", swap_sides, len(idx), np.int64)
        if swapped.size and not 0 <= swapped.min() <= swapped.max() < self.turns_of_table:
            raise ValueError(f"swap_sides turns the table by 0 to {self.turns_of_table - 1} seats in {self.name}")
        self._deal(idx, ids, swapped)
        self._dealt(idx)

    def clone(self) -> Self:
        return self.select(self._all)

    def select(self, games: npt.ArrayLike) -> Self:
        return self._with(self._state.select(np.asarray(games, dtype=np.intp)))

    def state_dict(self) -> dict[str, npt.NDArray[Any]]:
        return self._state.save()

    def load_state_dict(self, state: Mapping[str, npt.NDArray[Any]]) -> None:
        loaded = self._fresh(1)
        loaded.load(dict(state))
        self._hold(loaded)

    def _with(self, state: H) -> Self:
        other = object.__new__(type(self))
        other.__dict__.update(self.__dict__)
        other._hold(state)
        return other

    def _index(self, games: Games) -> Index:
        idx = as_games(games, self.size)
        return self._all if idx is None else idx


class ArrayGame(HeldGame[S]):
    """B games with a state S.

    A game sets what `BatchGame` asks for (`name`, `seats`, `sides`, `side_of`, `layout`) and its `rules` and `table`,
    then calls `_begin`. What is a rule stands in the methods that are abstract here.

    Attributes:
        phases: names of the phases, in the order of their numbers. over: the phase of a game that is over.
        end_reasons: how games end, in words of `batch.REASONS`; the first, empty, is that of a live game.
    """

    phases: ClassVar[tuple[str, ...]]
    over: ClassVar[int]
    end_reasons: ClassVar[tuple[str, ...]]
    rules: Any
    table: Table
    to_act: npt.NDArray[np.uint8] = of_state("actor")
    deal_ids: npt.NDArray[np.int64] = of_state("deal_ids")
    decisions: npt.NDArray[np.int32] = of_state("decisions")
    turns: npt.NDArray[np.int16] = of_state("turns")

    def _begin(self, size: int, root_seed: int) -> None:
        """Games that are over until they are dealt."""
        if size < 1:
            raise ValueError(f"a batch holds at least 1 game, not {size}")
        self.size, self.root_seed, self.num_actions = size, root_seed, self.table.size
        self._kind = self.table.rows["kind"].copy()
        self._reason_codes = np.array([REASONS.index(word) for word in self.end_reasons], dtype=np.uint8)
        state = self._fresh(size)
        state.phase[:] = self.over
        self._hold(state)

    def _hold(self, state: S) -> None:
        """Make `state` this batch's state, with nothing known of its legal actions."""
        super()._hold(state)
        self._legal = np.zeros((self.num_actions // 64, state.size), dtype=np.uint64)
        self._known_legal = np.zeros(state.size, dtype=np.bool_)

    def _dealt(self, games: Index) -> None:
        self._known_legal[games] = False

    # What is a game's own. `games` are distinct indices.

    @abstractmethod
    def _words(self, games: Index | None) -> U64:
        """Legal actions as words, uint64 `[W, n]`; none in a game that is over. None is the whole batch."""

    @abstractmethod
    def _act(self, kind: int, games: Index, actions: Ints) -> None:
        """Legal actions of one kind in live games, both `[n]`."""

    @abstractmethod
    def _seen(self, games: Index | None, seats: npt.NDArray[np.uint8]) -> View:
        """What seats `[n]` see. None is the whole batch."""

    @abstractmethod
    def _sampled(self, view: View, k: int, keys: U64) -> S:
        """`sample_states` as a state; what it is given has been checked."""

    def _before(self, games: Index) -> None:
        """What is noted before actions are played in live games."""

    # What can be read at any time.

    @property
    def done(self) -> Bools:  # type: ignore[override]
        ended: Bools = self._state.phase == self.over
        return ended

    @property
    def truncated(self) -> Bools:  # type: ignore[override]
        if "truncated" not in self.end_reasons:
            return np.zeros(self.size, dtype=np.bool_)
        cut: Bools = self._state.reason == self.end_reasons.index("truncated")
        return cut

    @property
    def reason_codes(self) -> npt.NDArray[np.uint8]:
        return self._reason_codes[self._state.reason]

    def phase_text(self, game: int) -> str:
        return (*self.phases, *["over"] * (self.over + 1 - len(self.phases)))[int(self._state.phase[game])]

    # The interface.

    def legal_packed(self, games: Games = None) -> U64:
        idx = as_games(games, self.size)
        self._ensure_legal(idx)
        words = self._legal if idx is None else self._legal[:, idx]
        return words.T.copy()

    def step(self, actions: npt.ArrayLike, games: Games = None, *, validate: bool = True) -> None:
        idx = self._index(games)
        chosen = expect_length("actions", actions, len(idx), np.int64)
        live = self._state.phase[idx] != self.over
        if not live.all():
            idx, chosen = idx[live], chosen[live]
        if validate:
            self._check(idx, chosen)
        self._before(idx)
        self._state.decisions[idx] += 1
        self._known_legal[idx] = False
        kinds = self._kind[chosen]
        present = np.bincount(kinds).nonzero()[0]
        for kind in present.tolist():
            part = kinds == kind
            at = idx if len(present) == 1 else idx[part]
            acts = chosen if len(present) == 1 else chosen[part]
            self._act(kind, at, acts)

    def view(self, games: Games = None, seats: npt.ArrayLike | None = None) -> View:
        idx = as_games(games, self.size)
        actors = self._state.actor if idx is None else self._state.actor[idx]
        return self._seen(idx, actors if seats is None else expect_length("seats", seats, len(actors), np.uint8))

    def sample_states(self, view: View, k: int, keys: U64) -> Self:
        """As `BatchGame`; a View of another seat, of an ended game or of other rules is a `ValueError`."""
        if view.layout.digest() != self.layout.digest():
            raise ValueError(f"a View of width {view.layout.width}, expected {self.layout.width}")
        if k < 1:
            raise ValueError(f"k is {k}, at least 1 expected")
        if np.any(view.actor != 0) or not np.all(view.phase.any(axis=1)):
            raise ValueError("sample_states takes Views of the seat to act in a live game")
        if np.shape(keys) != (len(view),):
            raise ValueError(f"keys has shape {list(np.shape(keys))}, expected [{len(view)}]")
        return self._with(self._sampled(view, k, keys))

    # Inner helpers.

    def _ensure_legal(self, idx: Index | None) -> None:
        """Fill the columns of `_legal` that a step has made stale."""
        if idx is None:
            stale = ~self._known_legal
            if stale.all():
                self._legal = self._words(None)
                self._known_legal[:] = True
                return
            idx = stale.nonzero()[0]
        else:
            idx = idx[~self._known_legal[idx]]
        if idx.size:
            self._legal[:, idx] = self._words(idx)
            self._known_legal[idx] = True

    def _check(self, idx: Index, actions: Ints) -> None:
        """Raise `IllegalAction` for the first illegal action."""
        self._ensure_legal(idx)
        inside = (actions >= 0) & (actions < self.num_actions)
        safe = np.where(inside, actions, 0)
        words = self._legal.reshape(-1).take((safe >> 6) * self.size + idx)
        bad = ~inside | ((words >> (safe & 63).astype(np.uint64)) & np.uint64(1) == 0)
        if bad.any():
            first = int(bad.nonzero()[0][0])
            game, action = int(idx[first]), int(actions[first])
            text = self.action_text(action, game) if inside[first] else f"no action of 0 to {self.num_actions - 1}"
            raise IllegalAction(
                f"game {game}, seat {int(self.to_act[game])}, phase {self.phase_text(game)}: "
                f"action {action} ({text}) is not legal"
            )
