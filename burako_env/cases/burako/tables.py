"""The groups of a case's position: open ones, closed ones and the one half open, checked against the rules."""

from collections import Counter
from itertools import permutations

from burako_env.burako.melds.groups import MAX_CARDS, MIN_CARDS
from burako_env.burako.notation import format_cards
from burako_env.burako.rules import Rules
from burako_env.burako.turn.actions import WILD_GROUP, action_table
from burako_env.cards import RANK_COUNT, RANK_NAMES, SUITS, TWO, is_wild
from burako_env.cases.burako.fill import Deck
from burako_env.cases.burako.groups import HIGH_ACE_PLACE, LOW_ACE_PLACE, GroupKind, group_kind, run_places
from burako_env.cases.nodes import Node


class Table:
    """The open groups of one team.

    Attributes:
        groups: their cards, in the order in which they were opened.
        counts: how many there are of a kind and rank or suit.
    """

    def __init__(self, rules: Rules) -> None:
        self.groups: list[list[int]] = []
        self.counts: Counter[tuple[str, int | None]] = Counter()
        self._rules = rules

    def add(self, node: Node, cards: list[int], kind: str, which: int | None) -> None:
        """Put a group on the table; `which` is the rank of a set, the suit of a run."""
        self.groups.append(cards)
        self.counts[kind, which] += 1
        count = self.counts[kind, which]
        if kind == "run":
            if which is not None and count > self._rules.run_slots:
                raise node.error(
                    f"{count} open runs of {SUITS[which]} in a team: this engine holds at most "
                    f"{self._rules.run_slots} in a suit (GROUP-8)"
                )
        elif count > 1:
            what = f"open sets of {RANK_NAMES[which]}" if which is not None else "open wild groups"
            raise node.error(f"two {what} in a team (GROUP-{9 if which is None else 7})")


def read_tables(node: Node | None, rules: Rules, deck: Deck) -> list[Table]:
    """The open groups of both teams, 3 to 6 cards each, to 7 where closing is manual."""
    tables = [Table(rules) for _ in range(rules.teams)]
    for table, team in zip(tables, _teams(node, "tables", rules), strict=False):
        for group in team.items("a team's tables"):
            cards, kind = _group(group, rules, deck)
            if len(cards) == MAX_CARDS and not rules.manual_close:
                raise group.error(f"an open group has {MIN_CARDS} to {MAX_CARDS - 1} cards, not {MAX_CARDS} (GROUP-1)")
            table.add(group, cards, kind.kind, kind.rank if kind.kind == "set" else kind.suit)
    return tables


def read_closed(node: Node | None, rules: Rules, deck: Deck) -> list[list[list[int]]]:
    """The closed bazas of both teams, 7 cards each."""
    closed: list[list[list[int]]] = [[] for _ in range(rules.teams)]
    for bazas, team in zip(closed, _teams(node, "closed", rules), strict=False):
        for group in team.items("a team's closed"):
            cards, _ = _group(group, rules, deck)
            if len(cards) != MAX_CARDS:
                raise group.error(f"a closed baza has {MAX_CARDS} cards, not {len(cards)} (GROUP-1)")
            bazas.append(cards)
    return closed


def read_opening(node: Node, rules: Rules, deck: Deck, table: Table) -> tuple[int, list[int]]:
    """The half open group: its number (`actions.py`) and its cards, which join the team's table (GROUP-12)."""
    name, laid = node.items("opening", 2, "group and its cards")
    cards = deck.place(laid, "the cards of opening")
    if not 1 <= len(cards) < MIN_CARDS:
        raise laid.error(f"opening holds the 1 or {MIN_CARDS - 1} cards laid so far, not {len(cards)}")
    match name.text("the group of opening").split():
        case ["wild"]:
            kind, which, group = "wild", None, WILD_GROUP
            order = cards if all(map(is_wild, cards)) else None
        case ["set", rank] if rank in RANK_NAMES and rank != RANK_NAMES[TWO]:
            kind, which, group = "set", RANK_NAMES.index(rank), RANK_NAMES.index(rank)
            order = cards if all(card % RANK_COUNT == which and not is_wild(card) for card in cards) else None
        case ["run", suit] if suit in tuple(SUITS):
            kind, which = "run", SUITS.index(suit)
            group = action_table(rules.run_slots).run_group(which, min(table.counts["run", which], rules.run_slots - 1))
            order = _run_order(cards, which, rules.ace)
        case _:
            raise name.error("the group of opening is 'run S', 'set 9' or 'wild'")
    if order is None:
        raise laid.error(f"opening cannot be completed: {format_cards(cards)} lead to no such group (GROUP-12)")
    table.add(node, order, kind, which)
    return group, order


def _teams(node: Node | None, what: str, rules: Rules) -> list[Node]:
    return [] if node is None else node.items(what, rules.teams, "team")


def _group(node: Node, rules: Rules, deck: Deck) -> tuple[list[int], GroupKind]:
    """The cards of a group and what it is; a reading error if it is none."""
    cards = deck.place(node, "a group")
    if not MIN_CARDS <= len(cards) <= MAX_CARDS:
        raise node.error(f"a group has {MIN_CARDS} to {MAX_CARDS} cards, not {len(cards)} (GROUP-1)")
    kind = group_kind(cards, rules)
    if kind is None:
        raise node.error(f"{format_cards(cards)} is no set, run or wild group (GROUP-2 to GROUP-6, GROUP-9)")
    return cards, kind


def _run_order(cards: list[int], suit: int, ace: str) -> list[int] | None:
    """The order in which these cards open a run, None if they cannot (GROUP-12); the order in a case says nothing.

    Naturals of the suit upwards, an ace laid first being low, near enough for a third card to complete them.
    """
    if any(card // RANK_COUNT != suit for card in cards):
        return None
    for order in permutations(cards):
        first, *rest = (card % RANK_COUNT + 1 for card in order)
        places = [first, *(HIGH_ACE_PLACE if place == LOW_ACE_PLACE else place for place in rest)]
        near = all(0 < place - first < MIN_CARDS for place in places[1:])
        if near and all(place in run_places(ace) for place in places):
            return list(order)
    return None
