"""A game in progress between one person and agents: what may happen to it, in which order, and who learns of it.

Everything goes through one lock. `version` counts what has happened; an answer names the version it answers, and one
that is not the present one is refused, so two pages of the same game cannot disturb each other. Whoever wants to know
of changes waits for a later version.

The person's seat sees `table()`, made from its View; nothing else of the state leaves a session.
"""

from __future__ import annotations

import sys
import threading
import time
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

import numpy as np

import agents
from agents import Agent
from burako_env.batch import BatchGame
from burako_env.burako.actions import NONE, Kind
from burako_env.burako.game import BurakoGame
from burako_env.choice import random_legal
from burako_env.errors import UserError
from burako_env.match import MatchGame, make_match
from burako_env.recorder import Recorder
from burako_env.records import append
from burako_env.registry import make
from burako_env.render.table import Table, seat_table
from experiments.asking import ask
from experiments.play.happenings import Ending, Event, Refused, Setup, public_counts, with_outcome
from experiments.play.plans import Place, plan, why_no_plan
from experiments.play.reasons import Wish, why_not

# Lays follow one another faster than other actions of an agent.
_LAY_PACE: Final = 0.45


@dataclass
class _Saved:
    """What undo goes back to."""

    game: BatchGame
    actions: int
    events: tuple[Event, ...]


