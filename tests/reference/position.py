"""From a position in words to the state of a hand, and what a position must fulfil."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from .cards import WILDS, full_pack, split
from .config import make_config
from .groups import FULL, SMALLEST, Group, identify
from .legal import half_open_lays, only_few_wilds

if TYPE_CHECKING:
    from .hand import ReferenceHand

PHASES = ("draw", "look", "lay", "answer", "burako")
CARD_KEYS = ("hands", "tables", "closed", "pile", "stock", "burakos", "shown", "known", "opening", "bottom", "apart")
TURN_KEYS = ("turn", "phase", "first_draw", "drawn", "asker", "asked", "answer", "single", "single_laid")
OTHER_KEYS = ("burakos_taken_by", "turns", "final_turns", "cutter", "must_pass", "annulled", "offer")
KEYS = frozenset(CARD_KEYS + TURN_KEYS + OTHER_KEYS)


def read_position(hand: ReferenceHand, players: int, changes: dict, position: dict) -> None:
    """Fill `hand` from a position; ValueError says what is wrong with it."""
    unknown = set(position) - KEYS
    if unknown:
        raise ValueError(f"unknown position keys {sorted(unknown)}")
    hand.config = config = make_config(players, changes)
    nobody = [[] for _ in range(players)]
    hand.clear_turn()
    hand.phase = position["phase"]
    hand.actor = position["turn"]
    asker = position.get("asker")
    hand.turn = asker if hand.phase == "answer" and asker is not None else hand.actor
    hand.hands = [Counter(split(cards)) for cards in position["hands"]]
    hand.tables = [_groups(groups, config.ace) for groups in position.get("tables") or [[], []]]
    hand.closed = [_groups(groups, config.ace) for groups in position.get("closed") or [[], []]]
    hand.pile = split(position.get("pile") or [])
    hand.stock = split(position["stock"])
    hand.burakos = [[split(burako) for burako in burakos] for burakos in position["burakos"]]
    hand.burakos_taken_by = [list(seats) for seats in position.get("burakos_taken_by") or [[], []]]
    hand.first_draw = bool(position.get("first_draw"))
    hand.drawn = position.get("drawn")
    hand.answer = {True: "yes", False: "no"}.get(position.get("answer"), position.get("answer"))
    hand.asked = bool(position.get("asked")) or hand.answer is not None or hand.phase == "answer"
    hand.single = position.get("single")
    hand.single_laid = bool(position.get("single_laid"))
    hand.shown = [Counter(split(cards)) for cards in position.get("shown") or nobody]
    hand.known = [Counter(split(cards)) for cards in position.get("known") or nobody]
    hand.turns = position.get("turns") or 0
    hand.final_turns = position.get("final_turns")
    if hand.final_turns is None and not hand.stock:
        hand.final_turns = players - 1 if hand.phase == "draw" else players
    hand.cutter = position.get("cutter") or 0
    hand.bottom = position.get("bottom")
    hand.apart = split(position.get("apart") or [])
    hand.offer = position.get("offer")
    hand.must_pass = set(position.get("must_pass") or [])
    hand.annulled = position.get("annulled") or 0
    hand.opening = False
    _check(hand)
    if position.get("opening"):
        _half_open(hand, *position["opening"])
    _count_setup(hand)


def _groups(groups: list, ace: str) -> list[Group]:
    return [identify(split(cards), ace) for cards in groups]


def _half_open(hand: ReferenceHand, name: str, cards: str | list[str]) -> None:
    """The group half open for the seat to act, for instance ("run S", "KS AS"); it must lead to a group (GROUP-12)."""
    kind, _, key = name.partition(" ")
    laid = split(cards)
    if hand.phase != "lay" or not 0 < len(laid) < SMALLEST:
        raise ValueError("a group half open has one or two cards and belongs to the laying phase")
    # The order of the cards in the text says nothing: only one order of a run can be completed.
    for order in (laid, laid[::-1]):
        group = Group(kind, key or "2", order)
        hand.tables[hand.team].append(group)
        hand.opening = True
        _check_tables(hand)
        if half_open_lays(hand, set()):
            return
        hand.tables[hand.team].pop()
    raise ValueError(f"{name} with {' '.join(laid)} cannot be completed (GROUP-12)")


def _check(hand: ReferenceHand) -> None:
    """Refuse what can never stand in a strict hand."""
    config = hand.config
    if hand.phase not in PHASES:
        raise ValueError(f"unknown phase {hand.phase!r}")
    if len(hand.hands) != config.players or not all(hand.hands):
        raise ValueError("every seat needs a hand with cards in it")
    if any(card in WILDS for card in hand.pile):
        raise ValueError("a wild never lies in the pile (TURN-4)")
    for team in (0, 1):
        if len(hand.burakos[team]) + len(hand.burakos_taken_by[team]) != config.burakos_per_team:
            raise ValueError(f"team {team}: burakos left and taken must be {config.burakos_per_team} (SETUP-4)")
        if any(seat % 2 != team for seat in hand.burakos_taken_by[team]):
            raise ValueError(f"a burako of team {team} belongs to its own players (BURAKO-4)")
        if not config.manual_close and any(len(group.cards) == FULL for group in hand.tables[team]):
            raise ValueError("a group of seven is closed (GROUP-1)")
        if any(len(group.cards) != FULL for group in hand.closed[team]):
            raise ValueError("a closed group has seven cards (GROUP-1)")
    for seat, cards in enumerate(hand.hands):
        if not hand.shown[seat] + hand.known[seat] <= cards:
            raise ValueError(f"seat {seat} does not hold the cards known of it")
    if hand.drawn is not None and not hand.hands[hand.turn][hand.drawn]:
        raise ValueError(f"the hand does not hold the drawn {hand.drawn}")
    if hand.phase == "look" and hand.drawn is None:
        raise ValueError("the look phase needs the drawn card")
    if hand.phase == "burako" and not (hand.burakos[hand.team] and only_few_wilds(hand.hands[hand.actor])):
        raise ValueError("there is no burako to choose (BURAKO-3)")
    if hand.phase == "answer" and (hand.turn == hand.actor or hand.turn % 2 != hand.team):
        raise ValueError("the asker is a team-mate of the seat that answers (OUT-3)")
    _check_tables(hand)
    pack = Counter(full_pack(config.decks))
    if not Counter(all_cards(hand)) <= pack:
        raise ValueError(f"a card more often than {config.decks} decks hold it (DECK-1)")


def _check_tables(hand: ReferenceHand) -> None:
    """GROUP-7, GROUP-8 and GROUP-9 for groups on the table."""
    for table in hand.tables:
        for (kind, key), number in Counter((group.kind, group.key) for group in table).items():
            if number > (hand.config.run_slots if kind == "run" else 1):
                rule = {"set": "GROUP-7", "run": "GROUP-8", "wild": "GROUP-9"}[kind]
                raise ValueError(f"{number} open groups of a kind are too many: {kind} {key} ({rule})")


def all_cards(hand: ReferenceHand) -> list[str]:
    """Every card of the game, wherever it is."""
    cards = [*hand.pile, *hand.stock, *hand.apart]
    for held in hand.hands:
        cards += held.elements()
    for team in (0, 1):
        for place in (*hand.tables[team], *hand.closed[team]):
            cards += place.cards
        for burako in hand.burakos[team]:
            cards += burako
    return cards


def _count_setup(hand: ReferenceHand) -> None:
    """Count the rules of DECK and SETUP that a freshly dealt hand shows."""
    config = hand.config
    fresh = hand.first_draw and hand.phase == "draw" and hand.turns == 0 and not any(hand.tables + hand.closed)
    if not fresh:
        return
    if Counter(all_cards(hand)) == Counter(full_pack(config.decks)):
        hand.fired.update(("DECK-1", "DECK-3"))
    if hand.turn == (hand.cutter + 2) % config.players:
        hand.fired["SETUP-2"] += 1
    if hand.shown[hand.cutter] or hand.bottom:
        hand.fired["SETUP-3"] += 1
    if len(hand.stock) == config.stock_size and all(cards.total() == config.hand_size for cards in hand.hands):
        hand.fired["SETUP-4"] += 1
    if not hand.pile:
        hand.fired["SETUP-5"] += 1
