"""What sanctions play adds to positions, both ways."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from burako_env.burako.position import Cards, Position, PositionError
from burako_env.burako.state import State, Words
from burako_env.burako.turn.actions import NONE
from burako_env.cards import card_name, is_wild


def fill(state: State, game: int, position: Position, zone: Callable[[Cards], Words]) -> None:
    """Write the fields of sanctions play; `zone` places cards. Raises `PositionError`."""
    if not state.rules.sanctions:
        if position.apart or position.must_pass or position.annulled or position.offer is not None:
            raise PositionError("apart, offer, must_pass and annulled belong to sanctions play (SANCTION)")
        return
    if not all(map(is_wild, position.apart)):
        raise PositionError("only wilds lie apart (SANCTION-4)")
    if position.offer is not None and position.offer not in position.apart:
        raise PositionError(f"{card_name(position.offer)} is offered but does not lie apart (SANCTION-4)")
    if position.annulled > len(position.stock):
        raise PositionError(f"{position.annulled} annulled cards in a stock of {len(position.stock)}")
    whose_turn = position.turn if position.asker is None else position.asker
    if position.phase != "burako" and position.phase != "over" and whose_turn in position.must_pass:
        raise PositionError(f"seat {whose_turn} is to pass, so it has no turn (SANCTION-4)")
    state.apart[:, game] = zone(position.apart)
    state.offer[game] = NONE if position.offer is None else position.offer
    state.must_pass[game] = sum(1 << seat for seat in position.must_pass)
    state.annulled[game] = position.annulled


def found(state: State, game: int, cards: Callable[[Words], Cards]) -> dict[str, Any]:
    """The fields of a `Position` that strict play leaves at their defaults; `cards` reads a zone."""
    if not state.rules.sanctions:
        return {}
    offer = int(state.offer[game])
    return {
        "apart": cards(state.apart[:, game]),
        "offer": None if offer == NONE else offer,
        "must_pass": np.flatnonzero(int(state.must_pass[game]) >> np.arange(state.rules.players) & 1).tolist(),
        "annulled": int(state.annulled[game]),
    }
