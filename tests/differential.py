"""The core and the reference side by side: the same actions, everything compared after each of them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from burako_env.batch import BatchGame
from burako_env.burako.position import Position
from burako_env.cards import card_name
from burako_env.registry import make
from tests.reference import ReferenceHand
from tests.view_words import reference_words, view_words

Chooser = Callable[[BatchGame, np.ndarray, np.ndarray], np.ndarray]


class Difference(AssertionError):
    """The core and the reference disagree."""


@dataclass
class Tally:
    """What a comparison has seen."""

    decisions: int = 0
    hands: int = 0
    fired: Counter[str] = field(default_factory=Counter)
    reasons: Counter[str] = field(default_factory=Counter)


def reference_position(position: Position) -> dict[str, Any]:
    """A core position in the reference's terms."""

    def names(cards: list[int]) -> list[str]:
        return [card_name(card) for card in cards]

    def name(card: int | None) -> str | None:
        return None if card is None else card_name(card)

    return {
        "turn": position.turn,
        "phase": position.phase,
        "hands": [names(cards) for cards in position.hands],
        "stock": names(position.stock),
        "burakos": [[names(cards) for cards in team] for team in position.burakos],
        "burakos_taken_by": position.taken_by,
        "shown": [names(cards) for cards in position.shown],
        "known": [names(cards) for cards in position.known],
        "first_draw": position.first_draw,
        "cutter": position.cutter,
        "bottom": name(position.bottom),
    }


class Pair:
    """One game of a batch and its reference."""

    def __init__(self, game: Any, index: int, config: dict[str, Any]) -> None:
        self.index = index
        self.reference = ReferenceHand.from_position(game.seats, config, reference_position(game.position(index)))
        self.history: list[str] = []

    def expect_equal(self, what: str, core: Any, reference: Any) -> None:
        """Raise a `Difference` that says where and what."""
        if core != reference:
            if isinstance(core, dict):
                keys = [key for key in core if core[key] != reference.get(key)]
                core, reference = ({key: words.get(key) for key in keys} for words in (core, reference))
            if isinstance(core, set):
                core, reference = core - reference, reference - core
                raise Difference(f"{what}: only core {sorted(core)}, only reference {sorted(reference)}\n{self.story()}")
            raise Difference(f"{what}: core {core}, reference {reference}\n{self.story()}")

    def story(self) -> str:
        """The hand so far."""
        return f"{self.reference.expect()}\nlast actions: {self.history[-12:]} ({len(self.history)})"


def compare(name: str, config: dict[str, Any], deals: list[int], choose: Chooser, *, decisions: int, all_seats_every: int = 10) -> Tally:
    """Play hands until at least `decisions` decisions have been compared; raises `Difference` at the first one."""
    games = len(deals)
    batch: Any = make(name, games, config=config)
    batch.reset(deals)
    following = max(deals) + 1
    pairs = [Pair(batch, index, config) for index in range(games)]
    tally = Tally()
    while tally.decisions < decisions:
        legal = batch.legal()
        views = batch.view()
        for pair in pairs:
            texts = {batch.action_text(action, pair.index) for action in np.flatnonzero(legal[pair.index])}
            pair.expect_equal("legal", texts, pair.reference.legal())
            seat = int(batch.to_act[pair.index])
            words = reference_words(pair.reference.view(seat))
            pair.expect_equal(f"view of seat {seat}", view_words(views, pair.index), words)
        if tally.decisions // games % all_seats_every == 0:
            for seat in range(batch.seats):
                seen = batch.view(seats=seat)
                for pair in pairs:
                    words = reference_words(pair.reference.view(seat))
                    pair.expect_equal(f"view of seat {seat}", view_words(seen, pair.index), words)
        actions = choose(batch, legal, batch.keys())
        for pair in pairs:
            text = batch.action_text(int(actions[pair.index]), pair.index)
            pair.history.append(text)
            pair.reference.play(text)
        batch.step(actions)
        scores, done = batch.scores, batch.done
        for pair in pairs:
            found = pair.reference.expect()
            pair.expect_equal("scores", scores[pair.index].tolist(), list(found["scores"]))
            pair.expect_equal("over", bool(done[pair.index]), found["over"])
            if done[pair.index]:
                position = batch.position(pair.index)
                pair.expect_equal("reason", position.reason, found["reason"])
                tally.hands += 1
                tally.reasons[str(position.reason)] += 1
                tally.fired.update(pair.reference.fired)
        tally.decisions += games
        over = np.flatnonzero(done)
        if over.size:
            batch.reset(np.arange(following, following + over.size), over)
            following += over.size
            for index in over.tolist():
                pairs[index] = Pair(batch, index, config)
    return tally


def random_choice(batch: BatchGame, legal: np.ndarray, keys: np.ndarray) -> np.ndarray:
    """Uniform over the legal actions, from the keys."""
    counts = legal.sum(axis=1)
    nth = keys % counts.astype(np.uint64)
    return np.argmax(np.cumsum(legal, axis=1) == nth[:, None] + 1, axis=1)
