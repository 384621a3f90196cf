"""A game in progress between one person and agents: what may happen to it, in which order, and who learns of it.

Everything goes through one lock. `version` counts what has happened. An answer names the version it answers, and an
answer to an earlier one is refused, so two pages of the same game cannot disturb each other. Those who want to know of
changes wait for a later version, or listen.

The person's seat sees `table()`, made from its View; nothing else of the state leaves a session.
"""

import contextlib
import secrets
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from typing import Any, Final

import numpy as np

from burako_env.batch import BatchGame
from burako_env.errors import UserError
from burako_env.families import Episode, make_episodes
from burako_env.records.format import Record, append
from burako_env.records.recorder import Recorder
from experiments.play.families import play_family
from experiments.play.happenings import Ending, Event, Refused, Setup
from experiments.play.seated import Seated
from experiments.processes.apart import load_agent
from experiments.runs.printing import say

SEED_BITS: Final = 128
# Some actions of an agent follow one another faster than others.
_QUICK: Final = 0.45


class Session:
    """The game of a `Setup`. Every public method may be called from any thread."""

    def __init__(self, setup: Setup, *, pace: float = 0.0) -> None:
        self.setup, self.seat, self.pace = setup, setup.seat, pace
        self.family = play_family(setup.game)
        self._players = [None if spec is None else self._load(spec) for spec in setup.players]
        self._advisors: dict[str, Seated] = {}
        self._advice: dict[str, tuple[int, str]] = {}
        self._advising = threading.Lock()
        self.changed = threading.Condition()
        # Called at every change, from any thread, while the lock is held.
        self.listeners: set[Callable[[], None]] = set()
        self.version = 0
        self.closed = False
        self._deal = setup.deal
        self._start()

    def _load(self, spec: str) -> Seated:
        try:
            return Seated(load_agent(spec, self.setup.game, self.setup.rules), self.setup.seconds)
        except UserError as error:
            if spec in str(error):
                raise
            raise UserError(f"agent {spec}: {error}") from None

    def _start(self) -> None:
        setup = self.setup
        # Without a seed every game has cards of its own: those of one tell nothing of the next.
        self.root_seed = secrets.randbits(SEED_BITS) if setup.root_seed is None else setup.root_seed
        self.game = self._dealt()
        self._actions: list[int] = []
        # What undo goes back to: the game, how many actions had been played, and what had been seen.
        self._undo: list[tuple[BatchGame, int, tuple[Event, ...]]] = []
        self.events: tuple[Event, ...] = (Event("dealt"),)
        self.ending: Ending | None = None
        self._ended: BatchGame | None = None
        self._history: tuple[tuple[int, ...], ...] = ()

    def _dealt(self) -> BatchGame:
        """The game before the first action."""
        episode: Episode = "match" if self.setup.match else "hand"
        game = make_episodes(episode, self.setup.game, 1, self.root_seed, self.setup.rules)
        game.reset([self._deal])
        return game

    # What can be seen.

    @property
    def hand(self) -> Any:
        """The hand in play."""
        return self.game.hand

    @property
    def shown(self) -> Any:
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

    def table(self) -> Any:
        """What the person's seat may know, as it is drawn."""
        return self.family.look(self.shown, self.seat)

    def legal(self) -> list[int]:
        """Legal actions of the person; none while others act."""
        return np.flatnonzero(self.hand.legal()[0]).tolist() if self.yours else []

    def expect(self, version: int) -> None:
        """Refuse what answers another version of the table. Raises `Refused`."""
        if version != self.version:
            raise Refused("stale")

    # What the person does.

    def act(self, version: int, action: int) -> None:
        """Play one action. Raises `Refused`."""
        with self._answering(version):
            if action not in self.legal():
                raise Refused("illegal", self.family.why_not(self.hand, action))
            self._play((action,))

    def lay(self, version: int, cards: Sequence[int], place: Any, *, theirs: bool = False) -> None:
        """Bring cards or tiles to a place, such as a group, a new one, or the pile. Raises `Refused`."""
        with self._answering(version):
            self._play(self.family.plan(self.hand, cards, place, theirs=theirs))

    def play(self, version: int, actions: Sequence[int]) -> None:
        """Several legal actions of the person at once. Raises `Refused`."""
        with self._answering(version):
            self._play(actions)

    def undo(self, version: int) -> None:
        """Take back the last of what was laid in this turn. Raises `Refused`."""
        with self._answering(version):
            if not self._undo:
                raise Refused("no.undo")
            self.game, actions, self.events = self._undo.pop()
            del self._actions[actions:]
            self._tell()

    def hint(self, version: int, spec: str) -> int:
        """What an agent would do in the person's place. Raises `Refused`, and `UserError` for an agent that fails."""
        if spec not in self.setup.hints:
            raise Refused("no.hints")
        with self._advising:
            with self._answering(version):
                game, known = self.game.clone(), self._advice.get(spec)
            if known is None:
                if spec not in self._advisors:
                    self._advisors[spec] = self._load(spec)
                known = self._advisors[spec].answer(game)
                with self.changed:
                    # The same question has the same answer, however often it is asked.
                    if version == self.version:
                        self._advice[spec] = known
        action, why = known
        if why:
            raise UserError(why)
        return action

    def go_on(self, version: int) -> None:
        """After a hand: the next one of the match, or a new deal. Raises `Refused`."""
        with self.changed:
            self.expect(version)
            if self.ending is None:
                raise Refused("stale")
            if self.game.done[0]:
                self._deal += self.setup.root_seed is not None
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
        action, why = agent.answer(game)
        with self.changed:
            if self.version != version or self.closed:
                return True
            if why:
                # The reason may quote the agent's cards: it is for who runs the game, not for the table.
                with contextlib.suppress(OSError, ValueError):
                    say(f"seat {int(self.game.to_act[0])}, {why}", error=True)
                self.events = (*self.events, Event("failed", int(self.game.to_act[0])))
            quick = self.family.is_quick(self.hand, action)
            self._play((action,))
        if self.pace:
            time.sleep(self.pace * (_QUICK if quick else 1))
        return True

    def close(self) -> None:
        """Stop `run`."""
        with self.changed:
            self.closed = True
            self._notify()

    # Inner helpers; the lock is held.

    def _agent(self) -> Seated | None:
        if self.ending is not None or self.game.done[0]:
            return None
        return self._players[int(self.game.to_act[0])]

    @contextlib.contextmanager
    def _answering(self, version: int) -> Iterator[None]:
        """Hold the lock for an answer of the person, who has to be the one to act at this version of the table."""
        with self.changed:
            self.expect(version)
            if not self.yours:
                raise Refused("not.yours")
            yield

    def _tell(self) -> None:
        self.version += 1
        self._advice.clear()
        self._notify()

    def _notify(self) -> None:
        self.changed.notify_all()
        # A copy: listeners come and go without the lock.
        for listener in tuple(self.listeners):
            listener()

    def _play(self, actions: Sequence[int]) -> None:
        """Legal actions of one seat, one after the other; then tell everybody."""
        person, before = self.yours, self.hand.clone()
        saved = (self.game.clone(), len(self._actions), self.events)
        for action in actions:
            ahead = self.hand.clone()
            ahead.step([action])
            for event in self.family.happened(self.hand, action, ahead, self.seat):
                self.events = self.family.noted(self.events, event)
            self.game.step([action])
            self._actions.append(action)
            if ahead.done[0]:
                self._end(ahead)
        back = person and self.ending is None and self.family.may_take_back(before, actions, self.shown)
        self._undo = [*self._undo, saved] if back else []
        self._tell()

    def _end(self, hand: BatchGame) -> None:
        """A hand is over: keep it on the table, with how it ended; a game that is over is recorded."""
        self._ended = hand
        self.ending = self.family.ending(hand)
        if (match := self.game.match) is not None:
            self._history = (*self._history, self.ending.scores)
            self.ending = replace(
                self.ending,
                totals=tuple(match.totals[0].tolist()),
                match_over=bool(match.done[0]),
                winner=int(match.winner[0]),
                history=self._history,
            )
        if not self.game.done[0]:
            return
        if self.setup.root_seed is None:
            self.events = (*self.events, Event("seed", why=self.same_cards))
        if self.setup.record is not None:
            try:
                append(self.setup.record, [self.record()])
            except UserError as error:
                self.events = (*self.events, Event("unwritten", why=str(error)))

    @property
    def same_cards(self) -> str:
        """Options of the command that deal these cards again. Who knows them during a game knows every hand."""
        return f"--seed {self.root_seed}" + (f" --deal {self._deal}" if self._deal else "")

    def record(self) -> Record:
        """The game that is over as a record; it is played again for that."""
        game = self._dealt()
        recorder = Recorder(game, self.setup.rules)
        recorder.begin(tuple(spec or "person" for spec in self.setup.players))
        records: list[tuple[int, Record]] = []
        for action in self._actions:
            recorder.note([action])
            game.step([action])
            records += recorder.collect()
        return records[0][1]


__all__ = ["Session"]
