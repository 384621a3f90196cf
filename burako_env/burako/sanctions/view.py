"""Filling the View's fields of sanctions play."""

import numpy as np

from burako_env.burako.lookups import Lookups
from burako_env.burako.state import State
from burako_env.burako.zones import TYPE_MASK
from burako_env.cards import WILD_TYPES
from burako_env.kit.fields import Index
from burako_env.layout import MOST, View


def add_to_view(state: State, lookups: Lookups, games: Index, observer: Index, view: View) -> None:
    """Fill the fields behind the strict ones, which are all 0 so far, for `observer` `[n]` in `games` `[n]`."""
    apart = state.apart[:, games]
    if apart.any():
        for code, card in enumerate(WILD_TYPES):
            view.apart[:, code] = np.bitwise_count(apart & TYPE_MASK[card]).sum(axis=0)
    view.offer[...] = state.offer[games] + np.uint8(1)
    must_pass = state.must_pass[games]
    if must_pass.any():
        seats = (np.arange(lookups.rules.players) + observer[:, None]) % lookups.rules.players
        view.must_pass[...] = must_pass[:, None] >> seats.astype(np.uint8) & 1
    annulled = state.annulled[games].astype(np.intp)
    unknown = state.stock_end[games] - state.stock_next[games] - annulled
    view.stock_unknown[...] = np.minimum(unknown, MOST)
    some = annulled.nonzero()[0]
    if not some.size:
        return
    # The natural that the cutter saw lies above them, while it is there.
    view.bottom[some] *= unknown[some] > 0
    place = np.arange(int(annulled.max()))
    there, column = (place < annulled[:, None]).nonzero()
    row = (state.stock_end[games] - annulled).astype(np.intp)[there] + column
    view.annulled[there, column] = lookups.phys_type[state.deck[row, games[there]]] + np.uint8(1)
