"""Recording while a batch is played.

recorder = Recorder(game, config)
game.reset(deal_ids)
recorder.begin(agents)                      # names by seat
while not game.done.all():
    actions = ...
    recorder.note(actions)                  # before the step
    game.step(actions)
    for slot, record in recorder.collect(): # after every step: what has ended by it
        append(path, [record])
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import numpy.typing as npt

from burako_env.batch import BatchGame, Games, as_games, expect_length
from burako_env.families import make
from burako_env.records.format import Hand, HandRecord, MatchRecord, Record
from burako_env.records.replay import result_of


@dataclass
class _Open:
    """What is being recorded in a slot."""

    agents: tuple[str, ...]
    actions: list[str] = field(default_factory=list)
    hands: list[Hand] = field(default_factory=list)


class Recorder:
    """Writes down what is played in the slots of a batch, hands or matches (`MatchGame`).

    `config` are the rule keys that `game` was made with: a record names them, and the game's own rules must be those.
    """

    def __init__(self, game: BatchGame, config: Mapping[str, Any] | None = None) -> None:
        self.game = game
        self.rules = dict(config or {})
        self.digest = game.rules_digest
        if make(game.name, config=self.rules).rules_digest != self.digest:
            raise ValueError(f"these are not the rules of the game: {game.name} with {self.rules}")
        self._open: dict[int, _Open] = {}

    def begin(self, agents: Sequence[str] = (), slots: Games = None) -> None:
        """Hands or matches have just been dealt in these slots (None: in all); `agents` play them, by seat."""
        if agents and len(agents) != self.game.seats:
            raise ValueError(f"{len(agents)} agents for {self.game.seats} seats")
        for slot in self._slots(slots):
            self._open[slot] = _Open(tuple(agents))

    def note(self, actions: npt.ArrayLike, slots: Games = None) -> None:
        """These actions, int `[n]`, are about to be played in these slots (None: in all)."""
        played = self._slots(slots)
        done = self.game.done
        for slot, action in zip(played, expect_length("actions", actions, len(played), np.int64).tolist(), strict=True):
            if slot in self._open and not done[slot]:
                self._open[slot].actions.append(self.game.action_text(action, slot))

    def collect(self) -> list[tuple[int, Record]]:
        """The slots whose hand or match has ended since the last call, with their records."""
        self._close_hands()
        done = self.game.done
        return [(slot, self.stop(slot)) for slot in sorted(self._open) if done[slot]]

    def stop(self, slot: int) -> Record:
        """The record of a slot as it stands, ended or broken off; the slot is no longer recorded."""
        game, what = self.game, self._open.pop(slot)
        common: dict[str, Any] = {
            "game": game.name,
            "rules": self.rules,
            "rules_digest": self.digest,
            "root_seed": game.root_seed,
            "deal_id": int(game.deal_ids[slot]),
            "agents": what.agents,
        }
        orientation = game.swapped[slot].item()
        common["swapped" if isinstance(orientation, bool) else "turned"] = orientation
        if game.match is None:
            return HandRecord(**common, actions=tuple(what.actions), result=result_of(game, slot))
        if not game.done[slot]:
            what.hands.append(_hand(game.hand, slot, what))
        return MatchRecord(**common, hands=tuple(what.hands), result=result_of(game.match, slot))

    def _close_hands(self) -> None:
        """Put away the hands of matches that the last step has ended."""
        match = self.game.match
        if match is None or match.finished_hands is None:
            return
        for row, slot in enumerate(match.finished.tolist()):
            what = self._open.get(slot)
            if what is not None and what.actions:
                what.hands.append(_hand(match.finished_hands, row, what))
                what.actions = []

    def _slots(self, slots: Games) -> list[int]:
        """Slots as numbers."""
        found = as_games(slots, self.game.size)
        chosen: Iterable[int] = range(self.game.size) if found is None else found.tolist()
        return [int(slot) for slot in chosen]


def _hand(game: BatchGame, index: int, what: _Open) -> Hand:
    """The hand in play, of which game `index` shows the end."""
    return Hand(deal_id=int(game.deal_ids[index]), actions=tuple(what.actions), result=result_of(game, index))
