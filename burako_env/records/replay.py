"""Playing records again: `verify` says of each whether it holds, and if not at which action and why.

Records of the same game, rules and root seed are played side by side in one batch, so that checking a tournament's
records costs about as much as playing it did.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final

import numpy as np

from burako_env.batch import BatchGame
from burako_env.families import make, make_match
from burako_env.match import MatchGame
from burako_env.records.format import UNFINISHED, Hand, Record, Result, action_place

# Of a long list of legal actions only so many are shown.
_SHOWN: Final = 8
_BATCH: Final = 256


def result_of(game: BatchGame, index: int) -> Result:
    """How a hand or match ended, in the words of records; of a live one what it has so far. Matches count no turns."""
    return Result(
        scores=tuple(game.scores[index].tolist()),
        reason=game.reasons[index] or UNFINISHED,
        turns=int(game.turns[index]) if game.match is None else None,
    )


def verify(records: Sequence[Record]) -> list[str | None]:
    """For each record None if playing it again gives what it says, else at which action it does not, and why."""
    groups: dict[tuple[object, ...], list[int]] = {}
    for number, record in enumerate(records):
        key = (record.kind, record.game, repr(sorted(record.rules.items())), record.root_seed)
        groups.setdefault(key, []).append(number)
    found: list[str | None] = [None] * len(records)
    for numbers in groups.values():
        for start in range(0, len(numbers), _BATCH):
            some = numbers[start : start + _BATCH]
            for number, failure in zip(some, _Replay([records[number] for number in some]).run(), strict=True):
                found[number] = failure
    return found


@dataclass
class _Place:
    """How far a record has been played: so many hands, so many actions of the next; `failure`: why no further."""

    record: Record
    parts: tuple[Hand, ...]
    hand: int = 0
    action: int = 0
    failure: str | None = None
    results: list[Result] = field(default_factory=list)

    @property
    def here(self) -> str:
        """The next action."""
        return action_place(self.record, self.hand + 1, self.action + 1)

    @property
    def next(self) -> str | None:
        """The text of the next action of the hand in play, None after its last."""
        actions = self.parts[self.hand].actions if self.hand < len(self.parts) else ()
        return actions[self.action] if self.action < len(actions) else None


class _Replay:
    """Plays records of one game and rules in one batch, game i being record i."""

    def __init__(self, records: Sequence[Record]) -> None:
        first = records[0]
        maker = make_match if first.kind == "match" else make
        self.game: BatchGame = maker(first.game, len(records), first.root_seed, first.rules)
        self.game.reset([record.deal_id for record in records], swap_sides=[record.orientation for record in records])
        self.places = [_Place(record, record.parts) for record in records]
        # Ids that a text has meant so far: the legal one of them is nearly always the right one.
        self.ids: dict[str, list[int]] = {}

    def run(self) -> list[str | None]:
        """The failure of each record, None for those that hold."""
        digest = self.game.rules_digest
        for place in self.places:
            if place.record.rules_digest != digest:
                place.failure = (
                    f"rules_digest is '{place.record.rules_digest}', these rules have '{digest}': "
                    "the record was made under other rules"
                )
        while playing := [number for number, place in enumerate(self.places) if self._goes_on(number, place)]:
            self._step(playing)
        for number, place in enumerate(self.places):
            place.failure = place.failure or self._compare_end(number, place)
        return [place.failure for place in self.places]

    def _goes_on(self, number: int, place: _Place) -> bool:
        """Whether the record has another action and the game can take one; a record that cannot go on fails."""
        if place.failure is not None or place.next is None:
            return False
        if self.game.done[number]:
            over = "match" if place.record.kind == "match" else "hand"
            place.failure = f"{place.here} '{place.next}': the {over} was over before it"
            return False
        return True

    def _step(self, playing: list[int]) -> None:
        """One action of each of these records."""
        legal = self.game.legal(playing)
        actions, games = [], []
        for row, number in zip(legal, playing, strict=True):
            place = self.places[number]
            action = self._find(number, str(place.next), row)
            if action is None:
                place.failure = self._not_legal(number, place, row)
            else:
                actions.append(action)
                games.append(number)
                place.action += 1
        if not games:
            return
        self.game.step(actions, games, validate=False)
        if self.game.match is not None:
            self._next_hands(self.game.match)

    def _find(self, number: int, text: str, legal: np.ndarray) -> int | None:
        """The legal action that a text means."""
        known = self.ids.setdefault(text, [])
        for action in known:
            if legal[action] and self.game.action_text(action, number) == text:
                return action
        for action in np.flatnonzero(legal).tolist():
            if self.game.action_text(action, number) == text:
                known.append(action)
                return int(action)
        return None

    def _not_legal(self, number: int, place: _Place, legal: np.ndarray) -> str:
        texts = [self.game.action_text(action, number) for action in np.flatnonzero(legal).tolist()]
        more = f" and {len(texts) - _SHOWN} more" if len(texts) > _SHOWN else ""
        return (
            f"{place.here} '{place.next}' is not legal for seat {int(self.game.to_act[number])} in phase "
            f"{self.game.phase_text(number)}: legal are {', '.join(texts[:_SHOWN])}{more}"
        )

    def _next_hands(self, match: MatchGame) -> None:
        """Compare the hands that ended with the last step."""
        if match.finished_hands is None:
            return
        for row, number in enumerate(match.finished.tolist()):
            place = self.places[number]
            hand, found = place.parts[place.hand], result_of(match.finished_hands, row)
            deal_id = int(match.last_deal_ids[number])
            if place.next is not None:
                place.failure = f"{place.here} '{place.next}': the hand was over before it"
            elif hand.deal_id != deal_id:
                place.failure = f"hand {place.hand + 1}: deal_id is {hand.deal_id}, of this match it is {deal_id}"
            else:
                place.failure = _difference(f"hand {place.hand + 1}: result", hand.result, found)
            place.hand, place.action = place.hand + 1, 0

    def _compare_end(self, number: int, place: _Place) -> str | None:
        """What is wrong once all actions are played."""
        record, match = place.record, self.game.match
        if match is None:
            return self._broken_off(number, place, record.result) or _difference(
                "result", record.result, result_of(self.game, number)
            )
        failure = None
        if place.hand < len(place.parts):
            failure = self._compare_live_hand(match, number, place)
        return failure or _difference("result", record.result, result_of(match, number))

    def _compare_live_hand(self, match: MatchGame, number: int, place: _Place) -> str | None:
        """The hand that a match stands in, which the record must have broken off."""
        hand, name = place.parts[place.hand], f"hand {place.hand + 1}"
        failure = self._broken_off(number, place, hand.result)
        deal_id = int(match.hand.deal_ids[number])
        if failure is None and hand.deal_id != deal_id:
            failure = f"{name}: deal_id is {hand.deal_id}, of this match it is {deal_id}"
        if failure is None and place.hand + 1 < len(place.parts):
            failure = f"{name} is not over, but others follow"
        return failure or _difference(f"{name}: result", hand.result, result_of(match.hand, number))

    def _broken_off(self, number: int, place: _Place, result: Result) -> str | None:
        """A failure if the actions end before the hand does, and the record does not say so."""
        if self.game.done[number] or result.reason == UNFINISHED:
            return None
        last = action_place(place.record, place.hand + 1, place.action)
        return f"{last} is the last, but the hand is not over (result: reason is {result.reason})"


def _difference(what: str, recorded: Result, found: Result) -> str | None:
    """The first value of a result that differs."""
    for name in ("reason", "scores", "turns"):
        said, is_so = getattr(recorded, name), getattr(found, name)
        if said is not None and said != is_so:
            words = [list(value) if isinstance(value, tuple) else value for value in (said, is_so)]
            return f"{what}: {name} is {words[0]}, playing again gives {words[1]}"
    return None
