"""SANCTION: the infractions that `enforcement` = sanctions adds to a hand, and what each of them costs.

Low to high: suits C D H S, in each A 2 .. K; in a run in which the ace stands above the king it is the highest. No 2 or
joker returns to the hand or goes to the pile: where a sanction names a natural, it means any other card.
"""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from .cards import ORDER, SUITS, WILDS, in_order, rank_of, suit_of
from .groups import FULL, HIGH_ACE, LOW_ACE, Group, accepts, natural_places, run_readings, run_tokens

if TYPE_CHECKING:
    from .hand import ReferenceHand

LEAST_OPENED = 3  # GROUP-1


# What may be done ---------------------------------------------------------------------------------------------------


def draw_actions(hand: ReferenceHand) -> set[str]:
    """SANCTION-5 with every card, and the wild that lies apart (SANCTION-4)."""
    cards = hand.hands[hand.actor]
    early = {f"foul {word} {card}" for word in ("lay", "discard") for card in cards}
    return early | ({"take wild"} if hand.offer else set())


def lay_actions(hand: ReferenceHand) -> set[str]:
    """Closing, and every infraction of the laying phase; an answer to ASK binds, and then there are none."""
    actions = {f"close {name}" for name, group in named_groups(hand) if len(group.cards) == FULL}
    if not hand.config.manual_close:
        actions.clear()
    if hand.answer is not None:
        return actions
    cards = hand.hands[hand.actor]
    for name, group in named_groups(hand):
        actions |= {f"foul lay {card} {name}" for card in cards if broken_rule(hand, group, card)}
        if group.kind == "set" and set_laid(hand, group.key):
            actions.add(f"foul open set {group.key}")
    if cards.total() > 1:  # SANCTION-4
        actions |= {f"foul discard {card}" for card in cards if card in WILDS}
    actions |= {f"foul lay {card} run new" for card in cards if card not in WILDS and misfit_pair(hand, card)}
    return actions


def named_groups(hand: ReferenceHand) -> list[tuple[str, Group]]:
    """The team's open groups with their names."""
    runs: Counter[str] = Counter()
    named = []
    for group in hand.tables[hand.team]:
        runs[group.key] += group.kind == "run"
        name = {"set": f"set {group.key}", "wild": "wild", "run": f"run {group.key}{runs[group.key]}"}[group.kind]
        named.append((name, group))
    return named


def wild_group(hand: ReferenceHand) -> Group | None:
    """The team's open wild group."""
    return next((group for group in hand.tables[hand.team] if group.kind == "wild"), None)


def broken_rule(hand: ReferenceHand, group: Group, card: str) -> str | None:
    """The sanction for laying a card on an open group, None if it may lie there."""
    if len(group.cards) == FULL:
        return "SANCTION-2"
    fits = card in accepts(group, hand.config.ace)
    if card not in WILDS:
        return None if fits else "SANCTION-11"
    if not fits:
        return "SANCTION-3"
    return "SANCTION-18" if wild_group(hand) and group.kind != "wild" else None


def set_laid(hand: ReferenceHand, rank: str) -> list[str]:
    """The cards of a second set of a rank: the three lowest naturals, or two and the lowest wild; empty for none."""
    cards = list(hand.hands[hand.actor].elements())
    naturals = in_order(card for card in cards if card not in WILDS and rank_of(card) == rank)
    wilds = in_order(card for card in cards if card in WILDS)
    if len(naturals) >= LEAST_OPENED:
        return naturals[:LEAST_OPENED]
    return [*naturals, wilds[0]] if len(naturals) == LEAST_OPENED - 1 and wilds and not wild_group(hand) else []


def misfit_pair(hand: ReferenceHand, misfit: str) -> tuple[str, str] | None:
    """SANCTION-12: the lowest two naturals of a suit that could open a run together (GROUP-12), one or two places
    apart, and with which the card does not go: it is of another suit, or neither next to them nor between them.
    """
    ace = hand.config.ace
    others = hand.hands[hand.actor] - Counter([misfit])
    for suit in SUITS:
        mine = [card for card in in_order(others) if card not in WILDS and suit_of(card) == suit]
        for low in mine:
            for gap in (1, 2):
                for high in mine:
                    spans = [
                        (bottom, top)
                        for bottom in natural_places(rank_of(low), ace)
                        for top in natural_places(rank_of(high), ace)
                        if top - bottom == gap
                    ]
                    if spans and not (suit_of(misfit) == suit and goes_with(misfit, *spans[0], ace)):
                        return low, high
    return None


def goes_with(card: str, bottom: int, top: int, ace: str) -> bool:
    """Whether a place of a card of the suit is next to these two places or between them."""
    beside = {bottom - 1, *range(bottom + 1, top), top + 1}
    return not beside.isdisjoint(natural_places(rank_of(card), ace))


# What it costs ------------------------------------------------------------------------------------------------------


