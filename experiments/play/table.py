"""A table at which one person plays with and against agents.

What leaves it for the person is built from his seat's View; only a hand that is over is shown open. Every change has a
number, and a move says which number it answers, so that one made on an outdated picture does nothing.
"""

from __future__ import annotations

import threading
from collections.abc import Mapping, Sequence
from typing import Any, Final, NamedTuple

import numpy as np

from agents import Agent
from burako_env.batch import BatchGame
from burako_env.burako.actions import Kind
from burako_env.cards import card_name
from burako_env.choice import random_legal
from burako_env.match import MatchGame, make_match
from burako_env.notation import read_action
from burako_env.recorder import Recorder
from burako_env.records import Record
from burako_env.registry import make
from burako_env.render.scene import game_scene, seat_scene
from burako_env.render.words import action_target, action_words
from burako_env.replay import find_action, hand_result
from burako_env.rng import mix
from experiments.asking import ask

PERSON: Final = "person"
_LOG: Final = 60


class Refused(Exception):
    """A move that cannot be made now; `words` say why in each language."""

    def __init__(self, english: str, spanish: str) -> None:
        super().__init__(english)
        self.words = {"en": english, "es": spanish}


class Played(NamedTuple):
    """A line of the log: who (None: the table itself) did what, in each language."""

    by: int | None
    words: Mapping[str, str]


