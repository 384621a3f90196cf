"""A core View in the words of the reference's `view`: read back field by field, by the layout's own descriptions.

Fields change little from one decision to the next, so each is read from its bytes and kept; what is handed out is
shared and must not be changed.
"""

from __future__ import annotations

from collections import Counter
from functools import cache, lru_cache
from typing import Any, Final

from burako_env.burako.melds.bazas import BAZA_KINDS
from burako_env.burako.view.layout import ANSWERS, OVER, PHASES
from burako_env.cards import CARD_NAMES, JOKER, RANK_COUNT, RANK_NAMES, SUIT_COUNT, SUITS, TWO, TYPE_COUNT, WILD_TYPES
from burako_env.layout import View, ViewLayout

WILD_NAMES: Final = (None, *(CARD_NAMES[card] for card in WILD_TYPES))
ORDER: Final = {name: place for place, name in enumerate(CARD_NAMES)}
_TEAMS: Final = 2
_RUN_WIDTH: Final = 5
_PHASE_NAMES: Final = (*PHASES, "over")
_KEPT: Final = 1 << 15
# Counts saturate there (see `view_layout`): annulments can make a stock of more cards.
_MOST: Final = 127

Words = dict[str, Any]


def view_words(view: View, row: int) -> Words:
    """What one row says, in the shape of `ReferenceHand.view`; the pile only as counts and its last cards."""
    data = view.buffer[row].tobytes()
    part = {name: data[piece] for name, piece in _pieces(view.layout).items()}
    sets, wilds, runs = (_halves(part[name]) for name in ("sets", "set_wild", "runs"))
    kinds, closed_sets = _halves(part["closed_kinds"]), _halves(part["closed_sets"])
    known = part["known"]
    return {
        "hand": _counts(part["hand"]),
        "known": [_counts(known[start : start + TYPE_COUNT]) for start in range(0, len(known), TYPE_COUNT)],
        "pile": _counts(part["pile"]),
        "pile_top": [CARD_NAMES[code - 1] for code in part["pile_top"] if code],
        "tables": [_groups(sets[team], wilds[team], runs[team]) for team in range(_TEAMS)],
        "closed": [_counts(half) for half in _halves(part["closed"])],
        # The last kind, wild groups, has no column of its own.
        "closed_kinds": [_kinds(kinds[team] + closed_sets[team][TWO : TWO + 1]) for team in range(_TEAMS)],
        "closed_sets": [_ranks(half) for half in closed_sets],
        "phase": _phase(part["phase"]),
        "hand_sizes": list(part["hand_sizes"]),
        "stock_size": part["stock_size"][0],
        "pile_size": part["pile_size"][0],
        "burakos_left": list(part["burakos_left"]),
        "burakos_taken": list(part["burakos_taken"]),
        "first_taker": [seat - 1 if seat else None for seat in part["first_taker"]],
        "actor": part["actor"][0],
        "turn": part["turn"][0],
        "cutter": part["cutter"][0],
        "first_draw": part["first_draw"] == b"\1",
        "opening": part["opening"][0],
        "answer": (None, *ANSWERS[1:])[part["answer"][0]],
        "single": _code(part["single"][0]),
        "single_laid": part["single_laid"] == b"\1",
        "drawn": _code(part["drawn"][0]),
        "bottom": _code(part["bottom"][0]),
        "turns": part["turns"][0] * 100 + part["turns"][1],
        **(_sanctions(part) if "annulled" in part else {}),
        "final_turns": None if part["final_turns"][0] >= 128 else part["final_turns"][0],
    }


def reference_words(words: Words) -> Words:
    """The reference's view with its pile and tables in the form of `view_words`."""
    pile = words["pile"]
    return {
        **words,
        "pile": Counter(pile),
        "pile_top": pile[::-1][:8],
        "pile_size": len(pile),
        "stock_size": min(words["stock_size"], _MOST),
        "tables": [sorted(team) for team in words["tables"]],
    }