class Session:
    """The game of a `Setup`. Every public method may be called from any thread."""

    def __init__(self, setup: Setup, *, pace: float = 0.0) -> None:
        self.setup, self.seat, self.pace = setup, setup.seat, pace
        self._players = [None if spec is None else self._load(spec) for spec in setup.players]
        self._advisors: dict[str, Agent] = {}
        self.changed = threading.Condition()
        self.version = 0
        self.closed = False
        self._deal = setup.deal
        self._start()

    def _load(self, spec: str) -> Agent:
        return agents.load(spec, self.setup.game, self.setup.rules)

    def _start(self) -> None:
        setup = self.setup
        maker = make_match if setup.match else make
        self.game: BatchGame = maker(setup.game, 1, setup.root_seed, setup.rules)
        self.game.reset([self._deal])
        self._actions: list[int] = []
        self._undo: list[_Saved] = []
        self.events: tuple[Event, ...] = (Event("dealt"),)
        self.ending: Ending | None = None
        self._ended: BurakoGame | None = None

    # What can be seen.

    @property
    def hand(self) -> BurakoGame:
        """The hand in play."""
        hand = self.game.hand if isinstance(self.game, MatchGame) else self.game
        assert isinstance(hand, BurakoGame)
        return hand

    @property
    def shown(self) -> BurakoGame:
        """The hand on the table: one that has ended stays there until the person goes on."""
        return self._ended or self.hand

    @property
    def yours(self) -> bool:
        """Whether the person is to act."""
        return self.ending is None and not self.game.done[0] and int(self.game.to_act[0]) == self.seat

    @property
    def may_undo(self) -> bool:
        """Whether there is something to take back."""
        return bool(self._undo) and self.yours

    def table(self) -> Table:
        """What the person's seat may know."""
        hand = self.shown
        return seat_table(hand.view(seats=self.seat), hand.rules, seat=self.seat)

    def legal(self) -> list[int]:
        """Legal actions of the person; none while others act."""
        return np.flatnonzero(self.hand.legal()[0]).tolist() if self.yours else []

    def wait(self, after: int, seconds: float) -> bool:
        """Wait until the version is later than `after`; False if it is not by then."""
        with self.changed:
            return self.changed.wait_for(lambda: self.version > after or self.closed, timeout=seconds)

    # What the person does.

    def act(self, version: int, action: int) -> None:
        """Play one action. Raises `Refused`."""
        with self.changed:
            self._check(version)
            if action not in self.legal():
                kind, card, group = (int(value) for value in self.hand.table.rows[action])
                wish = Wish(Kind(kind), None if card == NONE else card, None if group == NONE else group)
                raise Refused("illegal", why_not(self.hand, wish))
            self._play((action,))

    def lay(self, version: int, cards: Sequence[int], place: Place, *, theirs: bool = False) -> None:
        """Bring cards to a place: a group, a new one, or the pile. Raises `Refused`."""
        with self.changed:
            self._check(version)
            if not cards:
                raise Refused("your.lay")
            if theirs:
                raise Refused("illegal", why_not(self.hand, Wish(Kind.LAY, cards[0], 0, theirs=True)))
            found = plan(self.hand, cards, place)
            if found is None:
                raise Refused("illegal", why_no_plan(self.hand, cards, place))
            self._play(found)

    def undo(self, version: int) -> None:
        """Take back the last of what was laid in this turn. Raises `Refused`."""
        with self.changed:
            self._check(version)
            if not self._undo:
                raise Refused("no.undo")
            saved = self._undo.pop()
            self.game, self.events = saved.game, saved.events
            del self._actions[saved.actions :]
            self._tell()

    def hint(self, version: int, spec: str) -> int:
        """What an agent would do in the person's place. Raises `Refused`, and `UserError` for an agent that fails."""
        if spec not in self.setup.hints:
            raise Refused("not.yours")
        with self.changed:
            self._check(version)
            game = self.game.clone()
        if spec not in self._advisors:
            self._advisors[spec] = self._load(spec)
        action, why = _answer(self._advisors[spec], game)
        if why:
            raise UserError(why)
        return action

    def go_on(self, version: int) -> None:
        """After a hand: the next one of the match, or a new deal. Raises `Refused`."""
        with self.changed:
            if version != self.version or self.ending is None:
                raise Refused("stale")
            if self.game.done[0]:
                self._deal += 1
                self._start()
            else:
                self.ending, self._ended = None, None
                self.events = (Event("dealt"),)
            self._tell()

    # What the agents do.

    def play_agents(self) -> None:
        """Play until the person is to act or the hand is over, at the set pace."""
        while self.step_agent():
            pass

    def run(self) -> None:
        """Play the agents' turns whenever they come, until the session is closed."""
        while not self.closed:
            if not self.step_agent():
                with self.changed:
                    self.changed.wait_for(lambda: self.closed or self._agent() is not None)

    def step_agent(self) -> bool:
        """One action of an agent; False if none is to act."""
        with self.changed:
            agent, version = self._agent(), self.version
            if agent is None or self.closed:
                return False
            game = self.game.clone()
        action, why = _answer(agent, game)
        with self.changed:
            if self.version != version or self.closed:
                return True
            if why:
                # The reason may quote the agent's cards: it is for who runs the game, not for the table.
                print(f"seat {int(self.game.to_act[0])}, {why}", file=sys.stderr)
                self.events = (*self.events, Event("failed", int(self.game.to_act[0])))
            self._play((action,))
            laid = int(self.hand.table.rows["kind"][action]) == Kind.LAY
        if self.pace:
            time.sleep(self.pace * (_LAY_PACE if laid else 1))
        return True

    def close(self) -> None:
        """Stop `run`."""
        with self.changed:
            self.closed = True
            self.changed.notify_all()

    # Inner helpers; the lock is held.

    def _agent(self) -> Agent | None:
        if self.ending is not None or self.game.done[0]:
            return None
        return self._players[int(self.game.to_act[0])]

    def _check(self, version: int) -> None:
        if version != self.version:
            raise Refused("stale")
        if not self.yours:
            raise Refused("not.yours")

    def _tell(self) -> None:
        self.version += 1
        self.changed.notify_all()

    def _play(self, actions: Sequence[int]) -> None:
        """Legal actions of one seat, one after the other; then tell everybody."""
        seat, person = int(self.game.to_act[0]), self.yours
        before = self.hand.view(seats=seat).hand[0].copy()
        saved = _Saved(self.game.clone(), len(self._actions), self.events)
        kinds = self.hand.table.rows["kind"][list(actions)]
        for action in actions:
            event, ahead = self._event(seat, action), self.hand.clone()
            ahead.step([action])
            self._note(with_outcome(event, public_counts(self.hand), public_counts(ahead)))
            self.game.step([action])
            self._actions.append(action)
            if ahead.done[0]:
                self._end(ahead)
        after = self.shown.view(seats=seat).hand[0]
        # A lay may be taken back as long as no card came to the hand with it.
        back = person and self.ending is None and bool((kinds == Kind.LAY).all()) and not (after > before).any()
        self._undo = [*self._undo, saved] if back else []
        self._tell()

    def _event(self, seat: int, action: int) -> Event:
        """What everybody sees of an action that is about to be played."""
        kind, card, group = (int(value) for value in self.hand.table.rows[action])
        cards: tuple[int, ...] = () if card == NONE else (card,)
        if kind == Kind.REJECT:
            cards = (int(self.hand.view(seats=seat).drawn[0]) - 1,)
        elif kind == Kind.DRAW_PILE:
            table = seat_table(self.hand.view(seats=seat), self.hand.rules, seat=seat)
            cards = (*table.below, *table.pile)
        text = self.hand.action_text(action)
        return Event(Kind(kind).name, seat, cards, None if group == NONE else group, text=text)

    def _note(self, event: Event) -> None:
        """Write an event down; lays on one group in a row become one."""
        last, same = self.events[-1], (event.key, event.seat, event.group)
        if event.key == Kind.LAY.name and same == (last.key, last.seat, last.group) and not last.closed:
            event = replace(event, cards=last.cards + event.cards)
            self.events = self.events[:-1]
        self.events = (*self.events, event)

    def _end(self, hand: BurakoGame) -> None:
        """A hand is over: keep it on the table, with how it ended; a game that is over is recorded."""
        position = hand.position(0)
        self._ended = hand
        a, b = (int(points) for points in hand.scores[0])
        self.ending = Ending((a, b), str(position.reason), position.turns, position.out_seat)
        if isinstance(self.game, MatchGame):
            first, second = (int(points) for points in self.game.totals[0])
            self.ending = replace(
                self.ending,
                totals=(first, second),
                match_over=bool(self.game.done[0]),
                winner=int(self.game.winner[0]),
            )
        if self.game.done[0] and self.setup.record is not None:
            try:
                append(self.setup.record, [self.record()])
            except UserError as error:
                self.events = (*self.events, Event("unwritten", why=str(error)))

    def record(self) -> Any:
        """The game so far as a record; it is played again for that."""
        setup = self.setup
        maker = make_match if setup.match else make
        game: BatchGame = maker(setup.game, 1, setup.root_seed, setup.rules)
        game.reset([self._deal])
        recorder = Recorder(game, setup.rules)
        recorder.begin(tuple(spec or "person" for spec in setup.players))
        records = []
        for action in self._actions:
            recorder.note([action])
            game.step([action])
            records += recorder.collect()
        return records[0][1] if records else recorder.stop(0)


def _answer(agent: Agent, game: BatchGame) -> tuple[int, str]:
    """An agent's action in game 0; a random legal one with the reason if the agent has none."""
    legal, words = game.legal(), game.legal_packed()
    any_legal = int(random_legal(words, game.keys())[0])
    if legal.sum() == 1:
        return any_legal, ""
    answers = ask(agent, game.view(), legal, game.keys())
    if answers.failed:
        return any_legal, answers.failed[0]
    if answers.illegal:
        return any_legal, f"{agent.name}: action {answers.illegal[0]} is not legal"
    return int(answers.actions[0]), ""


__all__ = ["Session"]
