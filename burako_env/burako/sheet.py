"""The score sheet of a hand: the points of each team item by item, with the rule that counts each.

The figures are those of `scoring.score_parts`, from which the scores themselves are added up.
"""

from collections.abc import Iterator
from dataclasses import dataclass

from burako_env.burako.game import BurakoGame
from burako_env.burako.melds.bazas import BAZA_KINDS, baza_points
from burako_env.burako.position import Position
from burako_env.burako.scoring import Parts


@dataclass(frozen=True)
class Item:
    """A line of a sheet.

    Attributes:
        key: a baza kind for closed bazas, `laid` (cards in open groups), `annulled` (those of them that do not count),
            `held` (cards in hands), `taken` and `left` (burakos), `out` (going out).
        rule: its id. count: how many bazas, cards or burakos. points: what they add; negative: what they cost.
    """

    key: str
    rule: str
    count: int
    points: int


Sheet = tuple[Item, ...]


def score_sheet(game: BurakoGame, index: int = 0) -> tuple[Sheet, Sheet]:
    """The sheets of both teams in one game; of a live hand what END-1 would give now (SCORE-6)."""
    one = game.select([index])
    position, parts = one.position(0), one.score_parts()
    return tuple(_items(one, position, parts, 0)), tuple(_items(one, position, parts, 1))


def _items(game: BurakoGame, position: Position, parts: Parts, team: int) -> Iterator[Item]:
    rules = game.rules
    for kind, worth, count in zip(BAZA_KINDS, baza_points(rules), parts.kinds[team, :, 0].tolist()):
        if count:
            yield Item(kind, "SCORE-1", count, count * worth)
    laid, held = int(parts.laid[team, 0]), int(parts.held[team, 0])
    cards = sum(map(len, position.tables[team]))
    if cards:
        yield Item("laid", _laid_rule(position, team, laid, held), cards, laid * int(parts.table[team, 0]))
    if parts.void[team, 0]:
        yield Item("annulled", "SANCTION-10", cards, -laid * int(parts.void[team, 0]))
    hands = sum(map(len, position.hands[team :: rules.teams]))
    if hands:
        rule = "SCORE-3" if laid > 0 > held else _laid_rule(position, team, laid, held)
        yield Item("held", rule, hands, held * int(parts.hands[team, 0]))
    for key, count, sign in (("taken", int(parts.taken[team, 0]), 1), ("left", int(parts.left[team, 0]), -1)):
        if count:
            yield Item(key, "SCORE-3", count, sign * count * rules.burako_points)
    if parts.out[team, 0]:
        yield Item("out", "SCORE-3" if laid > 0 else "SCORE-5", 1, int(parts.out[team, 0]))


def _laid_rule(position: Position, team: int, laid: int, held: int) -> str:
    """The rule by which the open groups count for the team or against it."""
    if laid > 0:
        return "SCORE-5" if held > 0 else "SCORE-2"
    if position.reason != "out":
        return "SCORE-6"
    return (
        "SCORE-5" if position.out_seat is not None and position.out_seat % position.rules.teams == team else "SCORE-4"
    )
