"""The position suite: decisions from self-play, spread over the situations.

One agent plays all hands; of every hand at most one decision is taken, so that positions are independent. A hash of
(seed, deal, decision number) alone says which. Half of the suite is shared out equally among the situations, the other
half as often as they happen; every position has the weight that makes up for it.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, Final, Literal, cast

import numpy as np
import numpy.typing as npt

import burako_env
from agents import Agent
from agents.burako.facts import Facts
from agents.burako.lookup import tables
from burako_env.batch import Bools, Ints
from burako_env.burako.game import BurakoGame
from burako_env.burako.rules import Rules
from burako_env.burako.turn.actions import Special
from burako_env.cards import TYPE_COUNT
from burako_env.errors import UserError
from burako_env.kit.rng import U64, combine
from burako_env.layout import View
from experiments.discards.situations import CELLS, MANY, cells_of, cells_with
from experiments.processes.apart import load_agent
from experiments.runs.settings import rule_changes
from experiments.statistics.intervals import Floats

Kind = Literal["discards", "draws"]

# Which stream of the seed picks the positions.
_PICK: Final = 101
_HANDS_AT_ONCE: Final = 2048


@dataclass(frozen=True)
class Source:
    """Where positions come from: a pure description.

    game: one of the card game's. rules: changes to its preset. agent: plays the hands. hands: how many. positions: how
    many to take. situations: only these (`situations.NAMES`; none named: all).
    """

    game: str
    rules: tuple[str, ...]
    agent: str
    seed: int
    hands: int
    positions: int
    situations: tuple[str, ...] = ()

    def make(self, batch: int) -> BurakoGame:
        """A batch of the game."""
        return cast(BurakoGame, burako_env.make(self.game, batch, self.seed, rule_changes(self.rules)))

    def load(self) -> Agent:
        """The agent, ready to play."""
        return load_agent(self.agent, self.game, rule_changes(self.rules))


@dataclass(frozen=True)
class Suite:
    """n positions in the order of their hashes: any beginning of it is a sample of the whole.

    Attributes:
        game, rules: what is played.
        view: what the seat to act sees. keys: uint64 `[n]`, of the decisions.
        legal: what may be chosen, bool `[n, 53]` card types to discard, or `[n, 2]` stock and pile.
        actions: int64 `[53]` or `[2]`, the action of each choice.
        deals, numbers: int64 `[n]`, deal and number of the decision. cells: int64 `[n]`, see `situations`.
        weights: float64 `[n]`, how many decisions of play a position stands for; they add up to 1.
    """

    game: str
    rules: Rules
    view: View
    keys: U64
    legal: Bools
    actions: Ints
    deals: Ints
    numbers: Ints
    cells: Ints
    weights: Floats

    def __len__(self) -> int:
        return len(self.deals)

    @cached_property
    def facts(self) -> Facts:
        """What strategies and advice read."""
        return Facts(self.view, tables(self.rules))

    def take(self, rows: npt.ArrayLike) -> Suite:
        """Some of the positions."""
        at = np.asarray(rows)
        own = ("keys", "legal", "deals", "numbers", "cells", "weights")
        return replace(self, view=self.view.take(at), **{name: getattr(self, name)[at] for name in own})

    def digest(self) -> str:
        """First 16 hex digits of the SHA-256 of everything that values depend on."""
        head = json.dumps([self.game, self.rules.digest(), self.view.layout.digest(), self.actions.tolist()])
        data = (array.tobytes() for array in (self.view.buffer, self.legal, self.keys))
        return hashlib.sha256(b"".join((head.encode(), *data))).hexdigest()[:16]

    def about(self) -> dict[str, Any]:
        """What names it in files."""
        return {"game": self.game, "rules_digest": self.rules.digest(), "suite_digest": self.digest()}


def sample(source: Source, kind: Kind, tick: Callable[[int], None] = lambda hands: None) -> Suite:
    """The suite of a source; `tick` is told how many more hands have been played."""
    found = [np.zeros((3, 0), dtype=np.int64)]
    for first in range(0, source.hands, _HANDS_AT_ONCE):
        hands = np.arange(first, min(first + _HANDS_AT_ONCE, source.hands))
        found += _decisions(source, kind, hands)
        tick(len(hands))
    every = np.concatenate(found, axis=1)
    deals, numbers, cells = every[:, cells_with(source.situations)[every[2]]]
    picks = combine(source.seed, _PICK, deals, numbers) if len(deals) else np.zeros(0, dtype=np.uint64)
    chosen = _choose(deals, cells, picks, source.positions)
    if len(chosen) < source.positions:
        raise UserError(
            f"{source.hands} hands give {len(chosen)} positions (at most one per hand), not {source.positions}: "
            "raise --hands or ask for fewer"
        )
    chosen = chosen[np.argsort(picks[chosen], kind="stable")]
    often = np.bincount(cells, minlength=CELLS) / len(cells)
    there = np.bincount(cells[chosen], minlength=CELLS)
    weights = (often / np.maximum(there, 1))[cells[chosen]]
    return _capture(source, kind, deals[chosen], numbers[chosen], weights / weights.sum())


def _choices(game: BurakoGame, kind: Kind) -> Ints:
    """The actions that a kind of decision is between."""
    if kind == "discards":
        return np.arange(TYPE_COUNT, dtype=np.int64) + game.table.discard(0)
    return np.array([game.table.special(Special.DRAW_STOCK), game.table.special(Special.DRAW_PILE)], dtype=np.int64)


def _decisions(source: Source, kind: Kind, deals: Ints) -> Iterator[Ints]:
    """Deal, number and cell of every decision of the kind in some hands, int64 `[3, n]` for each moment.

    Discards are those of the agent, which then lays no more; draws those in which ADVICE-3 says to take the pile.
    """
    for game, live, view, legal, actions in _play(source, deals):
        options = _choices(game, kind)
        wanted = legal[:, options].sum(axis=1) > 1
        if kind == "discards":
            wanted &= np.isin(actions, options)
        else:
            wanted &= (view.hand_sizes[:, 1] >= MANY) & (view.pile_size > 0)
        slots = live[wanted]
        if slots.size:
            yield np.stack([game.deal_ids[slots], game.decisions[slots], cells_of(view.take(wanted.nonzero()[0]))])


def _play(source: Source, deals: Ints) -> Iterator[tuple[BurakoGame, Ints, View, Bools, Ints]]:
    """Every moment of some hands: game, live games, their Views, legal actions and what the agent does."""
    game, agent = source.make(len(deals)), source.load()
    game.reset(deals)
    live: Ints = np.arange(len(deals))
    while live.size:
        view, legal = game.view(live), game.legal(live)
        actions = agent.act(view, legal, game.keys(live))
        yield game, live, view, legal, actions
        game.step(actions, live, validate=False)
        live = live[~game.done[live]]


def _choose(deals: Ints, cells: Ints, picks: U64, count: int) -> Ints:
    """Which decisions are taken: the lowest hashes of each cell, rare cells first, one of a deal."""
    often = np.bincount(cells, minlength=CELLS)
    there = np.flatnonzero(often)
    order = np.argsort(picks, kind="stable")
    chosen: dict[int, int] = {}  # by deal

    def take(rows: Ints, most: int) -> None:
        for row, deal in zip(rows.tolist(), deals[rows].tolist()):
            if len(chosen) >= most:
                return
            chosen.setdefault(deal, row)

    for cell in there[np.argsort(often[there], kind="stable")]:
        quota = int(count / 2 / len(there) + count / 2 * often[cell] / len(cells))
        take(order[cells[order] == cell], len(chosen) + quota)
    take(order, count)
    return np.array(list(chosen.values()), dtype=np.int64)


def _capture(source: Source, kind: Kind, deals: Ints, numbers: Ints, weights: Floats) -> Suite:
    """Play the chosen hands again and keep the chosen moments."""
    game = source.make(1)
    options = _choices(game, kind)
    buffers = np.zeros((len(deals), game.layout.width), dtype=np.int8)
    legal = np.zeros((len(deals), len(options)), dtype=np.bool_)
    keys = np.zeros(len(deals), dtype=np.uint64)
    for first in range(0, len(deals), _HANDS_AT_ONCE):
        part = slice(first, first + _HANDS_AT_ONCE)
        for moment, live, view, mask, _ in _play(source, deals[part]):
            at = np.flatnonzero(moment.decisions[live] == numbers[part][live])
            rows = first + live[at]
            buffers[rows] = view.buffer[at]
            legal[rows] = mask[np.ix_(at, options)]
            keys[rows] = moment.keys(live[at])
    seen = View(buffers, game.layout)
    return Suite(source.game, game.rules, seen, keys, legal, options, deals, numbers, cells_of(seen), weights)
