"""Which rows of the state's blocks the View shows to each seat, worked out once for a configuration.

With it a View is a gather a block, whatever the number of fields: seats and teams are made relative to the observer
by looking up row numbers, not by moving data.
"""

from typing import Final

import numpy as np
import numpy.typing as npt

from burako_env.burako.melds.bazas import BAZA_KINDS
from burako_env.burako.melds.run_codec import RUN_CELLS
from burako_env.burako.rules import Rules
from burako_env.burako.state import first_rows
from burako_env.burako.turn.actions import FIRST_RUN, action_table
from burako_env.burako.view.layout import view_layout
from burako_env.cards import RANK_COUNT, SUIT_COUNT, TWO

Rows = npt.NDArray[np.intp]

# Fields that stand in the View as they stand in the state, but for what `view.py` does to seats and card codes.
_PLAIN: Final = (
    "actor", "turn", "cutter", "first_draw", "opening", "answer", "single", "single_laid", "drawn", "bottom",
)  # fmt: skip


class ViewPlan:
    """Row numbers by observing seat, and View columns.

    Attributes:
        order: absolute seat of each relative one, `[players, players]` (relative, observer).
        zones: rows of the uint64 block, deck-major, for the counts of cards, `[decks * count, players]`; `count` of
        them a deck.
        hands: rows of all hands, deck-major, `[decks * players, players]`.
        start, parts: first column of the numbers, `phase` to the end, and each of their fields counted from it.
        numbers, number_rows: rows of the byte block that become single columns, `[k, players]`, and which.
        code_rows, seat_rows: those of them that are card codes, and seats.
        tables, table_columns: the same for set wilds, closed counts and the wilds of runs.
        runs: rows of the uint16 block of all runs, `[2 * suits * slots, players]`.
        scatter_*: View column of each row of a team-major field, `[2, rows]` by the observer's team.
    """

    def __init__(self, rules: Rules) -> None:
        self.layout = view_layout(rules)
        first, decks, groups = first_rows(rules), rules.decks, action_table(rules.run_slots).groups
        seats = np.arange(rules.players)
        self.order = (seats + seats[:, None]) % rules.players
        teams = (seats + np.arange(rules.teams)[:, None]) % rules.teams

        def owned(name: str, owners: Rows, each: int, rows: Rows) -> Rows:
            """Rows of a field with `each` rows an owner, owner after owner."""
            return (first[name] + owners[:, None] * each + rows[:, None]).reshape(-1, rules.players)

        def by_deck(name: str, owners: Rows) -> Rows:
            rows = owned(name, owners, decks, np.arange(decks))
            return rows.reshape(len(owners), decks, -1).transpose(1, 0, 2)

        pile = np.broadcast_to(first["pile"] + np.arange(decks)[:, None, None], (decks, 1, rules.players))
        zones = [by_deck("hands", self.order[:1]), by_deck("known", self.order), pile]
        zones += [by_deck("sets", teams), by_deck("closed", teams)]
        every_zone = np.concatenate(zones, axis=1)
        self.count = every_zone.shape[1]
        self.zones = every_zone.reshape(-1, rules.players)
        self.hands = by_deck("hands", self.order).reshape(-1, rules.players)

        plain = np.array([[first[name]] * rules.players for name in (*_PLAIN, "pile_size")])
        self.numbers = np.concatenate([plain, first["burakos_left"] + teams])
        names = (*_PLAIN, "pile_size", "burakos_left")
        self.start = self.layout["phase"].start
        self.parts = {
            field.name: slice(self.layout[field.name].start - self.start, self.layout[field.name].stop - self.start)
            for field in self.layout
            if self.layout[field.name].start >= self.start
        }
        self.number_rows = np.concatenate([self._columns(name) for name in names]) - self.start
        self.code_rows = np.concatenate([self._columns(name) for name in ("single", "drawn", "bottom")]) - self.start
        self.seat_rows = slice(self.parts["actor"].start, self.parts["cutter"].stop)

        ranks, kinds = np.arange(RANK_COUNT), np.arange(len(BAZA_KINDS) - 1)
        slots = FIRST_RUN + np.arange(SUIT_COUNT * rules.run_slots)
        self.runs = owned("groups", teams, groups, slots)
        self.tables = np.concatenate(
            [
                owned("group_wild", teams, groups, ranks),
                owned("group_wild", teams, groups, slots),
                owned("closed_sets", teams, RANK_COUNT, ranks),
                owned("closed_kinds", teams, len(BAZA_KINDS), kinds),
            ]
        )
        sets, closed_sets, closed_kinds = (self._columns(name) for name in ("set_wild", "closed_sets", "closed_kinds"))
        self.run_columns = self._columns("runs")[::RUN_CELLS]
        run_wilds = self.run_columns + RUN_CELLS - 1
        self.table_columns = np.concatenate([sets, run_wilds, closed_sets, closed_kinds])

        def both(*parts: Rows) -> Rows:
            own = np.concatenate([part.reshape(2, -1) for part in parts], axis=1)
            return np.stack([own.reshape(-1), own[::-1].reshape(-1)])

        self.scatter_groups = both(sets, self.run_columns)
        self.scatter_wilds = both(sets, run_wilds)
        self.scatter_closed_sets = both(closed_sets)
        # Closed wild groups are counted once, with the sets of their rank.
        self.scatter_closed_kinds = both(closed_kinds, closed_sets.reshape(2, -1)[:, TWO])

    def _columns(self, name: str) -> Rows:
        part = self.layout[name]
        return np.arange(part.start, part.stop)
