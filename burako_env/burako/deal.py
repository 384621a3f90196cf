"""Dealing: a pure function of (root seed, deal id), SETUP-1 to SETUP-5."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from burako_env.burako.actions import NONE
from burako_env.burako.state import Index, State, flat
from burako_env.burako.tables import Tables
from burako_env.cards import JOKER
from burako_env.rng import STREAM_CUTTER, STREAM_DEAL, below, combine, shuffled

# A physical number beyond every deck: part of no zone.
_NO_CARD = np.uint8(255)


def first_cutter(tables: Tables, root_seed: int, deal_ids: npt.NDArray[np.int64]) -> Index:
    """SETUP-2: the seat that draws the highest card, uniform, `[n]`."""
    return below(combine(root_seed, STREAM_CUTTER, deal_ids), tables.rules.players).astype(np.intp)


def deal(
    state: State,
    tables: Tables,
    root_seed: int,
    games: Index,
    deal_ids: npt.NDArray[np.int64],
    swapped: npt.NDArray[np.bool_],
    cutter: Index,
) -> None:
    """Fresh hands in `games`. `cutter`: seats before any swap.

    The shuffled deck is cut into burakos, hands and stock, in that order. A swap turns the table by one seat: what seat s would
    have had, seat s + 1 has, burakos and cutter too, so that the other team sits in every place in the same order of play.
    """
    rules = tables.rules
    state.clear(games)
    deck = _physical_cards(tables)[shuffled(combine(root_seed, STREAM_DEAL, deal_ids), rules.card_count)]
    reserve = rules.teams * rules.burakos_per_team * rules.burako_size
    stock_start = reserve + rules.players * rules.hand_size

    # SETUP-3: the cutter keeps wilds from the bottom; he is dealt that many fewer, which go on as the stock's first cards.
    bottom_up = tables.phys_type[deck[:, : -rules.cut_look_max - 2 : -1]]
    wild = tables.is_wild[bottom_up]
    kept = np.minimum(np.cumprod(wild, axis=1).sum(axis=1), rules.cut_look_max)
    place = np.arange(rules.card_count)
    hand_end = reserve + (cutter[:, None] + 1) * rules.hand_size
    undealt = hand_end - kept[:, None]
    source = np.where(
        (place >= undealt) & (place < hand_end),
        rules.card_count - 1 - (place - undealt),
        np.where(place >= stock_start, place - kept[:, None], place),
    )
    first_stock = (place >= stock_start) & (place < stock_start + kept[:, None])
    source = np.where(first_stock, undealt + place - stock_start, source)
    dealt = np.take_along_axis(deck, source, axis=1)

    turn_by = swapped.astype(np.intp)
    hands = dealt[:, reserve:stock_start].reshape(-1, rules.players, rules.hand_size)
    seat = np.arange(rules.players)[:, None]
    rows = (seat + turn_by) % rules.players * tables.decks
    owner = (cutter + turn_by) % rules.players
    look = np.arange(rules.cut_look_max)[:, None]
    shown = np.where(look < kept, deck[:, : -rules.cut_look_max - 1 : -1].T, _NO_CARD)
    for index, (cards, looked) in enumerate(zip(tables.zones(hands.transpose(2, 1, 0)), tables.zones(shown), strict=True)):
        flat(state.hands)[(rows + index) * state.size + games] = cards
        flat(state.known)[(owner * tables.decks + index) * state.size + games] = looked

    half = reserve // 2
    swapped_reserve = np.where(turn_by[:, None] > 0, np.roll(dealt[:, :reserve], half, axis=1), dealt[:, :reserve])
    stock = dealt[:, stock_start:]
    state.deck[:reserve, games] = swapped_reserve.T
    state.deck[reserve : reserve + rules.stock_size, games] = stock.T
    state.stock_next[games] = reserve
    state.stock_end[games] = reserve + rules.stock_size
    seen = (kept < rules.cut_look_max) & (rules.cut_look_max > 0)
    state.bottom[games] = np.where(seen, tables.phys_type[stock[:, -1]], NONE)
    state.cutter[games] = owner
    state.burakos_left[:, games] = rules.burakos_per_team
    starter = (owner + 2) % rules.players
    state.turn[games] = starter
    state.actor[games] = starter
    state.swapped[games] = swapped
    state.deal_ids[games] = deal_ids


def _physical_cards(tables: Tables) -> npt.NDArray[np.uint8]:
    """Every physical card of the game, uint8 `[card_count]`."""
    in_deck = np.arange(52 + tables.rules.jokers_per_deck)
    assert in_deck[-1] <= JOKER + 1
    return (np.arange(tables.decks)[:, None] * 54 + in_deck).reshape(-1).astype(np.uint8)
