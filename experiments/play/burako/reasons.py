"""Why an action is not legal, as a rule id and the key of a sentence.

Legality is the core's: nothing here decides what may be played. Asked about an action that the core refuses, this finds
the rule behind it, where possible by asking the core again with that rule's cause taken out of the position: without
the card of TURN-5, without the answer of OUT-4, without the wild group of GROUP-10. What is left are plain facts of the
phase, the card and the group.

A legal set is a function of what the seat to act knows, so a reason tells it nothing new.
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from typing import Any, Final

from burako_env.burako.game import BurakoGame
from burako_env.burako.melds.groups import MIN_CARDS
from burako_env.burako.position import PositionError
from burako_env.burako.turn.actions import FIRST_RUN, NONE, SPECIALS, WILD_GROUP, Kind
from burako_env.cards import JOKER, RANK_COUNT, is_wild
from burako_env.render.burako.scene import Group, Team, seat_scene
from experiments.play.happenings import Reason

_HALF_OPEN: Final = Reason("GROUP-12", "half", {"count": MIN_CARDS})


@dataclass(frozen=True)
class Wish:
    """An action that somebody would like to take.

    Attributes:
        kind: what it does. card: the card laid or discarded.
        group: of a lay, the group's number in the action table, open or not. theirs: it is the other team's.
    """

    kind: Kind
    card: int | None = None
    group: int | None = None
    theirs: bool = False


def wish_of(game: BurakoGame, action: int) -> Wish:
    """The action of an id as a wish."""
    kind, card, group = (int(value) for value in game.table.rows[action])
    return Wish(Kind(kind), None if card == NONE else card, None if group == NONE else group)


def own_team(game: BurakoGame) -> Team:
    """The team of the seat to act in game 0."""
    seat = int(game.to_act[0])
    return seat_scene(game.view(), game.rules, seat=seat).teams[seat % game.rules.teams]


def runs_of(game: BurakoGame, suit: int, groups: Iterable[int]) -> int:
    """How many of these groups are runs of a suit."""
    return sum(group >= FIRST_RUN and (group - FIRST_RUN) // game.rules.run_slots == suit for group in groups)


def why_not(game: BurakoGame, wish: Wish) -> Reason:
    """Why the seat to act in game 0 may not do this, given that it may not."""
    if wish.kind not in _KNOWN:
        return Reason("SANCTION", "not.now")
    asked = _Asked(game, wish)
    if asked.position.phase != "lay":
        return _other_phase(asked)
    if wish.kind in _LAY_PHASE:
        return _LAY_PHASE[wish.kind](asked)
    return _TOO_LATE.get(wish.kind, Reason("TURN-1", "draw.late"))


class _Asked:
    """The question: the position, the hand of the seat to act, its team's groups."""

    def __init__(self, game: BurakoGame, wish: Wish) -> None:
        self.game, self.wish, self.card = game, wish, -1 if wish.card is None else wish.card
        self.rules, self.position = game.rules, game.position(0)
        self.seat, self.team = int(game.to_act[0]), own_team(game)
        self.hand = self.position.hands[self.seat]
        self.groups = {group.number: group for group in self.team.groups}
        # The group it is about, if it is there.
        self.open_group = self.groups.get(-1 if wish.group is None else wish.group)

    def would(self, **changes: Any) -> bool:
        """Whether the core allows it in the position with these changes; not in one that no game can be in."""
        table, position = self.game.table, replace(self.position, **changes)
        try:
            other = type(self.game).from_positions([position], name=self.game.name)
            discards = self.wish.kind == Kind.DISCARD
            action = table.discard(self.card) if discards else table.lay(self.card, self.wish.group or 0)
        except (PositionError, KeyError):
            return False
        return bool(other.legal()[0, action])

    def without_wilds_open(self) -> bool:
        """Whether it would be legal if the team had no open wild group."""
        tables, number = [list(table) for table in self.position.tables], self.team.number
        tables[number] = [group for group in tables[number] if not all(map(is_wild, group))]
        return len(tables[number]) < len(self.position.tables[number]) and self.would(tables=tables)


def _other_phase(asked: _Asked) -> Reason:
    """Everything but laying and discarding."""
    phase, kind, position = asked.position.phase, asked.wish.kind, asked.position
    if phase == "look" and kind == Kind.REJECT:
        wild = position.drawn is not None and is_wild(position.drawn)
        return Reason("TURN-2", "look.wild" if wild else "look.last")
    if phase in _FIRST:
        return _FIRST[phase]
    if kind == Kind.DRAW_PILE:
        ends = asked.rules.exhaustion == "end" and not position.stock
        return Reason("END-1", "stock.ends") if ends else Reason("TURN-1", "pile.empty")
    return _NOT_TO_DRAW.get(kind, Reason("TURN-1", "draw.first"))


def _keep_hand(asked: _Asked) -> Reason:
    return Reason("TURN-6", "keep.free") if asked.position.opening is None else _HALF_OPEN


def _take_burako(asked: _Asked) -> Reason:
    if asked.position.opening is not None:
        return _HALF_OPEN
    if not asked.team.burakos_left:
        return Reason("BURAKO-4", "burako.none")
    key = "burako.wilds" if all(map(is_wild, asked.hand)) else "burako.naturals"
    return Reason("BURAKO-2", key, {"count": asked.rules.burako_wilds_max})


