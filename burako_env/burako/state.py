"""The state of a batch of card games: the declared list of its fields (`fields.py` says how they are kept).

A *zone* (a hand, the pile, a part of a table) is a set of physical cards: one uint64 per deck, bits 0 to 51 the card
types, bits 52 and 53 the deck's jokers.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from burako_env.burako.melds.groups import MAX_CARDS
from burako_env.burako.rules import Rules
from burako_env.burako.turn.actions import NONE, action_table
from burako_env.cards import RANK_COUNT, SUIT_COUNT, WILD_TYPES
from burako_env.kit.fields import FieldRows, FieldState, first_rows_of

Words = npt.NDArray[np.uint64]
Bytes = npt.NDArray[np.uint8]
Bools = npt.NDArray[np.bool_]

BITS_PER_DECK: Final = 54


def _word(bits: Any) -> np.uint64:
    return np.uint64(sum(1 << int(bit) for bit in bits))


ZERO: Final = np.uint64(0)
ONE: Final = np.uint64(1)
ALL: Final = np.uint64(2**64 - 1)
JOKERS: Final = _word((52, 53))
JOKER_BIT: Final = _word((52,))
TWOS: Final = _word(WILD_TYPES[:4])
WILDS: Final = TWOS | JOKERS
WILD_TYPE_BITS: Final = TWOS | JOKER_BIT
ACES: Final = _word(13 * suit for suit in range(SUIT_COUNT))
SUITED: Final = _word(range(52))
NATURALS: Final = SUITED & ~TWOS
# Physical cards of a type in one deck, uint64 [256]; nothing for NONE.
TYPE_MASK: Final = np.array([1 << t for t in range(52)] + [3 << 52] + [0] * 203, dtype=np.uint64)

# Values of the byte fields `phase`, `answer` and `reason`.
DRAW, LOOK, LAY, ANSWER, BURAKO, OVER = range(6)
NOT_ASKED, ASKED, YES, NO = range(4)
LIVE, OUT, EXHAUSTED, TRUNCATED = range(4)


@dataclass(frozen=True)
class StateField:
    """A declared field: name, dtype, rows for a configuration (None: one row, kept as `[B]`), and what a fresh game
    holds.
    """

    name: str
    dtype: str
    rows: Callable[[Rules], int] | None
    fresh: int | Callable[[Rules], list[int]]
    meaning: str

    def row_count(self, rules: Rules) -> int:
        """Rows of the field."""
        return self.rows(rules) if self.rows else 1

    def fresh_rows(self, rules: Rules) -> list[int]:
        """Values of a fresh game, one a row."""
        return self.fresh(rules) if callable(self.fresh) else [self.fresh] * self.row_count(rules)


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


FIELDS: Final = (
    StateField("hands", "u8", lambda r: r.players * r.decks, 0, "seat-major: zone of each hand"),
    StateField("known", "u8", lambda r: r.players * r.decks, 0, "INFO-3: the part of each hand that everyone knows"),
    StateField("pile", "u8", lambda r: r.decks, 0, "zone of the pile"),
    StateField("sets", "u8", lambda r: 2 * r.decks, 0, "team-major: naturals in open sets, cards of the wild group"),
    StateField("runs", "u8", lambda r: 2 * r.decks, 0, "cards of open runs, and the wilds in open sets"),
    StateField("closed", "u8", lambda r: 2 * r.decks, 0, "cards of closed bazas"),
    StateField(
        "accept", "u8", lambda r: 2 * accept_rows(r), _empty_table, "team-major: what the table accepts (accept.py)"
    ),
    StateField("bazas", "u8", lambda r: r.card_count // MAX_CARDS * r.decks, 0, "zone of each closed baza, in order"),
    StateField("groups", "u2", _groups, 0, "team-major: state of every group (groups.py)"),
    StateField("group_wild", "u1", _groups, 0, "wild code of the foreign wild in each set and run"),
    StateField("closed_kinds", "u1", lambda r: 2 * 7, 0, "closed bazas by team and kind (view_layout.KINDS)"),
    StateField("closed_sets", "u1", lambda r: 2 * RANK_COUNT, 0, "closed sets by team and rank; the twos: wild groups"),
    StateField("full_suits", "u1", lambda r: 2, 0, "suits of a team at the bound of open runs (GROUP-8)"),
    StateField("baza_count", "u1", None, 0, "closed bazas so far"),
    StateField(
        "taken_by", "u1", lambda r: max(1, 2 * r.burakos_per_team), NONE, "team-major: seat that took the i-th burako"
    ),
    StateField("burakos_left", "u1", lambda r: 2, 0, "burakos on the table by team"),
    StateField("actor", "u1", None, 0, "seat to act"),
    StateField("turn", "u1", None, 0, "seat whose turn it is"),
    StateField("cutter", "u1", None, 0, "seat that cut"),
    StateField("phase", "u1", None, 0, "DRAW .. OVER"),
    StateField("first_draw", "u1", None, 1, "TURN-2: no draw yet in this hand"),
    StateField("opening", "u1", None, 0, "cards laid of the half open group"),
    StateField("answer", "u1", None, 0, "OUT-3 this turn: NOT_ASKED .. NO"),
    StateField("single", "u1", None, NONE, "TURN-5: type taken as a one-card pile"),
    StateField("single_laid", "u1", None, 0, "TURN-5: one of it laid since"),
    StateField("drawn", "u1", None, NONE, "type drawn from the stock this turn"),
    StateField("bottom", "u1", None, NONE, "natural the cutter saw at the stock's bottom"),
    StateField("open_group", "u1", None, 0, "number of the half open group"),
    StateField("reason", "u1", None, 0, "LIVE, OUT, EXHAUSTED, TRUNCATED"),
    StateField("out_seat", "u1", None, NONE, "seat that went out"),
    StateField("swapped", "u1", None, 0, "dealt with the teams' seats exchanged"),
    StateField("pile_size", "u1", None, 0, "cards in the pile"),
    StateField("pile_order", "u1", lambda r: r.card_count, NONE, "types in the pile, bottom first"),
    StateField("deck", "u1", _deck_rows, NONE, "physical cards: burakos team-major, then the stock, top first"),
    StateField("stock_next", "i2", None, 0, "row of `deck` drawn next"),
    StateField("stock_end", "i2", None, 0, "row after the stock's bottom"),
    StateField("turns", "i2", None, 0, "turns completed"),
    StateField("final_turns", "i2", None, -1, "END-1: turns to come after this one, -1: stock not empty"),
    StateField("bound_hits", "i2", None, 0, "decisions at which the bound of open runs withheld an opening (GROUP-8)"),
    StateField("decisions", "i4", None, 0, "actions taken"),
    StateField("totals", "i4", lambda r: 2, 0, "MATCH-1: points of the teams before this hand"),
    StateField("target", "i4", None, 0, "MATCH-1: total that ends the match, 0 outside a match"),
    StateField("deal_ids", "i8", None, 0, "deal of each game"),
)


# What sanctions play keeps beside.
SANCTION_FIELDS: Final = (
    StateField("apart", "u8", lambda r: r.decks, 0, "SANCTION-4: zone of the discarded wilds that lie apart"),
    StateField("offer", "u1", None, NONE, "SANCTION-4: type of the one that the next player to draw may take"),
    StateField("must_pass", "u1", None, 0, "SANCTION-4: bit s: seat s passes its next turn"),
    StateField("annulled", "u1", None, 0, "annulled cards that still lie at the stock's bottom"),
)


@cache
def fields_of(rules: Rules) -> tuple[StateField, ...]:
    """The declared fields of a configuration."""
    return FIELDS + SANCTION_FIELDS if rules.sanctions else FIELDS


@cache
def field_rows(rules: Rules) -> tuple[FieldRows, ...]:
    """The fields with their rows for a configuration."""
    return tuple(
        FieldRows(
            field.name, field.dtype, field.row_count(rules) if field.rows else None, tuple(field.fresh_rows(rules))
        )
        for field in fields_of(rules)
    )


def first_rows(rules: Rules) -> dict[str, int]:
    """First row of each field in the block of its dtype."""
    return first_rows_of(field_rows(rules))


class State(FieldState):
    """Arrays of B games. `state.hands` is a view `[rows, B]` of its block, fields with one row are `[B]`."""

    hands: Words
    known: Words
    pile: Words
    sets: Words
    runs: Words
    closed: Words
    accept: Words
    bazas: Words
    groups: npt.NDArray[np.uint16]
    group_wild: Bytes
    closed_kinds: Bytes
    closed_sets: Bytes
    full_suits: Bytes
    baza_count: Bytes
    taken_by: Bytes
    burakos_left: Bytes
    turn: Bytes
    actor: Bytes
    phase: Bytes
    opening: Bytes
    open_group: Bytes
    answer: Bytes
    single: Bytes
    single_laid: Bytes
    drawn: Bytes
    first_draw: Bytes
    cutter: Bytes
    bottom: Bytes
    reason: Bytes
    out_seat: Bytes
    swapped: Bytes
    pile_size: Bytes
    pile_order: Bytes
    deck: Bytes
    stock_next: npt.NDArray[np.int16]
    stock_end: npt.NDArray[np.int16]
    turns: npt.NDArray[np.int16]
    final_turns: npt.NDArray[np.int16]
    bound_hits: npt.NDArray[np.int16]
    decisions: npt.NDArray[np.int32]
    totals: npt.NDArray[np.int32]
    target: npt.NDArray[np.int32]
    deal_ids: npt.NDArray[np.int64]
    # Only in sanctions play.
    apart: Words
    offer: Bytes
    must_pass: Bytes
    annulled: Bytes

    def __init__(self, rules: Rules, size: int) -> None:
        self.rules = rules
        super().__init__(field_rows(rules), size)


def mask_of(condition: Bools) -> Words:
    """All ones where the condition holds, else nothing (cheaper than `np.where` on small batches)."""
    mask: Words = np.negative(condition.astype(np.uint64))
    return mask
