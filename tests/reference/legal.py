"""What the seat to act may do: the legal actions as text, phase by phase, and which rules decided there.

`legal_actions(hand)` returns the actions and the ids of the rules that really withheld or granted something. Everything
is worked out from the state alone and changes nothing.
"""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from . import sanctions
from .cards import WILDS
from .groups import Group, accepts
from .openings import Triples, all_openings, first_cards

if TYPE_CHECKING:
    from .hand import ReferenceHand

MAX_KEPT_WILDS = 2  # BURAKO-2
LEAST_TO_ASK = 2  # OUT-3
Found = tuple[set[str], set[str]]


def legal_actions(hand: ReferenceHand) -> Found:
    """The legal actions and the ids of the rules that decided."""
    if hand.phase == "over":
        return set(), set()
    return PHASES[hand.phase](hand)


def draw_phase(hand: ReferenceHand) -> Found:
    """TURN-1 and, with an empty stock, END-1."""
    fouls = sanctions.draw_actions(hand) if hand.config.sanctions else set()
    actions, rules = draws(hand)
    return actions | fouls, rules


def draws(hand: ReferenceHand) -> Found:
    """The draws of strict play."""
    if hand.stock:
        return ({"draw stock", "draw pile"} if hand.pile else {"draw stock"}), set()
    rules = {"END-1"} | ({"END-2"} if any(hand.burakos) else set())
    if hand.pile and hand.config.exhaustion == "pile_or_end":
        return {"draw pile", "end hand"}, rules
    return {"end hand"}, rules


def look_phase(hand: ReferenceHand) -> Found:
    """TURN-2: keep, or reject a natural while the stock has another card."""
    if hand.drawn in WILDS or not hand.stock:
        return {"keep"}, {"TURN-2"}
    return {"keep", "reject"}, {"TURN-2"}


def answer_phase(hand: ReferenceHand) -> Found:
    """OUT-3: nothing but YES or NO."""
    return {"yes", "no"}, {"INFO-4"}


def burako_phase(hand: ReferenceHand) -> Found:
    """BURAKO-3: the choice after a discard."""
    return {"take burako", "keep hand"}, {"BURAKO-2", "BURAKO-3"}


def lay_phase(hand: ReferenceHand) -> Found:
    """Lays, discards, the burako, ASK, and KEEP where nothing else is left (TURN-3 to TURN-6)."""
    rules: set[str] = set()
    if hand.opening:
        return half_open_lays(hand, rules), rules | {"GROUP-12"}
    actions = added_cards(hand, rules) | opened_groups(hand, rules)
    actions |= discards(hand, bool(actions), rules)
    if may_take_burako(hand):
        actions.add("take burako")
        rules.add("BURAKO-2")
    if not actions:
        actions.add("keep hand")
        rules.add("TURN-6")
    if may_ask(hand):
        actions.add("ask")
    if hand.config.sanctions:
        actions |= sanctions.lay_actions(hand)
    return actions, rules


PHASES = {"draw": draw_phase, "look": look_phase, "lay": lay_phase, "answer": answer_phase, "burako": burako_phase}


def half_open_lays(hand: ReferenceHand, rules: set[str]) -> set[str]:
    """GROUP-12: only the cards that still lead to a legal group of three."""
    table = hand.tables[hand.team]
    group = table[-1]
    laid = tuple(group.cards)
    number = sum((other.kind, other.key) == (group.kind, group.key) for other in table)  # the last of its suit
    cards = hand.hands[hand.actor] + Counter(laid)
    barred = group.kind != "wild" and wild_group_open(hand)
    orders = all_openings(cards, barred, hand.config.ace).get((group.kind, group.key), ())
    begun = [order for order in orders if order[: len(laid)] == laid]
    allowed = [order for order in begun if answer_allows_lay(hand, cards, order)]
    if {order[len(laid)] for order in allowed} != {order[len(laid)] for order in begun}:
        rules.add("OUT-4")
    return {lay_text(group, order[len(laid)], number) for order in allowed}


def added_cards(hand: ReferenceHand, rules: set[str]) -> set[str]:
    """Cards that join the team's open groups (GROUP-1 to GROUP-6, GROUP-10, GROUP-11)."""
    cards = hand.hands[hand.actor]
    ace = hand.config.ace
    barred = wild_group_open(hand)
    runs: Counter = Counter()
    actions = set()
    for group in hand.tables[hand.team]:
        if group.kind == "run":
            runs[group.key] += 1
        takes = accepts(group, ace)
        for card in cards:
            if card not in takes:
                continue
            if barred and card in WILDS and group.kind != "wild":
                rules.add("GROUP-10")
            elif answer_allows_lay(hand, cards, (card,)):
                actions.add(lay_text(group, card, runs[group.key]))
            else:
                rules.add("OUT-4")
        if not (accepts(group, ace, max_wilds=2) - takes).isdisjoint(cards):
            rules.add("GROUP-4")  # with two wilds a group they would fit
    if any(not accepts(group, ace).isdisjoint(cards) for group in hand.tables[1 - hand.team]):
        rules.add("GROUP-11")
    return actions


