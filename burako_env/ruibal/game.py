"""RuibalGame: what the three levels have in common as `BatchGame`s; a level says how it deals, plays and is seen."""

from abc import abstractmethod
from collections.abc import Sequence
from functools import cache
from typing import Any, ClassVar, Self

import numpy as np
import numpy.typing as npt

from burako_env.batch import Ints
from burako_env.chance.rng import STREAM_CHANCE, STREAM_SAMPLE, U64, as_ids, combine
from burako_env.kit.array_game import ArrayGame
from burako_env.kit.fields import Index, flat, gather
from burako_env.layout import MOST, Field, View, ViewLayout
from burako_env.ruibal.actions import ActionTable
from burako_env.ruibal.notation import ActionText, action_text, read_action
from burako_env.ruibal.position import LevelPosition
from burako_env.ruibal.rules import RuibalRules
from burako_env.ruibal.state import OVER, REASONS, RuibalState, Seats


class RuibalGame(ArrayGame[RuibalState]):
    """B games of a level. Every player is a side of their own (TILE-3); scores are crowns.

    In addition to the interface: `rules`, `table` (the action table), `from_positions`, `position`.
    A level is a subclass that names its table, its state and its position and says in the abstract methods how it
    deals, which actions are legal, what each does, what is seen and how hidden tiles are sampled.

    `swap_sides` of `reset` is the number of seats by which the table is turned: what seat s would have had, seat s +
    `swap_sides` has. So a deal can be played by the same players in as many ways as there are seats.
    """

    family = "ruibal"
    over = OVER
    end_reasons = REASONS
    table: ActionTable
    state_type: ClassVar[type[RuibalState]]
    position_type: ClassVar[type[LevelPosition]]
    # What lies in the middle, for those who draw or explain it: the spread, the board, or collections.
    lies: ClassVar[str]
    rules: RuibalRules

    def __init_subclass__(cls, **kwargs: Any) -> None:
        super().__init_subclass__(**kwargs)
        if hasattr(cls, "state_type"):
            cls.phases = cls.state_type.phases

    def __init__(self, rules: RuibalRules, size: int, root_seed: int = 0, name: str = "") -> None:
        self.rules = rules
        self.name = name or rules.game
        self.seats = self.sides = self.turns_of_table = rules.players
        self.side_of = np.arange(rules.players)
        self.layout = _layout(type(self), rules)
        self._begin(size, root_seed)

    # What is a level's own. `games` are distinct indices `[n]`.

    @classmethod
    @abstractmethod
    def view_fields(cls, rules: RuibalRules) -> tuple[Field, ...]:
        """The fields of the View."""

    @abstractmethod
    def jokers_of(self, action: int, game: int = 0) -> int:
        """The cells of an action for which the seat to act would have to play a joker."""

    @abstractmethod
    def _deal_tiles(self, games: Index, deal_ids: Ints, turned: Ints) -> None:
        """Deal into cleared games, with the table turned by so many seats."""

    @abstractmethod
    def _live_words(self, games: Index) -> U64:
        """Legal actions of live games as words, uint64 `[A / 64, n]`."""

    # What can be read at any time.

    @property
    def swapped(self) -> npt.NDArray[np.uint8]:  # type: ignore[override]
        """Seats by which the table is turned, `[B]`."""
        return self._state.turned

    @property
    def scores(self) -> npt.NDArray[np.int32]:
        return self._state.crowns.T.astype(np.int32)

    public_scores = scores

    def position(self, game: int = 0) -> LevelPosition:
        """One game as plain data."""
        return self.position_type.of(self._state, game)

    def action_text(self, action: int, game: int = 0) -> str:
        return action_text(self.table, action, self.jokers_of(action, game))

    def check_action_text(self, text: str) -> None:
        read_action(self.table, text)

    def action_id(self, text: ActionText, game: int = 0) -> int | None:
        """The id of an action in the position of a game; None where its jokers are not those that the rack forces."""
        return text.action if text.jokers == self.jokers_of(text.action, game) else None

    @classmethod
    def from_positions(cls, given: Sequence[LevelPosition], root_seed: int = 0, name: str = "") -> Self:
        """A batch in the given positions (of equal rules)."""
        game = cls(given[0].rules, 1, root_seed, name)
        state = game._fresh(len(given))
        for number, position in enumerate(given):
            position.put(state, number)
        return game._with(state)

    # What `ArrayGame` asks for.

    def _fresh(self, size: int) -> RuibalState:
        return self.state_type(self.rules, size)

    def _deal(self, games: Index, deal_ids: Ints, swapped: Ints) -> None:
        state = self._state
        state.clear(games)
        state.turned[games] = swapped
        state.deal_ids[games] = deal_ids
        state.chance_key[games] = combine(self.root_seed, STREAM_CHANCE, deal_ids)
        self._deal_tiles(games, deal_ids, swapped)

    def _words(self, games: Index | None) -> U64:
        idx = self._all if games is None else games
        live = self._state.phase[idx] != OVER
        if live.all():
            return self._live_words(idx)
        words = np.zeros((self.num_actions // 64, len(idx)), dtype=np.uint64)
        words[:, live] = self._live_words(idx[live])
        return words

    def _seen(self, games: Index | None, seats: npt.NDArray[np.uint8]) -> View:
        idx = self._all if games is None else games
        view = View(np.zeros((len(idx), self.layout.width), dtype=np.int8), self.layout)
        self._fill(view, idx, seats.astype(np.intp))
        return view

    def _fill(self, view: View, games: Index, seats: Seats) -> None:
        """Fill Views of zeros: here phase, actor and crowns."""
        state, players = self._state, self.rules.players
        view.phase[:] = state.phase[games, None] == np.arange(len(self.phases))
        view.actor[:] = (state.actor[games].astype(np.int64) - seats) % players
        for offset in range(players):
            view.crowns[:, offset] = np.minimum(gather(state.crowns, (seats + offset) % players, games), MOST)

    # For the levels.

    def _actors(self, games: Index) -> Seats:
        return self._state.actor[games].astype(np.intp)

    def _score(self, seats: Seats, games: Index, crowns: npt.ArrayLike) -> None:
        flat(self._state.crowns)[seats * self._state.size + games] += np.asarray(crowns, dtype=np.int16)


def turn_fields(phases: tuple[str, ...]) -> tuple[Field, ...]:
    phase = Field("phase", (len(phases),), f"one-hot: {', '.join(phases)} (over: all 0)")
    return phase, Field("actor", (), "seat to act")


def seen_turn(state: RuibalState, view: View) -> None:
    """Crowns and phase of Views of the seat to act into states, in which it sits at seat 0."""
    state.crowns[:] = view.crowns.T
    state.phase[:] = view.phase.argmax(axis=1)


def repeated(base: RuibalState, k: int, keys: U64) -> tuple[Any, U64]:
    """k copies of each state with chance of their own, and the keys of what is to be redrawn."""
    every = combine(np.repeat(keys, k), STREAM_SAMPLE, np.tile(np.arange(k), base.size))
    state = base.select(np.repeat(np.arange(base.size), k))
    state.deal_ids[:] = as_ids(every)
    state.chance_key[:] = combine(every, STREAM_CHANCE)
    return state, every


@cache
def _layout(level: type[RuibalGame], rules: RuibalRules) -> ViewLayout:
    return ViewLayout(level.view_fields(rules))
