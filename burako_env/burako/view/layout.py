"""The View of the card game as a table: field, shape, meaning. All of it is relative to the observer.

Seats are counted from the observer (0) to the left; team 0 is the observer's own. Cards as counts are by type
(`cards.py`). Cards as codes are `type + 1`, 0 for none. Wild codes: 1 to 4 the two of clubs, diamonds, hearts,
spades, 5 the joker, 0 none. Points take two columns, floor hundreds and the rest; counts saturate at 127, hundreds
at -128 and 127.
"""

from functools import cache
from typing import Final

from burako_env.burako.melds.bazas import BAZA_KINDS
from burako_env.burako.melds.run_codec import RUN_CELLS
from burako_env.burako.rules import Rules
from burako_env.burako.sanctions.fields import sanction_fields
from burako_env.cards import RANK_COUNT, SUIT_COUNT, TYPE_COUNT
from burako_env.layout import Field, ViewLayout

PHASES: Final = ("draw", "look", "lay", "answer", "burako")
OVER: Final = len(PHASES)
PILE_TOP: Final = 8
ANSWERS: Final = ("none", "asked", "yes", "no")


@cache
def view_layout(rules: Rules) -> ViewLayout:
    """The layout for a configuration (players and run slots set its width)."""
    players, teams, slots = rules.players, rules.teams, rules.run_slots
    return ViewLayout(
        (
            Field("hand", (TYPE_COUNT,), "own cards"),
            Field(
                "known",
                (players, TYPE_COUNT),
                "INFO-3: cards each seat is publicly known to hold, from the pile or shown wilds",
            ),
            Field("pile", (TYPE_COUNT,), "cards of the pile"),
            Field("sets", (teams, TYPE_COUNT), "naturals in open sets; at the wild types: the cards of the wild group"),
            Field("closed", (teams, TYPE_COUNT), "cards of closed bazas"),
            Field("set_wild", (teams, RANK_COUNT), "wild code of the wild in the open set of each rank"),
            Field(
                "runs",
                (teams, SUIT_COUNT, slots, RUN_CELLS),
                "open runs by slot: lowest and highest place of a natural other than a two (ace low 1, 3 is 3, .. "
                "king 13, ace high 14; 0 none), the hole between them (its place, 0 none; place 2 is none if the "
                "run has an own two), own twos (natural or wild), wild code of a foreign wild",
            ),
            Field("closed_sets", (teams, RANK_COUNT), "closed sets of each rank; at the twos: closed wild groups"),
            Field("closed_kinds", (teams, len(BAZA_KINDS) - 1), "closed bazas by kind: " + ", ".join(BAZA_KINDS[:-1])),
            Field("phase", (len(PHASES),), "one-hot: " + ", ".join(PHASES) + " (over: all 0)"),
            Field("hand_sizes", (players,), "cards of each seat, at most 127"),
            Field("stock_size", (), "cards left in the stock, at most 127"),
            Field("pile_size", (), "cards in the pile, at most 127"),
            Field("pile_top", (PILE_TOP,), "card codes of the last cards of the pile, newest first"),
            Field("burakos_left", (teams,), "burakos still on the table"),
            Field("burakos_taken", (players,), "burakos each seat has taken"),
            Field("first_taker", (teams,), "1 + seat that took the team's first burako, 0 none"),
            Field("actor", (), "seat to act"),
            Field("turn", (), "seat whose turn it is (differs from actor in the answer phase)"),
            Field("cutter", (), "seat that cut"),
            Field("first_draw", (), "1 before the first draw of the hand has been taken"),
            Field("opening", (), "cards laid of a half open group (it is the only group below 3 cards)"),
            Field("answer", (), "OUT-3 this turn: 0 not asked, 1 asked, 2 yes, 3 no"),
            Field("single", (), "TURN-5: code of the card taken as a one-card pile this turn"),
            Field("single_laid", (), "TURN-5: 1 if one of that type has been laid since"),
            Field("drawn", (), "code of the card just drawn from the stock; only in the drawer's View"),
            Field(
                "bottom",
                (),
                "code of the natural seen at the stock's bottom while it lies there; only in the cutter's View",
            ),
            Field("turns", (2,), "completed turns: hundreds, rest"),
            Field("final_turns", (), "END-1: turns still to come after this one, -1 before the stock ran out"),
            Field("totals", (teams, 2), "MATCH-1: points of both teams before this hand: hundreds, rest"),
            Field("target", (2,), "MATCH-1: total that ends the match (0 outside a match): hundreds, rest"),
            *sanction_fields(rules),
        )
    )