def _sanctions(part: dict[str, bytes]) -> Words:
    """The fields of sanctions play."""
    apart = (name for name, count in zip(WILD_NAMES[1:], part["apart"], strict=True) for _ in range(count))
    return {
        "annulled": " ".join(CARD_NAMES[code - 1] for code in part["annulled"] if code),
        "apart": " ".join(str(name) for name in apart),
        "offer": _code(part["offer"][0]),
        "must_pass": [flag == 1 for flag in part["must_pass"]],
        "stock_unknown": part["stock_unknown"][0],
    }


@cache
def _pieces(layout: ViewLayout) -> dict[str, slice]:
    """Where the fields lie in a row of bytes."""
    return {field.name: layout[field.name] for field in layout}


def _halves(data: bytes) -> tuple[bytes, bytes]:
    """A field that has a part for each team."""
    half = len(data) // _TEAMS
    return data[:half], data[half:]


def _code(code: int) -> str | None:
    return CARD_NAMES[code - 1] if code else None


def _named(names: tuple[str, ...], data: bytes) -> dict[str, int]:
    """Counts by name, without the zeros."""
    return {name: count for name, count in zip(names, data, strict=True) if count}


@lru_cache(maxsize=_KEPT)
def _counts(data: bytes) -> dict[str, int]:
    return _named(CARD_NAMES, data)


@lru_cache(maxsize=_KEPT)
def _kinds(data: bytes) -> dict[str, int]:
    return _named(BAZA_KINDS, data)


@lru_cache(maxsize=_KEPT)
def _ranks(data: bytes) -> dict[str, int]:
    return _named(RANK_NAMES, data)


@cache
def _phase(one_hot: bytes) -> str:
    there = [number for number, flag in enumerate(one_hot) if flag]
    assert len(there) <= 1
    assert all(flag in (0, 1) for flag in one_hot)
    return _PHASE_NAMES[there[0] if there else OVER]


@lru_cache(maxsize=_KEPT)
def _groups(sets: bytes, set_wild: bytes, runs: bytes) -> list[list[str]]:
    """The open groups of a team, sorted, the cards of each in the order of `CARD_NAMES`."""
    slots = len(runs) // _RUN_WIDTH // SUIT_COUNT
    numbers = range(slots * SUIT_COUNT)
    in_runs = [
        _run(SUITS[number // slots], runs[number * _RUN_WIDTH : (number + 1) * _RUN_WIDTH]) for number in numbers
    ]
    return sorted(group for group in (*_sets(sets, set_wild), *in_runs) if group)


@lru_cache(maxsize=_KEPT)
def _sets(sets: bytes, set_wild: bytes) -> list[list[str]]:
    """The open sets, and the wild group in the place of a set of twos; empty for those that are not there."""
    groups = []
    for rank in range(RANK_COUNT):
        cards = [CARD_NAMES[card] for card in range(rank, JOKER, RANK_COUNT) for _ in range(sets[card])]
        if rank == TWO:
            cards += [CARD_NAMES[JOKER]] * sets[JOKER]
        assert cards or not set_wild[rank]
        groups.append(_with_wild(cards, set_wild[rank]))
    return groups


@lru_cache(maxsize=_KEPT)
def _run(suit: str, slot: bytes) -> list[str]:
    """The run in a slot, empty if there is none."""
    low, high, hole, twos, wild = slot
    places = [place for place in range(low, high + 1) if low and place not in (2, hole)]
    cards = [RANK_NAMES[(place - 1) % RANK_COUNT] + suit for place in places] + ["2" + suit] * twos
    return _with_wild(cards, wild)


def _with_wild(cards: list[str], code: int) -> list[str]:
    """The cards with the wild of a code, in order."""
    wild = WILD_NAMES[code]
    return sorted(cards + ([wild] if wild else []), key=ORDER.__getitem__)
