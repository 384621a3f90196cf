"""The View of level 2: racks and pool as `ruibal/view.py` says, and the board."""

from __future__ import annotations

from functools import cache

import numpy as np

from burako_env.layout import Field, View, ViewLayout
from burako_env.ruibal.level2.state import LAYERS, PHASES, BoardState
from burako_env.ruibal.rules import RuibalRules
from burako_env.ruibal.tiles import CELL_COUNT, CHARACTER_COUNT, NUMBER_COUNT
from burako_env.ruibal.turns import Seats
from burako_env.ruibal.view import empty_view, fill_rack_fields, rack_view_fields
from burako_env.ruibal.zones import Index

EMPTY, NATURAL, JOKER = range(3)


@cache
def view_layout(rules: RuibalRules) -> ViewLayout:
    """The layout for a number of players."""
    board = Field(
        "board",
        (LAYERS, CHARACTER_COUNT, NUMBER_COUNT),
        "cells of each layer by character (lion, crocodile, tiger, bear) and number: 0 empty, 1 its tile, 2 a joker",
    )
    rack, *rest = rack_view_fields(rules, PHASES)
    return ViewLayout((rack, board, *rest))


def build_view(state: BoardState, games: Index, seats: Seats) -> View:
    """What seats see, int8 `[n, F]`."""
    view = empty_view(view_layout(state.rules), len(games))
    fill_rack_fields(view, state, games, seats)
    for layer in range(LAYERS):
        board = view.board[:, layer].reshape(-1, CHARACTER_COUNT * NUMBER_COUNT)
        for cells in (state.filled[layer, games], state.jokers[layer, games]):
            bits = np.unpackbits(cells.view(np.uint8).reshape(-1, 4), axis=1, bitorder="little")
            board += bits[:, :CELL_COUNT].view(np.int8)
        view.board[:, layer] = board.reshape(-1, CHARACTER_COUNT, NUMBER_COUNT)
    return view
