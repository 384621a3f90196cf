"""Exchanging suits: what a permutation of clubs, diamonds, hearts and spades does to Views and to actions.

The rules know no suit from another, so a View with its suits exchanged is the View of an equally likely game, in
which the exchanged action is as good. Built by code from the layout and the action table;
`tests/agents/burako/test_suits.py` plays deals with exchanged suits through the core and compares.
"""

from dataclasses import dataclass
from functools import lru_cache
from itertools import permutations
from typing import Final

import numpy as np
import numpy.typing as npt

from burako_env.burako.rules import Rules
from burako_env.burako.turn.actions import FIRST_RUN, NONE, ActionTable, Kind, action_table
from burako_env.burako.view.layout import view_layout
from burako_env.cards import JOKER, RANK_COUNT, SUIT_COUNT, TYPE_COUNT, WILD_TYPES
from burako_env.layout import I8

# PERMUTATIONS[p][s]: the suit that suit s becomes; the first one changes nothing.
PERMUTATIONS: Final = tuple(permutations(range(SUIT_COUNT)))

_BY_TYPE: Final = ("hand", "known", "pile", "sets", "closed")
_CARD_CODES: Final = ("pile_top", "single", "drawn", "bottom")
_WILD_CODES: Final = ("set_wild",)


def permute_type(card: int, suits: tuple[int, ...]) -> int:
    """The card type that a type becomes."""
    return card if card == JOKER else suits[card // RANK_COUNT] * RANK_COUNT + card % RANK_COUNT


@dataclass(frozen=True)
class SuitTables:
    """One permutation. `permute_view(buffer)` and `actions` int64 `[A]`: the action that each action becomes.

    columns: the column of the old View that each column of the new one comes from, `[F]`. card_columns,
    wild_columns: columns that hold card codes or wild codes; card_codes, wild_codes: what a code becomes.
    """

    columns: npt.NDArray[np.int64]
    card_columns: npt.NDArray[np.int64]
    wild_columns: npt.NDArray[np.int64]
    card_codes: I8
    wild_codes: I8
    actions: npt.NDArray[np.int64]

    def permute_view(self, buffer: I8) -> I8:
        """Views `[n, F]` with their suits exchanged, a new buffer."""
        out = buffer[:, self.columns]
        out[:, self.card_columns] = self.card_codes[out[:, self.card_columns]]
        out[:, self.wild_columns] = self.wild_codes[out[:, self.wild_columns]]
        return out

    def permute_legal(self, legal: npt.NDArray[np.bool_]) -> npt.NDArray[np.bool_]:
        """Legal actions bool `[n, A]` with their suits exchanged."""
        out = np.zeros_like(legal)
        out[:, self.actions] = legal
        return out


@lru_cache(maxsize=64)
def suit_tables(rules: Rules, number: int) -> SuitTables:
    """Tables of `PERMUTATIONS[number]` for a configuration; cached."""
    suits = PERMUTATIONS[number]
    layout, slots = view_layout(rules), rules.run_slots
    columns = np.arange(layout.width)
    types = np.array([permute_type(card, suits) for card in range(TYPE_COUNT)])
    for name in _BY_TYPE:
        start, stop = layout[name].start, layout[name].stop
        for first in range(start, stop, TYPE_COUNT):
            columns[first + types] = first + np.arange(TYPE_COUNT)
    runs = np.arange(layout["runs"].start, layout["runs"].stop).reshape(2, SUIT_COUNT, slots * 5)
    columns[runs[:, list(suits)]] = runs
    card_columns = np.concatenate([np.arange(layout[name].start, layout[name].stop) for name in _CARD_CODES])
    wild = [np.arange(layout[name].start, layout[name].stop) for name in _WILD_CODES]
    wild.append(runs.reshape(-1, 5)[:, 4])
    codes = {card: code for code, card in enumerate(WILD_TYPES, start=1)}
    return SuitTables(
        columns=columns,
        card_columns=card_columns,
        wild_columns=np.concatenate(wild),
        card_codes=np.array([0, *(card + 1 for card in types)], dtype=np.int8),
        wild_codes=np.array([0, *(codes[permute_type(card, suits)] for card in WILD_TYPES)], dtype=np.int8),
        actions=_permuted_actions(action_table(slots), suits),
    )


def _permuted_actions(table: ActionTable, suits: tuple[int, ...]) -> npt.NDArray[np.int64]:
    """The action that each action becomes, int64 `[A]`; unused ids stay."""
    out = np.arange(table.size)
    for action, (kind, card, group) in enumerate(table.rows.tolist()):
        if kind == Kind.LAY:
            out[action] = table.lay(permute_type(card, suits), _permuted_group(table, group, suits))
        elif card != NONE:
            out[action] = table.discard(permute_type(card, suits))
    return out


def _permuted_group(table: ActionTable, group: int, suits: tuple[int, ...]) -> int:
    if group < FIRST_RUN:
        return group
    suit, slot = divmod(group - FIRST_RUN, table.run_slots)
    return table.run_group(suits[suit], slot)
