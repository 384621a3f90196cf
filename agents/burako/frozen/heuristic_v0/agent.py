"""The first heuristic: what it lays (`lays.py`), whether it takes the pile, its other choices and its discard."""

from collections.abc import Mapping
from typing import Any, Final

import numpy as np

from agents.base import Agent
from agents.burako.frozen.heuristic_v0.facts import Facts, Floats, add_up, by_suit
from agents.burako.frozen.heuristic_v0.lays import Lays
from agents.burako.frozen.heuristic_v0.lookups import Lookups
from burako_env.batch import Bools, Ints
from burako_env.burako.melds.groups import MAX_CARDS
from burako_env.burako.rules import burako_rules
from burako_env.burako.turn.actions import Kind
from burako_env.cards import RANK_COUNT, TYPE_COUNT
from burako_env.chance.rng import U64
from burako_env.layout import View

# What a card of the pile that stays in the hand is worth, by task (burakos to come, a first baza to close, going out)
# and stage (`Facts.stage`).
_IDLE: Final = np.array([(0.0, -4.0, -10.0), (0.0, -4.0, -10.0), (-3.0, -8.0, -12.0)])


class FirstHeuristic(Agent):
    """The first sound heuristic: lays naturals, saves wilds for bazas, goes out justified."""

    name = "heuristic-v0"

    def __init__(self) -> None:
        self._lookups: Lookups | None = None

    def bind(self, game: str, config: Mapping[str, Any] | None = None) -> None:
        self._lookups = Lookups(burako_rules(game, config))

    def act(self, view: View, legal: Bools, keys: U64) -> Ints:
        if self._lookups is None:
            self.bind(f"burako-{view.layout.shapes['hand_sizes'][0]}")
        known = self._lookups
        assert known is not None
        facts, move = Facts(view, known), np.flatnonzero(legal)
        row, action = np.divmod(move, legal.shape[1])
        kind = known.kind.take(action)
        scores = np.where(kind == Kind.LAY, Lays(facts, row, action).scores(), _choices(facts, row, kind))
        rated = np.full(legal.shape, -np.inf, dtype=np.float32)
        rated.put(move, scores)
        chosen: Ints = rated.argmax(axis=1)
        discards = np.flatnonzero(known.kind.take(chosen) == Kind.DISCARD)
        if len(discards):
            first = known.first_discard
            cards = legal[discards, first : first + TYPE_COUNT]
            worth = _discards(Facts(view.take(discards), known))
            chosen[discards] = first + np.where(cards, worth, -np.inf).argmax(axis=1)
        return chosen


def _choices(facts: Facts, row: Ints, kind: Ints) -> Floats:
    """Points of every move that is neither lay nor discard, float32 `[m]`, comparable with those of lays."""
    by_kind = np.zeros(len(Kind), dtype=np.float32)
    by_kind[[Kind.TAKE_BURAKO, Kind.KEEP_HAND, Kind.ASK, Kind.YES]] = 1000.0, -2000.0, -3000.0, 1.0
    score: Floats = by_kind.take(kind)
    for asked, worth in ((Kind.DRAW_PILE, _pile), (Kind.REJECT, _reject)):
        if (kind == asked).any():
            score[kind == asked] = worth(facts)[row[kind == asked]]
    return score


def _pile(facts: Facts) -> Floats:
    """How much better the pile is than the unknown card of the stock, in points, `[n]`.

    Cards that can be laid at once count for, cards that stay in the hand against; closing a baza counts extra, and
    so does a hand so small that it brings a burako.
    """
    pile = facts.view.pile
    held = by_suit(pile) > 0
    fits = (held & facts.fits()[:, 0]).sum(axis=(1, 2))
    closing = np.minimum((held & facts.fits(sizes_from=MAX_CARDS - 1)[:, 0]).sum(axis=(1, 2)), 3)
    before, after = facts.deadwood(facts.hand), facts.deadwood(facts.hand + pile)
    task = np.where(facts.burakos_left > 0, 0, np.where(facts.justified[:, 0], 2, 1))
    laid = facts.view.pile_size + before - after
    value = laid * 10.0 + fits * 10.0 + closing * 60.0 + (after - before) * _IDLE[task, facts.stage]
    value += (closing > 0) * ~facts.justified[:, 0] * 60.0
    value += ((after <= 1) & (before > 0) & (task != 1)) * 40.0 - 25.0
    worth: Floats = value.astype(np.float32)
    return worth


def _reject(facts: Facts) -> Floats:
    """Whether to reject the card just drawn: unless its rank, or its suit up to two places away, is in the hand."""
    suit, rank = np.divmod(np.clip(facts.view.drawn.astype(np.int64) - 1, 0, None), RANK_COUNT)
    rows, bit = np.arange(facts.rows), np.int64(1) << rank
    near = facts.places(facts.hand)[rows, np.minimum(suit, 3)] & (bit << 1 | bit << 2 | bit >> 1 | bit >> 2)
    return np.where((facts.rank_count[rows, rank] >= 2) | (near != 0), np.float32(-1), np.float32(1))


def _discards(facts: Facts) -> Floats:
    """What each card is worth as a discard, float32 `[n, 53]`.

    Against it stand its use for the own hand (its rank, neighbours in its suit, the own table) and for the others:
    it fits one of their groups (worse if it closes it), or the next player is known to hold its companions.
    """
    own = 8.0 * np.minimum(facts.rank_count - 1, 2)[:, None, :]
    own = own + _beside(facts.suited, 10.0, 6.0)
    fits = facts.fits()
    own = own + 20.0 * fits[:, 0]
    others = 15.0 * fits[:, 1]
    others = others + 40.0 * facts.fits(sizes_from=MAX_CARDS - 1)[:, 1]
    known = by_suit(facts.view.known[:, 1])
    others = others + 6.0 * np.minimum(add_up(known, 1), 2)[:, None, :]
    others = others + _beside(known, 6.0, 6.0)
    score = np.zeros((facts.rows, TYPE_COUNT), dtype=np.float32)
    points = np.where(facts.stage > 0, 1.5, 0.3)[:, None] * facts.lookups.value[:52]
    score[:, :52] = points - (own + others).reshape(facts.rows, 52)
    return score


def _beside(cards: np.ndarray, near: float, second: float) -> Floats:
    """Weight of the neighbours of every card among `cards` `[n, 4, 13]`; the ace is beside the 2 and the king."""
    held = (cards > 0).astype(np.float32)
    line = np.concatenate([held, held[:, :, :1]], axis=2)
    total = np.zeros_like(line)
    for gap, weight in ((1, near), (2, second)):
        total[:, :, gap:] += weight * line[:, :, :-gap]
        total[:, :, :-gap] += weight * line[:, :, gap:]
    total[:, :, 0] += total[:, :, RANK_COUNT]
    return total[:, :, :RANK_COUNT]
