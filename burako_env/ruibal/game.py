"""RuibalGame: what the three levels have in common as `BatchGame`s; a level says how it deals, plays and is seen."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Generic, Self, TypeVar

import numpy as np
import numpy.typing as npt

from burako_env.batch import Ints
from burako_env.kit.array_game import ArrayGame
from burako_env.kit.rng import U64
from burako_env.layout import View, ViewLayout
from burako_env.ruibal.actions import ActionTable
from burako_env.ruibal.notation import LevelWords, action_text, read_action
from burako_env.ruibal.position import LevelPosition
from burako_env.ruibal.rules import RuibalRules
from burako_env.ruibal.state import OVER, REASONS, RuibalState
from burako_env.ruibal.zones import Index

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


class RuibalGame(ArrayGame[RuibalState]):
    """B games of a level. Every player is a side of his own (TILE-3); scores are crowns.

    Beside the interface: `rules`, `table` (the action table), `from_positions`, `position`.
    A level is a subclass with its `level`, and what an action does.

    `swap_sides` of `reset` is the number of seats by which the table is turned: what seat s would have had, seat s +
    `swap_sides` has. So a deal can be played by the same players in as many ways as there are seats.
    """

    family = "ruibal"
    level: Level[Any, Any]
    over = OVER
    end_reasons = REASONS
    table: ActionTable

    def __init_subclass__(cls, **kwargs: Any) -> None:
        super().__init_subclass__(**kwargs)
        if "level" in cls.__dict__:
            cls.table, cls.phases = cls.level.table, cls.level.phases

    def __init__(self, rules: RuibalRules, size: int, root_seed: int = 0, name: str = "") -> None:
        self.rules = rules
        self.name = name or f"ruibal-{rules.level}"
        self.seats = self.sides = self.turns_of_table = rules.players
        self.side_of = np.arange(rules.players)
        self.layout = self.level.layout(rules)
        self._begin(size, root_seed)

    # What is a level's own.

    @abstractmethod
    def jokers_of(self, action: int, game: int = 0) -> int:
        """The cells of an action for which the seat to act would have to play a joker, as a word."""

    # What can be read at any time.

    @property
    def swapped(self) -> npt.NDArray[np.uint8]:  # type: ignore[override]
        """Seats by which the table is turned, `[B]`."""
        return self._state.turned

    @property
    def scores(self) -> npt.NDArray[np.int32]:
        return self._state.crowns.T.astype(np.int32)

    @property
    def public_scores(self) -> npt.NDArray[np.int32]:
        return self.scores

    def position(self, game: int = 0) -> LevelPosition:
        """One game as plain data."""
        position: LevelPosition = self.level.position_of(self._state, game)
        return position

    def action_text(self, action: int, game: int = 0) -> str:
        return action_text(self.table, action, self.jokers_of(action, game))

    def check_action_text(self, text: str) -> None:
        read_action(self.table, text)

    def action_id(self, words: LevelWords, game: int = 0) -> int | None:
        """The id of an action in the position of a game; None where its jokers are not those that the rack forces."""
        return words.action if words.jokers == self.jokers_of(words.action, game) else None

    @classmethod
    def from_positions(cls, given: Sequence[LevelPosition], root_seed: int = 0, name: str = "") -> Self:
        """A batch in the given positions (of equal rules)."""
        game = cls(given[0].rules, 1, root_seed, name)
        return game._with(cls.level.state_of(given))

    # Inner helpers.

    def _fresh(self, size: int) -> RuibalState:
        state: RuibalState = self.level.fresh(self.rules, size)
        return state

    def _deal(self, games: Index, deal_ids: Ints, swapped: Ints) -> None:
        self.level.deal(self._state, self.root_seed, games, deal_ids, swapped)

    def _words(self, games: Index | None) -> U64:
        idx = self._all if games is None else games
        live = self._state.phase[idx] != OVER
        if live.all():
            return self.level.legal(self._state, idx)
        words = np.zeros((self.table.words, len(idx)), dtype=np.uint64)
        words[:, live] = self.level.legal(self._state, idx[live])
        return words

    def _seen(self, games: Index | None, seats: npt.NDArray[np.uint8]) -> View:
        return self.level.view(self._state, self._all if games is None else games, seats.astype(np.intp))

    def _sampled(self, view: View, k: int, keys: U64) -> RuibalState:
        state: RuibalState = self.level.sample(self.rules, view, k, keys)
        return state
