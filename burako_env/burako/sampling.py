"""sample_states: full states that agree with a View, hidden cards redrawn.

First one state a View with everything that is public or the observer's (seat 0), each seen card bound to some
physical copy; then k copies of it, over which the copies nobody has seen are dealt anew: to the unknown part of the
other hands, to the burakos, to the stock. All arrangements are equally likely.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from burako_env.burako.lookups import Lookups, lookups_for
from burako_env.burako.melds.accept import refresh_all
from burako_env.burako.melds.bazas import BAZA_KINDS
from burako_env.burako.melds.groups import SET_WILD
from burako_env.burako.melds.run_codec import decode
from burako_env.burako.rules import Rules
from burako_env.burako.state import ANSWER, State, reserve_rows
from burako_env.burako.turn.actions import FIRST_RUN, NONE, WILD_GROUP
from burako_env.burako.zones import BITS_PER_DECK, WILDS, Bools, Words, cards_in, union
from burako_env.cards import JOKER, RANK_COUNT, SUIT_COUNT, TWO, TYPE_COUNT, WILD_TYPES
from burako_env.chance.rng import STREAM_SAMPLE, U64, as_ids, combine, counter_words
from burako_env.kit.fields import Index, flat
from burako_env.layout import MOST, View

_ATTEMPTS = 200
Counts = npt.NDArray[np.int64]


def sample_states(rules: Rules, view: View, k: int, keys: U64) -> State:
    """`k` states for each View, view-major; the observer, who must be the seat to act, sits at seat 0.

    Raises `ValueError` for a View of another seat, of an ended hand, of other rules, or with more cards than there are.
    """
    lookups = lookups_for(rules)
    base, free = _public_state(rules, lookups, view)
    hidden = _hidden_cards(rules, view, free)
    base.stock_end[:] = base.stock_next + hidden[:, 0]
    repeat = np.repeat(np.arange(len(view)), k)
    state = base.select(repeat)
    every = combine(keys[repeat], STREAM_SAMPLE, np.tile(np.arange(k), len(view)))
    state.deal_ids[:] = as_ids(every)
    pending = np.arange(state.size)
    for attempt in range(_ATTEMPTS):
        rows = repeat[pending]
        _redraw(state, lookups, pending, free[rows], hidden[rows], view.take(rows), combine(every[pending], attempt))
        pending = pending[_contradicts(state, lookups, pending)]
        if not pending.size:
            return state
    raise ValueError("no arrangement of the hidden cards found that agrees with the View")


def _contradicts(state: State, lookups: Lookups, games: Index) -> Bools:
    """Redraws that the phase rules out: a player who has asked holds a natural (OUT-3), `[n]`."""
    turn = state.turn[games].astype(np.intp)
    asked: Bools = state.phase[games] == ANSWER
    only_wilds: Bools = union(cards_in(state.hands, turn, games, lookups.decks)) & ~WILDS == 0
    return asked & only_wilds


def _hidden_cards(rules: Rules, view: View, free: npt.NDArray[np.bool_]) -> Counts:
    """How many cards are hidden in the stock (column 0) and in the other seats' hands, `[n, players]`.

    A count that reads `MOST` may be larger (`layout.py`). No game has cards for two such counts, so it is what the
    others leave of the free cards, bool `[n, 54 * decks]`.
    """
    counts = np.concatenate([view.stock_size[:, None], view.hand_sizes[:, 1:]], axis=1).astype(np.int64)
    burakos = view.burakos_left.sum(axis=1, dtype=np.int64) * rules.burako_size
    known = view.known[:, 1:].sum(axis=2, dtype=np.int64)
    places = counts.sum(axis=1) - known.sum(axis=1) + burakos
    more = free.sum(axis=1) - places
    if np.any(more < 0):
        raise ValueError(f"the View hides {-more.min()} cards more than are left")
    full = (counts == MOST).nonzero()
    counts[full] += more[full[0]]
    counts[:, 1:] -= known
    return counts


def _redraw(
    state: State, lookups: Lookups, games: Index, free: npt.NDArray[np.bool_], hidden: Counts, view: View, keys: U64
) -> None:
    """Deal the free physical cards, bool `[n, 54 * decks]`, over the hidden places of `games` (`_hidden_cards`)."""
    rules, n = lookups.rules, len(games)
    stock = hidden[:, 0]
    bottom = np.where(stock > 0, view.bottom.astype(np.int64) - 1, -1)
    order = counter_words(keys, free.shape[1])
    # The natural the observer saw at the bottom of the stock stays there: its first free copy goes last among the free.
    types = lookups.phys_type[np.arange(free.shape[1])]
    at_bottom = free & (types == bottom[:, None])
    at_bottom &= np.cumsum(at_bottom, axis=1) == 1
    rank = np.where(at_bottom, 1, np.where(free, 0, 2)).astype(np.uint64)
    dealt = np.argsort((order >> np.uint64(2)) | (rank << np.uint64(62)), axis=1).astype(np.uint8)

    place = np.arange(free.shape[1])
    start = np.zeros(n, dtype=np.int64)
    hands, known = flat(state.hands), flat(state.known)
    for seat in range(1, rules.players):
        stop = start + hidden[:, seat]
        mine = (place >= start[:, None]) & (place < stop[:, None])
        cards = lookups.zones(np.where(mine, dealt, np.uint8(255)).T)
        for deck, zone in enumerate(cards):
            at = (seat * lookups.decks + deck) * state.size + games
            hands[at] = known[at] | zone
        start = stop
    deck_rows = flat(state.deck)
    for team in range(rules.teams):
        for nth in range(rules.burakos_per_team):
            there = nth >= rules.burakos_per_team - view.burakos_left[:, team].astype(np.int64)
            first = (team * rules.burakos_per_team + nth) * rules.burako_size
            for card in range(rules.burako_size):
                at = (first + card) * state.size + games[there]
                deck_rows[at] = dealt[there, start[there] + card]
            start = start + np.where(there, rules.burako_size, 0)
    reserve = reserve_rows(rules)
    for card in range(int(stock.max(initial=0))):
        there = card < stock
        deck_rows[(reserve + card) * state.size + games[there]] = dealt[there, start[there] + card]


def _public_state(rules: Rules, lookups: Lookups, view: View) -> tuple[State, npt.NDArray[np.bool_]]:
    """One state a View without its hidden cards, and which physical cards are free, bool `[n, 54 * decks]`."""
    state = State(rules, len(view))
    runs = decode(view.runs)
    _groups(state, lookups, view, runs)
    hand, known = view.hand.astype(np.int64), view.known.astype(np.int64)
    seen = [
        known[:, 0],
        hand - known[:, 0],
        *(known[:, seat] for seat in range(1, rules.players)),
        view.pile.astype(np.int64),
        *(view.sets[:, team].astype(np.int64) for team in range(rules.teams)),
        *(view.closed[:, team].astype(np.int64) for team in range(rules.teams)),
        *_run_cards(lookups, view, runs),
    ]
    zones, free = _bind(rules, np.stack(seen))
    decks = lookups.decks
    state.known[:decks] = zones[0]
    state.hands[:decks] = zones[0] | zones[1]
    for seat in range(1, rules.players):
        state.known[seat * decks : (seat + 1) * decks] = zones[1 + seat]
    first = 1 + rules.players
    state.pile[:] = zones[first]
    state.sets[:] = np.concatenate(zones[first + 1 : first + 3])
    state.closed[:] = np.concatenate(zones[first + 3 : first + 5])
    state.runs[:] = np.concatenate(zones[first + 5 : first + 7])
    _numbers(state, rules, view)
    refresh_all(state, lookups)
    return state, free


def _bind(rules: Rules, counts: Counts) -> tuple[list[Words], npt.NDArray[np.bool_]]:
    """Bind counts by type `[zones, n, 53]` to physical copies: zone words `[decks, n]` each, and what stays free."""
    upper = np.cumsum(counts, axis=0)
    lower = upper - counts
    zones = np.zeros((len(counts), rules.decks, counts.shape[1]), dtype=np.uint64)
    free = np.zeros((counts.shape[1], rules.decks, BITS_PER_DECK), dtype=np.bool_)
    one = np.uint64(1)
    for bit in range(52 + rules.jokers_per_deck):
        card = min(bit, JOKER)
        for deck in range(rules.decks):
            copy = deck if card != JOKER else deck * rules.jokers_per_deck + bit - JOKER
            inside = (lower[:, :, card] <= copy) & (copy < upper[:, :, card])
            zones[:, deck] |= inside.astype(np.uint64) * (one << np.uint64(bit))
            free[:, deck, bit] = copy >= upper[-1, :, card]
    return list(zones), free.reshape(len(free), -1)


def _groups(state: State, lookups: Lookups, view: View, runs: npt.NDArray[np.uint16]) -> None:
    """Open groups, closed counts, and which group is half open."""
    n, teams = len(view), lookups.rules.teams
    groups, wild = np.zeros((2, teams, lookups.groups, n), dtype=np.int64)
    suited = view.sets[:, :, :JOKER].astype(np.int64).reshape(n, teams, SUIT_COUNT, RANK_COUNT).sum(axis=2)
    codes = view.set_wild.astype(np.int64)
    groups[:, :FIRST_RUN] = (suited + np.where(codes > 0, SET_WILD, 0)).transpose(1, 2, 0)
    groups[:, WILD_GROUP] += view.sets[:, :, JOKER].T
    wild[:, :FIRST_RUN] = codes.transpose(1, 2, 0)
    groups[:, FIRST_RUN:] = runs.reshape(n, teams, -1).transpose(1, 2, 0)
    wild[:, FIRST_RUN:] = view.runs[..., 4].reshape(n, teams, -1).transpose(1, 2, 0)
    state.groups[:] = groups.reshape(-1, n)
    state.group_wild[:] = wild.reshape(-1, n)
    kinds = state.closed_kinds.reshape(teams, len(BAZA_KINDS), n)
    kinds[:, :-1] = view.closed_kinds.transpose(1, 2, 0)
    kinds[:, -1] = view.closed_sets[:, :, TWO].T
    state.closed_sets[:] = view.closed_sets.transpose(1, 2, 0).reshape(-1, n)
    state.opening[:] = view.opening
    cards = np.where(
        np.arange(lookups.groups)[:, None] < FIRST_RUN,
        lookups.set_length[groups[0] % 16],
        lookups.run.length[groups[0]],
    )
    half = (cards > 0) & (cards < 3) & (view.opening > 0)
    state.open_group[:] = np.argmax(half, axis=0)


def _run_cards(lookups: Lookups, view: View, runs: npt.NDArray[np.uint16]) -> list[Counts]:
    """Cards in the runs' zone by team: those of open runs, and the wilds in open sets; `[n, 53]` each."""
    n, teams = len(view), lookups.rules.teams
    counts = np.zeros((teams, n, TYPE_COUNT), dtype=np.int64)
    held = lookups.run.types[runs][..., None] >> np.arange(RANK_COUNT) & 1
    held[..., TWO] = view.runs[..., 3]
    counts[:, :, :JOKER] = held.sum(axis=3).swapaxes(0, 1).reshape(teams, n, JOKER)
    for code, card in enumerate(WILD_TYPES, start=1):
        in_runs, in_sets = (view.runs[..., 4] == code).sum(axis=(2, 3)), (view.set_wild == code).sum(axis=2)
        counts[:, :, card] += (in_runs + in_sets).T
    return list(counts)


