"""Luck of the draw: the wilds a team got beyond what could be expected at each draw.

A card drawn from the stock is wild with probability (wilds not yet seen by any player) / (cards not yet seen by any).
The difference between what came and this probability has expectation 0 at every draw, whatever the agents do, so its
sum over a hand has it too (it is a martingale stopped at the end of the hand), and the points can be adjusted for it
without bias; see `statistics/control_variates.py`. The plain number of wilds drawn would not do: a team that takes
fewer piles draws more cards, hence more wilds. The same holds for a burako, at the moment its owner first sees it.
"""

from typing import Any, Final

import numpy as np
import numpy.typing as npt

from burako_env.batch import BatchGame, Ints
from burako_env.burako.game import BurakoGame
from burako_env.burako.turn.actions import NONE, Kind
from burako_env.cards import WILD_TYPES, is_wild
from burako_env.layout import View
from experiments.contest.outcomes import LUCK, Outcomes
from experiments.contest.watchers import Index, Watcher, every_view

_STOCK: Final = LUCK.index("stock")
_BURAKO: Final = LUCK.index("burako")


class LuckCounter(Watcher):
    """Adds the luck of both teams to `outcomes.luck`.

    Per slot: `wilds` and `cards` not yet seen by any player (in the stock, and in burakos that nobody has looked at);
    `natural_last`: whether the stock's last card is known to be natural (SETUP-3); `expected`: chance that the card
    just drawn is wild, -1 where none was. Per slot and seat: wilds in the hand and burakos seen.
    """

    def __init__(self, game: BurakoGame, slots: int, outcomes: Outcomes) -> None:
        rules = game.rules
        self.outcomes = outcomes
        self.side_of = game.side_of
        self.burako_size = rules.burako_size
        self.wild_total = rules.decks * (4 + rules.jokers_per_deck)
        rows = game.table.rows
        self.kind = rows["kind"].astype(np.int64)
        self.card_wild = np.array([card != NONE and is_wild(int(card)) for card in rows["card"]])
        self.wilds = np.zeros(slots, dtype=np.int64)
        self.cards = np.zeros(slots, dtype=np.int64)
        self.natural_last = np.zeros(slots, dtype=np.int64)
        self.expected = np.full(slots, -1.0)
        self.held = np.zeros((slots, game.seats), dtype=np.int64)
        self.burakos = np.zeros((slots, game.seats), dtype=np.int64)
        # Of the decisions seen last, by slot.
        self.stock = np.zeros(slots, dtype=np.int64)
        self.pile_wilds = np.zeros(slots, dtype=np.int64)

    def dealt(self, game: BatchGame, slots: Index, rows: Index) -> None:
        views = every_view(game, slots)
        held = count_wilds(views.hand).reshape(len(slots), -1)
        first = views.take(np.arange(0, len(views), game.seats))
        self.held[slots] = held
        self.burakos[slots] = 0
        self.wilds[slots] = self.wild_total - held.sum(axis=1)
        self.cards[slots] = first.stock_size + self.burako_size * first.burakos_left.sum(axis=1, dtype=np.int64)
        self.natural_last[slots] = (views.bottom > 0).reshape(len(slots), -1).any(axis=1)
        self.expected[slots] = -1.0

    def seen(self, slots: Index, rows: Index, seats: Index, view: View) -> None:
        now = count_wilds(view.hand)
        new = now - self.held[slots, seats]
        burakos = view.burakos_taken[:, 0].astype(np.int64)
        drew = np.flatnonzero(self.expected[slots] >= 0)
        if drew.size:
            at = slots[drew]
            self._add(_STOCK, rows[drew], seats[drew], new[drew] - self.expected[at])
            self.wilds[at] -= new[drew]
            self.cards[at] -= 1
            self.expected[at] = -1.0
        opened = np.flatnonzero(burakos > self.burakos[slots, seats])
        if opened.size:
            at = slots[opened]
            fair = self.burako_size * self.wilds[at] / (self.cards[at] - self.natural_last[at])
            self._add(_BURAKO, rows[opened], seats[opened], new[opened] - fair)
            self.wilds[at] -= new[opened]
            self.cards[at] -= self.burako_size
            self.burakos[at, seats[opened]] = burakos[opened]
        self.held[slots, seats] = now
        self.stock[slots] = view.stock_size
        self.pile_wilds[slots] = count_wilds(view.pile)

    def acted(self, slots: Index, rows: Index, seats: Index, actions: Ints) -> None:
        kind = self.kind[actions]
        gone = ((kind == Kind.LAY) | (kind == Kind.DISCARD)) & self.card_wild[actions]
        self.held[slots, seats] += (kind == Kind.DRAW_PILE) * self.pile_wilds[slots] - gone
        drawing = slots[(kind == Kind.DRAW_STOCK) | (kind == Kind.REJECT)]
        if drawing.size:
            last = self.natural_last[drawing] * (self.stock[drawing] == 1)
            chance = self.wilds[drawing] / np.maximum(self.cards[drawing] - self.natural_last[drawing], 1)
            self.expected[drawing] = np.where(last > 0, 0.0, chance)
            self.natural_last[drawing] -= last

    def _add(self, source: int, rows: Index, seats: Index, luck: npt.NDArray[Any]) -> None:
        self.outcomes.luck[rows, self.side_of[seats], source] += luck


def count_wilds(cards: npt.NDArray[np.int8]) -> npt.NDArray[np.int64]:
    """Wilds among cards by type, `[n, 53]` to `[n]`."""
    # Five slices added up: several times as fast as a sum over the columns.
    total = cards[:, WILD_TYPES[0]].astype(np.int64)
    for card in WILD_TYPES[1:]:
        total += cards[:, card]
    return total
