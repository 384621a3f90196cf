"""The state of a batch of card games: the declared list of its fields (`fields.py` says how they are kept)."""

from collections.abc import Callable
from functools import cache
from typing import Any, get_args, get_type_hints

import numpy as np
import numpy.typing as npt

from burako_env.burako.melds.bazas import BAZA_KINDS
from burako_env.burako.melds.groups import MAX_CARDS
from burako_env.burako.rules import Rules
from burako_env.burako.turn.actions import NONE, action_table
from burako_env.burako.zones import NATURALS, SUITED, WILD_TYPE_BITS, Bytes, Words
from burako_env.cards import RANK_COUNT
from burako_env.kit.fields import FieldRows, FieldState, first_rows_of

# Values of the byte fields `phase`, `answer` and `reason`.
DRAW, LOOK, LAY, ANSWER, BURAKO, OVER = range(6)
NOT_ASKED, ASKED, YES, NO = range(4)
LIVE, OUT, EXHAUSTED, TRUNCATED = range(4)


def _groups(rules: Rules) -> int:
    return rules.teams * action_table(rules.run_slots).groups


def accept_rows(rules: Rules) -> int:
    """Words of what a team's table accepts; see `accept.py`."""
    return 2 * rules.run_slots + 4


def reserve_rows(rules: Rules) -> int:
    """Rows of `state.deck` that the burakos take; the stock follows."""
    return rules.teams * rules.burakos_per_team * rules.burako_size


def _deck_rows(rules: Rules) -> int:
    # A position may have any number of cards in its stock.
    return reserve_rows(rules) + rules.card_count


def _empty_table(rules: Rules) -> list[int]:
    """Both teams' accept words of an empty table: every set may be opened, every run on slot 0."""
    words = [0] * accept_rows(rules)
    words[rules.run_slots + 2] = int(NATURALS | WILD_TYPE_BITS)
    words[rules.run_slots + 4] = int(SUITED)
    return words * rules.teams


Fresh = int | Callable[[Rules], list[int]]


def _field(rows: Callable[[Rules], int] | None, meaning: str, fresh: Fresh = 0, *, sanctions: bool = False) -> Any:
    """A declared field: rows for a configuration (None: one row, kept as `[B]`), and what a fresh game holds."""
    return rows, meaning, fresh, sanctions


