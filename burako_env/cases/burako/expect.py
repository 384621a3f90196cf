"""The keys of `expect` in the card game: how a value is read and how it is found, both as the same canonical text.

Canonical texts sort what has no order (hands, groups, the groups of a team), so comparing is comparing texts, and a
failure shows what it compared.
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any, Final, get_args

from burako_env.burako.game import BurakoGame
from burako_env.burako.melds.bazas import BAZA_KINDS
from burako_env.burako.notation import format_cards
from burako_env.burako.position import Phase, Position, Reason
from burako_env.burako.rules import Rules
from burako_env.cases.burako.fill import card_at, cards_at, read_seats
from burako_env.cases.burako.groups import group_kind
from burako_env.cases.nodes import Node
from burako_env.cases.texts import listed, numbered, truth

_NUMBER_MAX: Final = 10**6


@dataclass(frozen=True)
class Form:
    """A kind of value: `read(node, key, rules)` gives it (`ReadingError` if malformed), `text` its canonical text."""

    read: Callable[[Node, str, Rules], Any]
    text: Callable[[Any], str]


@dataclass(frozen=True)
class Expectation:
    """A key of `expect`: what kind of value it has, and how that is found in a game and its position."""

    form: Form
    value: Callable[[BurakoGame, Position], Any]


def _hand(cards: Iterable[int]) -> str:
    """Cards whose order does not matter."""
    return f"'{format_cards(sorted(cards))}'"


def _groups(groups: Iterable[Iterable[int]]) -> str:
    return listed(sorted(_hand(group) for group in groups))


def _texts_by_team(teams: Iterable[Iterable[str]]) -> str:
    return listed(listed(sorted(team)) for team in teams)


def _number(node: Node, key: str, _: Rules) -> int:
    return node.integer(key, -_NUMBER_MAX, _NUMBER_MAX)


def _each(node: Node, key: str, rules: Rules, each: str) -> list[Node]:
    return node.items(key, rules.players if each == "seat" else rules.teams, each)


def _numbers(each: str) -> Form:
    return Form(
        lambda node, key, rules: [_number(item, f"each of {key}", rules) for item in _each(node, key, rules, each)],
        numbered,
    )


def _teams(name: str, read: Callable[[Node], Any], text: Callable[[Any], str]) -> Form:
    def read_teams(node: Node, key: str, rules: Rules) -> list[list[Any]]:
        return [[read(item) for item in team.items(f"a team's {key}")] for team in _each(node, name, rules, "team")]

    return Form(read_teams, text)


def _word(*choices: str, null: bool = False) -> Form:
    return Form(
        lambda node, key, _: None if null and node.is_null else node.word(key, choices), lambda word: word or "null"
    )


def _bazas(position: Position) -> list[list[str]]:
    kinds = [[group_kind(cards, position.rules) for cards in team] for team in position.closed]
    return [[kind.words if kind else "no group" for kind in team] for team in kinds]


def _hands(node: Node, key: str, rules: Rules) -> list[list[int]]:
    return [cards_at(item, f"each of {key}") for item in _each(node, key, rules, "seat")]


NUMBER: Final = Form(_number, str)
FLAG: Final = Form(lambda node, key, _: node.flag(key), truth)
HAND: Final = Form(lambda node, key, _: cards_at(node, key), _hand)
HANDS: Final = Form(_hands, lambda hands: listed(map(_hand, hands)))
CARDS: Final = Form(lambda node, key, _: cards_at(node, key), lambda cards: f"'{format_cards(cards)}'")
CARD: Final = Form(
    lambda node, key, _: None if node.is_null else card_at(node, key, "one card or null"),
    lambda card: "null" if card is None else format_cards([card]),
)
SEATS: Final = Form(read_seats, lambda seats: numbered(sorted(seats)))
TABLES: Final = _teams("tables", lambda node: cards_at(node, "a group"), lambda teams: listed(map(_groups, teams)))
BAZAS: Final = _teams("closed", lambda node: node.word("baza", BAZA_KINDS), _texts_by_team)

EXPECTATIONS: Final = {
    "turn": Expectation(NUMBER, lambda _, at: at.turn),
    "phase": Expectation(_word(*get_args(Phase)), lambda _, at: at.phase),
    "hand": Expectation(HAND, lambda _, at: at.hands[at.turn]),
    "hands": Expectation(HANDS, lambda _, at: at.hands),
    "hand_sizes": Expectation(_numbers("seat"), lambda _, at: map(len, at.hands)),
    "tables": Expectation(TABLES, lambda _, at: at.tables),
    "closed": Expectation(BAZAS, lambda _, at: _bazas(at)),
    "pile": Expectation(CARDS, lambda _, at: at.pile),
    "stock_size": Expectation(NUMBER, lambda _, at: len(at.stock)),
    "burakos_left": Expectation(_numbers("team"), lambda _, at: map(len, at.burakos)),
    "over": Expectation(FLAG, lambda game, _: bool(game.done[0])),
    "reason": Expectation(_word(*get_args(Reason), null=True), lambda _, at: at.reason),
    "scores": Expectation(_numbers("team"), lambda game, _: game.scores[0]),
    "shown": Expectation(HANDS, lambda _, at: at.shown),
    "known": Expectation(HANDS, lambda _, at: at.known),
    "drawn": Expectation(CARD, lambda _, at: at.drawn),
    "annulled": Expectation(CARDS, lambda _, at: at.under),
    "apart": Expectation(HAND, lambda _, at: at.apart),
    "offer": Expectation(CARD, lambda _, at: at.offer),
    "must_pass": Expectation(SEATS, lambda _, at: at.must_pass),
    "legal_count": Expectation(NUMBER, lambda game, _: int(game.legal().sum())),
}
