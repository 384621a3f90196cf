"""A core View in the words of the reference's `view`: read back field by field, by the layout's own descriptions."""

from __future__ import annotations

from collections import Counter
from typing import Any

import numpy as np

from burako_env.burako.view_layout import ANSWERS, KINDS, OVER, PHASES
from burako_env.cards import CARD_NAMES, RANK_COUNT, RANK_NAMES, SUITS, TWO, WILD_TYPES
from burako_env.layout import View

WILD_NAMES = [None, *(CARD_NAMES[card] for card in WILD_TYPES)]


def view_words(view: View, row: int) -> dict[str, Any]:
    """What one row says, in the shape of `ReferenceHand.view`; the pile only as counts and its last cards."""
    field = {one.name: view.field(one.name)[row].astype(int) for one in view.layout}
    phases = np.flatnonzero(field["phase"])
    assert len(phases) <= 1
    return {
        "hand": _counter(field["hand"]),
        "known": [_counter(seat) for seat in field["known"]],
        "pile": _counter(field["pile"]),
        "pile_top": [CARD_NAMES[code - 1] for code in field["pile_top"] if code],
        "tables": [_groups(field, team) for team in range(2)],
        "closed": [_counter(team) for team in field["closed"]],
        "closed_kinds": [_kinds(field, team) for team in range(2)],
        "closed_sets": [_named(RANK_NAMES, field["closed_sets"][team]) for team in range(2)],
        "phase": (*PHASES, "over")[phases[0] if len(phases) else OVER],
        "hand_sizes": field["hand_sizes"].tolist(),
        "stock_size": int(field["stock_size"]),
        "pile_size": int(field["pile_size"]),
        "burakos_left": field["burakos_left"].tolist(),
        "burakos_taken": field["burakos_taken"].tolist(),
        "first_taker": [int(seat) - 1 if seat else None for seat in field["first_taker"]],
        "actor": int(field["actor"]),
        "turn": int(field["turn"]),
        "cutter": int(field["cutter"]),
        "first_draw": bool(field["first_draw"]),
        "opening": int(field["opening"]),
        "answer": (None, *ANSWERS[1:])[field["answer"]],
        "single": _code(field["single"]),
        "single_laid": bool(field["single_laid"]),
        "drawn": _code(field["drawn"]),
        "bottom": _code(field["bottom"]),
        "turns": int(field["turns"][0] * 100 + field["turns"][1]),
        "final_turns": None if field["final_turns"] < 0 else int(field["final_turns"]),
    }


def reference_words(words: dict[str, Any]) -> dict[str, Any]:
    """The reference's view with its pile and tables in the form of `view_words`."""
    pile = words["pile"]
    return {
        **words,
        "pile": Counter(pile),
        "pile_top": pile[::-1][:8],
        "pile_size": len(pile),
        "tables": [sorted(sorted(group) for group in team) for team in words["tables"]],
    }


def _code(code: Any) -> str | None:
    return CARD_NAMES[code - 1] if code else None


def _counter(counts: Any) -> Counter[str]:
    return _named(CARD_NAMES, counts)


def _named(names: Any, counts: Any) -> Counter[str]:
    return Counter({name: int(count) for name, count in zip(names, counts, strict=True) if count})


def _kinds(field: dict[str, Any], team: int) -> Counter[str]:
    counts = [*field["closed_kinds"][team], field["closed_sets"][team][TWO]]
    return _named(KINDS, counts)


def _groups(field: dict[str, Any], team: int) -> list[list[str]]:
    groups: list[list[str]] = []
    in_sets = _counter(field["sets"][team])
    for rank, name in enumerate(RANK_NAMES):
        cards = [card for card in in_sets.elements() if card != "JK" and card[:-1] == name]
        if rank == TWO:
            cards += ["JK"] * in_sets["JK"]
        wild = WILD_NAMES[field["set_wild"][team][rank]]
        if cards:
            groups.append(cards + ([wild] if wild else []))
        else:
            assert wild is None
    for suit, slots in enumerate(field["runs"][team]):
        for low, high, hole, twos, wild in slots:
            places = [place for place in range(low, high + 1) if low and place not in (2, hole)]
            cards = [RANK_NAMES[(place - 1) % RANK_COUNT] + SUITS[suit] for place in places]
            cards += ["2" + SUITS[suit]] * int(twos)
            if wild:
                cards.append(WILD_NAMES[wild] or "")
            if cards:
                groups.append(cards)
    return sorted(sorted(group) for group in groups)
