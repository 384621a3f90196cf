"""What the heuristic reads out of a View: tables, own hand, how near the end is; each fact when it is asked for."""

import math
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt

from agents.burako.lookup import PLACES, RANK_BITS, UPWARD, Lookups
from burako_env.batch import Bools, Ints
from burako_env.burako.melds.run_codec import decode, filled_places
from burako_env.cards import RANK_COUNT, SUIT_COUNT, TWO, WILD_TYPES
from burako_env.layout import View

I8 = npt.NDArray[np.int8]
Floats = npt.NDArray[np.float32]
U16 = npt.NDArray[np.uint16]

_WILDS = np.array(WILD_TYPES)


def add_up(array: npt.NDArray[np.int8], axis: int) -> I8:
    """Sum over a short axis as int8: adding slices is ten times faster than `sum`."""
    slices = np.moveaxis(array, axis, 0)
    total: I8 = slices[0].astype(np.int8)
    for part in slices[1:]:
        total += part
    return total


class Facts:
    """Facts about n decisions. Team 0 is the own one; seats are counted from the own one, so the opponents' are odd."""

    def __init__(self, view: View, lookups: Lookups) -> None:
        self.view = view
        self.lookups = lookups
        self.rows = len(view)
        self.hand: I8 = view.hand
        self.hand_size = view.hand_sizes[:, 0].astype(np.int32)
        self.burakos_left = view.burakos_left[:, 0].astype(np.int32)

    @cached_property
    def wilds(self) -> I8:
        """Wilds in the own hand, `[n]`."""
        return add_up(self.hand[:, _WILDS], 1)

    @cached_property
    def naturals(self) -> npt.NDArray[np.int32]:
        """Naturals in the own hand, `[n]`."""
        return self.hand_size - self.wilds

    @cached_property
    def suited(self) -> I8:
        """Naturals of the own hand by suit and rank, `[n, 4, 13]`."""
        cards = self.hand[:, :52].reshape(-1, SUIT_COUNT, RANK_COUNT).copy()
        cards[:, :, TWO] = 0
        return cards

    @cached_property
    def rank_count(self) -> I8:
        """Naturals of the own hand by rank, `[n, 13]`."""
        return add_up(self.suited, 1)

    @cached_property
    def hand_places(self) -> Ints:
        """Places of a run that the own hand fills with naturals, own twos included, as words by suit, `[n, 4]`."""
        return self.places(self.hand)

    def places(self, cards: I8) -> Ints:
        """Places of a run that cards `[n, 53]` fill with naturals, own twos included, as words by suit, `[n, 4]`."""
        held = cards[:, :52].reshape(-1, SUIT_COUNT, RANK_COUNT) > 0
        words = np.packbits(held, axis=2, bitorder="little").view(np.uint16)[:, :, 0].astype(np.int64)
        ace = self.lookups.rules.ace
        if ace != "low":
            words |= (words & 1) << (PLACES - 1)
        return words & ~np.int64(1) if ace == "high" else words

    def upward(self, words: Ints, places: Ints) -> I8:
        """How many places in a row are filled from `places` on, of words of the same shape."""
        return UPWARD.take(words * PLACES + (places - 1))

    @cached_property
    def run_state(self) -> U16:
        """States of all open runs (`burako_env.burako.melds.groups`), uint16 `[n, 2, 4, S]`."""
        return decode(self.view.runs)

    @cached_property
    def set_naturals(self) -> I8:
        """Naturals in the open set of each rank, at the twos the cards of the wild group, `[n, 2, 13]`."""
        sets = self.view.sets
        counts = add_up(sets[:, :, :52].reshape(-1, 2, SUIT_COUNT, RANK_COUNT), 2)
        counts[:, :, TWO] += sets[:, :, 52]
        return counts

    @cached_property
    def set_size(self) -> I8:
        """Cards in the open set of each rank, `[n, 2, 13]`."""
        return self.set_naturals + (self.view.set_wild > 0)

    @cached_property
    def run_size(self) -> I8:
        """Cards in each open run, `[n, 2, 4, S]`."""
        return self.lookups.runs.length.take(self.run_state).astype(np.int8)

    @cached_property
    def group_size(self) -> I8:
        """Cards in each group of the own team by group number, `[n, G]`."""
        return np.concatenate([self.set_size[:, 0], _rows_of(self.run_size[:, 0])], axis=1)

    @cached_property
    def group_state(self) -> U16:
        """Run state of each group of the own team by group number (0 for sets), `[n, G]`."""
        sets = np.zeros((self.rows, RANK_COUNT), dtype=np.uint16)
        return np.concatenate([sets, _rows_of(self.run_state[:, 0])], axis=1)

    @cached_property
    def group_dirty(self) -> Bools:
        """Groups of the own team whose every reading has a wild, by group number, `[n, G]`."""
        states = _rows_of(self.run_state[:, 0])
        dirty = (states > 0) & ~self.lookups.runs.clean.take(states)
        return np.concatenate([self.view.set_wild[:, 0] > 0, dirty], axis=1)

    def fits(self, sizes_from: int = 3) -> Bools:
        """Naturals that each team's open groups of at least that many cards accept, `[n, 2, 4, 13]`."""
        accepts = self.lookups.runs.accepts.take(self.run_state)
        accepts = np.where(self.run_size >= sizes_from, accepts, 0)
        ranks = accepts[..., 0]
        for slot in range(1, accepts.shape[-1]):
            ranks = ranks | accepts[..., slot]
        runs = RANK_BITS.take(ranks & 0x1FFF, axis=0).view(np.bool_)
        sets = (self.set_size >= sizes_from)[:, :, None, :]
        both = runs | sets
        both[..., TWO] = False
        return both

    @cached_property
    def fit(self) -> Bools:
        """`fits()` of all open groups."""
        return self.fits()

    @cached_property
    def bazas(self) -> Ints:
        """Closed bazas of each team, `[n, 2]`."""
        kinds = self.view.closed_kinds.astype(np.int64)
        bazas: Ints = kinds.sum(axis=2) + self.view.closed_sets[:, :, TWO]
        return bazas

    @cached_property
    def justified(self) -> Bools:
        """Teams with a closed baza, `[n, 2]`."""
        return self.bazas > 0

    @cached_property
    def gone(self) -> I8:
        """Naturals out of play for new groups (on tables and in bazas), `[n, 4, 13]`."""
        view, types = self.view, self.lookups.runs.types
        cards = add_up(view.closed, 1) + add_up(view.sets, 1)
        out = cards[:, :52].reshape(-1, SUIT_COUNT, RANK_COUNT).copy()
        ranks = types.take(self.run_state)
        for team in range(2):
            for slot in range(ranks.shape[-1]):
                out += RANK_BITS.take(ranks[:, team, :, slot], axis=0)
        return out

    @cached_property
    def alive(self) -> I8:
        """Copies of each natural that are still in hands, pile, stock or burakos, `[n, 4, 13]`."""
        return np.int8(self.lookups.rules.decks) - self.gone

    @cached_property
    def table_words(self) -> tuple[Ints, Ints]:
        """Own table as words: places that runs fill by suit, int64 `[n, 4]`, and ranks of open sets, int64 `[n, 1]`."""
        states = self.run_state[:, 0].astype(np.int64)
        places = filled_places(states) >> 1
        places |= ((states >> 13 & 3) > 0) * 2
        filled = places[:, :, 0]
        for slot in range(1, places.shape[2]):
            filled = filled | places[:, :, slot]
        open_sets = self.set_size[:, 0] > 0
        ranks = np.packbits(open_sets, axis=1, bitorder="little").view(np.uint16).astype(np.int64)
        return filled, ranks & ~np.int64(2)

    def deadwood(self, cards: I8) -> Ints:
        """Naturals among `cards` `[n, 53]` that could not be laid without a wild, `[n]`.

        An estimate: a card counts as laid if it lies in three places in a row, continues an own run, or belongs to an
        open set or to three of a rank. A card that two groups need is counted for both.
        """
        suited = cards[:, :52].reshape(-1, SUIT_COUNT, RANK_COUNT)
        held = self.places(cards)
        runs, sets = self.table_words
        pairs = held & held >> 1
        threes = pairs & pairs >> 1
        in_runs = threes | threes << 1 | threes << 2
        reach = runs
        for _ in range(3):
            reach = reach | ((reach << 1 | reach >> 1) & held)
        in_runs = in_runs | (reach & (runs << 1 | runs >> 1 | reach & held))
        ranks = np.packbits(add_up(suited, 1) >= 3, axis=1, bitorder="little").view(np.uint16).astype(np.int64)
        in_sets = sets | ranks
        in_sets = (in_sets | (in_sets & 1) << 13) & ~np.int64(2)
        laid = (in_runs | in_sets) & 0x3FFF
        laid = laid | laid >> 13
        naturals = np.int64(0x1FFD)
        twice = np.packbits(suited > 1, axis=2, bitorder="little").view(np.uint16)[:, :, 0].astype(np.int64)
        alone = np.bitwise_count(held & ~laid & naturals) + np.bitwise_count(twice & ~in_sets & naturals)
        return add_up(alone.view(np.int8), 1).astype(np.int64)

    @cached_property
    def rounds(self) -> npt.NDArray[np.float32]:
        """Draws from the stock left for each player, `[n]`."""
        return self.view.stock_size.astype(np.float32) / np.float32(self.lookups.rules.players)

    @cached_property
    def smallest_opponent(self) -> I8:
        """Cards of the opponent with the fewest, `[n]`."""
        sizes = self.view.hand_sizes
        smallest = sizes[:, 1]
        for seat in range(3, sizes.shape[1], 2):
            smallest = np.minimum(smallest, sizes[:, seat])
        return smallest

    @cached_property
    def partners(self) -> Ints:
        """Cards in the hands of the team-mates, `[n]`."""
        cards: Ints = self.view.hand_sizes[:, 2::2].astype(np.int64).sum(axis=1)
        return cards

    @cached_property
    def stage(self) -> Ints:
        """How near the end of the hand is, `[n]`: 0 far, 1 near, 2 this may be the own last turn."""
        view = self.view
        out = (view.burakos_left[:, 1] == 0) & self.justified[:, 1]
        last = (view.final_turns >= 0) | (self.rounds <= 0.5) | (out & (self.smallest_opponent <= 2))
        near = (self.rounds <= 2) | (out & (self.smallest_opponent <= 5))
        return np.where(last, 2, near.astype(np.int64))

    @cached_property
    def task(self) -> Ints:
        """What the team plays for, `[n]`: 0 its burakos; with none left, 1 a first baza, 2 (justified) to go out."""
        return np.where(self.burakos_left > 0, 0, np.where(self.justified[:, 0], 2, 1))


def _rows_of(array: npt.NDArray[Any]) -> npt.NDArray[Any]:
    """`[n, a, b]` as `[n, a * b]`, for n = 0 too, where -1 says nothing."""
    return array.reshape(len(array), math.prod(array.shape[1:]))