class State(FieldState):
    """Arrays of B games: every field is declared here once, its dtype by its type."""

    hands: Words = _field(lambda r: r.players * r.decks, "seat-major: zone of each hand")
    known: Words = _field(lambda r: r.players * r.decks, "INFO-3: the part of each hand that everyone knows")
    pile: Words = _field(lambda r: r.decks, "zone of the pile")
    sets: Words = _field(lambda r: r.teams * r.decks, "team-major: naturals in open sets, cards of the wild group")
    runs: Words = _field(lambda r: r.teams * r.decks, "cards of open runs, and the wilds in open sets")
    closed: Words = _field(lambda r: r.teams * r.decks, "cards of closed bazas")
    accept: Words = _field(
        lambda r: r.teams * accept_rows(r), "team-major: what the table accepts (accept.py)", _empty_table
    )
    bazas: Words = _field(lambda r: r.card_count // MAX_CARDS * r.decks, "zone of each closed baza, in order")
    groups: npt.NDArray[np.uint16] = _field(_groups, "team-major: state of every group (groups.py)")
    group_wild: Bytes = _field(_groups, "wild code of the foreign wild in each set and run")
    closed_kinds: Bytes = _field(lambda r: r.teams * len(BAZA_KINDS), "closed bazas by team and baza kind")
    closed_sets: Bytes = _field(lambda r: r.teams * RANK_COUNT, "closed sets by team and rank; the twos: wild groups")
    full_suits: Bytes = _field(lambda r: r.teams, "suits of a team at the bound of open runs (GROUP-8)")
    baza_count: Bytes = _field(None, "closed bazas so far")
    taken_by: Bytes = _field(
        lambda r: max(1, r.teams * r.burakos_per_team), "team-major: seat that took the i-th burako", NONE
    )
    burakos_left: Bytes = _field(lambda r: r.teams, "burakos on the table by team")
    actor: Bytes = _field(None, "seat to act")
    turn: Bytes = _field(None, "seat whose turn it is")
    cutter: Bytes = _field(None, "seat that cut")
    phase: Bytes = _field(None, "DRAW .. OVER")
    first_draw: Bytes = _field(None, "TURN-2: no draw yet in this hand", 1)
    opening: Bytes = _field(None, "cards laid of the half open group")
    answer: Bytes = _field(None, "OUT-3 this turn: NOT_ASKED .. NO")
    single: Bytes = _field(None, "TURN-5: type taken as a one-card pile", NONE)
    single_laid: Bytes = _field(None, "TURN-5: one of it laid since")
    drawn: Bytes = _field(None, "type drawn from the stock this turn", NONE)
    bottom: Bytes = _field(None, "natural the cutter saw at the stock's bottom", NONE)
    open_group: Bytes = _field(None, "number of the half open group")
    reason: Bytes = _field(None, "LIVE, OUT, EXHAUSTED, TRUNCATED")
    out_seat: Bytes = _field(None, "seat that went out", NONE)
    swapped: Bytes = _field(None, "dealt with the teams' seats exchanged")
    pile_size: Bytes = _field(None, "cards in the pile")
    pile_order: Bytes = _field(lambda r: r.card_count, "types in the pile, bottom first", NONE)
    deck: Bytes = _field(_deck_rows, "physical cards: burakos team-major, then the stock, top first", NONE)
    stock_next: npt.NDArray[np.int16] = _field(None, "row of `deck` drawn next")
    stock_end: npt.NDArray[np.int16] = _field(None, "row after the stock's bottom")
    turns: npt.NDArray[np.int16] = _field(None, "turns completed")
    final_turns: npt.NDArray[np.int16] = _field(None, "END-1: turns to come after this one, -1: stock not empty", -1)
    bound_hits: npt.NDArray[np.int16] = _field(
        None, "decisions at which the bound of runs withheld an opening (GROUP-8)"
    )
    decisions: npt.NDArray[np.int32] = _field(None, "actions taken")
    totals: npt.NDArray[np.int32] = _field(lambda r: r.teams, "MATCH-1: points of the teams before this hand")
    target: npt.NDArray[np.int32] = _field(None, "MATCH-1: total that ends the match, 0 outside a match")
    deal_ids: npt.NDArray[np.int64] = _field(None, "deal of each game")
    apart: Words = _field(lambda r: r.decks, "SANCTION-4: zone of the discarded wilds that lie apart", sanctions=True)
    offer: Bytes = _field(
        None, "SANCTION-4: type of the wild that the next player to draw may take", NONE, sanctions=True
    )
    must_pass: Bytes = _field(None, "SANCTION-4: bit s: seat s passes its next turn", sanctions=True)
    annulled: Bytes = _field(None, "annulled cards that still lie at the stock's bottom", sanctions=True)

    def __init__(self, rules: Rules, size: int) -> None:
        self.rules = rules
        super().__init__(state_fields(rules), size)


@cache
def state_fields(rules: Rules) -> tuple[FieldRows, ...]:
    """The declared fields of `State` with their rows for a configuration."""
    fields = []
    for name, kind in get_type_hints(State).items():
        if name in vars(State):
            rows, _, fresh, sanctions = vars(State)[name]
            if rules.sanctions or not sanctions:
                dtype = np.dtype(get_args(get_args(kind)[1])[0]).str[1:]
                count = rows(rules) if rows else None
                values = fresh(rules) if callable(fresh) else [fresh] * (count or 1)
                fields.append(FieldRows(name, dtype, count, tuple(values)))
    return tuple(fields)


def first_rows(rules: Rules) -> dict[str, int]:
    """First row of each field in the block of its dtype."""
    return first_rows_of(state_fields(rules))
