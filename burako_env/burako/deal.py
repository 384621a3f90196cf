"""Dealing: a pure function of (root seed, deal id), SETUP-1 to SETUP-5."""

import numpy as np
import numpy.typing as npt

from burako_env.burako.lookups import Lookups
from burako_env.burako.rules import Rules
from burako_env.burako.state import State, reserve_rows
from burako_env.burako.turn.actions import NONE
from burako_env.burako.zones import Bytes
from burako_env.cards import JOKER
from burako_env.chance.rng import STREAM_CUTTER, STREAM_DEAL, below, combine, shuffled
from burako_env.kit.fields import Index, flat

# A physical number beyond every deck: part of no zone.
_NO_CARD = np.uint8(255)


def first_cutter(lookups: Lookups, root_seed: int, deal_ids: npt.NDArray[np.int64]) -> Index:
    """SETUP-2: the seat that draws the highest card, uniform, `[n]`."""
    return below(combine(root_seed, STREAM_CUTTER, deal_ids), lookups.rules.players).astype(np.intp)


def deal(
    state: State,
    lookups: Lookups,
    root_seed: int,
    games: Index,
    deal_ids: npt.NDArray[np.int64],
    swapped: npt.NDArray[np.bool_],
    cutter: Index,
) -> None:
    """Fresh hands in `games`. `cutter`: seats before any swap.

    The shuffled deck is cut into burakos, hands and stock, in that order. A swap turns the table by one seat: what
    seat s would have had, seat s + 1 has, burakos and cutter too, so that the other team sits in every place in the
    same order of play.
    """
    rules = lookups.rules
    state.clear(games)
    deck = _physical_cards(lookups)[shuffled(combine(root_seed, STREAM_DEAL, deal_ids), rules.card_count)]
    reserve = reserve_rows(rules)
    stock_start = reserve + rules.players * rules.hand_size

    kept = _kept_wilds(lookups, deck)
    any_kept = bool(kept.any())
    dealt = _set_aside(rules, deck, kept, cutter) if any_kept else deck

    turn_by = swapped.astype(np.intp)
    hands = dealt[:, reserve:stock_start].reshape(-1, rules.players, rules.hand_size)
    seat = np.arange(rules.players)[:, None]
    rows = (seat + turn_by) % rules.players * lookups.decks
    owner = (cutter + turn_by) % rules.players
    for index, cards in enumerate(lookups.zones(hands.transpose(2, 1, 0))):
        flat(state.hands)[(rows + index) * state.size + games] = cards
    if any_kept:
        look = np.arange(rules.cut_look_max)[:, None]
        shown = np.where(look < kept, deck[:, : -rules.cut_look_max - 1 : -1].T, _NO_CARD)
        for index, cards in enumerate(lookups.zones(shown)):
            flat(state.known)[(owner * lookups.decks + index) * state.size + games] = cards

    half = reserve // 2
    swapped_reserve = np.where(turn_by[:, None] > 0, np.roll(dealt[:, :reserve], half, axis=1), dealt[:, :reserve])
    stock = dealt[:, stock_start:]
    state.deck[:reserve, games] = swapped_reserve.T
    state.deck[reserve : reserve + rules.stock_size, games] = stock.T
    state.stock_next[games] = reserve
    state.stock_end[games] = reserve + rules.stock_size
    state.bottom[games] = np.where(kept < rules.cut_look_max, lookups.phys_type[stock[:, -1]], NONE)
    state.cutter[games] = owner
    state.burakos_left[:, games] = rules.burakos_per_team
    starter = (owner + 2) % rules.players
    state.turn[games] = starter
    state.actor[games] = starter
    state.swapped[games] = swapped
    state.deal_ids[games] = deal_ids


def _kept_wilds(lookups: Lookups, deck: Bytes) -> Index:
    """SETUP-3: wilds the cutter keeps from the bottom, `[n]`: up to the first natural, at most `cut_look_max`."""
    most = lookups.rules.cut_look_max
    wild = lookups.is_wild[lookups.phys_type[deck[:, : -most - 1 : -1]]]
    kept: Index = np.cumprod(wild, axis=1, dtype=np.intp).sum(axis=1)
    return kept


def _set_aside(rules: Rules, deck: Bytes, kept: Index, cutter: Index) -> Bytes:
    """The deck with the cutter's kept wilds in the place of the last cards of the cutter's hand.

    The cutter is dealt that many fewer; those cards go on as the first of the stock.
    """
    place = np.arange(rules.card_count)
    stock_start = reserve_rows(rules) + rules.players * rules.hand_size
    hand_end = reserve_rows(rules) + (cutter[:, None] + 1) * rules.hand_size
    kept = kept[:, None]
    undealt = hand_end - kept
    source = np.where(place >= stock_start, place - kept, place)
    source = np.where((place >= undealt) & (place < hand_end), rules.card_count - 1 - (place - undealt), source)
    source = np.where((place >= stock_start) & (place < stock_start + kept), undealt + place - stock_start, source)
    return np.take_along_axis(deck, source, axis=1)


def _physical_cards(lookups: Lookups) -> npt.NDArray[np.uint8]:
    """Every physical card of the game, uint8 `[card_count]`."""
    in_deck = np.arange(52 + lookups.rules.jokers_per_deck)
    assert in_deck[-1] <= JOKER + 1
    return (np.arange(lookups.decks)[:, None] * 54 + in_deck).reshape(-1).astype(np.uint8)
