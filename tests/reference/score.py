"""Points of a hand, worked out from where the cards lie (SCORE-1 to SCORE-6)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from .cards import VALUE, value
from .groups import FULL, baza_kind

if TYPE_CHECKING:
    from .hand import ReferenceHand

# SCORE-1
BAZA_POINTS = {
    "wilds": 700,
    "clean aces": 400,
    "dirty aces": 200,
    "clean set": 200,
    "dirty set": 100,
    "clean run": 200,
    "dirty run": 100,
}
BURAKO_POINTS = 100
OUT_POINTS = 100


def final_scores(hand: ReferenceHand) -> list[tuple[int, list[str]]]:
    """For each team its points and the ids of the rules they follow; a live hand counts as ended by END-1."""
    out_team = hand.team if hand.reason == "out" else None
    return [team_score(hand, team, out_team) for team in (0, 1)]


def team_score(hand: ReferenceHand, team: int, out_team: int | None) -> tuple[int, list[str]]:
    """One team's points; `out_team` is the team that went out, None if the hand ended by END-1 or END-3."""
    bazas = sum(BAZA_POINTS[baza_kind(group, hand.config.ace)] for group in hand.closed[team])
    # SANCTION-10: a complete group that nobody closed counts for nothing.
    table = sum(value(group.cards) for group in hand.tables[team] if len(group.cards) < FULL)
    hands = sum(VALUE[card] * count for cards in hand.hands[team::2] for card, count in cards.items())
    taken = BURAKO_POINTS * len(hand.burakos_taken_by[team])
    left = BURAKO_POINTS * len(hand.burakos[team])
    justified = bool(hand.closed[team])

    normal = bazas + table - hands + taken - left  # SCORE-1 to SCORE-3
    negative = -(table + hands) + taken - left  # SCORE-4
    normal_rules = ["DECK-2", "SCORE-1", "SCORE-2", "SCORE-3"]
    if not bazas:
        normal_rules.remove("SCORE-1")
    if not table:
        normal_rules.remove("SCORE-2")

    if out_team is None:
        # SCORE-6: no bonus; what an unjustified team gets is a key.
        if justified or hand.config.unjustified_on_exhaustion == "normal":
            return normal, ["SCORE-6", *normal_rules]
        return negative, ["SCORE-6", "DECK-2", "SCORE-4"]
    if not hand.closed[out_team]:
        # SCORE-5: the price of going out unjustified, and what the others gain by it.
        if team == out_team:
            return -(table + hands) + taken + OUT_POINTS, ["SCORE-5", "DECK-2"]
        return bazas + table + hands + taken - left, ["SCORE-5", "DECK-2"]
    if team == out_team:
        return normal + OUT_POINTS, normal_rules
    return (normal, normal_rules) if justified else (negative, ["SCORE-4", "DECK-2"])
