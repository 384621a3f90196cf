"""The fields that sanctions play appends to the View: what everyone saw (INFO-1)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from burako_env.cards import WILD_TYPES
from burako_env.layout import Field

if TYPE_CHECKING:
    from burako_env.burako.rules import Rules


def sanction_fields(rules: Rules) -> tuple[Field, ...]:
    """The fields of a configuration."""
    if not rules.sanctions:
        return ()
    return (
        Field("apart", (len(WILD_TYPES),), "SANCTION-4: wilds that lie apart, by wild code less 1"),
        Field("offer", (), "SANCTION-4: card code of the one that the next player to draw may take"),
        Field("must_pass", (rules.players,), "SANCTION-4: 1 for each seat that passes its next turn"),
        Field("stock_unknown", (), "cards of the stock above the annulled ones, at most 127"),
        Field("annulled", (rules.card_count,), "card codes of the annulled cards at the stock's bottom, topmost first"),
    )
