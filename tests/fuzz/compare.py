"""A batch of the core and as many reference hands side by side; whatever differs first is raised as a `Difference`."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any, Final

import numpy as np

from burako_env.burako.game import BurakoGame
from burako_env.chance.rng import as_ids, combine
from burako_env.families import make
from burako_env.layout import View
from tests.fuzz.deals import deal_faults
from tests.fuzz.plan import Segment
from tests.fuzz.policies import policy_of
from tests.fuzz.starts import ROOT_SEED, Start, beginnings, reference_at
from tests.fuzz.words import StateWords, action_texts, position_words, reference_expect, reference_state
from tests.reference import ReferenceHand
from tests.tools.view_words import reference_words, view_words

# After how many decisions of each game the Views of all seats, and the state as case files read it, are compared.
ALL_SEATS_EVERY: Final = 10
POSITION_EVERY: Final = 40

# The core's game before the last action (None at a start) and now.
Games = tuple[BurakoGame | None, BurakoGame]


@dataclass
class Tally:
    """What comparisons have seen: decisions (in all and by policy), hands, how they ended, and what rules did."""

    decisions: int = 0
    hands: int = 0
    by_policy: Counter[str] = field(default_factory=Counter)
    fired: Counter[str] = field(default_factory=Counter)
    reasons: Counter[str] = field(default_factory=Counter)

    def add(self, other: Tally) -> None:
        """Count in what another comparison saw."""
        self.decisions += other.decisions
        self.hands += other.hands
        for mine, others in (
            (self.by_policy, other.by_policy),
            (self.fired, other.fired),
            (self.reasons, other.reasons),
        ):
            mine.update(others)


@dataclass
class Slot:
    """A hand in play: where it began, the reference, and what has been played."""

    start: Start
    reference: ReferenceHand
    history: list[str] = field(default_factory=list)


class Difference(AssertionError):
    """The core and the reference disagree.

    Attributes:
        segment, slot: where. what: `deal`, `legal`, `state`, `view of seat s`, `position`, `breakdown`.
        core, reference: the parts that differ.
        before, now: the core's game, see `Games`.
    """

    def __init__(self, segment: Segment, slot: Slot, what: str, core: Any, reference: Any, games: Games) -> None:
        self.segment, self.slot, self.what = segment, slot, what
        self.core, self.reference = core, reference
        self.before, self.now = games
        super().__init__(self.story())

    def story(self) -> str:
        """One line on what differs and how to get there again."""
        start, history = self.slot.start, self.slot.history
        last = f" after '{history[-1]}'" if history else " at the start"
        return (
            f"{self.what}{last}: core {self.core}, reference {self.reference}; {self.segment}, "
            f"start {start.kind} {start.seed}, decision {len(history)}"
        )


class Comparison:
    """Plays one segment and counts in `tally` what it sees; `run` raises the first `Difference`."""

    def __init__(self, segment: Segment, tally: Tally) -> None:
        self.segment, self.tally = segment, tally
        batch = make(segment.game, segment.slots, ROOT_SEED, segment.config)
        assert isinstance(batch, BurakoGame)
        self.batch = batch
        self.texts = action_texts(batch.rules.run_slots)
        self.policy = policy_of(segment.policy, segment.game, segment.config)
        self.begun = beginnings(segment.game, segment.config, segment.seed)
        self.before: BurakoGame | None = None
        self.slots = self._begin(list(range(segment.slots)))

    def _begin(self, places: list[int]) -> list[Slot]:
        """Put new hands into some places of the batch, and make their references."""
        whole = self.batch.state_dict()
        made = []
        for place in places:
            begun = next(self.begun)
            for name, column in begun.columns.items():
                whole[name][:, place] = column
            # Made-up positions have no deal, but the players' chance should differ from hand to hand.
            whole["deal_ids"][0, place] = as_ids(combine(self.segment.seed, begun.start.seed, place))[0]
            made.append(Slot(begun.start, reference_at(begun.position, self.segment.config)))
        self.batch.load_state_dict(whole)
        for place, slot in zip(places, made, strict=True):
            faults = deal_faults(self.batch.position(place), slot.reference.config) if slot.start.dealt else []
            if faults:
                raise Difference(self.segment, slot, "deal", faults, [], (None, self.batch.select([place])))
        return made

    def run(self) -> None:
        """Play and compare as many decisions as the segment has."""
        places = range(self.segment.slots)
        view = self._compare(places)
        for step in range(1, self.segment.steps + 1):
            legal = self._compare_legal()
            self._step(self.policy(self.batch, view, legal, self.batch.keys()))
            view = self._compare(places)
            if step % ALL_SEATS_EVERY == 0:
                self._compare_all_seats()
            if step % POSITION_EVERY == 0:
                self._compare_positions(places)
            view = self._refill(view)
        for slot in self.slots:
            self.tally.fired.update(slot.reference.fired)

    def _compare_legal(self) -> np.ndarray:
        """Legal sets of all games; returns the core's."""
        legal = self.batch.legal()
        self.texts_now, self.runs_now = self.texts.of_batch(self.batch, legal)
        for place, slot in enumerate(self.slots):
            core, reference = set(self.texts_now[place]), slot.reference.legal()
            if core != reference:
                self._differ(place, "legal", sorted(core - reference), sorted(reference - core))
        return legal

    def _step(self, actions: np.ndarray) -> None:
        """The same action in both games of every slot."""
        for place, (slot, action) in enumerate(zip(self.slots, actions.tolist(), strict=True)):
            text = self.texts.text(action, self.runs_now[place])
            slot.history.append(text)
            slot.reference.play(text)
        self.before = self.batch.clone()
        try:
            self.batch.step(actions)
        except Exception:
            self._find_breakdown(self.before, actions)
            raise
        self.tally.decisions += len(self.slots)
        self.tally.by_policy[self.segment.policy] += len(self.slots)

    def _find_breakdown(self, before: BurakoGame, actions: np.ndarray) -> None:
        """The core broke down: raise a `Difference` for the first game that does so on its own."""
        for place in range(len(self.slots)):
            game = before.select([place])
            try:
                game.step(actions[[place]])
            except Exception as error:
                self._differ(place, "breakdown", repr(error), "plays on")

    def _compare(self, places: Iterable[int]) -> View:
        """State and the actor's View of some games; returns the actors' Views of all."""
        view, state = self.batch.view(), StateWords(self.batch)
        actors = self.batch.to_act.tolist()
        for place in places:
            self._expect(place, "state", state.expect(place), reference_state(self.slots[place].reference))
            self._compare_view(view, place, actors[place])
        return view

    def _compare_all_seats(self) -> None:
        """The Views of all seats of all games."""
        for seat in range(self.batch.seats):
            view = self.batch.view(seats=seat)
            for place in range(self.segment.slots):
                self._compare_view(view, place, seat)

    def _compare_positions(self, places: Iterable[int]) -> None:
        """Every `expect` key as case files find it."""
        scores, counts = self.batch.scores.tolist(), self.batch.legal().sum(axis=1).tolist()
        for place in places:
            found = position_words(self.batch.position(place), scores[place], counts[place])
            self._expect(place, "position", found, reference_expect(self.slots[place].reference.expect()))

    def _compare_view(self, view: View, place: int, seat: int) -> None:
        words = reference_words(self.slots[place].reference.view(seat))
        self._expect(place, f"view of seat {seat}", view_words(view, place), words)

    def _expect(self, place: int, what: str, core: dict[str, Any], reference: dict[str, Any]) -> None:
        if core != reference:
            keys = [key for key in core if core[key] != reference[key]]
            self._differ(place, what, {key: core[key] for key in keys}, {key: reference[key] for key in keys})

    def _differ(self, place: int, what: str, core: Any, reference: Any) -> None:
        slot = self.slots[place]
        before = self.before.select([place]) if self.before is not None and slot.history else None
        raise Difference(self.segment, slot, what, core, reference, (before, self.batch.select([place])))

    def _refill(self, view: View) -> View:
        """New hands where one is over or has been played long enough; the actors' Views after that."""
        over = self.batch.done
        ended = [place for place, slot in enumerate(self.slots) if over[place] or len(slot.history) >= slot.start.limit]
        if not ended:
            return view
        legal = self.batch.legal(ended).any(axis=1)
        for place, still_legal in zip(ended, legal.tolist(), strict=True):
            slot = self.slots[place]
            if over[place] and (still_legal or slot.reference.legal()):
                self._differ(place, "legal", still_legal, sorted(slot.reference.legal()))
            self.tally.hands += 1
            self.tally.reasons[slot.reference.reason or "left"] += 1
            self.tally.fired.update(slot.reference.fired)
        for place, slot in zip(ended, self._begin(ended), strict=True):
            self.slots[place] = slot
        return self._compare(ended)