def opened_groups(hand: ReferenceHand, rules: set[str]) -> set[str]:
    """First cards of groups that can be completed (GROUP-7 to GROUP-10, GROUP-12)."""
    cards = hand.hands[hand.actor]
    ace = hand.config.ace
    barred = wild_group_open(hand)
    if barred and all_openings(cards, False, ace) != all_openings(cards, True, ace):
        rules.add("GROUP-10")
    actions = set()
    for (kind, key), orders in all_openings(cards, barred, ace).items():
        rule = opening_forbidden(hand, kind, key)
        if rule:
            rules.update({"GROUP-8", "GROUP-8 bound"} if rule == "GROUP-8" else {rule})
            continue
        suffix = {"set": " set", "run": " run new", "wild": " wild"}[kind]
        actions |= {f"lay {card}{suffix}" for card in allowed_first_cards(hand, cards, orders, rules)}
    return actions


def allowed_first_cards(hand: ReferenceHand, cards: Counter, orders: Triples, rules: set[str]) -> frozenset[str]:
    """The first cards of the orders whose third card the player may lay, also where going out is barred (OUT-4)."""
    if not may_not_go_out(hand):
        return first_cards(orders)
    allowed = frozenset(order[0] for order in orders if answer_allows_lay(hand, cards, order))
    if allowed != first_cards(orders):
        rules.add("OUT-4")
    return allowed


def opening_forbidden(hand: ReferenceHand, kind: str, key: str) -> str | None:
    """The rule that forbids the team to open such a group now, whatever the cards."""
    mine = hand.tables[hand.team]
    like_it = sum((group.kind, group.key) == (kind, key) for group in mine)
    if kind == "run":
        return "GROUP-8" if like_it >= hand.config.run_slots else None
    if kind == "wild":
        return "GROUP-9" if like_it else None
    if hand.config.one_set_per_rank_ever:
        like_it += sum((group.kind, group.key) == (kind, key) for group in hand.closed[hand.team])
    return "GROUP-7" if like_it else None


def wild_group_open(hand: ReferenceHand) -> bool:
    """Whether GROUP-10 bars the team's wilds from everywhere else."""
    return any(group.kind == "wild" for group in hand.tables[hand.team])


def lay_text(group: Group, card: str, number: int) -> str:
    """The lay of a card on a group on the table; `number`: the place of a run among the open ones of its suit."""
    if group.kind == "run":
        return f"lay {card} run {group.key}{number}"
    if group.kind == "set" and card in WILDS:
        return f"lay {card} set {group.key}"
    return f"lay {card} {group.kind}"


def may_not_go_out(hand: ReferenceHand) -> bool:
    """OUT-4: whether the player may not go out in this turn."""
    return hand.answer == "no"


def answer_allows_lay(hand: ReferenceHand, cards: Counter, laid: tuple[str, ...]) -> bool:
    """OUT-4: after NO a lay must leave a discard that keeps a card; an opening is judged after its third card.

    `cards`: the hand before the first card of `laid`.
    """
    if not may_not_go_out(hand):
        return True
    left = cards - Counter(laid)
    single_laid = hand.single_laid or hand.single in laid
    return left.total() >= 2 and any(may_be_discarded(hand, left, card, single_laid) for card in left)


def may_be_discarded(hand: ReferenceHand, cards: Counter, card: str, single_laid: bool) -> bool:
    """TURN-4 (never a wild) and TURN-5 (not the very card of a one-card pile)."""
    if card in WILDS:
        return False
    if hand.config.rediscard_single_pile or card != hand.single:
        return True
    return single_laid or cards[card] >= 2


def discards(hand: ReferenceHand, can_lay: bool, rules: set[str]) -> set[str]:
    """TURN-4, TURN-5 and the answer of OUT-4. `can_lay`: whether a lay is legal."""
    cards = hand.hands[hand.actor]
    keeps_cards = cards.total() > 1
    actions = set()
    for card in cards:
        if not may_be_discarded(hand, cards, card, hand.single_laid):
            if card not in WILDS:
                rules.add("TURN-5")
        elif (may_not_go_out(hand) and not keeps_cards) or (hand.answer == "yes" and keeps_cards and can_lay):
            rules.add("OUT-4")
        else:
            actions.add(f"discard {card}")
    return actions


def only_few_wilds(cards: Counter) -> bool:
    """BURAKO-2: nothing but wilds, at most two."""
    return 0 < cards.total() <= MAX_KEPT_WILDS and all(card in WILDS for card in cards)


def may_take_burako(hand: ReferenceHand) -> bool:
    """BURAKO-2, for a seat that has drawn and has no group half open."""
    return bool(hand.burakos[hand.team]) and only_few_wilds(hand.hands[hand.actor])


def may_ask(hand: ReferenceHand) -> bool:
    """OUT-3, in the laying phase with no group half open."""
    cards = hand.hands[hand.actor]
    takers = hand.burakos_taken_by[hand.team]
    return (
        hand.config.consult
        and not hand.asked
        and not hand.burakos[hand.team]
        and bool(takers)
        and takers[0] != hand.actor
        and cards.total() >= LEAST_TO_ASK
        and any(card not in WILDS for card in cards)
    )
