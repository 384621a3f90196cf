"""The keys of `expect` in the card game: how a value is read and how it is found, both in the same canonical words.

Canonical words sort what has no order (hands, groups, the groups of a team), so comparing is comparing texts, and a
failure shows what it compared.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Final, get_args

from burako_env.burako.game import BurakoGame
from burako_env.burako.notation import format_cards
from burako_env.burako.position import Phase, Position
from burako_env.burako.rules import Rules
from burako_env.cases.burako.fill import cards_at
from burako_env.cases.burako.groups import group_kind
from burako_env.cases.nodes import Node
from burako_env.cases.texts import listed, numbered, truth

CLOSED_WORDS: Final = ("clean set", "dirty set", "clean run", "dirty run", "clean aces", "dirty aces", "wilds")
REASONS: Final = ("out", "exhausted", "truncated")
_NUMBER_MAX: Final = 10**6

Reader = Callable[[Node, Rules], str]


@dataclass(frozen=True)
class Expectation:
    """How a key is read from a case (`ReadingError` if malformed) and found in a game, in canonical words."""

    read: Reader
    found: Callable[[BurakoGame, Position], str]


def _hand(cards: Iterable[int]) -> str:
    """Cards whose order does not matter."""
    return f"'{format_cards(sorted(cards))}'"


def _groups(groups: Iterable[Iterable[int]]) -> str:
    return listed(sorted(_hand(group) for group in groups))


def _read_number(what: str) -> Reader:
    return lambda node, _: str(node.integer(what, -_NUMBER_MAX, _NUMBER_MAX))


def _read_numbers(what: str, each: str) -> Reader:
    def read(node: Node, rules: Rules) -> str:
        items = node.items(what, rules.players if each == "seat" else rules.teams, each)
        return numbered(item.integer(f"each of {what}", -_NUMBER_MAX, _NUMBER_MAX) for item in items)

    return read


def _read_hands(what: str) -> Reader:
    def read(node: Node, rules: Rules) -> str:
        return listed(_hand(cards_at(item, f"each of {what}")) for item in node.items(what, rules.players, "seat"))

    return read


def _read_word(what: str, choices: tuple[str, ...], *, null: bool = False) -> Reader:
    return lambda node, _: "null" if null and node.is_null else node.word(what, choices)


def _read_tables(node: Node, rules: Rules) -> str:
    teams = node.items("tables", rules.teams, "team")
    return listed(_groups(cards_at(group, "a group") for group in team.items("a team's tables")) for team in teams)


def _read_closed(node: Node, rules: Rules) -> str:
    teams = [team.items("a team's closed") for team in node.items("closed", rules.teams, "team")]
    return listed(listed(sorted(item.word("baza", CLOSED_WORDS) for item in team)) for team in teams)


def _found_closed(position: Position) -> str:
    kinds = [[group_kind(cards, position.rules) for cards in team] for team in position.closed]
    return listed(listed(sorted(kind.words if kind else "no group" for kind in team)) for team in kinds)


def _read_pile(node: Node, _: Rules) -> str:
    return f"'{format_cards(cards_at(node, 'pile'))}'"


def _read_card(what: str) -> Reader:
    def read(node: Node, _: Rules) -> str:
        if node.is_null:
            return "null"
        cards = cards_at(node, what)
        if len(cards) != 1:
            raise node.error(f"{what} is one card or null, not {len(cards)} cards")
        return format_cards(cards)

    return read


def _read_annulled(node: Node, _: Rules) -> str:
    return f"'{format_cards(cards_at(node, 'annulled'))}'"


def _under(position: Position) -> list[int]:
    """The annulled cards at the bottom of the stock, topmost first."""
    return position.stock[len(position.stock) - position.annulled :]


def _read_seats(node: Node, rules: Rules) -> str:
    seats = node.items("must_pass")
    return numbered(sorted(seat.integer("a seat", 0, rules.players - 1) for seat in seats))


EXPECTATIONS: Final = {
    "turn": Expectation(_read_number("turn"), lambda _, at: str(at.turn)),
    "phase": Expectation(_read_word("phase", get_args(Phase)), lambda _, at: at.phase),
    "hand": Expectation(lambda node, _: _hand(cards_at(node, "hand")), lambda _, at: _hand(at.hands[at.turn])),
    "hands": Expectation(_read_hands("hands"), lambda _, at: listed(map(_hand, at.hands))),
    "hand_sizes": Expectation(_read_numbers("hand_sizes", "seat"), lambda _, at: numbered(map(len, at.hands))),
    "tables": Expectation(_read_tables, lambda _, at: listed(map(_groups, at.tables))),
    "closed": Expectation(_read_closed, lambda _, at: _found_closed(at)),
    "pile": Expectation(_read_pile, lambda _, at: f"'{format_cards(at.pile)}'"),
    "stock_size": Expectation(_read_number("stock_size"), lambda _, at: str(len(at.stock))),
    "burakos_left": Expectation(_read_numbers("burakos_left", "team"), lambda _, at: numbered(map(len, at.burakos))),
    "over": Expectation(lambda node, _: truth(node.flag("over")), lambda game, _: truth(bool(game.done[0]))),
    "reason": Expectation(_read_word("reason", REASONS, null=True), lambda _, at: at.reason or "null"),
    "scores": Expectation(_read_numbers("scores", "team"), lambda game, _: numbered(game.scores[0])),
    "shown": Expectation(_read_hands("shown"), lambda _, at: listed(map(_hand, at.shown))),
    "known": Expectation(_read_hands("known"), lambda _, at: listed(map(_hand, at.known))),
    "drawn": Expectation(_read_card("drawn"), lambda _, at: "null" if at.drawn is None else format_cards([at.drawn])),
    "annulled": Expectation(_read_annulled, lambda _, at: f"'{format_cards(_under(at))}'"),
    "apart": Expectation(lambda node, _: _hand(cards_at(node, "apart")), lambda _, at: _hand(at.apart)),
    "offer": Expectation(_read_card("offer"), lambda _, at: "null" if at.offer is None else format_cards([at.offer])),
    "must_pass": Expectation(_read_seats, lambda _, at: numbered(sorted(at.must_pass))),
    "legal_count": Expectation(_read_number("legal_count"), lambda game, _: str(int(game.legal().sum()))),
}
