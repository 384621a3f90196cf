"""A position of the card game as a text table, from what a View holds.

`view_text` shows what one seat may know, `game_text` the same table with every hand open. Cards and actions are
written in the words of the case files, so what is read here can be typed there.
"""

from __future__ import annotations

import textwrap
from collections.abc import Iterable, Sequence
from typing import Final

import numpy as np

from burako_env.batch import BatchGame
from burako_env.burako.melds.bazas import BAZA_KINDS
from burako_env.burako.melds.groups import MIN_CARDS
from burako_env.burako.view.layout import ANSWERS, OVER, PHASES
from burako_env.cards import (
    RANK_COUNT,
    RANK_NAMES,
    SUIT_COUNT,
    SUITS,
    TWO,
    TYPE_COUNT,
    card_name,
    is_wild,
)
from burako_env.layout import I8, View
from burako_env.render.burako.groups import open_runs, open_sets

_WIDTH: Final = 100
_MIN_ROOM: Final = 40
_GROUP_GAP: Final = "   "


def view_text(view: View, row: int = 0, *, seat: int = 0) -> str:
    """What the observer of `view[row]` knows; `seat` is his absolute seat, which names all others."""
    return _Picture(view.take([row]), seat, hands=None, scores=None).text()


def game_text(game: BatchGame, index: int = 0) -> str:
    """One game with every hand open, and the points both teams would get now."""
    seats = np.arange(game.seats)
    views = game.select(np.full(game.seats, index)).view(seats=seats)
    heading = game.name
    if (match := game.match) is not None:
        heading += f", hand {int(match.hands_played[index]) + (not match.done[index])} of at most {match.max_hands}"
    scores = game.hand.scores[index].tolist()
    return _Picture(views.take([0]), 0, hands=views.field("hand"), scores=scores, heading=heading).text()


