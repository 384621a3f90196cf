"""What the features of the children's levels are: the columns of `RuibalEncoder` by name.

A block is a character, and where it has five columns they are its numbers 1 to 5. What the card game has too has the
card game's name: a curriculum carries the weights of columns over by their names. All is laid out for four seats, and
seats that nobody takes stay 0, so that a level has the same columns for 2, 3 and 4 players.
"""

from typing import Final

from agents.learned.encoder import SIZES, STOCK, Feature
from burako_env.ruibal.level1 import PLACES
from burako_env.ruibal.level3.kinds import THREES
from burako_env.ruibal.rules import PLAYERS, PRESETS
from burako_env.ruibal.tiles import COPIES, FORFEITS, NUMBER_COUNT, ROBA, TOMA

SEATS: Final = max(PLAYERS)
# Steps of the thermometers: one flag for each, set from that value on.
LEAD: Final = (-8, -4, -2, 0, 1, 3, 5, 9)
TURNS_LEFT: Final = (2, 3, 4, 5)
PASSES: Final = (1, 2, 3)
TRIES: Final = (1, 2)
JOKERS: Final = (1, 2, 3, 4)
WILDS: Final = (1, 2, 3, 4, 5, 6)
MOST_FORFEITS: Final = sum(COPIES[kind] for kind in FORFEITS)

# What may be told of the board's cells and of runs: see the features `board` and `runs`.
BOARD_FLAGS: Final = 4
RUN_KINDS: Final = 6
SET_KINDS: Final = 25

_RACK: Final = (
    Feature("hand", NUMBER_COUNT, "tile in the own rack"),
    Feature("twice", NUMBER_COUNT, "both copies of it"),
    Feature("near", NUMBER_COUNT, "tile in the rack whose neighbour in number is in the rack"),
    Feature("gap", NUMBER_COUNT, "tile in the rack with the tile two numbers away in the rack"),
    Feature("trio", NUMBER_COUNT, "tile in the rack that is one of three in a row"),
    Feature("own takes", NUMBER_COUNT, "tile that board or table takes by itself"),
    Feature("lays", NUMBER_COUNT, "tile in the rack that board or table takes by itself"),
    Feature("unseen", NUMBER_COUNT, "copies the observer has not seen"),
    Feature("lost", NUMBER_COUNT, "tile stolen from the observer, known to be in the left neighbour's rack"),
    Feature("stolen", NUMBER_COUNT, "tile in the rack that the right neighbour knows of"),
    Feature("across", NUMBER_COUNT, "tile in the rack with one of its number there: in level 2 next to it"),
    Feature("trio across", NUMBER_COUNT, "the same with two of its number: in level 2 three in a row"),
)
_LEVEL1: Final = (Feature("drawn", NUMBER_COUNT, "the tile that is called"),)
_LEVEL2: Final = (
    *_RACK,
    Feature("takes two", NUMBER_COUNT, "tile that would gain two crowns or more by itself"),
    Feature("board", BOARD_FLAGS * NUMBER_COUNT, "cells filled and cells with a joker, in the first and second layer"),
)
_LEVEL3: Final = (
    *_RACK,
    Feature("gives", NUMBER_COUNT, "tile that a collection of four or five on the table can give"),
    Feature("runs", RUN_KINDS, "runs on the table, by kind"),
    Feature("jokers on table", NUMBER_COUNT, "jokers that stand for the tile"),
)
_TURN_REST: Final = (
    Feature("jokers", len(JOKERS), "jokers in the rack, thermometer"),
    Feature("wilds", len(WILDS), "the same: the jokers are all the wilds there are"),
    Feature("pairs", NUMBER_COUNT, "two characters of a number in the rack"),
    Feature("trios", NUMBER_COUNT, "three characters of a number in the rack"),
    Feature("sizes", SEATS * len(SIZES), "tiles in each rack, thermometer"),
    Feature("stock", len(STOCK), "tiles in the pool, thermometer"),
    Feature("roba", COPIES[ROBA], "ROBA UNA in the rack, thermometer"),
    Feature("toma", COPIES[TOMA], "TOMA DOS in the rack, thermometer"),
    Feature("otro", COPIES[FORFEITS[-1]], "OTRO TURNO in the rack, thermometer"),
    Feature("used", MOST_FORFEITS, "forfeits used, thermometer"),
    Feature("moving", 1, "in the middle of a turn"),
    Feature("turns left", len(TURNS_LEFT), "turns of the seat to act, thermometer"),
    Feature("passes", len(PASSES), "passes in a row, thermometer"),
    Feature("lead", (SEATS - 1) * len(LEAD), "crowns more than each other seat, thermometer"),
)
_REST1: Final = (
    Feature("match", PLACES, "the place of the tile that is called"),
    Feature("stock", len(STOCK), "tiles still to be called, thermometer"),
    Feature("tries", len(TRIES), "calls of it already made, thermometer"),
    Feature("sitting", SEATS, "sits this call out"),
    Feature("lead", (SEATS - 1) * len(LEAD), "crowns more than each other seat, thermometer"),
)
_REST3: Final = (
    *_TURN_REST,
    Feature("sets", SET_KINDS, "sets on the table, by kind"),
    Feature("makes", len(THREES), "kinds of three that rack and table give together without a joker"),
)

BLOCK_FEATURES: Final = dict(zip(PRESETS, (_LEVEL1, _LEVEL2, _LEVEL3), strict=True))
REST_FEATURES: Final = dict(zip(PRESETS, (_REST1, _TURN_REST, _REST3), strict=True))
