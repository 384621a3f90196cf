"""What can be read off a hand: everything (`expect`), or what one seat may know (`view`, INFO-1 to INFO-3)."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from .cards import in_order, text
from .groups import baza_kind

if TYPE_CHECKING:
    from .hand import ReferenceHand


def expect(hand: ReferenceHand) -> dict:
    """Every `expect` key of a case file; cards as text, sorted except for the pile."""
    return {
        "turn": hand.actor,
        "phase": hand.phase,
        "hand": text(hand.hands[hand.actor].elements()),
        "hands": [text(cards.elements()) for cards in hand.hands],
        "hand_sizes": [cards.total() for cards in hand.hands],
        "tables": [[text(group.cards) for group in table] for table in hand.tables],
        "closed": [[baza_kind(group, hand.config.ace) for group in closed] for closed in hand.closed],
        "pile": " ".join(hand.pile),
        "stock_size": len(hand.stock),
        "burakos_left": [len(burakos) for burakos in hand.burakos],
        "over": hand.phase == "over",
        "reason": hand.reason,
        "scores": hand.scores(),
        "shown": [text(cards.elements()) for cards in hand.shown],
        "known": [text(cards.elements()) for cards in hand.known],
        "drawn": hand.drawn,
        "legal_count": len(hand.legal()),
        **sanction_words(hand),
    }


def sanction_words(hand: ReferenceHand) -> dict:
    """What sanctions play adds to `expect`."""
    return {
        "annulled": " ".join(hand.stock[len(hand.stock) - hand.annulled :]),
        "apart": text(hand.apart),
        "offer": hand.offer,
        "must_pass": sorted(hand.must_pass),
    }


def view(hand: ReferenceHand, seat: int) -> dict:
    """What `seat` may know. Seats are relative, 0 the observer, then clockwise; team 0 is the observer's own."""
    players = hand.config.players
    seats = [(seat + offset) % players for offset in range(players)]
    teams = [seat % 2, 1 - seat % 2]

    def relative(other: int) -> int:
        return (other - seat) % players

    hand.fired.update(("INFO-1", "INFO-2"))
    takers = [taker for team in hand.burakos_taken_by for taker in team]
    firsts = [hand.burakos_taken_by[team][:1] for team in teams]
    public = sanction_words(hand) if hand.config.sanctions else {}
    if public:
        public["must_pass"] = [other in hand.must_pass for other in seats]
        public["stock_unknown"] = len(hand.stock) - hand.annulled
    return {
        **public,
        "hand": dict(hand.hands[seat]),
        # INFO-3 and the wilds shown are one public knowledge; no card is in both.
        "known": [_together(hand.known[other], hand.shown[other]) for other in seats],
        "pile": list(hand.pile),
        "tables": [[in_order(group.cards) for group in hand.tables[team]] for team in teams],
        "closed": [Counter(card for group in hand.closed[team] for card in group.cards) for team in teams],
        "closed_kinds": [Counter(baza_kind(group, hand.config.ace) for group in hand.closed[team]) for team in teams],
        "closed_sets": [Counter(group.key for group in hand.closed[team] if group.kind != "run") for team in teams],
        "phase": hand.phase,
        "hand_sizes": [hand.hands[other].total() for other in seats],
        "stock_size": len(hand.stock),
        "burakos_left": [len(hand.burakos[team]) for team in teams],
        "burakos_taken": [takers.count(other) for other in seats],
        "first_taker": [relative(first[0]) if first else None for first in firsts],
        "actor": relative(hand.actor),
        "turn": relative(hand.turn),
        "cutter": relative(hand.cutter),
        "first_draw": hand.first_draw,
        "opening": len(hand.tables[hand.team][-1].cards) if hand.opening else 0,
        "answer": hand.answer or ("asked" if hand.asked else None),
        "single": hand.single,
        "single_laid": hand.single_laid,
        "drawn": hand.drawn if seat == hand.turn else None,
        # INFO-2: the cutter saw the bottom card, which is the last to be drawn.
        "bottom": hand.bottom if seat == hand.cutter and len(hand.stock) > hand.annulled else None,
        "turns": hand.turns,
        "final_turns": hand.final_turns,
    }


def _together(known: Counter, shown: Counter) -> dict[str, int]:
    return dict(known + shown if shown else known)