def play(hand: ReferenceHand, action: str) -> None:
    """Play a legal action of `draw_actions` or `lay_actions`."""
    words = action.split()
    if action == "take wild":
        hand.fired["SANCTION-4 taken"] += 1
        hand.apart.remove(hand.offer)
        into_hand(hand, hand.offer)
        hand.offer = None
    elif words[0] == "close":
        close(hand, named(hand, action.removeprefix("close ")))
    elif hand.phase == "draw":
        lose_turn(hand, words[2])
    elif words[1] == "discard":
        discard_wild(hand, words[2])
    elif words[1] == "open":
        second_set(hand, words[3])
    elif words[-1] == "new":
        misfit_run(hand, words[2])
    else:
        wrong_lay(hand, words[2], named(hand, " ".join(words[3:])))


def named(hand: ReferenceHand, name: str) -> Group:
    """The group of a name."""
    return dict(named_groups(hand))[name]


def into_hand(hand: ReferenceHand, card: str) -> None:
    """A card that everyone sees go into the hand (INFO-3)."""
    hand.hands[hand.actor][card] += 1
    (hand.shown if card in WILDS else hand.known)[hand.actor][card] += 1


def annul(hand: ReferenceHand, cards: list[str]) -> None:
    """Annulled cards go to the bottom of the stock, the lowest topmost."""
    hand.stock += in_order(cards)
    hand.annulled += len(cards)


def off_the_table(hand: ReferenceHand, group: Group) -> list[str]:
    """Remove an open group; its cards."""
    table = hand.tables[hand.team]
    del table[next(place for place, other in enumerate(table) if other is group)]
    return list(group.cards)


def low_to_high(hand: ReferenceHand, group: Group, cards: list[str]) -> list[str]:
    """The naturals among the cards; in a run an ace above the king is the highest."""
    naturals = in_order(card for card in cards if card not in WILDS)
    if group.kind != "run":
        return naturals
    readings = run_readings(run_tokens(group.cards, group.key), hand.config.ace)
    high = any(HIGH_ACE in places for places, _ in readings) and not any(LOW_ACE in places for places, _ in readings)
    return sorted(naturals, key=lambda card: (high and rank_of(card) == "A", ORDER[card]))


def end_with(hand: ReferenceHand, discarded: list[str]) -> None:
    """The turn ends as after a discard, whether or not a card was there to be discarded."""
    hand.pile += discarded
    hand.after_discard()


def close(hand: ReferenceHand, group: Group) -> None:
    """GROUP-1, by hand."""
    hand.fired["GROUP-1"] += 1
    off_the_table(hand, group)
    hand.closed[hand.team].append(group)


def lose_turn(hand: ReferenceHand, card: str) -> None:
    """SANCTION-5: the card has been seen, the turn is lost, and with it the look of TURN-2."""
    hand.fired["SANCTION-5"] += 1
    public = (hand.shown if card in WILDS else hand.known)[hand.actor]
    if not public[card]:
        public[card] += 1
    hand.first_draw = False
    hand.offer = None
    hand.end_turn()


def discard_wild(hand: ReferenceHand, card: str) -> None:
    """SANCTION-4."""
    hand.fired["SANCTION-4"] += 1
    hand.leave_hand(card)
    hand.apart.append(card)
    hand.offer = card
    hand.must_pass.add(hand.actor)
    hand.after_discard()


def second_set(hand: ReferenceHand, rank: str) -> None:
    """SANCTION-7."""
    hand.fired["SANCTION-7"] += 1
    lowest, second, third = set_laid(hand, rank)
    for card in (lowest, second, third):
        hand.leave_hand(card)
    old = next(group for group in hand.tables[hand.team] if (group.kind, group.key) == ("set", rank))
    annul(hand, [*off_the_table(hand, old), third])
    into_hand(hand, lowest)
    end_with(hand, [second])


def misfit_run(hand: ReferenceHand, misfit: str) -> None:
    """SANCTION-12."""
    hand.fired["SANCTION-12"] += 1
    low, high = misfit_pair(hand, misfit)
    for card in (misfit, low, high):
        hand.leave_hand(card)
    annul(hand, [misfit])
    into_hand(hand, low)
    end_with(hand, [high])


def wrong_lay(hand: ReferenceHand, card: str, group: Group) -> None:
    """SANCTION-2, 3, 11 and 18."""
    rule = broken_rule(hand, group, card)
    hand.fired[rule] += 1
    if rule == "SANCTION-18":
        annul(hand, off_the_table(hand, wild_group(hand)))
        hand.lay_on(card, group)
        return
    hand.leave_hand(card)
    cards = off_the_table(hand, group)
    if rule == "SANCTION-3":
        naturals = low_to_high(hand, group, cards)
        back, thrown = naturals[0], naturals[1:2]
        for one in (back, *thrown):
            cards.remove(one)
        annul(hand, [*cards, card])
        into_hand(hand, back)
        end_with(hand, thrown)
    elif card in WILDS:
        annul(hand, [*cards, card])
        end_with(hand, [])
    else:
        annul(hand, cards)
        end_with(hand, [card])
