"""What the first heuristic reads out of a View; each fact when it is asked for."""

from functools import cached_property

import numpy as np
import numpy.typing as npt

from agents.burako.frozen.heuristic_v0.lookups import PLACES, RANK_BITS, Lookups, run_states
from burako_env.batch import Bools, Ints
from burako_env.cards import RANK_COUNT, SUIT_COUNT, TWO, WILD_TYPES
from burako_env.layout import I8, View

Floats = npt.NDArray[np.float32]
_NATURALS = np.int64(0x1FFD)


def by_suit(cards: I8) -> I8:
    """Counts by type `[..., 53]` by suit and rank, `[..., 4, 13]`, the jokers left out."""
    return cards[..., :52].reshape(*cards.shape[:-1], SUIT_COUNT, RANK_COUNT)


def add_up(array: I8, axis: int) -> I8:
    """Sum over a short axis as int8: adding slices is ten times faster than `sum`."""
    first, *others = np.moveaxis(array, axis, 0)
    total: I8 = first.copy()
    for part in others:
        total += part
    return total


def words(flags: Bools) -> Ints:
    """Flags of ranks `[..., 13]` as words, int64 `[...]`."""
    return np.packbits(flags, axis=-1, bitorder="little").view(np.uint16)[..., 0].astype(np.int64)


class Facts:
    """Facts about n decisions. Team 0 is the own one; seats are counted from the own one, so the opponents' are odd."""

    def __init__(self, view: View, lookups: Lookups) -> None:
        self.view, self.lookups, self.rows = view, lookups, len(view)
        self.hand: I8 = view.hand
        self.burakos_left = view.burakos_left[:, 0].astype(np.int32)
        self.wilds = add_up(self.hand[:, np.array(WILD_TYPES)], 1)
        self.naturals = view.hand_sizes[:, 0].astype(np.int32) - self.wilds
        self.suited = by_suit(self.hand).copy()
        self.suited[:, :, TWO] = 0
        self.rank_count = add_up(self.suited, 1)
        # Closed bazas justify a team, [n, 2].
        bazas = view.closed_kinds.sum(axis=2, dtype=np.int64) + view.closed_sets[:, :, TWO]
        self.justified: Bools = bazas > 0

    def places(self, cards: I8) -> Ints:
        """Places of a run that cards `[n, 53]` fill with naturals, own twos included, as words by suit, `[n, 4]`."""
        held = words(by_suit(cards) > 0)
        ace = self.lookups.rules.ace
        if ace != "low":
            held |= (held & 1) << (PLACES - 1)
        return held & ~np.int64(1) if ace == "high" else held

    @cached_property
    def run_state(self) -> npt.NDArray[np.uint16]:
        """States of all open runs, uint16 `[n, 2, 4, S]`."""
        return run_states(self.view.runs)

    @cached_property
    def run_size(self) -> I8:
        """Cards in each open run, `[n, 2, 4, S]`."""
        return self.lookups.runs.length.take(self.run_state).astype(np.int8)

    @cached_property
    def set_size(self) -> I8:
        """Cards in the open set of each rank, at the twos in the wild group, `[n, 2, 13]`."""
        sets = self.view.sets
        counts = add_up(by_suit(sets), 2)
        counts[:, :, TWO] += sets[:, :, 52]
        sizes: I8 = counts + (self.view.set_wild > 0)
        return sizes

    def fits(self, sizes_from: int = 3) -> Bools:
        """Naturals that each team's open groups of at least that many cards accept, `[n, 2, 4, 13]`."""
        accepts = np.where(self.run_size >= sizes_from, self.lookups.runs.accepts.take(self.run_state), 0)
        runs = RANK_BITS.take(np.bitwise_or.reduce(accepts, axis=-1) & 0x1FFF, axis=0).view(np.bool_)
        fits: Bools = runs | (self.set_size >= sizes_from)[:, :, None, :]
        fits[..., TWO] = False
        return fits

    def deadwood(self, cards: I8) -> Ints:
        """Naturals among `cards` `[n, 53]` that could not be laid without a wild, `[n]`: an estimate.

        A card counts as laid if it lies in three places in a row, continues an own run, or belongs to an open set or
        to three of a rank. A card that two groups need is counted for both.
        """
        suited, held = by_suit(cards), self.places(cards)
        pairs = held & held >> 1
        threes = pairs & pairs >> 1
        runs = reach = self._run_places
        for _ in range(3):
            reach = reach | ((reach << 1 | reach >> 1) & held)
        in_runs = threes | threes << 1 | threes << 2 | (reach & (runs << 1 | runs >> 1 | reach & held))
        in_sets = words((self.set_size[:, 0] > 0) | (add_up(suited, 1) >= 3))[:, None]
        in_sets = (in_sets | (in_sets & 1) << 13) & ~np.int64(2)
        laid = (in_runs | in_sets) & 0x3FFF
        laid = laid | laid >> 13
        alone = np.bitwise_count(held & ~laid & _NATURALS) + np.bitwise_count(words(suited > 1) & ~in_sets & _NATURALS)
        return add_up(alone.view(np.int8), 1).astype(np.int64)

    @cached_property
    def _run_places(self) -> Ints:
        """Places that the own runs fill by suit, int64 words `[n, 4]`."""
        states = self.run_state[:, 0].astype(np.int64)
        places = ((states & 1) | (states & 0x1FFE) << 1) & 0x3FFF | ((states >> 13 & 3) > 0) * 2
        filled: Ints = np.bitwise_or.reduce(places, axis=2)
        return filled

    @cached_property
    def stage(self) -> Ints:
        """How near the end of the hand is, `[n]`: 0 far, 1 near, 2 this may be the own last turn."""
        view = self.view
        rounds = view.stock_size.astype(np.float32) / np.float32(self.lookups.rules.players)
        smallest = view.hand_sizes[:, 1::2].min(axis=1)
        out = (view.burakos_left[:, 1] == 0) & self.justified[:, 1]
        last = (view.final_turns >= 0) | (rounds <= 0.5) | (out & (smallest <= 2))
        near = (rounds <= 2) | (out & (smallest <= 5))
        return np.where(last, 2, near.astype(np.int64))
