"""Look-ups of the heuristic: what an action is, and runs as bit words. Built once per rules and cached."""

from dataclasses import dataclass
from functools import cache
from typing import Final

import numpy as np
import numpy.typing as npt

from burako_env.burako.melds.groups import FOREIGN_RANK, RunLookups, add_lookup, run_lookups
from burako_env.burako.rules import Rules
from burako_env.burako.turn.actions import FIRST_RUN, NONE, ActionTable, Kind, action_table
from burako_env.cards import JOKER, RANK_COUNT, is_wild, type_values

# Places of a run as bits: bit p - 1 is place p, the low ace 1, the two 2, .. the king 13, the high ace 14.
PLACES: Final = 14
_WORDS: Final = 1 << PLACES


@dataclass(frozen=True)
class Lookups:
    """Everything the heuristic looks up.

    Attributes:
        rules, actions: of the game played.
        runs: what is known of run states (`burako_env.burako.melds.groups`).
        add: what a card adds to a run's state, uint16 `[2, 14]`, see `add_lookup`.
        kind, card, group: of every action, int64 `[A]`; card and group are 0 where there is none.
        wild: action lays a wild. is_run: action lays on a run.
        add_rank: rank a laid card counts as in its run (13: a foreign wild), 0 elsewhere.
        value: points of each card type, float32 `[53]`.
    """

    rules: Rules
    actions: ActionTable
    runs: RunLookups
    add: npt.NDArray[np.uint16]
    kind: npt.NDArray[np.int64]
    card: npt.NDArray[np.int64]
    group: npt.NDArray[np.int64]
    wild: npt.NDArray[np.bool_]
    is_run: npt.NDArray[np.bool_]
    add_rank: npt.NDArray[np.int64]
    value: npt.NDArray[np.float32]


@cache
def lookups(rules: Rules) -> Lookups:
    """The lookups for a configuration."""
    actions = action_table(rules.run_slots)
    kind = actions.rows["kind"].astype(np.int64)
    lay = kind == Kind.LAY
    card = np.where(actions.rows["card"] == NONE, 0, actions.rows["card"]).astype(np.int64)
    group = np.where(lay, actions.rows["group"], 0).astype(np.int64)
    is_run = lay & (group >= FIRST_RUN)
    run_suit = (group - FIRST_RUN) // rules.run_slots
    own_suit = (card != JOKER) & (card // RANK_COUNT == run_suit)
    return Lookups(
        rules=rules,
        actions=actions,
        runs=run_lookups(rules.ace),
        add=add_lookup(),
        kind=kind,
        card=card,
        group=group,
        wild=lay & np.array([is_wild(c) for c in card.tolist()]),
        is_run=is_run,
        add_rank=np.where(is_run, np.where(own_suit, card % RANK_COUNT, FOREIGN_RANK), 0),
        value=type_values(rules.rank_values, rules.joker_value).astype(np.float32),
    )


def _upward() -> npt.NDArray[np.int8]:
    """How many places in a row are filled from a place upwards, int8 `[2**14 * 14]` (word * 14 + place - 1)."""
    words = np.arange(_WORDS, dtype=np.int64)
    table = np.zeros((_WORDS, PLACES), dtype=np.int8)
    length = np.zeros(_WORDS, dtype=np.int8)
    for bit in reversed(range(PLACES)):
        length = np.where(words >> bit & 1, length + 1, 0).astype(np.int8)
        table[:, bit] = length
    return table.ravel()


def _rank_bits() -> npt.NDArray[np.int8]:
    """The 13 lower bits of a word one by one, int8 `[2**14, 13]`."""
    words = np.arange(_WORDS, dtype=np.int64)
    return (words[:, None] >> np.arange(RANK_COUNT) & 1).astype(np.int8)


UPWARD: Final = _upward()
RANK_BITS: Final = _rank_bits()
