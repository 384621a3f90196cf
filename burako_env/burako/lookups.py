"""Constant look-ups of the core for one configuration, built by code and cached.

They answer in one look-up what a rule says about a group's state or a card, in the bit layout of `actions.py`.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from burako_env.burako.melds.groups import (
    FOREIGN_RANK,
    MAX_CARDS,
    MIN_NATURALS,
    SET_COUNT,
    SET_WILD,
    add_lookup,
    run_lookups,
)
from burako_env.burako.rules import Rules
from burako_env.burako.state import accept_rows
from burako_env.burako.turn.actions import FIRST_RUN, NONE, SET_RANKS, SPECIAL_BITS, WILD_GROUP, action_table
from burako_env.burako.view.layout import view_layout
from burako_env.burako.view.plan import ViewPlan
from burako_env.burako.zones import ALL, BITS_PER_DECK, TYPE_MASK, WILD_TYPE_BITS, ZERO
from burako_env.cards import JOKER, RANK_COUNT, SUIT_COUNT, TYPE_COUNT, WILD_CODE, WILD_TYPES, is_wild, type_values

# Multiplying the twos' bits (1, 14, 27, 40) by this puts them side by side in bits 60 to 63 (no two products meet).
TWOS_TO_TOP: Final = np.uint64((1 << 59) | (1 << 47) | (1 << 35) | (1 << 23))


class Lookups:
    """Attributes, by what they are asked with:

    team and group: `groups` groups and `accept_rows` words a team.
    set state: `set_takes`, `set_takes_wild` (all ones or nothing, uint64 `[16]`).
    rank: `rank_types` (bits of its card types; the twos: all wild types), `wild_set_bits` (its bits of the WILD_SETS
    word).
    suit: `suit_types`, `run_bits` (its bits of a RUNS word), `joker_bits` (its bits of the SPECIALS word).
    group: `group_bits` (uint64 `[W, groups]`, the lays on it).
    pattern of held wilds (bit 0-3 the twos, 4 the joker): `hold_foreign` (bits 52 and up of a RUNS word),
    `hold_wild_sets`. physical card (54 deck + bit): `phys_deck`, `phys_word`, `phys_type`.
    card type: `rank_of` (13 for a joker), `suit_of`, `wild_code` (0 for naturals), `values`.
    """

    def __init__(self, rules: Rules) -> None:
        self.rules = rules
        self.actions = action_table(rules.run_slots)
        self.words, self.slots, self.decks = self.actions.words, rules.run_slots, rules.decks
        self.groups, self.accept_rows = self.actions.groups, accept_rows(rules)
        self.layout, self.view_plan = view_layout(rules), ViewPlan(rules)
        self.run = run_lookups(rules.ace)
        # GROUP-1: cards at which a lay closes its group; no group has 0, so with manual closing none does.
        self.closes_at = 0 if rules.manual_close else MAX_CARDS
        self.run_add = add_lookup()
        self._set_lookups()
        self._bit_lookups()
        self._card_lookups()

    def _set_lookups(self) -> None:
        """GROUP-1, GROUP-2, GROUP-4, by the low four bits of a set's state."""
        state = np.arange(16)
        naturals, wild = state & SET_COUNT, state & SET_WILD > 0
        room = (naturals + wild > 0) & (naturals + wild < MAX_CARDS)
        self.set_length = (naturals + wild).astype(np.uint8)
        self.set_takes = np.where(room, ALL, ZERO)
        self.set_takes_wild = np.where(room & ~wild & (naturals >= MIN_NATURALS), ALL, ZERO)

    def _bit_lookups(self) -> None:
        slots, table = self.slots, self.actions
        types = [
            sum(1 << (13 * suit + rank) for suit in range(SUIT_COUNT)) if rank != WILD_GROUP else int(WILD_TYPE_BITS)
            for rank in range(RANK_COUNT)
        ]
        self.rank_types = np.array(types, dtype=np.uint64)
        bits = np.zeros((table.words, table.groups), dtype=np.uint64)
        for action in np.flatnonzero(table.rows["group"] != NONE).tolist():
            bits[action // 64, table.rows["group"][action]] |= np.uint64(1 << action % 64)
        self.group_bits = bits
        self.wild_set_bits = np.ascontiguousarray(bits[table.wild_sets, :FIRST_RUN])
        first_slots = [table.run_group(suit, 0) for suit in range(SUIT_COUNT)]
        self.run_bits = np.ascontiguousarray(bits[1, first_slots])
        self.suit_types = np.array([0x1FFF << 13 * suit for suit in range(SUIT_COUNT)], dtype=np.uint64)
        self.joker_bits = np.array(
            [
                sum(1 << (SPECIAL_BITS + SUIT_COUNT * slot + suit) for slot in range(slots))
                for suit in range(SUIT_COUNT)
            ],
            dtype=np.uint64,
        )
        self.hold_foreign = np.zeros(32, dtype=np.uint64)
        self.hold_wild_sets = np.zeros(32, dtype=np.uint64)
        for pattern in range(32):
            for code in (code for code in range(5) if pattern >> code & 1):
                ids = [table.lay(WILD_TYPES[code], rank) for rank in SET_RANKS]
                if code < SUIT_COUNT:
                    others = [first_slots[suit] for suit in range(SUIT_COUNT) if suit != code]
                    foreign = [table.lay(WILD_TYPES[code], group) for group in others]
                    self.hold_foreign[pattern] |= np.uint64(sum(1 << action % 64 for action in foreign))
                self.hold_wild_sets[pattern] |= np.uint64(sum(1 << action % 64 for action in ids))

    def _card_lookups(self) -> None:
        phys = np.arange(256)
        bit = phys % BITS_PER_DECK
        self.phys_deck = (phys // BITS_PER_DECK).astype(np.intp)
        self.phys_word = np.uint64(1) << bit.astype(np.uint64)
        self.phys_type = np.minimum(bit, JOKER).astype(np.uint8)
        types = np.arange(TYPE_COUNT)
        self.rank_of = np.where(types == JOKER, FOREIGN_RANK, types % RANK_COUNT)
        self.suit_of = types // RANK_COUNT
        self.wild_code = np.array([WILD_CODE.get(card, 0) for card in range(TYPE_COUNT)], dtype=np.uint8)
        self.is_wild = np.array([is_wild(card) for card in range(TYPE_COUNT)] + [False] * (256 - TYPE_COUNT))
        self.values = type_values(self.rules.rank_values, self.rules.joker_value)
        self.value_masks = [
            (int(value), np.bitwise_or.reduce(TYPE_MASK[:TYPE_COUNT][self.values == value]))
            for value in np.unique(self.values)
        ]

    def lengths(self, groups: npt.NDArray[Any], states: npt.NDArray[Any]) -> npt.NDArray[np.uint8]:
        """Cards of groups from their numbers and states, one each."""
        in_set: npt.NDArray[np.uint8] = self.set_length[states & (2 * SET_WILD - 1)]
        return np.where(groups >= FIRST_RUN, self.run.length[states], in_set)

    def zones(self, physical: npt.NDArray[np.uint8]) -> list[npt.NDArray[np.uint64]]:
        """The zone that physical cards form, over their first axis; one array a deck."""
        deck, word = self.phys_deck[physical], self.phys_word[physical]
        return [np.bitwise_or.reduce(np.where(deck == index, word, ZERO), axis=0) for index in range(self.decks)]


@lru_cache(maxsize=64)
def lookups_for(rules: Rules) -> Lookups:
    """The lookups of a configuration; cached."""
    return Lookups(rules)