class PlayTable:
    """One game, hand or match, of a person and agents.

    Args:
        game, rules, seed: as `burako_env.make`. match: play hands until a team reaches the target.
        seat: the person's. agents: by seat; that of the person's own seat gives the hints.
    """

    def __init__(
        self,
        game: str,
        *,
        rules: Mapping[str, Any],
        seed: int,
        deal: int,
        match: bool,
        seat: int,
        agents: Sequence[Agent],
    ) -> None:
        self.name, self.rules, self.seed, self.match = game, dict(rules), seed, match
        self.seat, self.agents = seat, tuple(agents)
        self.lock = threading.Lock()
        # Counts every change, those taken back too, so that no picture of the table has the number of another.
        self.number = 0
        self._deal(deal)

    @property
    def over(self) -> bool:
        """Whether the hand or match has ended."""
        return bool(self.game.done[0])

    # What the person sees.

    def situation(self) -> dict[str, Any]:
        """All that the person may know, as plain data."""
        game = self.game
        return {
            "number": self.number,
            "game": self.name,
            "seat": self.seat,
            "agents": self.names(),
            "over": self.over,
            "scene": game_scene(game) if self.over else seat_scene(game, self.seat),
            "legal": [self._described(text) for text in self.legal_texts()],
            "undo": bool(self._before),
            "log": [{"by": line.by, "words": line.words} for line in self._log[-_LOG:]],
            "scores": game.scores[0].tolist() if self.over else None,
        }

    def legal_texts(self) -> list[str]:
        """The person's legal actions in the words of the case files; none once it is over."""
        if self.over:
            return []
        return [self.game.action_text(action) for action in np.flatnonzero(self.game.legal()[0]).tolist()]

    def names(self) -> list[str]:
        """Who sits where."""
        return [PERSON if seat == self.seat else agent.name for seat, agent in enumerate(self.agents)]

    def record(self) -> Record:
        """The record of what has been played: it holds every card, so the person gets it once it is over."""
        game = self._make()
        recorder = Recorder(game, self.rules)
        game.reset([self.deal])
        recorder.begin(self.names())
        for action in self._actions:
            recorder.note([action])
            game.step([action])
            for _, record in recorder.collect():
                return record
        return recorder.stop(0)

    # What the person does. `number` is that of the situation which a move answers.

    def act(self, number: int, text: str) -> None:
        """Play an action, then let the agents play until it is the person's turn again."""
        self._expect(number)
        action = None if self.over else find_action(self.game, 0, text, self.game.legal()[0])
        if action is None:
            raise Refused("That is not allowed now.", "Eso no se puede ahora.")
        before, size, phase = self.game.clone(), self._hand_size(), self.game.phase_text(0)
        self._step(action)
        # A lay that showed no new card can be taken back.
        same = not self.over and int(self.game.to_act[0]) == self.seat and self.game.phase_text(0) == phase == "lay"
        if read_action(text).kind == Kind.LAY and same and self._hand_size() == size - 1:
            self._before.append(before)
        else:
            self._before.clear()
        self._advance()

    def undo(self, number: int) -> None:
        """Take back the last lay of this turn."""
        self._expect(number)
        if not self._before:
            raise Refused("There is nothing to take back.", "No hay nada que deshacer.")
        self.game = self._before.pop()
        self._actions.pop()
        self._log.pop()
        self.number += 1

    def hint(self, number: int) -> str:
        """What the agent of the person's seat would do, from the same View."""
        self._expect(number)
        if self.over:
            raise Refused("The hand is over.", "La mano terminó.")
        action, why = self._ask(self.agents[self.seat])
        if why:
            raise Refused(f"No hint: {why}", f"Sin consejo: {why}")
        return self.game.action_text(action)

    def next_deal(self, number: int) -> None:
        """Deal the next hand or match."""
        self._expect(number)
        if not self.over:
            raise Refused("The hand is not over yet.", "La mano todavía no terminó.")
        self._deal(self.deal + 1)

    # Inner helpers.

    def _make(self) -> BatchGame:
        maker = make_match if self.match else make
        return maker(self.name, 1, self.seed, self.rules)

    def _deal(self, deal: int) -> None:
        self.deal = deal
        self.game = self._make()
        self.game.reset([deal])
        self._actions: list[int] = []
        self._log: list[Played] = []
        self._before: list[BatchGame] = []
        self.number += 1
        self._advance()

    def _expect(self, number: int) -> None:
        if number != self.number:
            raise Refused(
                "The table has moved on in the meantime; this is how it stands now.",
                "Mientras tanto la mesa siguió; así está ahora.",
            )

    def _advance(self) -> None:
        """The agents' moves up to the person's next decision."""
        while not self.over and int(self.game.to_act[0]) != self.seat:
            agent = self.agents[int(self.game.to_act[0])]
            action, why = self._ask(agent)
            if why:  # the reason itself may name cards of its hand
                self._note(f"{agent.name} failed: a random move", f"{agent.name} falló: una jugada al azar")
            self._step(action)

    def _ask(self, agent: Agent) -> tuple[int, str]:
        """An agent's answer for the seat to act, or a random one and why it failed."""
        game = self.game
        answers = ask(agent, game.view(), game.legal(), game.keys())
        if not answers.failed and not answers.illegal:
            return int(answers.actions[0]), ""
        why = answers.failed.get(0, f"{agent.name}: an illegal action")
        return int(random_legal(game.legal_packed(), mix(game.keys()))[0]), why

    def _step(self, action: int) -> None:
        game, seat = self.game, int(self.game.to_act[0])
        self._log.append(Played(seat, action_words(game.action_text(action))))
        self._actions.append(action)
        game.step([action])
        self.number += 1
        if isinstance(game, MatchGame) and game.finished_hands is not None:
            self._note_end(game.finished_hands, game.totals[0].tolist())
        elif self.over:
            self._note_end(game, None)

    def _note_end(self, hand: BatchGame, totals: Sequence[int] | None) -> None:
        """A hand has ended."""
        result = hand_result(hand, 0)
        points = " : ".join(map(str, result.scores))
        total = "" if totals is None else f" (total {' : '.join(map(str, totals))})"
        self._note(f"the hand is over, {points}{total}", f"la mano terminó, {points}{total}")

    def _note(self, english: str, spanish: str) -> None:
        self._log.append(Played(None, {"en": english, "es": spanish}))

    def _hand_size(self) -> int:
        return int(self.game.view(seats=self.seat).hand_sizes[0, 0])

    def _described(self, text: str) -> dict[str, Any]:
        """A legal action: its text, its words, the card it moves and where to."""
        words = read_action(text)
        return {
            "text": text,
            "words": action_words(text),
            "kind": words.kind.name.lower(),
            "card": None if words.card is None else card_name(words.card),
            "target": action_target(words),
        }


__all__ = ["PERSON", "PlayTable", "Played", "Refused"]
