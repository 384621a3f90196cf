"""What a drawing of the card game shows, as plain data: the one model behind the text, the HTML table and the picture.

`seat_scene` holds what one seat may know, taken from its View and from nothing else; `open_scene` shows the same table
with every hand open. Seats are absolute and stand in the order of play; cards are types (`cards.py`).
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
import numpy.typing as npt

from burako_env.batch import BatchGame
from burako_env.burako.melds.bazas import BAZA_KINDS, baza_points
from burako_env.burako.rules import Rules
from burako_env.burako.turn.actions import FIRST_RUN, WILD_GROUP
from burako_env.burako.view.layout import ANSWERS, PHASES
from burako_env.cards import RANK_COUNT, SUIT_COUNT, SUITS, TWO, TYPE_COUNT, is_wild, type_values
from burako_env.layout import View
from burako_env.render.burako.groups import open_runs, open_sets

Cards = tuple[int, ...]
Counts = npt.NDArray[np.int64]

# Suits as they lie in a hand, black and red in turn: spades, hearts, clubs, diamonds.
_SUIT_ORDER: Final = (3, 2, 0, 1)


@dataclass(frozen=True)
class Group:
    """An open group: its number in the action table, its cards in reading order, and a run's name in actions (`S1`)."""

    number: int
    cards: Cards
    run: str = ""


@dataclass(frozen=True)
class Team:
    """A team's side of the table.

    Attributes:
        groups: open groups, sets from the ace up, then runs by suit, the wild group last.
        bazas: closed bazas as (kind of `BAZA_KINDS`, how many). ranks: of the closed sets. closed: cards of all bazas.
        laid: points of bazas and open groups (SCORE-1, SCORE-2); 0 where the rules are not known. total: points before
            this hand.
        score: points the hand would give now; None where hands are hidden.
    """

    number: int
    groups: tuple[Group, ...]
    bazas: tuple[tuple[str, int], ...]
    ranks: Cards
    closed: Cards
    burakos_left: int
    laid: int
    total: int
    score: int | None

    @property
    def justified(self) -> bool:
        """Whether the team has closed a baza."""
        return bool(self.bazas)


@dataclass(frozen=True)
class Seat:
    """A player. `hand` is None where it is hidden, `known` are the cards that everyone knows of (INFO-3)."""

    number: int
    team: int
    size: int
    hand: Cards | None
    known: Cards
    burakos_taken: int
    acts: bool
    turn: bool
    cut: bool


@dataclass(frozen=True)
class Scene:
    """A position as it is drawn.

    Attributes:
        observer: whose knowledge it is; None: every hand is open. seats: in the order of play from the observer.
        phase: of `PHASES`, or `over`. turns: completed. final_turns: END-1, -1 before the stock ran out.
        pile: its newest cards, the last on top. below: those under them, sorted.
        single: card taken as a one-card pile this turn (TURN-5). single_laid: whether one of its type was laid since.
        answer: of `ANSWERS`, OUT-3.
        drawn, bottom: cards that only the observer saw. opening: cards laid of a half open group.
        target: total that ends the match, 0 outside one.
    """

    observer: int | None
    seats: tuple[Seat, ...]
    teams: tuple[Team, Team]
    phase: str
    turns: int
    final_turns: int
    stock: int
    pile: Cards
    below: Cards
    single: int | None
    single_laid: bool
    answer: str
    drawn: int | None
    bottom: int | None
    opening: int
    target: int

    @property
    def actor(self) -> Seat | None:
        """Who decides now; nobody when the hand is over."""
        return next((seat for seat in self.seats if seat.acts), None)


def seat_scene(view: View, rules: Rules | None, row: int = 0, *, seat: int = 0) -> Scene:
    """What the observer of `view[row]` knows; `seat` is their absolute seat. Without rules no points are counted."""
    return _Reader(view.take([row]), rules, seat).scene()


def open_scene(game: BatchGame, index: int = 0) -> Scene:
    """One game with every hand open, and the points that both teams would get now."""
    views = game.select(np.full(game.seats, index)).view(seats=np.arange(game.seats))
    reader = _Reader(views.take([0]), game.hand.rules, 0)
    return reader.scene(hands=views.field("hand"), scores=game.hand.scores[index].tolist())


def place_in_match(game: BatchGame, index: int) -> tuple[int, int] | None:
    """Which hand of a match is played, from 1, and how many there may be; None outside a match."""
    match = game.match
    if match is None:
        return None
    return int(match.hands_played[index]) + int(not match.done[index]), match.max_hands


def hand_order(card: int) -> tuple[int, int]:
    """Sorting key of a card in a hand: suit by suit, the ace above the king, the wilds last."""
    if is_wild(card):
        return (SUIT_COUNT, card)
    suit, rank = divmod(card, RANK_COUNT)
    return (_SUIT_ORDER.index(suit), rank or RANK_COUNT)


