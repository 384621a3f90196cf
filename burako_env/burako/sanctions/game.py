"""SanctionsGame: the card game with infractions as actions; strict play with what this folder adds to it."""

from __future__ import annotations

from typing import Final

import numpy as np
import numpy.typing as npt

from burako_env.batch import Games, Ints
from burako_env.burako.game import ACTS, Act, BurakoGame
from burako_env.burako.rules import Rules
from burako_env.burako.sanctions import sampling, transitions
from burako_env.burako.sanctions.actions import SanctionTable, sanction_table
from burako_env.burako.sanctions.legality import added_words
from burako_env.burako.sanctions.scoring import unclosed_points
from burako_env.burako.sanctions.view import add_to_view
from burako_env.burako.scoring import Parts, score_parts, team_scores
from burako_env.burako.state import DRAW, LIVE, State
from burako_env.burako.turn.actions import NONE, ActionTable, Kind
from burako_env.burako.turn.transitions import end_turn
from burako_env.burako.zones import Words, add_cards
from burako_env.chance.rng import U64
from burako_env.kit.fields import Index
from burako_env.layout import View

_ACTS: Final[dict[int, Act]] = {
    **ACTS,
    Kind.CLOSE: (transitions.close, 2),
    Kind.TAKE_WILD: (transitions.take_wild, 0),
    Kind.FOUL_EARLY: (transitions.before_drawing, 1),
    Kind.FOUL_DISCARD: (transitions.wrong_discard, 1),
    Kind.FOUL_LAY: (transitions.wrong_lay, 2),
    Kind.FOUL_RUN: (transitions.wrong_run, 1),
    Kind.FOUL_SET: (transitions.second_set, 2),
}
_DRAWS = (Kind.DRAW_STOCK, Kind.DRAW_PILE, Kind.FOUL_EARLY, Kind.FOUL_DISCARD)


class SanctionsGame(BurakoGame):
    """B hands of Burako in sanctions play.

    Observation: the strict View with the fields of `sanctions/fields.py` behind it. Action: an id of
    `sanction_table(rules.run_slots)` (burako-4: A = 2624). Everything else as `BurakoGame`.
    """

    _acts = _ACTS

    table: SanctionTable

    @property
    def scores(self) -> npt.NDArray[np.int32]:
        return team_scores(self._state, self._lookups, unclosed_points(self._state, self._lookups))

    def score_parts(self) -> Parts:
        return score_parts(self._state, self._lookups, unclosed_points(self._state, self._lookups))

    def step(self, actions: npt.ArrayLike, games: Games = None, *, validate: bool = True) -> None:
        super().step(actions, games, validate=validate)
        self._pass_over(self._index(games))

    def _seen(self, games: Index | None, seats: npt.NDArray[np.uint8]) -> View:
        view = super()._seen(games, seats)
        add_to_view(self._state, self._lookups, self._all if games is None else games, seats.astype(np.intp), view)
        return view

    def _sampled(self, view: View, k: int, keys: U64) -> State:
        return sampling.sample_states(self.rules, view, k, keys)

    def _action_table(self) -> ActionTable:
        return sanction_table(self.rules.run_slots)

    def _words(self, games: Index | None) -> Words:
        at = self._all if games is None else games
        added = added_words(self._state, self._lookups, self.table, at)
        return np.concatenate([super()._words(games), added])

    def _act(self, kind: int, games: Index, actions: Ints) -> None:
        if kind in _DRAWS:
            # SANCTION-4: a player who draws, or loses the draw, has left the wild that lies apart.
            self._state.offer[games[self._state.phase[games] == DRAW]] = NONE
        if kind in (Kind.DRAW_STOCK, Kind.REJECT):
            self._draw(kind, games, actions)
        else:
            super()._act(kind, games, actions)

    def _draw(self, kind: int, at: Index, acts: Ints) -> None:
        """From the stock: everyone knows the annulled cards in it; however often it runs out, END-1 counts on."""
        state = self._state
        final = state.final_turns[at]
        known = at[state.stock_end[at] - state.stock_next[at] <= state.annulled[at]]
        row = state.stock_next[known].astype(np.intp)
        super()._act(kind, at, acts)
        state.final_turns[at] = np.where(final >= 0, final, state.final_turns[at])
        if known.size:
            drawn = self._lookups.zones(state.deck[row, known][None])
            add_cards(state.known, state.turn[known].astype(np.intp), known, drawn)
            state.annulled[known] -= 1

    def _pass_over(self, idx: Index) -> None:
        """SANCTION-4: the turns of seats that owe a pass are over as they begin."""
        state = self._state
        while True:
            owes = (state.must_pass[idx] >> state.turn[idx]) & 1 > 0
            idx = idx[owes & (state.phase[idx] == DRAW) & (state.reason[idx] == LIVE)]
            if not idx.size:
                return
            state.must_pass[idx] &= ~np.left_shift(1, state.turn[idx]).astype(np.uint8)
            self._known_legal[idx] = False
            end_turn(state, self._lookups, idx)


def game_class(rules: Rules) -> type[BurakoGame]:
    """The class that plays a configuration."""
    return SanctionsGame if rules.sanctions else BurakoGame
