"""A record played again, every position drawn: all hands open, and as each seat saw it.

Parts of the table that look the same are kept once, and cards in them as `~9S~`, which the page draws: a hand of 250
actions seen from five sides is a few hundred kilobytes.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any, Final

import numpy as np

from burako_env.batch import BatchGame, IllegalAction
from burako_env.errors import UserError
from burako_env.families import make, make_match
from burako_env.layout import View
from burako_env.records.format import Record, action_place
from burako_env.records.replay import verify
from burako_env.render.page import Player
from burako_env.render.texts import Texts
from experiments.play.families import play_family
from experiments.watch.opinions import Decisions

# How a card stands in the HTML, and in the kept parts.
_CARD: Final = re.compile(r'<svg class="c"[^>]*><use href="#c-(\w+)"/></svg>')


@dataclass(frozen=True)
class Frame:
    """A position: which hand and turn, who acts (None at a hand's end), what they do, and the parts of every view.

    `views`: all hands open, then each seat's; a view is the numbers of its parts: status, upper team, middle, lower
    team, own hand (-1: none), then the other seats. `choices`: every legal action in words, by id. `sheet`: at a hand's
    end the lines of its score sheet, where the game has one.
    """

    hand: int
    turn: int
    seat: int | None
    action: int | None
    text: str
    views: tuple[tuple[int, ...], ...]
    choices: dict[int, str] = field(default_factory=dict)
    sheet: dict[str, Any] | None = None


class Frames:
    """All frames of a record. `parts` are the drawn parts; `decisions` what was seen at each frame with an action."""

    def __init__(self, record: Record, words: Texts) -> None:
        self.family = play_family(record.game)
        failure = verify([record])[0]
        if failure is not None:
            raise UserError(f"the record does not hold: {failure}")
        self.record, self.words = record, words
        maker = make_match if record.kind == "match" else make
        self.game: BatchGame = maker(record.game, 1, record.root_seed, record.rules)
        names = record.agents or ("",) * self.game.seats
        self.pen = self.family.pen(words, [Player(words("player", seat=at), name) for at, name in enumerate(names)])
        self.parts: dict[str, int] = {}
        self._views: list[Any] = []
        self._legal: list[Any] = []
        self._keys: list[Any] = []
        self.frames: list[Frame] = []

    def __len__(self) -> int:
        return sum(len(part.actions) + 1 for part in self.record.parts)

    def play(self) -> Iterator[Frame]:
        """Play the record; every frame as it is drawn."""
        game, record = self.game, self.record
        game.reset([record.deal_id], swap_sides=record.orientation)
        for number, part in enumerate(record.parts):
            for place, text in enumerate(part.actions):
                action = self._find(text)
                if action is None:
                    raise IllegalAction(f"{action_place(record, number + 1, place + 1)} '{text}' is not legal")
                yield self._keep(self._frame(number, self.hand, action))
                game.step([action])
            ended = game if game.match is None else game.match.finished_hands
            yield self._keep(self._frame(number, self.hand if ended is None else ended, None))

    @property
    def hand(self) -> Any:
        """The hand in play."""
        return self.game.hand

    def decisions(self) -> Decisions:
        """What was seen and legal at the frames with an action, in order."""
        view = View(np.concatenate(self._views), self.game.layout)
        return Decisions(view, np.concatenate(self._legal), np.concatenate(self._keys))

    def _find(self, text: str) -> int | None:
        legal = np.flatnonzero(self.hand.legal()[0]).tolist()
        return next((action for action in legal if self.hand.action_text(action) == text), None)

    def _keep(self, frame: Frame) -> Frame:
        self.frames.append(frame)
        return frame

    def _frame(self, number: int, hand: BatchGame, action: int | None) -> Frame:
        """The position of a hand in which an action is about to be played; None: at its end."""
        views = tuple(tuple(map(self._part, parts)) for parts in self.family.views(hand, self.pen))
        turn = int(hand.turns[0]) + (action is not None)
        if action is None:
            text, sheet = self.family.ended(hand, self.pen)
            return Frame(number, turn, None, None, text or self.words("broken.off"), views, sheet=sheet)
        legal = hand.legal()
        self._views.append(hand.view().buffer)
        self._legal.append(legal)
        self._keys.append(self.game.keys())
        choices = {one: self.family.advice_text(hand, one, self.words) for one in np.flatnonzero(legal[0]).tolist()}
        return Frame(number, turn, int(hand.to_act[0]), action, choices[action], views, choices)

    def _part(self, html: str | None) -> int:
        return -1 if html is None else self.parts.setdefault(_CARD.sub(r"~\1~", html), len(self.parts))
