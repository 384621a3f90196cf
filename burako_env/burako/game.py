"""BurakoGame: the card game as a `BatchGame`; ties the parts together and holds no rule itself."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final, Self

import numpy as np
import numpy.typing as npt

from burako_env.batch import BatchGame, Bools, Games, IllegalAction, as_games, expect_length
from burako_env.burako import position_codec, sampling
from burako_env.burako.deal import deal, first_cutter
from burako_env.burako.notation import format_action
from burako_env.burako.position import Position
from burako_env.burako.rules import Rules
from burako_env.burako.scoring import Parts, public_scores, score_parts, team_scores
from burako_env.burako.state import LAY, OVER, TRUNCATED, State, Words
from burako_env.burako.tables import Tables, tables_for
from burako_env.burako.turn import transitions
from burako_env.burako.turn.actions import FIRST_RUN, ActionTable, Kind
from burako_env.burako.turn.legality import bound_withholds, legal_words
from burako_env.burako.view.build import build_view
from burako_env.burako.view.layout import PHASES, view_layout
from burako_env.cards import SUIT_COUNT
from burako_env.kit import checks
from burako_env.kit.fields import Index
from burako_env.kit.rng import U64
from burako_env.layout import View

_PLAIN: Final[dict[Kind, Callable[[State, Tables, Index], None]]] = {
    Kind.DRAW_STOCK: transitions.draw_stock,
    Kind.DRAW_PILE: transitions.draw_pile,
    Kind.KEEP: transitions.keep,
    Kind.REJECT: transitions.reject,
    Kind.TAKE_BURAKO: transitions.take_burako,
    Kind.KEEP_HAND: transitions.keep_hand,
    Kind.ASK: transitions.ask,
    Kind.YES: transitions.answer_yes,
    Kind.NO: transitions.answer_no,
    Kind.END_HAND: transitions.end_hand,
}


class BurakoGame(BatchGame):
    """B hands of Burako.

    Observation: `View` of `view_layout(rules)`, int8 `[F]` (burako-4: 800). Action: an id of
    `action_table(rules.run_slots)` (burako-4: A = 512). Score: points of the two teams, int32. Seats alternate
    between the teams.

    Beside the interface: `rules`, `table` (the action table), `from_positions`, `position`, and for the match wrapper
    `deal_hands` and `set_match`.
    """

    def __init__(self, rules: Rules, size: int, root_seed: int = 0, name: str = "burako") -> None:
        if size < 1:
            raise ValueError(f"a batch holds at least 1 game, not {size}")
        self.rules = rules
        self.name = name
        self.root_seed = root_seed
        self.seats, self.sides = rules.players, rules.teams
        self.side_of = np.arange(rules.players) % rules.teams
        self._tables = tables_for(rules)
        self.table = self._action_table()
        self.num_actions = self.table.size
        self._kind, self._card, self._group = (self.table.rows[name].copy() for name in ("kind", "card", "group"))
        self.layout = view_layout(rules)
        self._hold(State(rules, size))
        self._state.phase[:] = OVER

    def _hold(self, state: State) -> None:
        """Make `state` this batch's state, with nothing known of its legal actions."""
        self._state = state
        self.size = state.size
        self._all = np.arange(state.size)
        self._legal = np.zeros((self.table.words, state.size), dtype=np.uint64)
        self._known_legal = np.zeros(state.size, dtype=np.bool_)

    # What can be read at any time.

    @property
    def to_act(self) -> npt.NDArray[np.uint8]:  # type: ignore[override]
        """Seat to act, `[B]`."""
        return self._state.actor

    @property
    def done(self) -> Bools:  # type: ignore[override]
        """Hands that have ended, `[B]`."""
        over: Bools = self._state.phase == OVER
        return over

    @property
    def truncated(self) -> Bools:  # type: ignore[override]
        """Hands ended by END-3, `[B]`."""
        truncated: Bools = self._state.reason == TRUNCATED
        return truncated

    @property
    def deal_ids(self) -> npt.NDArray[np.int64]:  # type: ignore[override]
        """Deal of each game, `[B]`."""
        return self._state.deal_ids

    @property
    def swapped(self) -> Bools:  # type: ignore[override]
        """Games dealt with the teams' seats exchanged, `[B]`."""
        return self._state.swapped > 0

    @property
    def decisions(self) -> npt.NDArray[np.int32]:  # type: ignore[override]
        """Actions taken, `[B]`."""
        return self._state.decisions

    @property
    def turns(self) -> npt.NDArray[np.int16]:
        """Turns completed, `[B]`."""
        return self._state.turns

    @property
    def bound_hits(self) -> npt.NDArray[np.int16]:
        """Decisions at which the bound of open runs withheld an opening (GROUP-8), `[B]`."""
        return self._state.bound_hits

    @property
    def scores(self) -> npt.NDArray[np.int32]:
        return team_scores(self._state, self._tables)

    @property
    def public_scores(self) -> npt.NDArray[np.int32]:
        return public_scores(self.score_parts(), self._state, self._tables)

    @property
    def reason_codes(self) -> npt.NDArray[np.uint8]:
        return self._state.reason.copy()  # the first places of REASONS are LIVE to TRUNCATED

    def score_parts(self) -> Parts:
        """What the scores of all games are made of."""
        return score_parts(self._state, self._tables)

    # The interface.

    def reset(self, deal_ids: npt.ArrayLike, games: Games = None, swap_sides: npt.ArrayLike = False) -> None:
        idx = self._index(games)
        ids = checks.deal_ids(deal_ids, len(idx))
        swapped = expect_length("swap_sides", swap_sides, len(idx), np.bool_)
        self.deal_hands(ids, idx, swapped, first_cutter(self._tables, self.root_seed, ids))

    def deal_hands(self, deal_ids: npt.NDArray[np.int64], games: Index, swapped: Bools, cutter: Index) -> None:
        """As `reset`, with a given cutter (before the swap): later hands of a match (SETUP-2)."""
        deal(self._state, self._tables, self.root_seed, games, deal_ids, swapped, cutter)
        self._known_legal[games] = False

    def set_match(self, games: Index, totals: npt.ArrayLike, target: npt.ArrayLike) -> None:
        """MATCH-1: what the View shows of the match: `totals` int `[2, n]`, `target` int."""
        self._state.totals[:, games] = totals
        self._state.target[games] = target

    def legal_packed(self, games: Games = None) -> U64:
        idx = as_games(games, self.size)
        self._ensure_legal(idx)
        words = self._legal if idx is None else self._legal[:, idx]
        return words.T.copy()

    def step(self, actions: npt.ArrayLike, games: Games = None, *, validate: bool = True) -> None:
        idx = self._index(games)
        chosen = expect_length("actions", actions, len(idx), np.int64)
        live = self._state.phase[idx] != OVER
        if not live.all():
            idx, chosen = idx[live], chosen[live]
        if validate:
            self._check(idx, chosen)
        state, tables = self._state, self._tables
        if state.full_suits.any():
            laying = idx[state.phase[idx] == LAY]
            state.bound_hits[laying] += bound_withholds(state, tables, laying)
        state.decisions[idx] += 1
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
        who = actors if seats is None else expect_length("seats", seats, len(actors), np.uint8)
        return build_view(self._state, self._tables, idx, who)

    def clone(self) -> Self:
        return self.select(self._all)

    def select(self, games: npt.ArrayLike) -> Self:
        return self._with(self._state.select(np.asarray(games, dtype=np.intp)))

    def state_dict(self) -> dict[str, npt.NDArray[Any]]:
        return self._state.save()

    def load_state_dict(self, state: Mapping[str, npt.NDArray[Any]]) -> None:
        loaded = State(self.rules, 1)
        loaded.load(dict(state))
        self._hold(loaded)

    def sample_states(self, view: View, k: int, keys: U64) -> Self:
        return self._with(sampling.sample_states(self.rules, view, k, keys))

    # Words and positions.

    def action_text(self, action: int, game: int = 0) -> str:
        team = int(self._state.turn[game]) % self.rules.teams
        first = team * self._tables.groups + FIRST_RUN
        runs = self._state.groups[first : first + SUIT_COUNT * self.rules.run_slots, game]
        counts = (runs.reshape(SUIT_COUNT, -1) > 0).sum(axis=1).tolist()
        return format_action(self.table, int(action), counts)

    def phase_text(self, game: int) -> str:
        return (*PHASES, "over")[int(self._state.phase[game])]

    @classmethod
    def from_positions(cls, given: Sequence[Position], root_seed: int = 0, name: str = "burako") -> Self:
        """A batch in the given positions (of equal rules). Raises `PositionError`."""
        game = cls(given[0].rules, 1, root_seed, name)
        return game._with(position_codec.state_of(given))

    def position(self, game: int = 0) -> Position:
        """One game as plain data."""
        return position_codec.position_of(self._state, game)

    # Inner helpers.

    def _action_table(self) -> ActionTable:
        """The rows that the game is played by."""
        return self._tables.actions

    def _act(self, kind: int, at: Index, acts: npt.NDArray[np.int64]) -> None:
        """Actions `acts` of one kind in the games `at`, both `[n]`."""
        state, tables = self._state, self._tables
        if kind == Kind.LAY:
            transitions.lay(state, tables, at, self._card[acts], self._group[acts].astype(np.intp))
        elif kind == Kind.DISCARD:
            transitions.discard(state, tables, at, self._card[acts])
        else:
            _PLAIN[Kind(kind)](state, tables, at)

    def _words(self, games: Index | None) -> Words:
        """Legal actions as words, uint64 `[W, n]`."""
        return legal_words(self._state, self._tables, games)

    def _with(self, state: State) -> Self:
        other = object.__new__(type(self))
        other.__dict__.update(self.__dict__)
        other._hold(state)
        return other

    def _index(self, games: Games) -> Index:
        idx = as_games(games, self.size)
        return self._all if idx is None else idx

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

    def _check(self, idx: Index, actions: npt.NDArray[np.int64]) -> None:
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