def _ask(asked: _Asked) -> Reason:
    takers = asked.position.taken_by[asked.team.number]
    checks = (
        (not asked.rules.consult, "ask.off"),
        (asked.position.answer != "none", "ask.twice"),
        (asked.team.burakos_left > 0 or not takers, "ask.burako"),
        (takers[:1] == [asked.seat], "ask.self"),
        (len(asked.hand) < 2, "ask.few"),
        (all(map(is_wild, asked.hand)), "ask.wilds"),
    )
    if asked.position.opening is not None and not any(there for there, _ in checks):
        return _HALF_OPEN
    return Reason("OUT-3", next(key for there, key in checks if there))


def _discard(asked: _Asked) -> Reason:
    card = asked.card
    if card not in asked.hand:
        return Reason("TURN-4", "not.held", {"card": card})
    if is_wild(card):
        return Reason("TURN-4", "discard.wild")
    if asked.position.opening is not None:
        return _HALF_OPEN
    if asked.would(single=None, single_laid=False):
        return Reason("TURN-5", "discard.single", {"card": card})
    return _bound(asked)


def _bound(asked: _Asked) -> Reason:
    """OUT-4."""
    return Reason("OUT-4", "bound.no" if asked.position.answer == "no" else "bound.yes")


def _lay(asked: _Asked) -> Reason:
    card, group = asked.card, asked.open_group
    if asked.wish.theirs:
        return Reason("GROUP-11", "theirs")
    if card not in asked.hand:
        return Reason("TURN-3", "not.held", {"card": card})
    opening = asked.position.opening
    if opening is not None and opening[0] != asked.wish.group:
        return _HALF_OPEN
    if is_wild(card) and asked.wish.group != WILD_GROUP and WILD_GROUP in asked.groups:
        if opening is None or asked.without_wilds_open():
            return Reason("GROUP-10", "wilds.open")
    elif asked.without_wilds_open():
        return Reason("GROUP-10", "wilds.open")
    if asked.position.answer in ("yes", "no") and asked.would(answer="none"):
        return _bound(asked)
    if asked.wish.group == WILD_GROUP:
        return Reason("GROUP-9", "wilds.few" if is_wild(card) else "wilds.only", {"count": MIN_CARDS})
    if asked.wish.group is not None and asked.wish.group < FIRST_RUN:
        return _set(asked, group)
    return _run(asked, group)


def _set(asked: _Asked, group: Group | None) -> Reason:
    card, rank = asked.card, asked.wish.group
    if not is_wild(card) and card % RANK_COUNT != rank:
        return Reason("GROUP-2", "set.rank", {"card": card, "rank": rank})
    if group is None and rank in asked.team.ranks and asked.rules.one_set_per_rank_ever:
        return Reason("GROUP-7", "set.ever", {"rank": rank})
    if group is None:
        return Reason("GROUP-12", "open.wild" if is_wild(card) else "open.three", {"card": card, "count": MIN_CARDS})
    if is_wild(card) and any(map(is_wild, group.cards)):
        return Reason("GROUP-4", "second.wild")
    return Reason("GROUP-12", "open.wild")


def _run(asked: _Asked, group: Group | None) -> Reason:
    card, number = asked.card, asked.wish.group
    assert number is not None
    suit = (number - FIRST_RUN) // asked.rules.run_slots
    if not is_wild(card) and card // RANK_COUNT != suit:
        return Reason("GROUP-3", "run.suit", {"card": card, "suit": suit})
    if group is None:
        if runs_of(asked.game, suit, asked.groups) >= asked.rules.run_slots:
            return Reason("GROUP-8", "run.slots", {"count": asked.rules.run_slots})
        foreign = card == JOKER or card // RANK_COUNT != suit
        return Reason("GROUP-12", "open.wild" if foreign else "open.three", {"card": card, "count": MIN_CARDS})
    if len(group.cards) < MIN_CARDS:
        return Reason("GROUP-12", "run.order")
    if is_wild(card):
        return Reason("GROUP-4", "second.wild")
    if card in group.cards:
        return Reason("GROUP-3", "run.twice", {"card": card})
    return Reason("GROUP-3", "run.gap", {"card": card})


_LAY_PHASE: Final[dict[Kind, Callable[[_Asked], Reason]]] = {
    Kind.LAY: _lay,
    Kind.DISCARD: _discard,
    Kind.KEEP_HAND: _keep_hand,
    Kind.TAKE_BURAKO: _take_burako,
    Kind.ASK: _ask,
}
# Drawing, looking and answering in the phase of laying.
_TOO_LATE: Final = {
    Kind.KEEP: Reason("TURN-2", "look.late"),
    Kind.REJECT: Reason("TURN-2", "look.late"),
    Kind.YES: Reason("OUT-3", "answer.late"),
    Kind.NO: Reason("OUT-3", "answer.late"),
    Kind.END_HAND: Reason("END-1", "stock.left"),
}
# What comes first in the other phases, whatever is asked; in the phase of drawing it depends on that.
_FIRST: Final = {
    "over": Reason("OUT-1", "over"),
    "answer": Reason("OUT-3", "answer.first"),
    "burako": Reason("BURAKO-3", "burako.first"),
    "look": Reason("TURN-2", "look.first"),
}
_NOT_TO_DRAW: Final = {Kind.DRAW_STOCK: Reason("END-1", "stock.empty"), Kind.END_HAND: Reason("END-1", "stock.left")}

# Kinds of strict play; infractions and what goes with them are not explained one by one.
_KNOWN: Final = (*_LAY_PHASE, *SPECIALS)

__all__ = ["Reason", "Wish", "own_team", "runs_of", "why_not", "wish_of"]