def _numbers(state: State, rules: Rules, view: View) -> None:
    """Everything that is not a card or a group."""
    state.burakos_left[:] = view.burakos_left.T
    state.actor[:] = 0
    state.phase[:] = np.argmax(view.phase, axis=1)
    for name in ("turn", "answer", "single_laid", "first_draw", "cutter", "final_turns"):
        getattr(state, name)[:] = view.field(name)
    for name in ("single", "drawn", "bottom"):
        code = view.field(name).astype(np.int64)
        getattr(state, name)[:] = np.where(code == 0, NONE, code - 1)
    state.turns[:] = _points(view.turns)
    state.totals[:] = _points(view.totals).T
    state.target[:] = _points(view.target)
    reserve = reserve_rows(rules)
    state.stock_next[:] = reserve
    state.pile_size[:] = view.pile.sum(axis=1)
    shown = view.pile_top.shape[1]
    for game in range(len(view)):
        size = int(state.pile_size[game])
        top = [int(code) - 1 for code in view.pile_top[game, : min(size, shown)]]
        rest = view.pile[game].astype(np.int64)
        np.subtract.at(rest, top, 1)
        state.pile_order[:size, game] = [*np.repeat(np.arange(TYPE_COUNT), rest), *top[::-1]]
        _takers(state, rules, view, game)


def _takers(state: State, rules: Rules, view: View, game: int) -> None:
    """Who took the burakos: the first is known, the order of the others does not matter to any rule."""
    for team in range(rules.teams):
        first = int(view.first_taker[game, team]) - 1
        if first < 0:
            continue
        seats = [first]
        for seat in range(team, rules.players, rules.teams):
            seats += [seat] * (int(view.burakos_taken[game, seat]) - (seat == first))
        start = team * rules.burakos_per_team
        state.taken_by[start : start + len(seats), game] = seats


def _points(halves: npt.NDArray[np.int8]) -> npt.NDArray[np.int64]:
    """Hundreds and rest, last axis, as one number."""
    return halves[..., 0].astype(np.int64) * 100 + halves[..., 1]
