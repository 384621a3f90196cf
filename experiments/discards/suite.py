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
from agents.burako.discard.measures import NEXT
from agents.burako.facts import Facts
from agents.burako.lookup import lookups
from burako_env.batch import Bools, Ints
from burako_env.burako.game import BurakoGame
from burako_env.burako.rules import Rules
from burako_env.burako.turn.actions import Kind as ActionKind
from burako_env.cards import TYPE_COUNT
from burako_env.chance.rng import U64, combine
from burako_env.errors import UserError
from burako_env.layout import View
from experiments.discards.situations import CELLS, MANY, cells_of, cells_with
from experiments.processes.apart import load_agent
from experiments.runs.settings import rule_changes
from experiments.statistics.intervals import Floats

Kind = Literal["discards", "draws"]

# Which stream of the seed picks the positions.
_PICK: Final = 101
_HANDS_AT_ONCE: Final = 2048
# The arrays of a suite that have a row for each position, in addition to its View.
BY_POSITION: Final = ("keys", "legal", "deals", "numbers", "cells", "weights")


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
        return Facts(self.view, lookups(self.rules))

    def take(self, rows: npt.ArrayLike) -> Suite:
        """Some of the positions."""
        at = np.asarray(rows, dtype=np.intp)
        return replace(self, view=self.view.take(at), **{name: getattr(self, name)[at] for name in BY_POSITION})

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
    for hands in _blocks(np.arange(source.hands)):
        found += [np.stack([part.deals, part.numbers, part.cells]) for part in _moments(source, kind, hands)]
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


def _blocks(deals: Ints) -> list[Ints]:
    return [deals[first : first + _HANDS_AT_ONCE] for first in range(0, len(deals), _HANDS_AT_ONCE)]


def _moments(source: Source, kind: Kind, deals: Ints) -> Iterator[Suite]:
    """Every decision of the kind in some hands, moment by moment; their weights are 0.

    Discards are those of the agent, which then lays no more; draws those in which ADVICE-3 says to take the pile.
    """
    game, agent = source.make(len(deals)), source.load()
    if kind == "discards":
        options = np.arange(TYPE_COUNT, dtype=np.int64) + game.table.discard(0)
    else:
        options = np.array([game.table.special(which) for which in (ActionKind.DRAW_STOCK, ActionKind.DRAW_PILE)])
    game.reset(deals)
    live: Ints = np.arange(len(deals))
    while live.size:
        view, legal, keys = game.view(live), game.legal(live), game.keys(live)
        actions = agent.act(view, legal, keys)
        choices = legal[:, options]
        if kind == "discards":
            wanted = np.isin(actions, options)
        else:
            wanted = (view.hand_sizes[:, NEXT] >= MANY) & (view.pile_size > 0)
        at = np.flatnonzero(wanted & (choices.sum(axis=1) > 1))
        if at.size:
            seen, ids, numbers = view.take(at), game.deal_ids[live[at]], game.decisions[live[at]].astype(np.int64)
            cells, weights = cells_of(seen), np.zeros(at.size)
            yield Suite(source.game, game.rules, seen, keys[at], choices[at], options, ids, numbers, cells, weights)
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
    chosen = dict(zip(deals.tolist(), numbers.tolist()))
    found = [
        part.take([place for place, deal in enumerate(part.deals.tolist()) if part.numbers[place] == chosen[deal]])
        for hands in _blocks(deals)
        for part in _moments(source, kind, hands)
    ]
    arrays: dict[str, Any] = {name: np.concatenate([getattr(part, name) for part in found]) for name in BY_POSITION}
    view = View(np.concatenate([part.view.buffer for part in found]), found[0].view.layout)
    order = np.argsort(arrays["deals"])[np.argsort(np.argsort(deals))]
    return replace(replace(found[0], view=view, **arrays).take(order), weights=weights)
