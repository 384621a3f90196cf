"""RuibalGame: what the three levels have in common as `BatchGame`s; a level says how it deals, plays and is seen."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, Generic, Self, TypeVar

import numpy as np
import numpy.typing as npt

from burako_env.batch import REASONS, BatchGame, Bools, Games, IllegalAction, as_games, expect_length
from burako_env.kit import checks
from burako_env.kit.rng import U64
from burako_env.layout import View, ViewLayout
from burako_env.ruibal.actions import ActionTable, Kind
from burako_env.ruibal.notation import LevelWords, action_text
from burako_env.ruibal.position import LevelPosition
from burako_env.ruibal.rules import RuibalRules
from burako_env.ruibal.state import OVER, RuibalState
from burako_env.ruibal.state import REASONS as ENDS
from burako_env.ruibal.zones import Index

_CODES: Final = np.array([REASONS.index(word) for word in ENDS], dtype=np.uint8)
S = TypeVar("S", bound=RuibalState)
P = TypeVar("P", bound=LevelPosition)


@dataclass(frozen=True)
class Level(Generic[S, P]):
    """The parts of a level, with states S and positions P; the games of a level tie them together.

    table: its actions. phases: their names. layout: of the View for some rules. fresh: games in which nothing is
    dealt. deal: into games, with the root seed, deals and turns of the table. legal: of live games as words, uint64
    `[W, n]`. view: what seats see. sample: states that agree with Views (`BatchGame.sample_states`). state_of,
    position_of: between positions (of equal rules) and states.
    """

    table: ActionTable
    phases: tuple[str, ...]
    layout: Callable[[RuibalRules], ViewLayout]
    fresh: Callable[[RuibalRules, int], S]
    deal: Callable[[S, int, Index, npt.NDArray[np.int64], npt.NDArray[np.int64]], None]
    legal: Callable[[S, Index], U64]
    view: Callable[[S, Index, npt.NDArray[np.intp]], View]
    sample: Callable[[RuibalRules, View, int, U64], S]
    state_of: Callable[[Sequence[P]], S]
    position_of: Callable[[S, int], P]


class RuibalGame(BatchGame):
    """B games of a level. Every player is a side of his own (TILE-3); scores are crowns.

    Beside the interface: `rules`, `table` (the action table), `from_positions`, `position`, `turns`, `reasons`.
    A level is a subclass with its `level`, and what an action does.

    `swap_sides` of `reset` is the number of seats by which the table is turned: what seat s would have had, seat s +
    `swap_sides` has. So a deal can be played by the same players in as many ways as there are seats.
    """

    level: Level[Any, Any]
    table: ActionTable
    phases: tuple[str, ...]
    _state: RuibalState

    def __init_subclass__(cls, **kwargs: Any) -> None:
        super().__init_subclass__(**kwargs)
        if "level" in cls.__dict__:
            cls.table, cls.phases = cls.level.table, cls.level.phases

    def __init__(self, rules: RuibalRules, size: int, root_seed: int = 0, name: str = "") -> None:
        if size < 1:
            raise ValueError(f"a batch holds at least 1 game, not {size}")
        self.rules = rules
        self.name = name or f"ruibal-{rules.level}"
        self.root_seed = root_seed
        self.seats = self.sides = rules.players
        self.side_of = np.arange(rules.players)
        self.num_actions = self.table.size
        self.layout = self.level.layout(rules)
        state = self.level.fresh(rules, size)
        state.phase[:] = OVER
        self._hold(state)

    # What is a level's own.

    @abstractmethod
    def _play(self, games: Index, actions: npt.NDArray[np.int64]) -> None:
        """Legal actions of live games."""

    @abstractmethod
    def jokers_of(self, action: int, game: int = 0) -> int:
        """The cells of an action for which the seat to act would have to play a joker, as a word."""

    # What can be read at any time.

    def _hold(self, state: RuibalState) -> None:
        self._state = state
        self.size = state.size
        self._all = np.arange(state.size)

    @property
    def to_act(self) -> npt.NDArray[np.uint8]:  # type: ignore[override]
        """Seat to act, `[B]`."""
        return self._state.actor

    @property
    def done(self) -> Bools:  # type: ignore[override]
        """Games that have ended, `[B]`."""
        over: Bools = self._state.phase == OVER
        return over

    @property
    def truncated(self) -> Bools:  # type: ignore[override]
        """Every game ends by its rules, `[B]`."""
        return np.zeros(self.size, dtype=np.bool_)

    @property
    def deal_ids(self) -> npt.NDArray[np.int64]:  # type: ignore[override]
        """Deal of each game, `[B]`."""
        return self._state.deal_ids

    @property
    def swapped(self) -> npt.NDArray[np.uint8]:  # type: ignore[override]
        """Seats by which the table is turned, `[B]`."""
        return self._state.turned

    @property
    def decisions(self) -> npt.NDArray[np.int32]:  # type: ignore[override]
        """Actions taken, `[B]`."""
        return self._state.decisions

    @property
    def turns(self) -> npt.NDArray[np.int16]:
        """Turns (level 1: calls) completed, `[B]`."""
        return self._state.turns

    @property
    def scores(self) -> npt.NDArray[np.int32]:
        return self._state.crowns.T.astype(np.int32)

    @property
    def public_scores(self) -> npt.NDArray[np.int32]:
        return self.scores

    @property
    def reason_codes(self) -> npt.NDArray[np.uint8]:
        return _CODES[self._state.reason]

    # The interface.

    def reset(self, deal_ids: npt.ArrayLike, games: Games = None, swap_sides: npt.ArrayLike = False) -> None:
        idx = self._index(games)
        ids = checks.deal_ids(deal_ids, len(idx))
        turned = expect_length("swap_sides", swap_sides, len(idx), np.int64)
        if turned.size and not 0 <= turned.min() <= turned.max() < self.seats:
            raise ValueError(f"swap_sides turns the table by 0 to {self.seats - 1} seats in {self.name}")
        self.level.deal(self._state, self.root_seed, idx, ids, turned)

    def legal_packed(self, games: Games = None) -> U64:
        idx = self._index(games)
        live = self._state.phase[idx] != OVER
        if live.all():
            return np.ascontiguousarray(self.level.legal(self._state, idx).T)
        words = np.zeros((len(idx), self.table.words), dtype=np.uint64)
        words[live] = self.level.legal(self._state, idx[live]).T
        return words

    def step(self, actions: npt.ArrayLike, games: Games = None, *, validate: bool = True) -> None:
        idx = self._index(games)
        chosen = expect_length("actions", actions, len(idx), np.int64)
        live = self._state.phase[idx] != OVER
        if not live.all():
            idx, chosen = idx[live], chosen[live]
        if not idx.size:
            return
        if validate:
            self._check(idx, chosen)
        self._state.decisions[idx] += 1
        self._play(idx, chosen)

    def view(self, games: Games = None, seats: npt.ArrayLike | None = None) -> View:
        idx = self._index(games)
        who = self._state.actor[idx] if seats is None else expect_length("seats", seats, len(idx), np.uint8)
        return self.level.view(self._state, idx, who.astype(np.intp))

    def clone(self) -> Self:
        return self.select(self._all)

    def select(self, games: npt.ArrayLike) -> Self:
        return self._with(self._state.select(np.asarray(games, dtype=np.intp)))

    def state_dict(self) -> dict[str, npt.NDArray[Any]]:
        return self._state.save()

    def load_state_dict(self, state: Mapping[str, npt.NDArray[Any]]) -> None:
        loaded = self.level.fresh(self.rules, 1)
        loaded.load(dict(state))
        self._hold(loaded)

    def sample_states(self, view: View, k: int, keys: U64) -> Self:
        if view.layout.digest() != self.layout.digest():
            raise ValueError(f"a View of width {view.layout.width}, expected {self.layout.width}")
        if k < 1:
            raise ValueError(f"k is {k}, at least 1 expected")
        if np.any(view.actor != 0) or not np.all(view.phase.any(axis=1)):
            raise ValueError("sample_states takes Views of the seat to act in a live game")
        if np.shape(keys) != (len(view),):
            raise ValueError(f"keys has shape {list(np.shape(keys))}, expected [{len(view)}]")
        return self._with(self.level.sample(self.rules, view, k, keys))

    def position(self, game: int = 0) -> LevelPosition:
        """One game as plain data."""
        position: LevelPosition = self.level.position_of(self._state, game)
        return position

    def action_text(self, action: int, game: int = 0) -> str:
        return action_text(self.table, action, self.jokers_of(action, game))

    def action_id(self, words: LevelWords, game: int = 0) -> int | None:
        """The id of an action in the position of a game; None where its jokers are not those that the rack forces."""
        return words.action if words.jokers == self.jokers_of(words.action, game) else None

    def phase_text(self, game: int) -> str:
        phase = int(self._state.phase[game])
        return "over" if phase == OVER else self.phases[phase]

    @classmethod
    def from_positions(cls, given: Sequence[LevelPosition], root_seed: int = 0, name: str = "") -> Self:
        """A batch in the given positions (of equal rules)."""
        game = cls(given[0].rules, 1, root_seed, name)
        return game._with(cls.level.state_of(given))

    # Inner helpers.

    def _by_kind(
        self, games: Index, actions: npt.NDArray[np.int64]
    ) -> Iterator[tuple[Kind, Index, npt.NDArray[np.void]]]:
        """The games that play each kind of action, with the rows of the table that they play."""
        rows = self.table.rows[actions]
        kinds = rows["kind"]
        for kind in np.bincount(kinds).nonzero()[0].tolist():
            part = kinds == kind
            yield Kind(kind), games[part], rows[part]

    def _with(self, state: RuibalState) -> Self:
        other = object.__new__(type(self))
        other.__dict__.update(self.__dict__)
        other._hold(state)
        return other

    def _index(self, games: Games) -> Index:
        idx = as_games(games, self.size)
        return self._all if idx is None else idx

    def _check(self, idx: Index, actions: npt.NDArray[np.int64]) -> None:
        """Raise `IllegalAction` for the first illegal action."""
        inside = (actions >= 0) & (actions < self.num_actions)
        safe = np.where(inside, actions, 0)
        words = self.level.legal(self._state, idx)[safe >> 6, np.arange(len(idx))]
        bad = ~inside | ((words >> (safe & 63).astype(np.uint64)) & np.uint64(1) == 0)
        if bad.any():
            first = int(bad.nonzero()[0][0])
            game, action = int(idx[first]), int(actions[first])
            text = self.action_text(action, game) if inside[first] else f"no action of 0 to {self.num_actions - 1}"
            raise IllegalAction(
                f"game {game}, seat {int(self.to_act[game])}, phase {self.phase_text(game)}: "
                f"action {action} ({text}) is not legal"
            )
