"""The deal and the calls of level 1 (L1-1, L1-2)."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from burako_env.kit.fields import Index, flat, gather
from burako_env.kit.rng import STREAM_CHANCE, STREAM_DEAL, combine, counter_words, shuffled
from burako_env.ruibal.level1.state import PLACES, PerceptionState, called
from burako_env.ruibal.state import CALLS, OVER, Bools
from burako_env.ruibal.tiles import NONE

_SPREAD, _CALLS = range(2)


def deal(
    state: PerceptionState, root_seed: int, games: Index, deal_ids: npt.NDArray[np.int64], turned: npt.NDArray[np.int64]
) -> None:
    """Fresh games: one set spread over the places, the other in the order of the calls."""
    state.clear(games)
    state.spread[:, games] = shuffled(combine(root_seed, STREAM_DEAL, deal_ids, _SPREAD), PLACES).T
    state.calls[:, games] = shuffled(combine(root_seed, STREAM_DEAL, deal_ids, _CALLS), PLACES).T
    state.call_end[games] = PLACES
    state.turned[games] = turned
    state.deal_ids[games] = deal_ids
    state.chance_key[games] = combine(root_seed, STREAM_CHANCE, deal_ids)


def point(state: PerceptionState, games: Index, places: npt.NDArray[np.uint8]) -> None:
    """The seat to act points at a place (NONE: it sits out); the last one's pointing decides the call."""
    players = state.rules.players
    seats = state.actor[games].astype(np.intp)
    flat(state.pointed)[seats * state.size + games] = places
    last = seats == players - 1
    state.actor[games[~last]] += 1
    if last.any():
        _decide(state, games[last])


def _decide(state: PerceptionState, games: Index) -> None:
    """L1-2: who is right and fastest, who sits out next, what is called next."""
    rules = state.rules
    tile = called(state, games)
    pointed = state.pointed[:, games]
    rows = np.minimum(pointed, PLACES - 1).astype(np.intp)
    there = state.spread.reshape(-1).take(rows * state.size + games)
    acting = pointed != NONE
    right = acting & (there == tile)
    wrong = acting & ~right
    somebody = right.any(axis=0)
    _crown(state, games[somebody], right[:, somebody])

    wrong[:, wrong.all(axis=0)] = False
    state.sitting[:, games] = wrong
    state.pointed[:, games] = NONE
    state.turns[games] += 1
    state.tries[games] += 1
    closed = somebody | (state.tries[games] == rules.max_calls)
    at = games[closed]
    for place in range(PLACES):
        state.spread[place, at] = np.where(state.spread[place, at] == tile[closed], NONE, state.spread[place, at])
    state.tries[at] = 0
    state.call_next[at] += 1
    over = games[state.call_next[games] == state.call_end[games]]
    state.reason[over] = CALLS
    state.phase[over] = OVER
    state.actor[np.setdiff1d(games, over, assume_unique=True)] = 0


def _crown(state: PerceptionState, games: Index, right: Bools) -> None:
    """A crown for one of those who are right, `right` `[players, n]`: the seed says in which order they are quick."""
    players = state.rules.players
    number = state.luck_next[games]
    speed = counter_words(combine(state.chance_key[games], number), players).T
    # A turned table turns the speed too.
    seat = (np.arange(players)[:, None] - state.turned[games].astype(np.intp)) % players
    fastest = np.where(right, np.take_along_axis(speed, seat, axis=0) | np.uint64(1), 0).argmax(axis=0)
    fixed = gather(state.luck, np.minimum(number, len(state.luck) - 1).astype(np.intp), games)
    named = np.minimum(fixed, players - 1).astype(np.intp)
    use = (fixed != NONE) & right[named, np.arange(len(games))]
    seats = np.where(use, named, fastest)
    flat(state.crowns)[seats * state.size + games] += 1
    state.luck_next[games] += 1
