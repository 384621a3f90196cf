"""A match as a wrapper around hands (MATCH-1): hands are played until a side's total reaches the target.

One deal id is one match: the deal of each of its hands is a hash of (match, hand number), the first cutter comes from
the seed and every later hand is cut one seat on (SETUP-2). Both sides' totals and the target reach the players as two
fields of the View; everything else is the wrapped game's own.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final, Protocol, Self, cast, runtime_checkable

import numpy as np
import numpy.typing as npt

from burako_env.batch import REASONS, BatchGame, Bools, Games, Ints
from burako_env.chance.rng import STREAM_CUTTER, STREAM_MATCH, U64, as_ids, below, combine
from burako_env.kit.array_game import HeldGame, of_state
from burako_env.layout import View

I32 = npt.NDArray[np.int32]

# Names of the match's own arrays in a state_dict, next to those of the hand.
_PREFIX: Final = "match."
_WON, _TRUNCATED = (np.uint8(REASONS.index(reason)) for reason in ("won", "truncated"))


@runtime_checkable
class DealsHands(Protocol):
    """What a game offers in addition to `BatchGame`, so that matches can be made of its hands."""

    def deal_hands(
        self, deal_ids: Ints, games: npt.NDArray[np.intp], swapped: Bools, cutter: npt.NDArray[np.intp]
    ) -> None:
        """Deal hands with a given cutter, the seat before any swap."""

    def set_match(self, games: npt.NDArray[np.intp], totals: npt.ArrayLike, target: npt.ArrayLike) -> None:
        """What the View shows of the match: `totals` int `[sides, n]`, `target` int."""


@dataclass
class Matches:
    """What is known of matches, their hands in play among it; every array has the matches as its first axis.

    Attributes:
        hand: the game of the hands in play.
        deal_ids: int64, deal of the match. totals: int32 `[B, sides]`, points of the finished hands.
        hands_played: int32, finished hands. cutter: int64, who cut the hand in play, before any swap.
        decisions: int32, actions taken in the hands before the one in play (of a match that is over: before its last).
        truncated: stopped by `max_hands`.
        last_deal_ids, last_scores (`[B, sides]`), last_truncated: of the last finished hand; 0 before there is one.
    """

    hand: BatchGame
    deal_ids: npt.NDArray[np.int64]
    totals: I32
    hands_played: I32
    cutter: npt.NDArray[np.int64]
    decisions: I32
    truncated: Bools
    last_deal_ids: npt.NDArray[np.int64]
    last_scores: I32
    last_truncated: Bools

    @classmethod
    def fresh(cls, hand: BatchGame) -> Self:
        """Matches of which nothing has been played."""
        return cls(hand, **_fresh_arrays(hand.size, hand.sides))

    @property
    def size(self) -> int:
        """Matches in the batch."""
        return self.hand.size

    def arrays(self) -> dict[str, npt.NDArray[Any]]:
        """Every array by name."""
        return {name: getattr(self, name) for name in _ARRAYS}

    def select(self, games: npt.NDArray[np.intp]) -> Self:
        """Copies of the given matches."""
        return type(self)(self.hand.select(games), **{name: array[games] for name, array in self.arrays().items()})

    def clear(self, games: npt.NDArray[np.intp]) -> None:
        """Make the given matches fresh, all but their hands."""
        for array in self.arrays().values():
            array[games] = 0

    def save(self) -> dict[str, npt.NDArray[Any]]:
        """The hand's arrays and the match's own, named `match.totals` and so on, copied."""
        return {**self.hand.state_dict(), **{_PREFIX + name: array.copy() for name, array in self.arrays().items()}}

    def load(self, saved: dict[str, npt.NDArray[Any]]) -> None:
        """Take over saved arrays; a missing or misshapen one is a `ValueError` saying what was expected."""
        self.hand.load_state_dict({name: array for name, array in saved.items() if not name.startswith(_PREFIX)})
        for name, expected in _fresh_arrays(self.hand.size, self.hand.sides).items():
            if _PREFIX + name not in saved:
                raise ValueError(f"the saved state lacks '{_PREFIX}{name}'")
            array = np.asarray(saved[_PREFIX + name])
            if array.shape != expected.shape or array.dtype != expected.dtype:
                raise ValueError(
                    f"saved '{_PREFIX}{name}' is {array.dtype} {list(array.shape)}, "
                    f"expected {expected.dtype} {list(expected.shape)}"
                )
            setattr(self, name, array.copy())


# The arrays of `Matches`: dtype, and whether there is one value for each side.
_ARRAYS: Final = {
    "deal_ids": (np.int64, False),
    "totals": (np.int32, True),
    "hands_played": (np.int32, False),
    "cutter": (np.int64, False),
    "decisions": (np.int32, False),
    "truncated": (np.bool_, False),
    "last_deal_ids": (np.int64, False),
    "last_scores": (np.int32, True),
    "last_truncated": (np.bool_, False),
}


def _fresh_arrays(size: int, sides: int) -> dict[str, Any]:
    return {name: np.zeros((size, sides) if each else size, dtype) for name, (dtype, each) in _ARRAYS.items()}


def hand_deal_ids(match_ids: npt.ArrayLike, numbers: npt.ArrayLike) -> Ints:
    """Deal id of hand `numbers` (from 0) of each match, int64 `[n]`, not negative."""
    return as_ids(combine(STREAM_MATCH, match_ids, numbers))


class MatchGame(HeldGame[Matches]):
    """B matches side by side, over any game whose hands can be dealt with a given cutter (`DealsHands`).

    Observation and actions are those of the hand; the View's `totals` and `target` tell of the match. When a hand
    ends, its scores are added to the totals and the next hand is dealt in the same step, unless the match is over: a
    side has reached `target` and no other has as much (a tie plays on), or `max_hands` hands have been played without
    that (then the match is truncated and has no winner). A hand that was truncated counts with its score.

    As a `BatchGame`:
        name: the hand's, because its agents and its layout serve the match as they are.
        scores: totals of the finished hands plus, of a live match, what the hand in play would give now. Differences
            between two moments add up to the final totals, whatever lies between.
        done, truncated, deal_ids, decisions, keys: of the match. Decisions are counted over all its hands, so keys
            never repeat.
        view: of a match that is over, the end of its last hand, with the totals from before that hand.
        state_dict: the hand's arrays and the match's own, named `match.totals` and so on.
        sample_states: matches in the same situation, totals and cutter included, whose later hands are other ones.
            How many hands have been played is not in the View: the samples start counting at 0.

    In addition: `hand`, the game of the hands in play; `totals`, `hands_played`, `winner`, `cutter`; of the last hand
    that has ended `last_scores`, `last_truncated` and `last_deal_ids`; after a step `finished`, the matches whose hand
    it ended, and `finished_hands`, these hands at their end in the same order.
    """

    deal_ids: npt.NDArray[np.int64] = of_state("deal_ids", copy=True)
    truncated: Bools = of_state("truncated", copy=True)
    totals: I32 = of_state("totals", copy=True)
    hands_played: I32 = of_state("hands_played", copy=True)
    cutter: Ints = of_state("cutter", copy=True)
    last_scores: I32 = of_state("last_scores", copy=True)
    last_truncated: Bools = of_state("last_truncated", copy=True)
    last_deal_ids: Ints = of_state("last_deal_ids", copy=True)
    turns: npt.NDArray[np.int16] = of_state("hand.turns")
    to_act: npt.NDArray[Any] = of_state("hand.to_act")
    done: Bools = of_state("hand.done")
    swapped: Bools = of_state("hand.swapped")

    def __init__(self, hand: BatchGame, target: int, max_hands: int) -> None:
        if target < 1 or max_hands < 1:
            raise ValueError(f"a match needs a target and a number of hands from 1, not {target} and {max_hands}")
        if not isinstance(hand, DealsHands):
            raise TypeError(f"{hand.name} cannot be played in matches: it lacks deal_hands or set_match")
        self.target, self.max_hands, self.turns_of_table = target, max_hands, 2
        self.name, self.family, self.rules = hand.name, hand.family, hand.rules
        self.private_fields = hand.private_fields
        self.seats, self.sides, self.side_of = hand.seats, hand.sides, hand.side_of
        self.num_actions, self.layout = hand.num_actions, hand.layout
        self._hold(Matches.fresh(hand))

    def _hold(self, state: Matches) -> None:
        super()._hold(state)
        self._hand = state.hand
        self._dealer = cast(DealsHands, state.hand)
        self._forget_finished()

    def _forget_finished(self) -> None:
        self.finished = np.zeros(0, dtype=np.intp)
        self.finished_hands: BatchGame | None = None

    # What can be read at any time.

    @property
    def hand(self) -> BatchGame:
        return self._hand

    @property
    def match(self) -> MatchGame:
        return self

    @property
    def root_seed(self) -> int:
        """What the deals of the hands come from."""
        return self._hand.root_seed

    @root_seed.setter
    def root_seed(self, root_seed: int) -> None:
        self._hand.root_seed = root_seed

    @property
    def decisions(self) -> I32:  # type: ignore[override]
        """Actions taken in the match, `[B]`."""
        return self._state.decisions + self._hand.decisions

    @property
    def scores(self) -> I32:
        totals = self._state.totals
        return np.where(self.done[:, None], totals, totals + self._hand.scores)

    @property
    def public_scores(self) -> I32:
        totals = self._state.totals
        return np.where(self.done[:, None], totals, totals + self._hand.public_scores)

    @property
    def reason_codes(self) -> npt.NDArray[np.uint8]:
        over = self.done & (self._state.hands_played > 0)
        return np.where(over, np.where(self._state.truncated, _TRUNCATED, _WON), np.uint8(0))

    @property
    def winner(self) -> Ints:
        """Side with the higher total of each match that was won, -1 of any other, `[B]`."""
        won = self.done & ~self._state.truncated & (self._state.hands_played > 0)
        return np.where(won, self._state.totals.argmax(axis=1), -1)

    # The interface.

    def legal_packed(self, games: Games = None) -> U64:
        return self._hand.legal_packed(games)

    def legal(self, games: Games = None) -> Bools:
        return self._hand.legal(games)

    def step(self, actions: npt.ArrayLike, games: Games = None, *, validate: bool = True) -> None:
        before = self._hand.done
        self._hand.step(actions, games, validate=validate)
        ended = np.flatnonzero(self._hand.done & ~before)
        if ended.size:
            self._end_hands(ended)
        elif self.finished.size:
            self._forget_finished()

    def view(self, games: Games = None, seats: npt.ArrayLike | None = None) -> View:
        return self._hand.view(games, seats)

    def sample_states(self, view: View, k: int, keys: U64) -> Self:
        hand = self._hand.sample_states(view, k, keys)
        matches = Matches.fresh(hand)
        matches.deal_ids[:] = hand_deal_ids(np.repeat(keys, k), np.tile(np.arange(k), len(view)))
        hundreds, rest = np.moveaxis(view.field("totals").astype(np.int32), -1, 0)
        matches.totals[:] = np.repeat(hundreds * 100 + rest, k, axis=0)
        matches.cutter[:] = np.repeat(view.field("cutter"), k)
        sampled = self._with(matches)
        sampled._show_match(np.arange(hand.size))
        return sampled

    def action_text(self, action: int, game: int = 0) -> str:
        return self._hand.action_text(action, game)

    def phase_text(self, game: int) -> str:
        return self._hand.phase_text(game)

    # Inner helpers.

    def _fresh(self, size: int) -> Matches:
        return Matches.fresh(self._hand.select(np.zeros(size, dtype=np.intp)))

    def _deal(self, games: npt.NDArray[np.intp], deal_ids: Ints, swapped: Ints) -> None:
        matches = self._state
        matches.clear(games)
        matches.deal_ids[games] = deal_ids
        matches.cutter[games] = below(combine(self.root_seed, STREAM_CUTTER, deal_ids), self.seats)
        self._deal_hands(games, swapped > 0)

    def _dealt(self, games: npt.NDArray[np.intp]) -> None:
        self._forget_finished()

    def _deal_hands(self, games: npt.NDArray[np.intp], swapped: Bools) -> None:
        """The next hand of the given matches."""
        matches = self._state
        ids = hand_deal_ids(matches.deal_ids[games], matches.hands_played[games])
        self._dealer.deal_hands(ids, games, swapped, matches.cutter[games].astype(np.intp))
        self._show_match(games)

    def _show_match(self, games: npt.NDArray[np.intp]) -> None:
        """Totals and target into the View."""
        self._dealer.set_match(games, self._state.totals[games].T, self.target)

    def _end_hands(self, games: npt.NDArray[np.intp]) -> None:
        """MATCH-1: count the hands just ended, then end these matches or deal on."""
        matches, hands = self._state, self._hand.select(games)
        self.finished, self.finished_hands = games, hands
        matches.last_deal_ids[games] = hands.deal_ids
        matches.last_scores[games] = hands.scores
        matches.last_truncated[games] = hands.truncated
        matches.totals[games] += matches.last_scores[games]
        matches.hands_played[games] += 1
        ranked = np.sort(matches.totals[games], axis=1)
        won = (ranked[:, -1] >= self.target) & (ranked[:, -1] > ranked[:, -2])
        stopped = ~won & (matches.hands_played[games] >= self.max_hands)
        matches.truncated[games] = stopped
        on = games[~won & ~stopped]
        if on.size:
            matches.decisions[on] += self._hand.decisions[on]
            matches.cutter[on] = (matches.cutter[on] + 1) % self.seats
            self._deal_hands(on, self._hand.swapped[on])
