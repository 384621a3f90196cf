"""What the first heuristic looks up: what an action is, and runs as words of places."""

from typing import Final

import numpy as np
import numpy.typing as npt

from burako_env.burako.melds.groups import FOREIGN, FOREIGN_RANK, OWN_TWO, add_lookup, place_state, run_lookups
from burako_env.burako.rules import Rules
from burako_env.burako.turn.actions import FIRST_RUN, NONE, Kind, action_table
from burako_env.cards import JOKER, RANK_COUNT, is_wild, type_values

# Places of a run as bits: bit p - 1 is place p, the low ace 1, the two 2, .. the king 13, the high ace 14.
PLACES: Final = 14


class Lookups:
    """Lookups for the rules of a game.

    runs: what is known of run states. add: what a card adds to a state, uint16 `[2, 14]` (`add_lookup`). kind, card,
    group: of every action, int64 `[A]`, 0 where there is none. wild, is_run: bool `[A]`, it lays a wild, lays on a run.
    add_rank: rank that a laid card counts as in its run, int64 `[A]`. value: points of each type, float32 `[53]`.
    """

    def __init__(self, rules: Rules) -> None:
        self.rules, self.runs, self.add = rules, run_lookups(rules.ace), add_lookup()
        table = action_table(rules.run_slots)
        self.groups, self.first_discard = table.groups, 64 * table.discards
        self.kind = table.rows["kind"].astype(np.int64)
        lay = self.kind == Kind.LAY
        self.card = np.where(table.rows["card"] == NONE, 0, table.rows["card"]).astype(np.int64)
        self.group = np.where(lay, table.rows["group"], 0).astype(np.int64)
        self.wild = lay & np.array([is_wild(card) for card in self.card.tolist()])
        self.is_run = lay & (self.group >= FIRST_RUN)
        suit = (self.group - FIRST_RUN) // rules.run_slots
        own_suit = (self.card != JOKER) & (self.card // RANK_COUNT == suit)
        self.add_rank = np.where(self.is_run, np.where(own_suit, self.card % RANK_COUNT, FOREIGN_RANK), 0)
        self.value = type_values(rules.rank_values, rules.joker_value).astype(np.float32)


def run_states(runs: npt.NDArray[np.int8]) -> npt.NDArray[np.uint16]:
    """States of runs as the View has them, `[..., 5]` (low, high, hole, own twos, code of a foreign wild)."""
    low, high, hole = (runs[..., part].astype(np.intp) for part in range(3))
    states = _SPAN.take(low * (PLACES + 1) + high) - _NATURAL.take(hole)
    states += runs[..., 3].astype(np.uint16) * np.uint16(OWN_TWO)
    states += (runs[..., 4] > 0).astype(np.uint16) * np.uint16(FOREIGN)
    return states


# State bit of the natural at each place, uint16 [15]; 0 for no place and for the two.
_NATURAL: Final = np.array([0 if p in (0, 2) else place_state(p) for p in range(PLACES + 1)], dtype=np.uint16)
# State bits of the naturals from a low to a high place, uint16 [15 * 15] (low * 15 + high).
_SPAN: Final = np.array(
    [_NATURAL[low : high + 1].sum() if low else 0 for low in range(PLACES + 1) for high in range(PLACES + 1)],
    dtype=np.uint16,
)
# The 13 lower bits of a word one by one, int8 [2**14, 13].
RANK_BITS: Final = (np.arange(1 << PLACES)[:, None] >> np.arange(RANK_COUNT) & 1).astype(np.int8)