def sorted_hand(counts: I8) -> str:
    """A hand, counts `[53]`: suit by suit, the wilds last."""
    kinds = np.array([SUIT_COUNT if is_wild(card) else card // RANK_COUNT for card in range(TYPE_COUNT)])
    parts = [_counted(np.where(kinds == kind, counts, 0)) for kind in range(SUIT_COUNT + 1)]
    return _GROUP_GAP.join(part for part in parts if part)


class _Picture:
    """The parts of the table. `view` has one row; `hands` int8 `[players, 53]` opens the hands, by absolute seat."""

    def __init__(
        self, view: View, seat: int, *, hands: I8 | None, scores: Sequence[int] | None, heading: str = ""
    ) -> None:
        self.field = {field.name: view.field(field.name)[0].astype(int) for field in view.layout}
        self.players = len(self.field["hand_sizes"])
        self.observer, self.hands, self.scores, self.heading = seat, hands, scores, heading

    def text(self) -> str:
        lines = [self._title(), *self._middle(), ""]
        for team in range(2):
            lines += [*self._team(team), ""]
        return "\n".join([*lines, *self._seats()]).rstrip() + "\n"

    def _absolute(self, relative: int) -> int:
        return int(relative + self.observer) % self.players

    def _relative(self, seat: int) -> int:
        return (seat - self.observer) % self.players

    def _number(self, name: str) -> int:
        """A number kept as hundreds and the rest."""
        hundreds, rest = self.field[name].tolist()
        return int(100 * hundreds + rest)

    def _title(self) -> str:
        phases = np.flatnonzero(self.field["phase"])
        phase = int(phases[0]) if len(phases) else OVER
        parts = [self.heading] if self.heading else []
        parts.append(f"turn {self._number('turns') + (phase != OVER)}")
        if phase == OVER:
            parts.append("the hand is over")
        else:
            parts.append(f"player_{self._absolute(self.field['actor'])} to act, phase {PHASES[phase]}")
        if self.field["answer"]:
            parts.append(f"ask: {ANSWERS[self.field['answer']]}")
        if self.field["final_turns"] >= 0 and phase != OVER:
            parts.append(f"{self.field['final_turns']} turns after this one")
        return " | ".join(parts)

    def _middle(self) -> list[str]:
        """Stock and pile: its last cards in order, those below them sorted."""
        top = [int(code) - 1 for code in self.field["pile_top"] if code][::-1]
        below = self.field["pile"].copy()
        np.subtract.at(below, top, 1)
        parts = [f"({_counted(below)})"] if below.any() else []
        parts += [f"{_cards(top)} <- top"] if top else []
        if self.field["single"]:
            laid = ", one laid since" if self.field["single_laid"] else ""
            parts.append(f"{card_name(int(self.field['single']) - 1)} was a pile of one{laid}")
        size = int(self.field["pile_size"])
        return _wrap(f"stock {self.field['stock_size']}   pile {f'{size}: ' if size else 'empty   '}", parts)

    def _team(self, team: int) -> list[str]:
        """Open groups, closed bazas and points of a team, by absolute number."""
        relative = (team - self.observer) % 2
        seats = " ".join(str(seat) for seat in range(team, self.players, 2))
        facts = [f"burakos left {self.field['burakos_left'][relative]}"]
        if self.scores is not None:
            facts.insert(0, f"points of this hand {self.scores[team]}")
        if self._number("target"):
            hundreds, rest = self.field["totals"][relative].tolist()
            facts.append(f"total before this hand {100 * hundreds + rest} of {self._number('target')}")
        lines = [f"team {team} (seats {seats}): {', '.join(facts)}"]
        rows = {"sets": self._sets(relative), "runs": self._runs(relative), "bazas": self._bazas(relative)}
        for name, parts in rows.items():
            lines += _wrap(f"  {name:<6}", parts) if parts else []
        return lines if any(rows.values()) else [*lines, "  nothing laid"]

    def _sets(self, team: int) -> list[str]:
        """Open sets by rank, aces first, the wild group last."""
        return [_group(cards) for _, cards in open_sets(self.field["sets"][team], self.field["set_wild"][team])]

    def _runs(self, team: int) -> list[str]:
        """Open runs by the name that actions give them."""
        return [
            f"{SUITS[suit]}{slot + 1}: {_group(cards)}" for suit, slot, cards in open_runs(self.field["runs"][team])
        ]

    def _bazas(self, team: int) -> list[str]:
        """Closed bazas: how many of each kind, of which ranks the sets, and their cards."""
        closed_sets = self.field["closed_sets"][team]
        kinds = [*self.field["closed_kinds"][team].tolist(), int(closed_sets[TWO])]
        if not any(kinds):
            return []
        parts = [f"{count} {kind}" for kind, count in zip(BAZA_KINDS, kinds, strict=True) if count]
        ranks = [RANK_NAMES[rank] for rank in range(RANK_COUNT) for _ in range(closed_sets[rank]) if rank != TWO]
        if ranks:
            parts.append(f"(sets of {' '.join(ranks)})")
        return [*parts, f"cards {_counted(self.field['closed'][team])}"]

    def _seats(self) -> list[str]:
        """One line a seat, in the order of play from the observer."""
        lines = []
        for seat in range(self.players) if self.hands is not None else map(self._absolute, range(self.players)):
            relative = self._relative(seat)
            size = int(self.field["hand_sizes"][relative])
            mark = ">" if relative == self.field["actor"] and self.field["phase"].any() else " "
            facts = [f"{mark} player_{seat} (team {seat % 2})", f"{size:>2} card{'s' if size != 1 else ''}"]
            taken = int(self.field["burakos_taken"][relative])
            if taken:
                facts.append(f"{taken} burako{'s' if taken > 1 else ''} taken")
            if relative == self.field["cutter"]:
                facts.append("cut")
            lines += _wrap(f"{', '.join(facts)}: ", self._hand(relative, seat))
        return lines

    def _hand(self, relative: int, seat: int) -> list[str]:
        """What is seen of a seat's hand."""
        if self.hands is not None:
            return [sorted_hand(self.hands[seat])]
        if relative:
            known = _counted(self.field["known"][relative])
            return [f"known {known}"] if known else []
        shown = [sorted_hand(self.field["hand"])]
        for name in ("drawn", "bottom"):
            if self.field[name]:
                what = "drawn" if name == "drawn" else "seen at the bottom of the stock"
                shown.append(f"({what}: {card_name(int(self.field[name]) - 1)})")
        return shown


def _cards(cards: Iterable[int]) -> str:
    return " ".join(card_name(card) for card in cards)


def _group(cards: Sequence[int]) -> str:
    """A group; one that is half open goes on."""
    return _cards(cards) + (" .." if len(cards) < MIN_CARDS else "")


def _counted(counts: I8) -> str:
    """Cards of a count by type, as text."""
    return _cards(card for card in range(TYPE_COUNT) for _ in range(int(counts[card])))


def _wrap(head: str, parts: Sequence[str]) -> list[str]:
    """`head` and the parts behind it, over as many lines as they need."""
    lines = [head]
    room = max(_WIDTH - len(head), _MIN_ROOM)
    for piece in (piece for part in parts for piece in textwrap.wrap(part, room)):
        empty = len(lines[-1]) == len(head)
        if not empty and len(lines[-1]) + len(_GROUP_GAP) + len(piece) > len(head) + room:
            lines.append(" " * len(head))
            empty = True
        lines[-1] += piece if empty else _GROUP_GAP + piece
    return [line.rstrip() for line in lines]


__all__ = ["game_text", "sorted_hand", "view_text"]