def counted(counts: npt.NDArray[np.integer]) -> Cards:
    """Cards of counts by type `[53]`, in the order of a hand."""
    return tuple(sorted((card for card in range(TYPE_COUNT) for _ in range(int(counts[card]))), key=hand_order))


class _Reader:
    """Reads the one row of a View; seats and teams of it are relative to `observer`."""

    def __init__(self, view: View, rules: Rules | None, observer: int) -> None:
        self.field: dict[str, Counts] = {
            field.name: view.field(field.name)[0].astype(np.int64) for field in view.layout
        }
        self.rules, self.observer = rules, observer
        self.players = len(self.field["hand_sizes"])

    def scene(self, *, hands: npt.NDArray[np.int8] | None = None, scores: Sequence[int] | None = None) -> Scene:
        """The scene; `hands` int8 `[players, 53]`, by absolute seat, opens all of them."""
        field = self.field
        phases = np.flatnonzero(field["phase"])
        phase = PHASES[phases[0]] if len(phases) else "over"
        top = [int(code) - 1 for code in field["pile_top"] if code][::-1]
        below = field["pile"].copy()
        np.subtract.at(below, top, 1)
        over = phase == "over"
        return Scene(
            observer=None if hands is not None else self.observer,
            seats=tuple(self._seat(relative, hands, over) for relative in range(self.players)),
            teams=(self._team(0, scores), self._team(1, scores)),
            phase=phase,
            turns=self._number("turns"),
            final_turns=int(field["final_turns"]),
            stock=int(field["stock_size"]),
            pile=tuple(top),
            below=counted(below),
            single=self._card("single"),
            single_laid=bool(field["single_laid"]),
            answer=ANSWERS[int(field["answer"])],
            drawn=self._card("drawn") if hands is None else None,
            bottom=self._card("bottom") if hands is None else None,
            opening=int(field["opening"]),
            target=self._number("target"),
        )

    def _number(self, name: str) -> int:
        """A number kept as hundreds and the rest."""
        return int(self.field[name] @ (100, 1))

    def _card(self, name: str) -> int | None:
        code = int(self.field[name])
        return code - 1 if code else None

    def _seat(self, relative: int, hands: npt.NDArray[np.int8] | None, over: bool) -> Seat:
        field, number = self.field, (relative + self.observer) % self.players
        hand = None
        if hands is not None:
            hand = counted(hands[number])
        elif relative == 0:
            hand = counted(field["hand"])
        return Seat(
            number=number,
            team=number % 2,
            size=int(field["hand_sizes"][relative]),
            hand=hand,
            known=counted(field["known"][relative]),
            burakos_taken=int(field["burakos_taken"][relative]),
            acts=not over and bool(relative == field["actor"]),
            turn=not over and bool(relative == field["turn"]),
            cut=bool(relative == field["cutter"]),
        )

    def _team(self, team: int, scores: Sequence[int] | None) -> Team:
        """A team by absolute number."""
        field, relative = self.field, (team - self.observer) % 2
        groups = self._groups(relative)
        sets = field["closed_sets"][relative]
        kinds = [*field["closed_kinds"][relative].tolist(), int(sets[TWO])]
        return Team(
            number=team,
            groups=groups,
            bazas=tuple((kind, count) for kind, count in zip(BAZA_KINDS, kinds, strict=True) if count),
            ranks=tuple(rank for rank in range(RANK_COUNT) for _ in range(sets[rank]) if rank != TWO),
            closed=counted(field["closed"][relative]),
            burakos_left=int(field["burakos_left"][relative]),
            laid=self._laid(groups, kinds),
            total=int(field["totals"][relative] @ (100, 1)),
            score=None if scores is None else int(scores[team]),
        )

    def _groups(self, team: int) -> tuple[Group, ...]:
        sets, runs = open_sets(self.field["sets"][team], self.field["set_wild"][team]), self.field["runs"][team]
        groups = [
            *(Group(rank, tuple(cards)) for rank, cards in sets),
            *(
                Group(FIRST_RUN + suit * len(runs[suit]) + slot, tuple(cards), f"{SUITS[suit]}{slot + 1}")
                for suit, slot, cards in open_runs(runs)
            ),
        ]
        # The wild group, numbered between the sets, goes last.
        return tuple(sorted(groups, key=lambda group: group.number == WILD_GROUP))

    def _laid(self, groups: Sequence[Group], kinds: Sequence[int]) -> int:
        """Points of what a team has laid."""
        if self.rules is None:
            return 0
        values = type_values(self.rules.rank_values, self.rules.joker_value)
        return int(np.dot(kinds, baza_points(self.rules))) + sum(
            int(values[card]) for group in groups for card in group.cards
        )


__all__ = ["Group", "Scene", "Seat", "Team", "counted", "hand_order", "open_scene", "place_in_match", "seat_scene"]
