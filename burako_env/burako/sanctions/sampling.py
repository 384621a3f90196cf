"""sample_states in sanctions play: the strict one, with the annulled cards and those apart in their places.

A strict View knows no cards at the stock's bottom. They are given to it as closed cards, which are seen and never
redrawn, with a stock that is shorter by them; afterwards they are moved to where they lie.
"""

import numpy as np
import numpy.typing as npt

from burako_env.burako import sampling as strict
from burako_env.burako.rules import Rules
from burako_env.burako.state import State, state_fields
from burako_env.burako.turn.actions import NONE
from burako_env.burako.view.layout import view_layout
from burako_env.burako.zones import BITS_PER_DECK, TYPE_MASK, ZERO, Words, first_of, mask_of
from burako_env.cards import WILD_TYPES
from burako_env.chance.rng import U64
from burako_env.kit.fields import flat
from burako_env.layout import View


def sample_states(rules: Rules, view: View, k: int, keys: U64) -> State:
    """As `burako.sampling.sample_states`."""
    if view.layout.digest() != view_layout(rules).digest():
        raise ValueError(f"a View of width {view.layout.width}, expected {view_layout(rules).width}")
    plain = rules.model_copy(update={"enforcement": "strict", "manual_close": False})
    annulled, apart = view.annulled.astype(np.int64), view.apart.astype(np.int64)
    given = View(view.buffer[:, : view_layout(plain).width].copy(), view_layout(plain))
    games = np.arange(len(view))
    for column in range(annulled.shape[1]):
        there = games[annulled[:, column] > 0]
        given.closed[there, 0, annulled[there, column] - 1] += 1
    for code, card in enumerate(WILD_TYPES):
        given.closed[:, 0, card] += view.apart[:, code]
    given.stock_size[...] = view.stock_unknown
    drawn = strict.sample_states(plain, given, k, keys)

    state = State(rules, drawn.size)
    shared = {field.name for field in state_fields(plain)}
    for field in state_fields(rules):
        if field.name in shared:
            getattr(state, field.name)[...] = getattr(drawn, field.name)
    each = np.repeat(games, k)
    _lay_under(state, annulled[each])
    for code, card in enumerate(WILD_TYPES):
        for count in range(int(apart[:, code].max(initial=0))):
            wanted = mask_of(apart[each, code] > count) & TYPE_MASK[card]
            state.apart |= _from_closed(state, wanted)
    state.offer[:] = np.where(view.offer > 0, view.offer - 1, NONE).astype(np.uint8)[each]
    seats = np.arange(rules.players)
    state.must_pass[:] = (view.must_pass.astype(np.int64) << seats).sum(axis=1)[each]
    return state


def _lay_under(state: State, codes: npt.NDArray[np.int64]) -> None:
    """Move the annulled cards, codes `[B, n]`, from the closed cards to the stock's bottom."""
    games = np.arange(state.size)
    size = (codes > 0).sum(axis=1)
    for column in range(int(size.max(initial=0))):
        there = column < size
        wanted = np.where(there, TYPE_MASK[np.maximum(codes[:, column] - 1, 0)], ZERO)
        for deck, found in enumerate(_from_closed(state, wanted)):
            some = games[found != 0]
            bit = np.bitwise_count(found[some] - np.uint64(1))
            row = state.stock_end[some].astype(np.intp)
            flat(state.deck)[row * state.size + some] = bit + np.uint8(BITS_PER_DECK * deck)
        state.stock_end += there
    state.annulled[:] = size


def _from_closed(state: State, wanted: Words) -> Words:
    """Take one card of each wanted type out of team 0's closed cards, `[decks, B]`."""
    decks = state.rules.decks
    taken = np.array(first_of(state.closed[:decks], wanted))
    state.closed[:decks] ^= taken
    return taken
