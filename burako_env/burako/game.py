"""BurakoGame: the card game as a `BatchGame`; ties the parts together and holds no rule itself."""

from collections.abc import Callable, Sequence
from functools import partial
from typing import Final, Self

import numpy as np
import numpy.typing as npt

from burako_env.batch import Bools, Ints
from burako_env.burako import position_codec, sampling
from burako_env.burako.deal import deal, first_cutter
from burako_env.burako.lookups import lookups_for
from burako_env.burako.notation import format_action, read_action
from burako_env.burako.position import Position
from burako_env.burako.rules import Rules
from burako_env.burako.scoring import Parts, public_scores, score_parts, team_scores
from burako_env.burako.state import LAY, NO, OVER, YES, State
from burako_env.burako.turn import transitions
from burako_env.burako.turn.actions import FIRST_RUN, ActionTable, Kind
from burako_env.burako.turn.legality import bound_withholds, legal_words
from burako_env.burako.view.build import build_view
from burako_env.burako.view.layout import PHASES, view_layout
from burako_env.burako.zones import Words
from burako_env.cards import SUIT_COUNT
from burako_env.chance.rng import U64
from burako_env.kit.array_game import ArrayGame
from burako_env.kit.fields import Index
from burako_env.layout import View

# What each kind of action calls, and how many of the action's card and group it takes.
Act = tuple[Callable[..., None], int]
ACTS: Final[dict[int, Act]] = {
    Kind.LAY: (transitions.lay, 2),
    Kind.DISCARD: (transitions.discard, 1),
    Kind.DRAW_STOCK: (transitions.draw_stock, 0),
    Kind.DRAW_PILE: (transitions.draw_pile, 0),
    Kind.KEEP: (transitions.keep, 0),
    Kind.REJECT: (transitions.reject, 0),
    Kind.TAKE_BURAKO: (transitions.take_burako, 0),
    Kind.KEEP_HAND: (transitions.end_turn, 0),
    Kind.ASK: (transitions.ask, 0),
    Kind.YES: (partial(transitions.answer, said=YES), 0),
    Kind.NO: (partial(transitions.answer, said=NO), 0),
    Kind.END_HAND: (transitions.end_hand, 0),
}


class BurakoGame(ArrayGame[State]):
    """B hands of Burako.

    Observation: `View` of `view_layout(rules)`, int8 `[F]` (burako-4: 800). Action: an id of
    `action_table(rules.run_slots)` (burako-4: A = 512). Score: points of the two teams, int32. Seats alternate
    between the teams.

    In addition to the interface: `rules`, `table` (the action table), `from_positions`, `position`, and for matches
    `deal_hands` and `set_match`.
    """

    family = "burako"
    private_fields = ("hand", "drawn", "bottom")
    phases = PHASES
    over = OVER
    end_reasons = ("", "out", "exhausted", "truncated")
    rules: Rules
    table: ActionTable
    _acts = ACTS

    def __init__(self, rules: Rules, size: int, root_seed: int = 0, name: str = "burako") -> None:
        self.rules = rules
        self.name = name
        self.seats, self.sides = rules.players, rules.teams
        self.turns_of_table = rules.teams
        self.side_of = np.arange(rules.players) % rules.teams
        self._lookups = lookups_for(rules)
        self.table = self._action_table()
        self._card, self._group = self.table.rows["card"].copy(), self.table.rows["group"].astype(np.intp)
        self.layout = view_layout(rules)
        self._begin(size, root_seed)

    @property
    def swapped(self) -> Bools:  # type: ignore[override]
        """Games dealt with the teams' seats exchanged, `[B]`."""
        return self._state.swapped > 0

    @property
    def bound_hits(self) -> npt.NDArray[np.int16]:
        """Decisions at which the bound of open runs withheld an opening (GROUP-8), `[B]`."""
        return self._state.bound_hits

    @property
    def scores(self) -> npt.NDArray[np.int32]:
        return team_scores(self._state, self._lookups)

    @property
    def public_scores(self) -> npt.NDArray[np.int32]:
        return public_scores(self.score_parts(), self._state, self._lookups)

    def score_parts(self) -> Parts:
        """What the scores of all games are made of."""
        return score_parts(self._state, self._lookups)

    # Matches of hands.

    def deal_hands(self, deal_ids: npt.NDArray[np.int64], games: Index, swapped: Bools, cutter: Index) -> None:
        """As `reset`, with a given cutter (before the swap): later hands of a match (SETUP-2)."""
        deal(self._state, self._lookups, self.root_seed, games, deal_ids, swapped, cutter)
        self._known_legal[games] = False

    def set_match(self, games: Index, totals: npt.ArrayLike, target: npt.ArrayLike) -> None:
        """MATCH-1: what the View shows of the match: `totals` int `[2, n]`, `target` int."""
        self._state.totals[:, games] = totals
        self._state.target[games] = target

    # Words and positions.

    def action_text(self, action: int, game: int = 0) -> str:
        team = int(self._state.turn[game]) % self.rules.teams
        first = team * self._lookups.groups + FIRST_RUN
        runs = self._state.groups[first : first + SUIT_COUNT * self.rules.run_slots, game]
        counts = (runs.reshape(SUIT_COUNT, -1) > 0).sum(axis=1).tolist()
        return format_action(self.table, int(action), counts)

    def check_action_text(self, text: str) -> None:
        read_action(text)

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
        return self._lookups.actions

    def _act(self, kind: int, games: Index, actions: Ints) -> None:
        act, takes = self._acts[kind]
        card_and_group = (column[actions] for column in (self._card, self._group)[:takes])
        act(self._state, self._lookups, games, *card_and_group)

    def _words(self, games: Index | None) -> Words:
        return legal_words(self._state, self._lookups, games)

    def _fresh(self, size: int) -> State:
        return State(self.rules, size)

    def _deal(self, games: Index, deal_ids: Ints, swapped: Ints) -> None:
        self.deal_hands(deal_ids, games, swapped > 0, first_cutter(self._lookups, self.root_seed, deal_ids))

    def _seen(self, games: Index | None, seats: npt.NDArray[np.uint8]) -> View:
        return build_view(self._state, self._lookups, games, seats)

    def _sampled(self, view: View, k: int, keys: U64) -> State:
        return sampling.sample_states(self.rules, view, k, keys)

    def _before(self, games: Index) -> None:
        state = self._state
        if state.full_suits.any():
            laying = games[state.phase[games] == LAY]
            state.bound_hits[laying] += bound_withholds(state, self._lookups, laying)
